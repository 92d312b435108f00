import Imaging

/// A PNG of one picture.
final class PNGSource: FrameSource {
  let header: ImageHeader
  private(set) var warnings: [DecodeWarning]
  var parts: [ImageFacts.Chunk] { file.parts }
  private let file: PNGFile
  private var isDone = false

  init(_ file: PNGFile) throws(DecodeError) {
    guard file.walk.isComplete else {
      throw .damaged(format: .png, reason: file.walk.defect ?? "the file ends early")
    }
    guard file.walk.chunks.contains(where: { $0.type == .IDAT }) else {
      throw .damaged(format: .png, reason: "there is no picture data")
    }
    self.file = file
    header = file.imageHeader(format: .png)
    warnings = file.warnings
  }

  func nextFrame() throws(DecodeError) -> DecodedFrame? {
    if isDone { return nil }
    isDone = true
    let data = file.walk.chunks.filter { $0.type == .IDAT }.map(\.data)
    let samples: Raster.Samples
    if file.header.depth == 16 {
      samples = .rgba16(try decode(UInt16.self, data))
    } else {
      var pixels = try decode(UInt8.self, data)
      if file.isCrushed { uncrush(&pixels, isPremultiplied: file.hasAlpha) }
      samples = .rgba8(pixels)
    }
    return DecodedFrame(raster: Raster(size: header.size, samples: samples), storedDelay: .zero, isAnimated: false)
  }

  private func decode<Sample: FixedWidthInteger>(
    _ type: Sample.Type, _ data: [Range<Int>]
  ) throws(DecodeError) -> [Sample] {
    let count = header.size.area * 4
    let room = PNGDecoder.room(width: header.size.width, height: header.size.height, depth: file.header.depth)
    var failure: DecodeError?
    let pixels = [Sample](unsafeUninitializedCapacity: room / MemoryLayout<Sample>.size) { buffer, filled in
      preferLargePages(buffer.baseAddress!, count: room)
      // Rows that a damaged stream does not reach stay unwritten and are never handed on.
      filled = count
      do throws(DecodeError) {
        let warning = try PNGDecoder(file: file).decode(
          width: header.size.width, height: header.size.height, data: data, into: buffer.baseAddress!)
        if let warning { warnings.append(DecodeWarning(id: "odd-data", message: warning)) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return pixels
  }
}

/// Turns the B, G, R, A of an Xcode-optimized PNG into straight R, G, B, A.
private func uncrush(_ pixels: inout [UInt8], isPremultiplied: Bool) {
  pixels.withUnsafeMutableBufferPointer { p in
    for i in stride(from: 0, to: p.count, by: 4) {
      let alpha = Int(p[i + 3])
      func straight(_ value: UInt8) -> UInt8 {
        alpha == 255 || alpha == 0 ? value : UInt8(min(255, (Int(value) * 255 + alpha / 2) / alpha))
      }
      (p[i], p[i + 1], p[i + 2]) =
        isPremultiplied
        ? (straight(p[i + 2]), straight(p[i + 1]), straight(p[i])) : (p[i + 2], p[i + 1], p[i])
    }
  }
}
