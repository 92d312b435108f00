import Testing

@testable import AssetCatalog
