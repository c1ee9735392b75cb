import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanChecking

/// Boxes whose sides are on few lines, so that borders, corners and vertices often fall together.
@Suite struct BoxLawTests {
  struct Square: Equatable {
    var (x, y) = (0...1, 0...1)

    init(_ generator: inout SeededGenerator) {
      func range() -> ClosedRange<Int> {
        let start = Int.random(in: 0...6, using: &generator)
        return start...start + Int.random(in: 1...4, using: &generator)
      }
      (x, y) = (range(), range())
    }

    /// Its ring; some have a vertex on each full number.
    func ring(_ isDense: Bool) -> [(Double, Double)] {
      let corners = [
        (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.upperBound, y.upperBound),
        (x.lowerBound, y.upperBound), (x.lowerBound, y.lowerBound),
      ]
      let steps = zip(corners, corners.dropFirst()).flatMap { a, b in
        let count = isDense ? max(abs(b.0 - a.0), abs(b.1 - a.1)) : 1
        return (0..<count).map {
          (Double(a.0 + (b.0 - a.0) * $0 / count), Double(a.1 + (b.1 - a.1) * $0 / count))
        }
      }
      return steps + steps.prefix(1)
    }

    private static func common(_ a: ClosedRange<Int>, _ b: ClosedRange<Int>) -> Int {
      min(a.upperBound, b.upperBound) - max(a.lowerBound, b.lowerBound)
    }

    func overlaps(_ other: Square) -> Bool {
      Self.common(x, other.x) > 0 && Self.common(y, other.y) > 0
    }

    /// Whether a stretch of both borders is the same, or they overlap.
    func sharesStretch(_ other: Square) -> Bool {
      let (across, up) = (Self.common(x, other.x), Self.common(y, other.y))
      return min(across, up) >= 0 && max(across, up) > 0
    }
  }

  @Test(arguments: Seeds.some(100))
  func `All areas that overlap are told, wherever their vertices are`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let squares = (0..<Int.random(in: 2...4, using: &generator)).map { _ in Square(&generator) }
    let text = Checking.collection(
      squares.map {
        Checking.feature(Checking.polygon([$0.ring(Bool.random(using: &generator))]))
      })
    let found = try CoverageCheck.check(Checking.layer(text), isGeographic: true)
    let told = Set(
      found.filter { $0.code == .overlap }.compactMap { finding -> Set<UInt64>? in
        guard let own = finding.feature, let other = finding.others.first else { return nil }
        return [own.feature.rawValue, other.feature.rawValue]
      })
    var wanted: Set<Set<UInt64>> = []
    for (number, square) in squares.enumerated() {
      for (other, box) in squares.enumerated().dropFirst(number + 1) where square.overlaps(box) {
        wanted.insert([UInt64(number + 1), UInt64(other + 1)])
      }
    }
    #expect(told == wanted, "seed \(seed): \(squares)")
  }

  @Test(arguments: Seeds.some(100))
  func `Parts of a MultiPolygon may touch in points only`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let squares = (0..<Int.random(in: 2...3, using: &generator)).map { _ in Square(&generator) }
    let rings = squares.map { $0.ring(Bool.random(using: &generator)) }
    let parts = rings.map { ring in
      "[[" + ring.map { "[\($0.0), \($0.1)]" }.joined(separator: ",") + "]]"
    }
    let text = Checking.collection([
      Checking.feature(
        "{\"type\": \"MultiPolygon\", \"coordinates\": [\(parts.joined(separator: ","))]}")
    ])
    let isFaulty = squares.indices.contains { first in
      squares.indices.dropFirst(first + 1).contains { squares[first].sharesStretch(squares[$0]) }
    }
    let found = try Checking.codes(text)
    #expect(
      isFaulty ? !found.isEmpty && Set(found) == ["G221"] : found.isEmpty,
      "seed \(seed): \(squares), \(found)")
    let read = try DocumentCheck.check(Checking.document(text), DocumentCheck.Options())
    #expect(read.findings.map(\.code.rawValue) == found, "seed \(seed)")
  }

  @Test(arguments: Seeds.some(50))
  func `Numbers of every size are checked`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func number() -> String {
      "\(Double.random(in: -10...10, using: &generator))e\(Int.random(in: -320...307, using: &generator))"
    }
    func places(_ count: Int) -> String {
      (0..<count).map { _ in "[\(number()), \(number())]" }.joined(separator: ", ")
    }
    let first = "[\(number()), \(number())]"
    let shapes = [
      "{\"type\": \"Point\", \"coordinates\": \(first)}",
      "{\"type\": \"LineString\", \"coordinates\": [\(places(3))]}",
      "{\"type\": \"Polygon\", \"coordinates\": [[\(first), \(places(3)), \(first)]]}",
      "{\"type\": \"MultiPolygon\", \"coordinates\": [[[\(first), \(places(3)), \(first)]], "
        + "[[\(first), \(places(4)), \(first)]]]}",
    ]
    let text = Checking.collection(shapes.map { Checking.feature($0) })
    for text in [text] + shapes {
      _ = try Checking.check(text)
      let document = try Checking.document(text)
      _ = try DocumentCheck.check(document, DocumentCheck.Options())
      for layer in document.layers.compactMap({ $0 as? any BlockHolding }) {
        _ = try CoverageCheck.check(layer, isGeographic: true)
        _ = try CoverageRepair.repair(layer, isGeographic: true, narrowerThan: 10)
      }
    }
  }
}
