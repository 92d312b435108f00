import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether a write to the standard output failed for another reason than a reader that left.
private let outputFailed = Atomic<Bool>(false)

extension IO {
  /// The process's own streams, terminal and processors.
  public static var standard: IO {
    var io = IO(
      standardOutput: { if !writeAll($0, to: STDOUT_FILENO) { outputFailed.store(true, ordering: .relaxed) } },
      standardError: { _ = writeAll($0, to: STDERR_FILENO) },
      errorIsTerminal: isatty(STDERR_FILENO) == 1, width: terminalWidth, processors: max(1, sysconf(processorsOnline)))
    io.shell = runShell
    io.usage = processUsage
    io.memory = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))
    return io
  }

  /// Whether all that was said on the standard output arrived.
  public static var outputIsWhole: Bool { !outputFailed.load(ordering: .relaxed) }
}

private let processorsOnline = Int32(_SC_NPROCESSORS_ONLN)

private func processUsage() -> (processor: Duration, memory: Int) {
  var usage = rusage()
  // Linux has an enumeration where others have a number.
  #if canImport(Darwin)
    let (who, unit) = (RUSAGE_SELF, 1)
  #else
    let (who, unit) = (__rusage_who_t(RUSAGE_SELF.rawValue), 1024)
  #endif
  guard getrusage(who, &usage) == 0 else { return (.zero, 0) }
  let time = [usage.ru_utime, usage.ru_stime].reduce(Duration.zero) {
    $0 + .seconds(Int64($1.tv_sec)) + .microseconds(Int64($1.tv_usec))
  }
  return (time, ownPeakMemory ?? Int(usage.ru_maxrss) * unit)
}

/// The most memory of this program alone: on Linux `ru_maxrss` begins with that of the process that started it.
private var ownPeakMemory: Int? {
  let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 8192)
  let count = read(file, &bytes, bytes.count)
  guard count > 0 else { return nil }
  // "VmHWM:     12345 kB"
  let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 }
}

private var terminalWidth: Int {
  var size = winsize()
  guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}

/// Writes all of a text, whatever the system takes at a time.
func writeAll(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return true
  }
}

/// The variables of the environment that Decal looks at.
func readEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  for name in ["NO_COLOR", "TERM"] {
    if let value = getenv(name) { result[name] = String(cString: value) }
  }
  return result
}
