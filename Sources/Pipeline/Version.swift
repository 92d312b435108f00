/// The version of Decal: in `--version`, in the manifest and in every cache key.
public let decalVersion = "0.1.0"
