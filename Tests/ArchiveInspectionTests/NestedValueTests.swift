import Foundation
import Testing

@testable import ArchiveInspection
@testable import Archiving

/// Archives inside data.
@Suite struct NestedValueTests {
  private func holding(_ bytes: [UInt8]) -> [UInt8] {
    ValueSamples.keyed(["<data>\(Data(bytes).base64EncodedString())</data>"])
  }

  @Test func `data that hold an archive are announced, and unfolded on request`() throws {
    let inner = ValueSamples.keyed(["<string>x</string>"])
    let outer = holding(holding(inner))
    #expect(try ValueSamples.roots(outer).contains("\"holds\":\"xml\""))
    let roots = try ValueSamples.roots(outer) { $0.isNested = true }
    let word = "{\"$nested\":\"keyed\",\"roots\":{\"root\":"
    #expect(roots == "{\"root\":\(word)\(word)\"x\"}}}}}")
    let tree = try InspectedArchive(outer).tree()
    #expect(tree.contains("1 data value holds an archive: --values --nested"))
  }

  @Test func `a typedstream inside data is unfolded`() throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("i")
    writer.writeInteger(5)
    let roots = try ValueSamples.roots(holding(writer.bytes)) { $0.isNested = true }
    #expect(roots == "{\"root\":{\"$nested\":\"typedstream\",\"roots\":{\"0\":5}}}")
  }

  @Test func `archives inside each other end at a depth`() throws {
    var bytes = ValueSamples.keyed(["<string>x</string>"])
    for _ in 0..<12 { bytes = holding(bytes) }
    let roots = try ValueSamples.roots(bytes) { $0.isNested = true }
    #expect(roots.components(separatedBy: "$nested").count == InspectionLimits().nestedDepthMax + 1)
    #expect(roots.contains("\"holds\":\"xml\""))
  }

  @Test func `one archive in many places is unfolded up to a sum`() throws {
    let inner = ValueSamples.keyed(["<string>\(String(repeating: "x", count: 200_000))</string>"])
    let objects = [
      ValueSamples.object(
        ValueSamples.row("NS.objects", Array(repeating: 3, count: 40)), class: 2),
      ValueSamples.objectClass("NSArray"), "<data>\(Data(inner).base64EncodedString())</data>",
    ]
    let roots = try ValueSamples.roots(ValueSamples.keyed(objects)) { $0.isNested = true }
    let count = roots.components(separatedBy: "$nested").count - 1
    #expect(count > 5 && count < 40)
    #expect(roots.components(separatedBy: "\"holds\"").count - 1 == 40 - count)
  }

  @Test func `data that only begin like an archive stay data`() throws {
    let roots = try ValueSamples.roots(holding(Array("bplist00 and no more".utf8))) {
      $0.isNested = true
      $0.dataForm = .hex
    }
    #expect(
      roots == "{\"root\":{\"$data\":\"62706c697374303020616e64206e6f206d6f7265\",\"bytes\":20,"
        + "\"holds\":\"bplist\"}}")
  }
}
