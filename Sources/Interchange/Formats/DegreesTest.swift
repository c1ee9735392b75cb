import PortolanDocuments
import PortolanGraphics

/// Tests by their range whether coordinates can be longitude and latitude.
struct DegreesTest {
  /// The file's statement about its coordinates.
  enum Claim {
    /// They are degrees: single positions out of range are faults of the data.
    case degrees
    /// Nothing: columns called x and y, well-known text, `"crs": null`.
    case open
  }

  /// The number of features with a position that cannot be degrees.
  private(set) var beyondCount = 0
  private(set) var locatedCount = 0
  private let claim: Claim

  /// Tests the chosen features of blocks, or all.
  init(
    _ blocks: [FeatureBlock], claim: Claim,
    where isChosen: (FeatureBlock, Int) -> Bool = { _, _ in true }
  ) {
    self.claim = claim
    for block in blocks { add(block, where: isChosen) }
  }

  /// Tests the chosen features of another block, or all.
  mutating func add(
    _ block: FeatureBlock, where isChosen: (FeatureBlock, Int) -> Bool = { _, _ in true }
  ) {
    for (row, box) in block.geometry.boxes.enumerated()
    where !box.isEmpty && isChosen(block, row) {
      locatedCount += 1
      if isBeyond(box) { beyondCount += 1 }
    }
  }

  /// Degrees stated by the file may be swapped.
  private func isBeyond(_ box: Box) -> Bool {
    let x = max(-box.minX, box.maxX)
    let y = max(-box.minY, box.maxY)
    switch claim {
    case .degrees: return x > 540 || y > 180
    case .open: return x > 540 || y > 90
    }
  }

  /// Whether the coordinates are planar: half of the features are out of the range of degrees, or
  /// one in a hundred if nothing states that they are degrees.
  var arePlanar: Bool {
    let share = claim == .degrees ? 2 : 100
    return beyondCount > 0 && beyondCount * share >= locatedCount
  }
}
