import Imaging

/// The area that an animation's frames are composed on: R, G, B, A with straight alpha, transparent at first.
struct Canvas<Sample: FixedWidthInteger & UnsignedInteger & Sendable> {
  let size: PixelSize
  /// `size.area * 4` samples; handing them on copies nothing until the next frame is drawn.
  private(set) var pixels: [Sample]
  private var saved: [Sample] = []

  init(size: PixelSize) {
    self.size = size
    pixels = [Sample](repeating: 0, count: size.area * 4)
  }

  /// Keeps what a region holds, for `restore`.
  mutating func save(_ region: PixelRect) {
    let count = region.isEmpty ? 0 : region.width * region.height * 4
    if saved.count != count { saved = [Sample](repeating: 0, count: count) }
    let (width, rowLength) = (size.width, region.width * 4)
    saved.withUnsafeMutableBufferPointer { saved in
      pixels.withUnsafeBufferPointer { buffer in
        guard let to = saved.baseAddress, let from = buffer.baseAddress, !region.isEmpty else { return }
        for row in 0..<region.height {
          (to + row * rowLength).update(from: from + ((region.y + row) * width + region.x) * 4, count: rowLength)
        }
      }
    }
  }

  /// Puts back what the region held at `save`.
  mutating func restore(_ region: PixelRect) {
    let (width, rowLength) = (size.width, region.width * 4)
    saved.withUnsafeBufferPointer { saved in
      pixels.withUnsafeMutableBufferPointer { buffer in
        guard let from = saved.baseAddress, let to = buffer.baseAddress else { return }
        for row in 0..<region.height {
          (to + ((region.y + row) * width + region.x) * 4).update(from: from + row * rowLength, count: rowLength)
        }
      }
    }
  }

  /// Makes a region transparent black.
  mutating func clear(_ region: PixelRect) {
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      for y in region.y..<region.maxY {
        let row = UnsafeMutableRawPointer(first + (y * size.width + region.x) * 4)
        row.initializeMemory(as: UInt8.self, repeating: 0, count: region.width * 4 * MemoryLayout<Sample>.stride)
      }
    }
  }

  /// Gives the samples to a closure that draws.
  mutating func draw<Failure: Error>(
    _ body: (UnsafeMutableBufferPointer<Sample>) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    pixels.withUnsafeMutableBufferPointer { buffer in
      do throws(Failure) { try body(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Puts a picture of the region's size onto it, replacing what is there or blended over it.
  mutating func paint(_ picture: UnsafeBufferPointer<Sample>, at region: PixelRect, isOver: Bool) {
    let (width, rowLength) = (size.width, region.width * 4)
    pixels.withUnsafeMutableBufferPointer { buffer in
      for row in 0..<region.height {
        let to = buffer.baseAddress! + ((region.y + row) * width + region.x) * 4
        let from = picture.baseAddress! + row * rowLength
        if isOver {
          blendRow(from, to, pixels: region.width)
        } else {
          to.update(from: from, count: rowLength)
        }
      }
    }
  }
}

/// Blends a row of straight-alpha pixels over another, rounding to nearest.
///
/// With a, b the alphas as integers up to m: the result's alpha is (a m + b (m - a)) / m, its color the mean of both
/// weighted by a m and b (m - a). Source: PNG specification, third edition, section 13.16, with a translucent background.
@inline(__always)
private func blendOver<Sample: FixedWidthInteger & UnsignedInteger>(
  _ from: UnsafePointer<Sample>, _ to: UnsafeMutablePointer<Sample>, pixels: Int
) {
  let full = Int(Sample.max)
  for i in stride(from: 0, to: pixels * 4, by: 4) {
    let alpha = Int(from[i + 3])
    if alpha == 0 { continue }
    let under = Int(to[i + 3])
    if alpha == full || under == 0 {
      (to[i], to[i + 1], to[i + 2], to[i + 3]) = (from[i], from[i + 1], from[i + 2], from[i + 3])
      continue
    }
    let upper = alpha &* full
    let lower = (full &- alpha) &* under
    let sum = upper &+ lower
    // Whole numbers below 2^53 divide to the same whole part, several times faster than as integers.
    let divisor = Double(sum)
    for c in 0..<3 {
      let value = Int(from[i + c]) &* upper &+ Int(to[i + c]) &* lower &+ sum / 2
      to[i + c] = Sample(truncatingIfNeeded: Int(Double(value) / divisor))
    }
    to[i + 3] = Sample(truncatingIfNeeded: (sum &+ full / 2) / full)
  }
}

/// Blends a row with code made for its kind of samples: what is called through `FrameSource` is not, and takes many times
/// as long.
private func blendRow<Sample>(_ from: UnsafePointer<Sample>, _ to: UnsafeMutablePointer<Sample>, pixels: Int)
where Sample: FixedWidthInteger & UnsignedInteger {
  let (source, target) = (UnsafeRawPointer(from), UnsafeMutableRawPointer(to))
  if Sample.self == UInt8.self {
    blendOver(source.assumingMemoryBound(to: UInt8.self), target.assumingMemoryBound(to: UInt8.self), pixels: pixels)
  } else if Sample.self == UInt16.self {
    blendOver(source.assumingMemoryBound(to: UInt16.self), target.assumingMemoryBound(to: UInt16.self), pixels: pixels)
  } else {
    blendOver(from, to, pixels: pixels)
  }
}
