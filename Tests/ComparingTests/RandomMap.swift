import PortolanTestSupport

/// Random maps and edits of them, as texts of GeoJSON.
struct RandomMap {
  /// A feature; rings are of a polygon, each a list of places.
  struct Feature: Equatable {
    var id: Int
    var attributes: [String: Int]
    var rings: [[Int]]
  }

  var features: [Feature]
  /// The width of the white space in the text.
  var indent = ""

  init(
    _ random: inout SeededGenerator
  ) {
    let count = Int.random(in: 0...12, using: &random)
    features = (0..<count).map { Self.feature($0 + 1, &random) }
    indent = Bool.random(using: &random) ? "" : " "
  }

  static func feature(_ id: Int, _ random: inout SeededGenerator) -> Feature {
    let names = ["a", "b", "c", "d"].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    let rings = (0..<Int.random(in: 1...3, using: &random)).map { _ in ring(&random) }
    return Feature(
      id: id,
      attributes: Dictionary(
        uniqueKeysWithValues: names.map { ($0, Int.random(in: 0..<5, using: &random)) }),
      rings: rings)
  }

  static func ring(_ random: inout SeededGenerator) -> [Int] {
    (0..<3).map { _ in Int.random(in: 0..<1000, using: &random) }
  }

  /// This map after some random edits; added features have ids from a number on.
  func edited(_ random: inout SeededGenerator, from id: Int) -> RandomMap {
    var map = self
    var next = id
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let place = map.features.indices.randomElement(using: &random)
      switch (Int.random(in: 0..<6, using: &random), place) {
      case (0, let place?): map.features.remove(at: place)
      case (1, _), (_, nil):
        let at = Int.random(in: 0...map.features.count, using: &random)
        map.features.insert(Self.feature(next, &random), at: at)
        next += 1
      case (2, let place?):
        let name = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
        map.features[place].attributes[name] = nil
      case (3, let place?):
        let ring = map.features[place].rings.indices.randomElement(using: &random) ?? 0
        map.features[place].rings[ring] = Self.ring(&random)
      case (_, let place?):
        let name = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
        map.features[place].attributes[name] = Int.random(in: 0..<5, using: &random)
      }
    }
    return map
  }

  var text: [UInt8] {
    let space = indent
    let texts = features.map { feature in
      let attributes = feature.attributes.sorted { $0.key < $1.key }
        .map { "\"\($0.key)\":\(space)\($0.value)" }.joined(separator: ",\(space)")
      let rings = feature.rings.map { ring in
        let places = (ring + ring.prefix(1)).map { "[\($0 % 100),\($0 / 100)]" }
        return "[\(places.joined(separator: ","))]"
      }
      return "{\(space)\"type\":\"Feature\",\"id\":\(feature.id),"
        + "\"properties\":{\(attributes)},\"geometry\":{\"type\":\"Polygon\","
        + "\"coordinates\":[\(rings.joined(separator: ",\(space)"))]}}"
    }
    return Array(
      ("{\"type\":\"FeatureCollection\",\"features\":[\n" + texts.joined(separator: ",\n")
        + "\n]}\n").utf8)
  }
}
