import AssetCatalog
import Codecs

extension Builder {
  /// Looks at all there is to look at before the first pixel; throws `BuildRefusal` with every problem.
  ///
  /// `headers` knows the headers of images that an earlier build has read.
  func prepare(
    _ configuration: Configuration, root: String, headers: TracedDisk?
  ) throws(BuildRefusal) -> (Discovery, PreviousBuild) {
    var refusals: [Diagnostic] = []
    var art = Discovery()
    var previous = PreviousBuild()
    if let problem = CatalogName.problem(configuration.name) {
      refusals.append(
        Diagnostic(.error, path: "name", "\"\(configuration.name)\" \(problem.message)", id: "bad-name"))
    }
    do throws(BuildRefusal) {
      previous = try readPrevious(configuration.output, root: root)
    } catch { refusals += error.diagnostics }
    refusals += missingMasters(configuration.icon, root: root)
    do throws(BuildRefusal) {
      var discoverer = Discoverer(disk: disk, root: root, limits: limits)
      discoverer.pack = configuration
      if let headers { discoverer.header = { [limits] in headers.header($0, limits: limits) } }
      art = try discoverer.discover(
        configuration.stickers,
        excluding: [configuration.output] + configuration.icon.masters + (state.map { [$0.path] } ?? []))
      if art.assets.isEmpty { throw noArt(configuration.stickers, art.diagnostics) }
    } catch { refusals += error.diagnostics }
    guard refusals.isEmpty else { throw BuildRefusal(refusals) }
    return (art, previous)
  }

  /// Refuses a run that has nothing to do.
  func noArt(_ inputs: [String], _ diagnostics: [Diagnostic]) -> BuildRefusal {
    let place = inputs.joined(separator: ", ")
    return BuildRefusal(
      diagnostics + [
        Diagnostic(
          .error, path: place.isEmpty ? nil : place, "no art found; put PNG, APNG, GIF, JPEG or WebP files there",
          id: "no-art")
      ])
  }

  /// Reads the manifest of the build before.
  func readPrevious(_ output: String, root: String) throws(BuildRefusal) -> PreviousBuild {
    let folder = Path.join(root, output)
    let path = Path.join(folder, Manifest.filename)
    let problem: Diagnostic
    do throws(DiskError) {
      guard let status = try disk.status(folder, followLinks: true) else { return PreviousBuild() }
      if status.kind != .directory {
        problem = Diagnostic(
          .error, path: output, "the output is not a folder; choose another", id: "output-not-folder")
      } else {
        guard try disk.status(path, followLinks: true) != nil else { return PreviousBuild() }
        if let previous = PreviousBuild(manifest: try disk.read(path)) { return previous }
        problem = Diagnostic(
          .error, path: Path.join(output, Manifest.filename),
          "not written by this version of decal; move it away or choose another output", id: "in-the-way")
      }
    } catch {
      problem = Diagnostic(.error, path: output, error.message, id: "unreadable")
    }
    throw BuildRefusal([problem])
  }

  /// The masters that are not there.
  func missingMasters(_ icon: IconOptions, root: String) -> [Diagnostic] {
    icon.masters.compactMap { path in
      do throws(DiskError) {
        switch try disk.status(Path.join(root, path), followLinks: true)?.kind {
        case .file: return nil
        case nil:
          return Diagnostic(
            .error, path: path, "there is no such file; check the path of the icon", id: "missing-input")
        default:
          return Diagnostic(.error, path: path, "not a file; give the path of an image", id: "missing-input")
        }
      } catch {
        return Diagnostic(.error, path: path, error.message, id: "unreadable")
      }
    }
  }
}

extension IconOptions {
  /// The paths of all masters.
  package var masters: [String] { [master, messages, dark, tinted].compactMap { $0 } }
}
