import Pipeline

func pressPack(in folder: String) async throws -> [String] {
  var configuration = Configuration()
  configuration.name = "Fox"
  configuration.icon.master = "icon.png"
  configuration.defaults.padding = 8
  let summary = try await Builder(disk: SystemDisk()).build(configuration, root: folder)
  return summary.diagnostics.map(\.line) + summary.written
}
