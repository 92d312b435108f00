import Imaging

/// An animation made ready for rate-distortion coding with one palette: what every pass over it shares.
final class PreparedAnimation {
  let size: PixelSize
  /// The frames that are coded.
  let frames: [Bitmap]
  /// `ActivityMask` weights, one plane a frame.
  let weights: [[UInt8]]
  /// For how many frames each pixel stays exactly as it is, this one included, at most `longestStay`; one plane a frame.
  let stays: [[UInt8]]

  /// An error that stays is seen for as long; beyond this many frames the eye has long moved on.
  static let longestStay: UInt8 = 8

  init(frames: [Bitmap]) {
    self.frames = frames
    size = frames[0].size
    var mask = ActivityMask(size: size)
    weights = frames.map { mask.weights(of: $0) }
    stays = PreparedAnimation.stays(frames)
  }

  private static func stays(_ frames: [Bitmap]) -> [[UInt8]] {
    var planes = [[UInt8]](repeating: [], count: frames.count)
    var later = [UInt8](repeating: 1, count: frames[0].size.area)
    planes[frames.count - 1] = later
    for t in frames.indices.dropLast().reversed() {
      frames[t].withPackedPixels { own in
        frames[t + 1].withPackedPixels { next in
          later.withUnsafeMutableBufferPointer { later in
            for i in 0..<own.count { later[i] = own[i] == next[i] ? min(later[i] + 1, longestStay) : 1 }
          }
        }
      }
      planes[t] = later
    }
    return planes
  }

  /// The nearest indices of some frames, steadied over each run of them with `lambda` as the price of a change; empty
  /// planes for the others.
  func nominalPlanes(_ palette: Palette, points: [SIMD4<Float>], lambda: Float, of runs: [Range<Int>]) -> [[UInt8]] {
    let remapper = Remapper(palette)
    let smoother = TemporalSmoother(points: points, firstOpaque: palette.translucentCount, lambda: lambda)
    var planes = [[UInt8]](repeating: [], count: frames.count)
    for run in runs {
      var part = frames[run].map { remapper.remap($0).indices }
      smoother.smooth(&part, frames: frames[run], weights: weights[run])
      planes.replaceSubrange(run, with: part)
    }
    return planes
  }
}
