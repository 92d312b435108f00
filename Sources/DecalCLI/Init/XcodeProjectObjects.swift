import AssetCatalog
import Pipeline

/// One object of a `project.pbxproj`.
struct ProjectObject {
  let id: String
  let name: String
  let isa: String
  let fields: [(key: String, value: PropertyValue)]

  /// The line or lines of the object; fields stand in the order of their keys, the class first.
  var text: String {
    let sorted = fields.sorted { Path.precedes($0.key, $1.key) }
    let isShort = isa == "PBXBuildFile" || isa == "PBXFileReference"
    let body = PropertyValue.dictionary([("isa", .string(isa))] + sorted)
    return "\t\t\(id)\(PropertyValue.comment(name)) = \(body.openStep(indent: "\t\t", onOneLine: isShort));\n"
  }
}

extension XcodeProject {
  /// The project's objects; ids come from names and roles.
  var pbxproj: String {
    let objects = products + groups + phases + targets + configurations
    let classes = Set(objects.map(\.isa)).sorted(by: Path.precedes)
    let sections = classes.map { isa in
      let members = objects.filter { $0.isa == isa }.sorted { Path.precedes($0.id, $1.id) }
      return "\n/* Begin \(isa) section */\n" + members.map(\.text).joined() + "/* End \(isa) section */\n"
    }
    return """
      // !$*UTF8*$!
      {
      \tarchiveVersion = 1;
      \tclasses = {
      \t};
      \tobjectVersion = 56;
      \tobjects = {
      \(sections.joined())\t};
      \trootObject = \(reference("project", "Project object").openStep());
      }

      """
  }

  private func object(_ role: String, _ name: String, _ isa: String, _ fields: [(key: String, value: PropertyValue)])
    -> ProjectObject
  {
    ProjectObject(id: names.id(role), name: name, isa: isa, fields: fields)
  }

  private func reference(_ role: String, _ name: String) -> PropertyValue { .reference(names.id(role), name) }

  private var catalogName: String { Path.name(catalog) }
  private var appProduct: String { names.product + ".app" }
  private var extensionProduct: String { names.extensionProduct + ".appex" }

  /// Files: what is made, and what it is made from.
  private var products: [ProjectObject] {
    func file(_ role: String, _ path: String, _ type: String) -> ProjectObject {
      let (name, group) = (Path.name(path), PropertyValue.string("<group>"))
      var fields: [(key: String, value: PropertyValue)] = [
        ("lastKnownFileType", .string(type)), ("path", .string(path)),
      ]
      if name != path { fields.append(("name", .string(name))) }
      return object(role, name, "PBXFileReference", fields + [("sourceTree", group)])
    }
    func product(_ role: String, _ path: String, _ type: String) -> ProjectObject {
      object(
        role, path, "PBXFileReference",
        [
          ("explicitFileType", .string(type)), ("includeInIndex", .string("0")), ("path", .string(path)),
          ("sourceTree", .string("BUILT_PRODUCTS_DIR")),
        ])
    }
    return [
      file("catalog", catalog, "folder.stickers"), file("app plist", XcodeProject.appPlist, "text.plist.xml"),
      file("extension plist", XcodeProject.extensionPlist, "text.plist.xml"),
      product("app", appProduct, "wrapper.application"),
      product("extension", extensionProduct, "wrapper.app-extension"),
    ]
  }

  private var groups: [ProjectObject] {
    func group(_ role: String, _ name: String, _ children: [PropertyValue], isNamed: Bool) -> ProjectObject {
      object(
        role, name, "PBXGroup",
        [("children", .array(children)), ("sourceTree", .string("<group>"))]
          + (isNamed ? [("name", .string(name))] : []))
    }
    return [
      group(
        "main group", names.shown,
        [
          reference("catalog", catalogName), reference("app plist", Path.name(XcodeProject.appPlist)),
          reference("extension plist", Path.name(XcodeProject.extensionPlist)), reference("products", "Products"),
        ], isNamed: false),
      group(
        "products", "Products", [reference("app", appProduct), reference("extension", extensionProduct)],
        isNamed: true),
    ]
  }

  private var phases: [ProjectObject] {
    func phase(_ role: String, _ name: String, _ isa: String, _ files: [PropertyValue], _ more: [(String, String)] = [])
      -> ProjectObject
    {
      object(
        role, name, isa,
        [
          ("buildActionMask", .string("2147483647")), ("files", .array(files)),
          ("runOnlyForDeploymentPostprocessing", .string("0")),
        ] + more.map { ($0, .string($1)) })
    }
    let (inResources, embed) = ("\(catalogName) in Resources", "Embed Foundation Extensions")
    let embedded = "\(extensionProduct) in \(embed)"
    return [
      object("catalog in app", inResources, "PBXBuildFile", [("fileRef", reference("catalog", catalogName))]),
      object("catalog in extension", inResources, "PBXBuildFile", [("fileRef", reference("catalog", catalogName))]),
      object(
        "extension in app", embedded, "PBXBuildFile",
        [
          ("fileRef", reference("extension", extensionProduct)),
          ("settings", .dictionary([("ATTRIBUTES", .array([.string("RemoveHeadersOnCopy")]))])),
        ]),
      phase("app resources", "Resources", "PBXResourcesBuildPhase", [reference("catalog in app", inResources)]),
      phase(
        "extension resources", "Resources", "PBXResourcesBuildPhase", [reference("catalog in extension", inResources)]),
      phase(
        "embed", embed, "PBXCopyFilesBuildPhase", [reference("extension in app", embedded)],
        [("dstPath", ""), ("dstSubfolderSpec", "13"), ("name", embed)]),
    ]
  }
}

// MARK: - Targets

extension XcodeProject {
  private var targets: [ProjectObject] {
    [
      object(
        "project", "Project object", "PBXProject",
        [
          ("attributes", .dictionary([("LastUpgradeCheck", .string("1500"))])),
          ("buildConfigurationList", list("project")), ("compatibilityVersion", .string("Xcode 14.0")),
          ("developmentRegion", .string("en")), ("hasScannedForEncodings", .string("0")),
          ("knownRegions", .array([.string("en"), .string("Base")])),
          ("mainGroup", reference("main group", names.shown)),
          ("productRefGroup", reference("products", "Products")), ("projectDirPath", .string("")),
          ("projectRoot", .string("")),
          (
            "targets",
            .array([reference("app target", names.shown), reference("extension target", names.extensionTarget)])
          ),
        ]),
      target(
        "app", names.shown, appProduct, "com.apple.product-type.application.messages",
        phases: [reference("app resources", "Resources"), reference("embed", "Embed Foundation Extensions")],
        dependencies: [reference("dependency", "PBXTargetDependency")]),
      target(
        "extension", names.extensionTarget, extensionProduct,
        "com.apple.product-type.app-extension.messages-sticker-pack",
        phases: [reference("extension resources", "Resources")], dependencies: []),
      object(
        "dependency", "PBXTargetDependency", "PBXTargetDependency",
        [
          ("target", reference("extension target", names.extensionTarget)),
          ("targetProxy", reference("proxy", "PBXContainerItemProxy")),
        ]),
      object(
        "proxy", "PBXContainerItemProxy", "PBXContainerItemProxy",
        [
          ("containerPortal", reference("project", "Project object")), ("proxyType", .string("1")),
          ("remoteGlobalIDString", .string(names.id("extension target"))),
          ("remoteInfo", .string(names.extensionTarget)),
        ]),
    ]
  }

  private func target(
    _ role: String, _ name: String, _ product: String, _ type: String, phases: [PropertyValue],
    dependencies: [PropertyValue]
  ) -> ProjectObject {
    object(
      role + " target", name, "PBXNativeTarget",
      [
        ("buildConfigurationList", list(role)), ("buildPhases", .array(phases)), ("buildRules", .array([])),
        ("dependencies", .array(dependencies)), ("name", .string(name)), ("productName", .string(name)),
        ("productReference", reference(role, product)), ("productType", .string(type)),
      ])
  }

  private func list(_ role: String) -> PropertyValue { reference("\(role) configurations", "Build configurations") }

  private var configurations: [ProjectObject] {
    [("project", projectSettings), ("app", appSettings), ("extension", extensionSettings)].flatMap { role, settings in
      let kinds = ["Debug", "Release"]
      let each = kinds.map { kind in
        object(
          "\(role) \(kind)", kind, "XCBuildConfiguration",
          [
            ("buildSettings", .dictionary(settings.map { ($0.key, .string($0.value)) })), ("name", .string(kind)),
          ])
      }
      let list = object(
        "\(role) configurations", "Build configurations", "XCConfigurationList",
        [
          ("buildConfigurations", .array(kinds.map { reference("\(role) \($0)", $0) })),
          ("defaultConfigurationIsVisible", .string("0")), ("defaultConfigurationName", .string("Release")),
        ])
      return each + [list]
    }
  }
}
