import AssetCatalog
import Codecs
import Imaging

// From a master's bytes to art, with what there is to say about it.
extension IconRenderer {
  /// The art of square icons, or nil after an error.
  func square(_ master: IconMaster, _ diagnostics: inout [Diagnostic]) -> IconComposition? {
    guard let (image, size) = decode(master, gamut: gamut, &diagnostics) else { return nil }
    let shape = IconShape(of: image)
    let isSquare = if case .plate = shape { true } else { image.size.isSquare }
    guard isSquare || options.fit != nil else {
      diagnostics.append(notSquare(master, size))
      return nil
    }
    var composition = compose(image, shape, master, &diagnostics)
    if !composition.size.isSquare {
      if !isSquare { diagnostics.append(squared(master, size)) }
      composition = composition.squared(isSquare ? .cover : options.fit ?? .cover)
    }
    warnIfSmall(composition.size, PixelSize(square: IconRenderer.fullSide), master, &diagnostics)
    return composition
  }

  /// The art of 4:3 icons from a master of its own, or nil after an error.
  func wide(_ master: IconMaster, _ diagnostics: inout [Diagnostic]) -> IconComposition? {
    guard let (image, _) = decode(master, gamut: gamut, &diagnostics) else { return nil }
    let composition = compose(image, IconShape(of: image, square: false), master, &diagnostics)
    let size = composition.size
    if abs(Double(size.width) * 3 / (Double(size.height) * 4) - 1) > 0.03 {
      let what = size.width * 3 > size.height * 4 ? "cut evenly" : "continued"
      diagnostics.append(
        Diagnostic(
          .warning, path: master.path,
          "\(size) px, the icons of Messages are 4:3: the whole height is shown and the sides are \(what); "
            + "export it at 1024x768", id: "icon-not-4x3"))
    }
    warnIfSmall(size, PixelSize(width: 1024, height: 768), master, &diagnostics)
    return composition
  }

  /// A dark or tinted master, square, its alpha kept, or nil after an error; the tinted one turns gray.
  func variant(
    _ master: IconMaster, _ appearance: IconAppearance, _ diagnostics: inout [Diagnostic]
  ) -> LinearBitmap? {
    // Gray is the same in every gamut, and the weights below are those of sRGB.
    let own = appearance == .tinted ? .sRGB : gamut
    guard let (decoded, size) = decode(master, gamut: own, &diagnostics) else { return nil }
    var image = decoded
    guard size.isSquare else {
      diagnostics.append(
        Diagnostic(
          .error, path: master.path,
          "\(size) px, a \(appearance.rawValue) icon is square; export it at 1024x1024",
          id: "icon-not-square"))
      return nil
    }
    warnIfSmall(image.size, PixelSize(square: IconRenderer.fullSide), master, &diagnostics)
    if appearance == .tinted, image.makeGray() {
      diagnostics.append(
        Diagnostic(
          .note, path: master.path, "colors of the tinted icon turned gray: the system tints it", id: "icon-gray"))
    }
    return image
  }

  /// The primaries of the art.
  var gamut: OutputGamut { options.color == .keepP3 ? .displayP3 : .sRGB }

  /// The color under transparency, in the numbers of the gamut.
  private var matte: RGBA8 {
    let color = options.background ?? .white
    return gamut == .displayP3 ? DisplayP3.encoded(color) : color
  }

  /// The picture, no larger than composing needs, and the size that it has in the file, upright.
  private func decode(
    _ master: IconMaster, gamut: OutputGamut, _ diagnostics: inout [Diagnostic]
  ) -> (image: LinearBitmap, size: PixelSize)? {
    do throws(DecodeError) {
      let decoded = try StageTimes.measure(.decode) { () throws(DecodeError) in
        try MasterImage.decode(bytes: master.bytes, limits: limits, gamut: gamut, kernel: kernel, size: reduced)
      }
      diagnostics += decoded.diagnostics.map { Diagnostic($0.severity, path: master.path, $0.message, id: $0.id) }
      return (decoded.image, decoded.size)
    } catch {
      diagnostics.append(Diagnostic(.error, path: master.path, error.message, id: "cannot-read"))
      return nil
    }
  }

  /// The size of a picture that is no larger than composing needs.
  private func reduced(_ size: PixelSize) -> PixelSize {
    let limit = IconRenderer.compositionLimit
    // What is cut to a square is as large as its shorter side, everything else as its longer one.
    let side = options.fit == .cover ? min(size.width, size.height) : max(size.width, size.height)
    if side <= limit { return size }
    func scaled(_ length: Int) -> Int { max(1, (length * limit + side / 2) / side) }
    return PixelSize(width: scaled(size.width), height: scaled(size.height))
  }

  private func compose(
    _ image: LinearBitmap, _ shape: IconShape, _ master: IconMaster, _ diagnostics: inout [Diagnostic]
  ) -> IconComposition {
    let composition = StageTimes.measure(.render) { IconComposition(image, shape: shape, background: matte) }
    if case .plate(let rect) = shape {
      if rect != PixelRect(image.size) {
        diagnostics.append(
          Diagnostic(
            .warning, path: master.path,
            "cropped to the plate, \(rect.size) px of \(image.size); export the art without margins and shadow",
            id: "icon-cropped-to-plate"))
      }
      if composition.hasFilledCorners {
        let unused = options.background == nil ? "" : ", not with the background"
        diagnostics.append(
          Diagnostic(
            .warning, path: master.path,
            "rounded corners filled with the plate's own edge colors\(unused); "
              + "export square art, the system rounds the corners itself", id: "icon-corners-filled"))
      }
    }
    if composition.background != nil { diagnostics.append(onBackground(master)) }
    return composition
  }
}

// The diagnostics.
extension IconRenderer {
  private func onBackground(_ master: IconMaster) -> Diagnostic {
    guard let color = options.background else {
      return Diagnostic(
        .warning, path: master.path,
        "transparent, and an icon is opaque: put on white; give a background color", id: "icon-background-default")
    }
    return Diagnostic(
      .note, path: master.path, "transparent art put on the background \(color.hex)", id: "icon-on-background")
  }

  private func notSquare(_ master: IconMaster, _ size: PixelSize) -> Diagnostic {
    Diagnostic(
      .error, path: master.path,
      "\(size) px, an icon is square; crop it, or give --fit contain (its edges continue), "
        + "--fit cover (its sides are cut) or --fit fill (it is stretched)", id: "icon-not-square")
  }

  private func squared(_ master: IconMaster, _ size: PixelSize) -> Diagnostic {
    let how =
      switch options.fit ?? .cover {
      case .contain: "its shorter sides continued"
      case .cover: "its longer sides cut"
      case .fill: "stretched"
      }
    return Diagnostic(.note, path: master.path, "\(size) px made square, \(how)", id: "icon-squared")
  }

  private func warnIfSmall(
    _ size: PixelSize, _ needed: PixelSize, _ master: IconMaster, _ diagnostics: inout [Diagnostic]
  ) {
    if size.width >= needed.width || size.height >= needed.height { return }
    diagnostics.append(
      Diagnostic(
        .warning, path: master.path,
        "\(size) px of art, the App Store icon needs \(needed): it is enlarged; export it at \(needed) or more",
        id: "icon-too-small"))
  }
}

extension RGBA8 {
  /// The color as people write it, `#1E88E5`.
  fileprivate var hex: String {
    "#"
      + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}

extension LinearBitmap {
  /// Replaces colors by their luminance and answers whether any was not gray.
  fileprivate mutating func makeGray() -> Bool {
    samples.withUnsafeMutableBytes { bytes in
      let pixels = bytes.assumingMemoryBound(to: SIMD4<Float>.self)
      var hasColor = false
      for i in 0..<pixels.count {
        let pixel = pixels[i]
        let (least, most) = (min(pixel.x, pixel.y, pixel.z), max(pixel.x, pixel.y, pixel.z))
        if most - least > 1 / 255 { hasColor = true }
        let gray = SRGB.luminance(pixel.x, pixel.y, pixel.z)
        pixels[i] = SIMD4(gray, gray, gray, pixel.w)
      }
      return hasColor
    }
  }
}
