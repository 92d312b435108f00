extension IconSlot {
  /// The folder name of a sticker pack's icon set: the default that Xcode projects ask for.
  public static let messagesIconSetName = "iMessage App Icon"

  /// The 13 slots of a `.stickersiconset`, in the order in which Xcode writes them.
  ///
  /// The platform on the last five is needed: without it the upload is refused for missing icons.
  public static let messages: [IconSlot] = [
    IconSlot(size: PointSize(29, 29), scale: .x2, idiom: .iphone),
    IconSlot(size: PointSize(29, 29), scale: .x3, idiom: .iphone),
    IconSlot(size: PointSize(60, 45), scale: .x2, idiom: .iphone),
    IconSlot(size: PointSize(60, 45), scale: .x3, idiom: .iphone),
    IconSlot(size: PointSize(29, 29), scale: .x2, idiom: .ipad),
    IconSlot(size: PointSize(67, 50), scale: .x2, idiom: .ipad),
    IconSlot(size: PointSize(74, 55), scale: .x2, idiom: .ipad),
    IconSlot(size: PointSize(1024, 1024), scale: .x1, idiom: .iosMarketing),
    IconSlot(size: PointSize(27, 20), scale: .x2, idiom: .universal, platform: .ios),
    IconSlot(size: PointSize(27, 20), scale: .x3, idiom: .universal, platform: .ios),
    IconSlot(size: PointSize(32, 24), scale: .x2, idiom: .universal, platform: .ios),
    IconSlot(size: PointSize(32, 24), scale: .x3, idiom: .universal, platform: .ios),
    IconSlot(size: PointSize(1024, 768), scale: .x1, idiom: .iosMarketing, platform: .ios),
  ]

  /// The one slot of an `.appiconset` since Xcode 14, and one more for each appearance of iOS 18.
  public static func singleAppIcon(_ appearances: [IconAppearance] = []) -> [IconSlot] {
    ([nil] + appearances).map {
      IconSlot(size: PointSize(1024, 1024), scale: nil, idiom: .universal, platform: .ios, appearance: $0)
    }
  }

  /// The 18 slots of an `.appiconset` before Xcode 14.
  public static let legacyAppIcon: [IconSlot] = {
    let iphone = [20.0, 29, 40, 60].flatMap { side in
      [IconScale.x2, .x3].map { IconSlot(size: PointSize(side, side), scale: $0, idiom: .iphone) }
    }
    let ipad = [20.0, 29, 40, 76].flatMap { side in
      [IconScale.x1, .x2].map { IconSlot(size: PointSize(side, side), scale: $0, idiom: .ipad) }
    }
    return iphone + ipad + [
      IconSlot(size: PointSize(83.5, 83.5), scale: .x2, idiom: .ipad),
      IconSlot(size: PointSize(1024, 1024), scale: .x1, idiom: .iosMarketing),
    ]
  }()
}
