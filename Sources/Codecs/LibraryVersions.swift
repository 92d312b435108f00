/// The codec libraries and their versions as they run, by name; part of `--version`, the manifest and every cache key.
public func libraryVersions() -> [(name: String, version: String)] { [] }
