import Codecs
import Foundation
import Imaging

/// How long builds take that have little to do, beside ninja, and what watching costs.
enum BuildBench {
  private static let stickers = 1000
  private static let rounds = 30

  /// `program` is the built decal.
  static func run(program: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("decal-bench-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pack = folder + "/pack"
    try make(pack, stickers: stickers, side: 60)
    print("\(stickers) stickers from pictures of 60 px, grid size small, effort fast; \(rounds) rounds, milliseconds")
    let first = time { launch([program, "build", "-q", "--allow", "sticker-group", pack]) }
    print("all of them, nothing known:   \(Bench.fixed(first / 1000, 1)) s")
    let build = [program, "build", "-q", pack]
    var (ours, theirs) = ([Double](), [Double]())
    var processor = (ours: 0.0, theirs: 0.0)
    let ninja = try ninjaFolder(folder, pack)
    if let ninja { launch([ninja.program, "-C", ninja.folder]) }
    for _ in 0..<rounds {
      // By turns, so that what else the machine does meets both.
      processor.ours += processorTime { ours.append(time { launch(build) }) }
      if let ninja {
        processor.theirs += processorTime { theirs.append(time { launch([ninja.program, "-C", ninja.folder]) }) }
      }
    }
    report("nothing to do, decal", ours)
    if theirs.isEmpty {
      print("no ninja to compare with; install it")
    } else {
      report("nothing to do, ninja", theirs)
      print(
        "ratio of the medians:         \(Bench.fixed(percentile(ours, 50) / percentile(theirs, 50), 2)); at most 3 is the aim"
      )
      // What else the machine does leaves this as it is.
      print("ratio of processor time:      \(Bench.fixed(processor.ours / processor.theirs, 2))")
    }
    var changed: [Double] = []
    for round in 0..<10 {
      try write(picture(side: 60, seed: 5000 + round), pack + "/art/s500.png")
      changed.append(time { launch(build) })
    }
    report("one changed sticker", changed)
    try watch(program, folder + "/watched")
  }

  private static func watch(_ program: String, _ pack: String) throws {
    try make(pack, stickers: 20, side: 1024)
    launch([program, "build", "-q", pack])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["watch", pack]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.interrupt()
      process.waitUntilExit()
    }
    let lines = Lines(output.fileHandleForReading)
    while let line = lines.next(), !line.hasPrefix("watching") {}
    var latencies: [Double] = []
    for round in 0..<40 {
      usleep(300_000)
      let bytes = picture(side: 1024, seed: 9000 + round)
      try write(bytes, pack + "/.new")
      let start = DispatchTime.now()
      rename(pack + "/.new", pack + "/art/s\(round % 20).png")
      guard let line = lines.next(), line.hasPrefix("pressed") else { break }
      latencies.append(Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e6 - 100)
    }
    report("watch, a 1024 px still, beyond the 100 ms of quiet, \(latencies.count) times", latencies)
    usleep(1_000_000)
    let before = processorTime(process.processIdentifier)
    usleep(10_000_000)
    print("watch, idle for 10 s:         \(processorTime(process.processIdentifier) - before) ticks of processor time")
  }

  private static func report(_ name: String, _ times: [Double]) {
    let parts = [("p50", 50), ("p95", 95)].map { "\($0.0) \(Bench.fixed(percentile(times, $0.1), 1))" }
    let column = name + ":" + String(repeating: " ", count: max(1, 29 - name.count))
    print(column + parts.joined(separator: "  ") + "  least \(Bench.fixed(times.min() ?? 0, 1))")
  }

  private static func percentile(_ times: [Double], _ percent: Int) -> Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
  }
}

// MARK: - Packs and processes

extension BuildBench {
  private static func make(_ pack: String, stickers: Int, side: Int) throws {
    try FileManager.default.createDirectory(atPath: pack + "/art", withIntermediateDirectories: true)
    try write(Array(#"{ "grid": "small", "effort": "fast" }"#.utf8), pack + "/decal.json")
    for index in 0..<stickers { try write(picture(side: side, seed: index), pack + "/art/s\(index).png") }
  }

  private static func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// A disk on transparency, of a color of its own.
  private static func picture(side: Int, seed: Int) -> [UInt8] {
    var bitmap = Bitmap(size: PixelSize(square: side))
    let color = RGBA8(UInt8(seed * 37 % 256), UInt8(seed * 91 % 256), UInt8(seed / 7 % 256))
    let radius = side / 2 - 2
    for y in 0..<side {
      for x in 0..<side where (x - side / 2) * (x - side / 2) + (y - side / 2) * (y - side / 2) < radius * radius {
        bitmap[x, y] = color
      }
    }
    return encodeRGBA8(bitmap)
  }

  /// A folder in which ninja copies as many files, where there is a ninja.
  private static func ninjaFolder(_ folder: String, _ pack: String) throws -> (program: String, folder: String)? {
    let places = ["/usr/bin/ninja", "/usr/local/bin/ninja", "/opt/homebrew/bin/ninja"]
    guard let program = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return nil }
    let place = folder + "/ninja"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let rules = (0..<stickers).map { "build out/s\($0).png: copy \(pack)/art/s\($0).png\n" }.joined()
    try write(Array(("rule copy\n  command = cp $in $out\n" + rules).utf8), place + "/build.ninja")
    return (program, place)
  }

  /// Runs a program to its end, in silence; Foundation's way looks only now and then whether it is over.
  private static func launch(_ words: [String]) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      return print("cannot run \(words[0])")
    }
    waitpid(process, nil, 0)
  }

  /// Milliseconds.
  private static func time(_ work: () -> Void) -> Double {
    let start = DispatchTime.now()
    work()
    return Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e6
  }

  /// Milliseconds that processes which begin and end in the work take of processors.
  private static func processorTime(_ work: () -> Void) -> Double {
    func ended() -> Double {
      var usage = rusage()
      #if canImport(Darwin)
        getrusage(RUSAGE_CHILDREN, &usage)
      #else
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
      #endif
      let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      let microseconds = Double(usage.ru_utime.tv_usec) + Double(usage.ru_stime.tv_usec)
      return seconds * 1e3 + microseconds / 1e3
    }
    let before = ended()
    work()
    return ended() - before
  }

  private static func processorTime(_ process: Int32) -> Int {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }
}

/// The lines of a stream, as they come.
private final class Lines {
  private let handle: FileHandle
  private var rest = ""

  init(_ handle: FileHandle) { self.handle = handle }

  func next() -> String? {
    while true {
      if let end = rest.firstIndex(of: "\n") {
        defer { rest = String(rest[rest.index(after: end)...]) }
        return String(rest[..<end])
      }
      let data = handle.availableData
      if data.isEmpty { return nil }
      rest += String(decoding: data, as: UTF8.self)
    }
  }
}
