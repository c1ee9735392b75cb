import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport

@testable import PortolanEditing

/// Layers of values of all kinds, in several blocks.
struct RandomTable {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func value() -> AttributeValue {
    let numbers = [
      "0", "-0", "0.0", "1", "1.0", "-1", "2.5", "1e3", "1000", "9007199254740992",
      "9007199254740993", "9007199254740992.0", "12345678901234567890", "1e300", "-1e300", "1e999",
      "0.1", "0.10",
    ]
    let texts = [
      "", "a", "b", "A", "ä", "a\u{308}", "a\0", "a\0\0", "abcdefg", "abcdefgh", "abcdefgha", "界",
      "Europe/Stockholm", "Europe/Oslo", "null", "true", "7", " x ", "\u{1B}[31m", "😀",
    ]
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .missing
    case 1: return .null
    case 2: return .bool(Bool.random(using: &random))
    case 3: return .json("[1, 2]")
    case 4..<8: return .number(numbers[Int.random(in: 0..<numbers.count, using: &random)])
    default: return .string(texts[Int.random(in: 0..<texts.count, using: &random)])
    }
  }

  /// A layer with the columns `a`, `b` and one that has a comma, a quote and a blank.
  mutating func layer(id: LayerID, rows: Int) -> FeatureLayer {
    let style = Style.standard(forDimension: 0, index: 0)
    var blocks: [FeatureBlock] = []
    var next: UInt64 = 1
    var rest = rows
    while rest > 0 {
      let count = min(rest, Int.random(in: 1...7, using: &random))
      var part = FeatureLayer(id: id, name: "mixed", style: style, nextFeatureID: next)
      for _ in 0..<count {
        let place = Coordinate(
          x: Double.random(in: -170...170, using: &random),
          y: Double.random(in: -80...80, using: &random))
        _ = part.add(
          geometry: Int.random(in: 0..<9, using: &random) == 0 ? .none : .point(place),
          attributes: ["a", "b", "c, \"d"].map { ($0, value()) }.filter { $0.1 != .missing })
      }
      blocks += part.blocks
      next = part.nextFeatureID
      rest -= count
    }
    return FeatureLayer(id: id, name: "mixed", style: style, blocks: blocks, nextFeatureID: next)
  }

  mutating func document(rows: Int) -> Document {
    var document = Document()
    document.layers = [layer(id: LayerID(document.makeID()), rows: rows)]
    return document
  }
}
