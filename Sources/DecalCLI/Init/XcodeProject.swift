import AssetCatalog
import Pipeline

/// The Xcode project of a stand-alone sticker pack: an app that holds nothing but the extension with the stickers.
///
/// Neither target has code. The catalog that `decal build` writes is in the resources of both. There is no team, no absolute
/// path and no date in it: the same pack has the same files.
struct XcodeProject {
  let names: XcodeNames
  /// The catalog, relative to the project's folder.
  let catalog: String

  /// The first iOS that the project is for.
  static let deploymentTarget = "15.0"
  /// The folder of the Info.plists.
  static let folder = "Xcode"
  static let appPlist = folder + "/App-Info.plist"
  static let extensionPlist = folder + "/StickerPack-Info.plist"

  /// `output` is where the pack is built, relative to the project's folder.
  init(name: String, output: String) {
    names = XcodeNames(name)
    catalog = Path.join(output, "Stickers.xcstickers")
  }

  /// All its files, by path.
  var files: [(path: String, text: String)] {
    [
      ("\(names.shown).xcodeproj/project.pbxproj", pbxproj), (XcodeProject.appPlist, appInfo.xml),
      (XcodeProject.extensionPlist, extensionInfo.xml), ("project.yml", xcodegen),
    ]
  }
}

// MARK: - Info.plists

extension XcodeProject {
  private func bundleKeys(_ type: String) -> [(key: String, value: PropertyValue)] {
    [
      ("CFBundleDevelopmentRegion", .string("$(DEVELOPMENT_LANGUAGE)")), ("CFBundleDisplayName", .string(names.shown)),
      ("CFBundleExecutable", .string("$(EXECUTABLE_NAME)")),
      ("CFBundleIdentifier", .string("$(PRODUCT_BUNDLE_IDENTIFIER)")),
      ("CFBundleInfoDictionaryVersion", .string("6.0")), ("CFBundleName", .string("$(PRODUCT_NAME)")),
      ("CFBundlePackageType", .string(type)), ("CFBundleShortVersionString", .string("$(MARKETING_VERSION)")),
      ("CFBundleVersion", .string("$(CURRENT_PROJECT_VERSION)")),
    ]
  }

  private var appInfo: PropertyValue {
    .dictionary(
      bundleKeys("APPL") + [("LSApplicationLaunchProhibited", .bool(true)), ("LSRequiresIPhoneOS", .bool(true))])
  }

  private var extensionInfo: PropertyValue {
    .dictionary(
      bundleKeys("XPC!") + [
        (
          "NSExtension",
          .dictionary([
            ("NSExtensionPointIdentifier", .string("com.apple.message-payload-provider")),
            ("NSExtensionPrincipalClass", .string("StickerBrowserViewController")),
          ])
        ),
        // iOS 17 shows the stickers outside Messages, too.
        ("NSStickerSharingLevel", .string("OS")),
      ])
  }
}

// MARK: - Settings

extension XcodeProject {
  /// The settings that both targets share.
  var projectSettings: [(key: String, value: String)] {
    [
      ("ALWAYS_SEARCH_USER_PATHS", "NO"), ("CODE_SIGN_STYLE", "Automatic"), ("CURRENT_PROJECT_VERSION", "1"),
      ("IPHONEOS_DEPLOYMENT_TARGET", XcodeProject.deploymentTarget), ("MARKETING_VERSION", "1.0"),
      ("SDKROOT", "iphoneos"), ("TARGETED_DEVICE_FAMILY", "1,2"),
    ]
  }

  var appSettings: [(key: String, value: String)] {
    [
      ("ASSETCATALOG_COMPILER_APPICON_NAME", "iMessage App Icon"), ("INFOPLIST_FILE", XcodeProject.appPlist),
      ("PRODUCT_BUNDLE_IDENTIFIER", names.bundle), ("PRODUCT_NAME", names.product),
    ]
  }

  var extensionSettings: [(key: String, value: String)] {
    [
      ("ASSETCATALOG_COMPILER_APPICON_NAME", "iMessage App Icon"), ("INFOPLIST_FILE", XcodeProject.extensionPlist),
      ("PRODUCT_BUNDLE_IDENTIFIER", names.bundle + ".stickers"), ("PRODUCT_NAME", names.extensionProduct),
      ("SKIP_INSTALL", "YES"),
    ]
  }
}

// MARK: - XcodeGen

extension XcodeProject {
  private var xcodegen: String {
    func settings(_ settings: [(key: String, value: String)], _ indent: String) -> [String] {
      settings.map { "\(indent)\($0.key): \(yaml($0.value))" }
    }
    func target(_ name: String, _ type: String, _ settingsOfTarget: [(key: String, value: String)]) -> [String] {
      [
        "  \(yaml(name)):", "    type: \(type)", "    platform: iOS", "    sources:", "      - path: \(yaml(catalog))",
        "        buildPhase: resources", "        optional: true", "    settings:", "      base:",
      ] + settings(settingsOfTarget, "        ")
    }
    let lines =
      [
        "# For XcodeGen: `xcodegen` makes \(oneLine(names.shown)).xcodeproj anew. Put your own bundle ids here and there.",
        "name: \(yaml(names.shown))", "options:", "  deploymentTarget:",
        "    iOS: \(yaml(XcodeProject.deploymentTarget))", "settings:", "  base:",
      ] + settings(projectSettings, "    ") + ["targets:"]
      + target(names.shown, "application.messages", appSettings)
      + ["    dependencies:", "      - target: \(yaml(names.extensionTarget))"]
      + target(names.extensionTarget, "app-extension.messages-sticker-pack", extensionSettings)
    return Help.text(lines)
  }

  private func oneLine(_ text: String) -> String { text.escapingControls }

  /// A text in double quotes, as YAML and JSON share them.
  private func yaml(_ text: String) -> String { JSONValue.string(text).serialized(.compact) }
}
