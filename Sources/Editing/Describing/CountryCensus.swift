import PortolanDocuments
import PortolanGraphics

/// The countries in which features lie, by the areas of a map of the world.
///
/// A feature counts once, at a place on it. Of many features a sample is counted.
struct CountryCensus: Sendable {
  /// At most so many features are looked at.
  static let sampleMax = 4_000

  /// Each country with the number of its features, the greatest number first.
  private(set) var countries: [(name: String, count: Int)] = []
  /// The features in no country: at sea, or on land that the map of the world leaves out.
  private(set) var elsewhere = 0
  /// The features that were looked at.
  private(set) var sampled = 0

  /// Whether they are a sample of more.
  let isSample: Bool

  /// The layer of named areas of a map of the world; `nil` without one.
  static func areas(of layers: [any FeatureHolding]) -> (any FeatureHolding)? {
    layers.last { $0.kindCode == "pg" && $0.fieldNames.contains(field) }
  }

  private static let field = "name"

  /// - Parameters:
  ///   - layers: the features.
  ///   - areas: the countries, in longitudes and latitudes, with their names.
  ///   - place: a position of the features in longitude and latitude; `nil` if it has none.
  init(
    _ layers: [any FeatureHolding], in areas: any FeatureHolding,
    report: (Double) throws -> Void, place: (Coordinate) -> Coordinate?
  ) rethrows {
    let index = ShapeIndex(areas.blocks.map(\.geometry), isGeographic: true)
    let count = layers.reduce(0) { $0 + $1.count }
    let step = max(1, (count + Self.sampleMax - 1) / Self.sampleMax)
    isSample = step > 1
    var counts: [Int: Int] = [:]
    var start = 0
    for block in layers.flatMap(\.blocks) {
      try report(Double(start) / Double(max(1, count)))
      // The first row of the block that is a multiple of the step among all features.
      for row in stride(from: (step - start % step) % step, to: block.rowCount, by: step) {
        guard let anchor = block.geometry.geometry(ofFeature: row).anchor,
          let place = place(anchor), place.y.magnitude <= 90, place.x.isFinite
        else { continue }
        sampled += 1
        let found = index.features(.within, .place(place), limit: 1).first
        if let found { counts[found, default: 0] += 1 } else { elsewhere += 1 }
      }
      start += block.rowCount
    }
    countries = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { feature, count in
      let (block, row) = index.place(of: feature)
      return (areas.blocks[block].attribute(Self.field, row: row).text, count)
    }
  }
}
