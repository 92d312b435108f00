// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A system library: a module map and a shim header, nothing compiled.
func system(_ name: String, _ pkgConfig: String?, apt: String, brew: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

let package = Package(
  name: "Decal",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "decal", targets: ["decal"]),
    .library(name: "Pipeline", targets: ["Pipeline"]),
  ],
  targets: [
    system("CPNG", "libpng", apt: "libpng-dev", brew: "libpng"),
    system("CJPEG", "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
    system("CWebP", "libwebpdemux", apt: "libwebp-dev", brew: "webp"),
    system("CLCMS", "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
    system("CDeflate", "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),

    .target(name: "CCodecs", dependencies: ["CPNG", "CJPEG", "CWebP", "CLCMS", "CDeflate"]),
    .target(name: "Imaging", swiftSettings: strict),
    .target(name: "Codecs", dependencies: ["Imaging", "CCodecs", "CDeflate"], swiftSettings: strict),
    .target(name: "AssetCatalog", swiftSettings: strict),
    .target(name: "Templates"),
    .target(
      name: "Pipeline", dependencies: ["Imaging", "Codecs", "AssetCatalog", "Templates"], swiftSettings: strict),
    .target(
      name: "DecalCLI", dependencies: ["Pipeline", "Codecs", "Imaging", "AssetCatalog"], swiftSettings: strict),
    .executableTarget(name: "decal", dependencies: ["DecalCLI"], swiftSettings: strict),
    .executableTarget(
      name: "DecalBench", dependencies: ["Pipeline", "Codecs", "Imaging", "TestSupport", "CDeflate"],
      swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["Imaging", "Codecs", "Pipeline", "CDeflate"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "ImagingTests", dependencies: ["Imaging", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "CodecsTests", dependencies: ["Codecs", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "AssetCatalogTests", dependencies: ["AssetCatalog"], swiftSettings: strict),
    .testTarget(name: "PipelineTests", dependencies: ["Pipeline", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "DecalCLITests", dependencies: ["DecalCLI", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests", dependencies: ["AssetCatalog", "DecalCLI", "Pipeline", "TestSupport"],
      swiftSettings: strict),
  ]
)
