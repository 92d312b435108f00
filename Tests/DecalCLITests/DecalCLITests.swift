import Testing

@testable import DecalCLI
