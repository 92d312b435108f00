import Codecs
import Imaging

/// Looks at a master icon, or at the largest icon of a set.
struct MasterCheck {
  /// Bounds on what is decoded.
  let limits: DecodeLimits
  /// How a master that is not square becomes square; nil refuses it.
  var fit: Fit?

  /// No more than this many pixels a side are needed to see corners.
  private static let side = 512
  /// How far the sides of a square master may differ.
  private static let squareTolerance = 0.04

  /// What is found; a file that cannot be read is an error among it.
  ///
  /// A finished icon has a size of its own and was looked at for transparency.
  func look(_ bytes: [UInt8], path: String, isFinished: Bool = false) -> [CheckFinding] {
    do throws(DecodeError) {
      let (image, size, diagnostics) = try MasterImage.decode(bytes: bytes, limits: limits) { size in
        let longest = max(size.width, size.height)
        guard longest > Self.side else { return size }
        return PixelSize(
          width: max(1, size.width * Self.side / longest), height: max(1, size.height * Self.side / longest))
      }
      let told = diagnostics.map { diagnostic in
        var finding = CheckFinding(diagnostic)
        finding.path = path
        return finding
      }
      let corners = BakedCorners.find(in: image.bitmap())
      return (isFinished ? [] : told + shape(image, size, corners, path)) + look(image, corners, path)
    } catch {
      return [CheckFinding(Diagnostic(failure: error, path: path))]
    }
  }

  private func shape(
    _ image: LinearBitmap, _ size: PixelSize, _ corners: BakedCorners?, _ path: String
  ) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    let difference = Double(abs(size.width - size.height)) / Double(max(size.width, size.height, 1))
    if difference > Self.squareTolerance, corners == nil {
      findings.append(CheckFinding(.iconNotSquare, fit == nil ? nil : .note, path: path, "\(size) px"))
    }
    if max(size.width, size.height) < 1024 {
      findings.append(CheckFinding(.iconSmall, path: path, "\(size) px, the App Store shows 1024x1024"))
    }
    if IconShape(of: image) != .opaque, corners?.isTransparent != true {
      let clear = stride(from: 3, to: image.samples.count, by: 4).count { image.samples[$0] < 254.5 / 255 }
      let share = percent(Double(clear) / Double(max(image.size.area, 1)))
      findings.append(CheckFinding(.iconTransparent, path: path, "\(share) of it is not opaque"))
    }
    return findings
  }

  private func look(_ image: LinearBitmap, _ corners: BakedCorners?, _ path: String) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    if let corners {
      let fill = corners.isTransparent ? "transparent" : "filled with one color"
      findings.append(
        CheckFinding(
          .iconCorners, path: path, "corners rounded by \(percent(corners.radius)) of the side, \(fill)"))
    }
    let small = Resampler.resample(image, to: PixelSize(square: Busyness.side)).bitmap()
    let busyness = Busyness(of: small)
    if busyness.isBusy {
      findings.append(
        CheckFinding(
          .iconBusy, path: path,
          "strong detail in \(percent(busyness.detailed)) of its cells, four fifths of it in \(percent(busyness.spread))"
        ))
    }
    return findings
  }
}
