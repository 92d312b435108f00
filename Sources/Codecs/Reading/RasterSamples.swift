public import Imaging

extension Raster {
  /// The 8-bit R, G, B, A of the file's own numbers: no color management, orientation not applied.
  ///
  /// 16-bit samples are round(v / 257); ink is r = round((255 - c) * (255 - k) / 255). This is what a decoder is judged by.
  public var rgba8: [UInt8] {
    switch samples {
    case .rgba8(let samples): return samples
    case .rgba16(let samples):
      return samples.withUnsafeBufferPointer { wide in
        [UInt8](unsafeUninitializedCapacity: wide.count) { narrow, count in
          for i in 0..<wide.count { narrow[i] = UInt8((UInt32(wide[i]) + 128) / 257) }
          count = wide.count
        }
      }
    case .cmyk8(let samples):
      return samples.withUnsafeBufferPointer { ink in
        [UInt8](unsafeUninitializedCapacity: ink.count) { rgba, count in
          for i in stride(from: 0, to: ink.count, by: 4) {
            let paper = 255 - Int(ink[i + 3])
            for c in 0..<3 { rgba[i + c] = UInt8(((255 - Int(ink[i + c])) * paper + 127) / 255) }
            rgba[i + 3] = 255
          }
          count = ink.count
        }
      }
    }
  }
}
