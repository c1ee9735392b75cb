import PortolanDocuments
import PortolanGraphics

/// Tells by how far coordinates reach whether they can be longitude and latitude.
struct DegreesTest {
  /// What a file says of its coordinates.
  enum Claim {
    /// That they are degrees: single positions beyond them are faults of the data.
    case degrees
    /// Nothing: columns called x and y, well-known text, `"crs": null`.
    case open
  }

  /// Features with a position that can be no degrees.
  private(set) var beyondCount = 0
  private(set) var locatedCount = 0
  private let claim: Claim

  /// Tests the features of blocks that are chosen, or all.
  init(
    _ blocks: [FeatureBlock], claim: Claim,
    where isChosen: (FeatureBlock, Int) -> Bool = { _, _ in true }
  ) {
    self.claim = claim
    for block in blocks {
      for (row, box) in block.geometry.boxes.enumerated()
      where !box.isEmpty && isChosen(block, row) {
        locatedCount += 1
        if isBeyond(box) { beyondCount += 1 }
      }
    }
  }

  /// Where the file says that they are degrees, they may be swapped.
  private func isBeyond(_ box: Box) -> Bool {
    let x = max(-box.minX, box.maxX)
    let y = max(-box.minY, box.maxY)
    switch claim {
    case .degrees: return x > 540 || y > 180
    case .open: return x > 540 || y > 90
    }
  }

  /// Whether the coordinates are planar: half of the features lie beyond degrees, or one in a
  /// hundred where nothing says that they are some.
  var arePlanar: Bool {
    let share = claim == .degrees ? 2 : 100
    return beyondCount > 0 && beyondCount * share >= locatedCount
  }
}
