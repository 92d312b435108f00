/// Decodes GIF's variable-length-code LZW, a row at a time.
///
/// Legal but rare streams are read: no clear code at the start, clear codes in a row, a full table that is never
/// cleared, no end code. Source: GIF89a specification, appendix F.
final class LZWDecoder {
  enum State { case running, ended, broken }

  private(set) var state = State.running
  private let input: [UInt8]
  private var at: Int
  /// Where the sub-block at hand ends.
  private var blockEnd: Int
  private var bits: UInt64 = 0
  private var bitCount = 0
  private let clearCode: Int
  private var width: Int
  private let firstWidth: Int
  /// The next free entry of the table.
  private var next: Int
  /// The code before, or -1 after a clear.
  private var previous = -1
  private let prefix = UnsafeMutablePointer<UInt16>.allocate(capacity: 4096)
  private let suffix = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)
  private let first = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)
  private let length = UnsafeMutablePointer<UInt16>.allocate(capacity: 4096)
  /// The rest of a string that did not fit into the last row, in order.
  private let pending = UnsafeMutablePointer<UInt8>.allocate(capacity: 4097)
  private var pendingStart = 0
  private var pendingEnd = 0

  /// Prepares the stream of a chain of sub-blocks; the code size is 1 to 11, although only 256 indices have a meaning.
  init(_ input: [UInt8], from start: Int, codeSize: Int) {
    self.input = input
    at = start
    blockEnd = start
    clearCode = 1 << codeSize
    firstWidth = codeSize + 1
    width = firstWidth
    next = clearCode + 2
    for i in 0..<clearCode {
      prefix[i] = 0
      suffix[i] = UInt8(truncatingIfNeeded: i)
      first[i] = UInt8(truncatingIfNeeded: i)
      length[i] = 1
    }
  }

  deinit {
    prefix.deallocate()
    suffix.deallocate()
    first.deallocate()
    length.deallocate()
    pending.deallocate()
  }

  /// Writes the next indices of the stream; fewer than asked only where it ends or breaks.
  func read(into row: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var filled = 0
    while filled < row.count {
      if pendingStart < pendingEnd {
        let count = min(pendingEnd - pendingStart, row.count - filled)
        (row.baseAddress! + filled).update(from: pending + pendingStart, count: count)
        pendingStart += count
        filled += count
        continue
      }
      guard state == .running, let code = nextCode(), let string = advance(code) else { break }
      let count = Int(length[string])
      if count <= row.count - filled {
        write(string, endingAt: row.baseAddress! + filled + count)
        filled += count
      } else {
        write(string, endingAt: pending + count)
        (pendingStart, pendingEnd) = (0, count)
      }
    }
    return filled
  }

  /// Takes a code into the table and gives the entry to write; nil at the end or at a code that cannot be.
  private func advance(_ code: Int) -> Int? {
    var code = code
    while code == clearCode {
      width = firstWidth
      next = clearCode + 2
      previous = -1
      guard let following = nextCode() else { return nil }
      code = following
    }
    if code == clearCode + 1 {
      state = .ended
      return nil
    }
    if previous < 0 {
      guard code < clearCode else {
        state = .broken
        return nil
      }
    } else {
      guard code < next || (code == next && next < 4096) else {
        state = .broken
        return nil
      }
      if next < 4096 {
        prefix[next] = UInt16(previous)
        suffix[next] = code == next ? first[previous] : first[code]
        first[next] = first[previous]
        length[next] = length[previous] &+ 1
        next += 1
        if next == 1 << width, width < 12 { width += 1 }
      }
    }
    guard code < min(clearCode, 256) || code > clearCode else {
      state = .broken
      return nil
    }
    previous = code
    return code
  }

  private func nextCode() -> Int? {
    while bitCount < width {
      if at == blockEnd { openBlock() }
      guard at < blockEnd else {
        state = .ended
        return nil
      }
      bits |= UInt64(input[at]) << UInt64(bitCount)
      at += 1
      bitCount += 8
    }
    let code = Int(bits & ((1 << UInt64(width)) - 1))
    bits >>= UInt64(width)
    bitCount -= width
    return code
  }

  /// Goes into the next sub-block, where there is one.
  private func openBlock() {
    guard at < input.count, input[at] > 0 else { return }
    blockEnd = min(at + 1 + Int(input[at]), input.count)
    at += 1
  }

  private func write(_ string: Int, endingAt end: UnsafeMutablePointer<UInt8>) {
    var (code, to) = (string, end)
    for _ in 0..<Int(length[string]) {
      to -= 1
      to.pointee = suffix[code]
      code = Int(prefix[code])
    }
  }
}
