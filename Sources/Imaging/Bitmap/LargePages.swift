#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Asks the system to back memory that will all be written by pages of 2 MB where it can; one of 4 KB at a time, the
/// first writes to a large picture take as long as a quarter of its decoding.
package func preferLargePages(_ memory: UnsafeMutableRawPointer, count: Int) {
  #if os(Linux)
    let page = 4096
    let start = (Int(bitPattern: memory) + page - 1) / page * page
    let length = (Int(bitPattern: memory) + count - start) / page * page
    // Below two large pages there may be none that lies inside.
    guard length >= 4 << 20, let first = UnsafeMutableRawPointer(bitPattern: start) else { return }
    // It is only advice: where it is not taken, nothing is lost.
    _ = madvise(first, length, MADV_HUGEPAGE)
  #endif
}
