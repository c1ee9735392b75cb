import PortolanDocuments
import PortolanGraphics

/// What a reader knows of its closed blocks, which may be gone.
struct ReadBlocks {
  private(set) var featureCount = 0
  private(set) var vertexCount = 0
  /// The looks of the layer; the first block decides.
  private(set) var defaults = LayerDefaults(blocks: [])
  /// Whether the coordinates can be degrees, by the two claims of a file.
  private(set) var test = DegreesTest([], claim: .degrees)
  private(set) var openTest = DegreesTest([], claim: .open)
  /// The labels of features, by their numbers in the file.
  private(set) var names: [Int: String] = [:]

  mutating func add(_ block: FeatureBlock) {
    if featureCount == 0 { defaults = LayerDefaults(blocks: [block]) }
    featureCount += block.rowCount
    vertexCount += block.geometry.vertexCount
    test.add(block)
    openTest.add(block)
  }

  /// Keeps the labels of those of some features that are in a block.
  mutating func nameFeatures(_ features: [Int], in block: FeatureBlock) {
    guard let field = defaults.labelField, let first = block.featureIDs.first else { return }
    for feature in features where names[feature] == nil {
      let row = feature - Int(clamping: first.rawValue)
      guard (0..<block.rowCount).contains(row) else { continue }
      names[feature] = FeatureNames.name(block, row, field)
    }
  }
}
