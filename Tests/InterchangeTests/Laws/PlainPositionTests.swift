import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Positions without white space are read eight bytes at a time, with the result of the others.
@Suite struct PlainPositionTests {
  /// A number of any count of digits, some as no other program writes them.
  private static func number(_ random: inout SeededGenerator) -> String {
    func digits(_ count: Int) -> String {
      (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    }
    let sign = Bool.random(using: &random) ? "-" : ""
    let first = Int.random(in: 0...4, using: &random) == 0 ? "0" : ""
    let whole =
      first.isEmpty
      ? String(Int.random(in: 1...9, using: &random))
        + digits(Int.random(in: 0...9, using: &random)) : first
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return sign + whole
    case 1: return sign + whole + "." + digits(Int.random(in: 9...20, using: &random))
    case 2: return sign + whole + ".5e" + String(Int.random(in: -5...5, using: &random))
    case 3: return sign + whole + "E2"
    case 4: return sign + whole + "." + digits(1) + "0"
    default: return sign + whole + "." + digits(Int.random(in: 1...9, using: &random))
    }
  }

  private static func layer(_ text: String) throws -> FeatureLayer {
    try #require(try Sample.read(text).featureLayers.first)
  }

  @Test(arguments: Seeds.some(12))
  func `Numbers of all kinds are the nearest doubles, and come back as they were`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    // The first line makes the layout known to be without white space.
    var lines = ["[[1,2],[3,4]]"]
    var values = [[1.0, 2, 3, 4]]
    for _ in 0..<40 {
      let few = Int.random(in: 2...60, using: &random)
      let texts = (0..<2 * few).map { _ in Self.number(&random) }
      let positions = stride(from: 0, to: texts.count, by: 2).map { place in
        let isHigh = Int.random(in: 0..<200, using: &random) == 0
        return "[\(texts[place]),\(texts[place + 1])\(isHigh ? ",7" : "")]"
      }
      lines.append("[" + positions.joined(separator: ",") + "]")
      values.append(try texts.map { try #require(Double($0)) })
    }
    let features = lines.map {
      #"{"type":"Feature","geometry":{"type":"LineString","coordinates":\#($0)},"properties":{}}"#
    }
    let text =
      #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    let layer = try Self.layer(text)
    #expect(layer.blocks.flatMap(\.geometry.coordinates) == values.flatMap { $0 })
    #expect(try Sample.rewritten(layer) == text)
    // With white space, which other code reads.
    let spaced = text.replacingOccurrences(of: "],[", with: "], [")
    let other = try Self.layer(spaced)
    #expect(try Sample.rewritten(other) == spaced)
    for (one, other) in zip(layer.blocks, other.blocks) {
      #expect(one.geometry.coordinates == other.geometry.coordinates)
      #expect(one.shapes == other.shapes && one.shapeIndices == other.shapeIndices)
    }
  }

  @Test func `A text that is wrong within positions gives the error of its place`() throws {
    let plain = "[1.5,2.5],[3.25,4.125],[5,6],[7,8],[9,10]"
    let start = #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],["#
    for wrong in [
      "[1.5,2.5.1]", "[01,2]", "[1.,2]", "[1,2", "[1,-]", "[1;2]", "[1,2],,[3,4]", "[1]", "[1,2]]",
      "[1e,2]", "[1,2e999]", "[-,1]", "[1.5 2]", "[,1]", "[00.5,1]", "[1.5.5,1]", "[\"1\",2]",
    ] {
      let text = start + plain + "," + wrong + "," + plain + "]]}"
      // With white space, which other code reads.
      let spaced = text.replacingOccurrences(of: "[[[1,2],[3,4]],", with: "[[[1,2], [3,4]],")
      let error = try #require(Sample.error(Array(text.utf8)))
      var other = try #require(Sample.error(Array(spaced.utf8)))
      other.offset -= 1
      other.column -= 1
      #expect(error == other, "\(wrong)")
    }
  }
}
