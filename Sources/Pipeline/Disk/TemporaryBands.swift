import Codecs
import Imaging
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finished frames of one animation beyond what memory shall hold, in a temporary file that has no name any more.
final class TemporaryBands: BandStore {
  /// What stays in memory: some 85 frames of 618 px in which everything moves.
  static let memory = 128 * 1024 * 1024
  /// What stays in memory of a finished file that is looked at again, beside what it was made from.
  static let finishedMemory = 64 * 1024 * 1024
  /// What stays in memory although the source takes as much as it may.
  private static let leastMemory = 16 * 1024 * 1024
  /// What a source and its finished frames may take together.
  private static let allMemory = 448 * 1024 * 1024

  /// What a pixel of an animation's canvas takes at most: the canvas, a frame, what it hides, the canvas before.
  static let canvasBytes = 32

  /// What may stay in memory while a canvas is composed, and its file is there.
  static func memory(besides canvas: PixelSize, _ limits: DecodeLimits) -> Int {
    let source = canvasBytes * min(canvas.area, limits.pixelsPerAnimationFrame) + min(limits.fileBytes, allMemory)
    return max(leastMemory, min(memory, allMemory - source))
  }

  private struct State {
    /// Bytes that may still stay in memory.
    var room: Int
    /// The file, -1 until it is needed.
    var file: Int32 = -1
    /// Where the next band goes.
    var end = 0
    /// Whether the disk refused; then all stays in memory.
    var isFull = false
  }

  private let state: Mutex<State>

  /// Makes a store that takes bands once as many bytes as `memory` were given.
  init(memory: Int = TemporaryBands.memory) { state = Mutex(State(room: memory)) }

  deinit { state.withLock { if $0.file >= 0 { close($0.file) } } }

  func keep(_ band: UnsafeRawBufferPointer) -> Int? {
    state.withLock { state in
      state.room -= band.count
      if state.room >= 0 || state.isFull { return nil }
      if state.file < 0 { state.file = TemporaryBands.open() }
      guard state.file >= 0, write(band, to: state.file, at: state.end) else {
        state.isFull = true
        return nil
      }
      defer { state.end += band.count }
      return state.end
    }
  }

  func read(_ place: Int, into band: UnsafeMutableRawBufferPointer) {
    let file = state.withLock { $0.file }
    var done = 0
    while done < band.count {
      let count = pread(file, band.baseAddress! + done, band.count - done, off_t(place + done))
      if count < 0, errno == EINTR { continue }
      // What was written and cannot be read back is a broken disk; there is no picture to go on with.
      precondition(count > 0, "a temporary file cannot be read back")
      done += count
    }
  }

  private func write(_ band: UnsafeRawBufferPointer, to file: Int32, at place: Int) -> Bool {
    var done = 0
    while done < band.count {
      let count = pwrite(file, band.baseAddress! + done, band.count - done, off_t(place + done))
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  /// A new file without a name, which goes with the process, however that ends; -1 where there can be none.
  private static func open() -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    var template = Array((Path.join(folder, "decal-XXXXXX")).utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return -1 }
    unlink(template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }
}
