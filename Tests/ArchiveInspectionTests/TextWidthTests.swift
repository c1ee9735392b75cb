import PropertyLists
import Testing

@testable import ArchiveInspection

/// Texts are cut for a terminal only.
@Suite struct TextWidthTests {
  private static func list(_ key: String, _ text: String) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    writer.setDictionary(top, keys: [writer.addString(key)], values: [writer.addString(text)])
    return try writer.finish(top: top)
  }

  private static let key = String(repeating: "key", count: 40)
  private static let text = String(repeating: "text", count: 400)

  @Test func `Keys and texts are whole where nothing is to be cut`() throws {
    let archive = try InspectedArchive(Self.list(Self.key, Self.text))
    let whole = try archive.tree { $0.cutsTexts = false }
    #expect(whole.contains("\(Self.key): \"\(Self.text)\"\n"))
    let cut = try archive.tree()
    #expect(cut.split(separator: "\n").allSatisfy { $0.count <= 80 } && cut.contains("…"))
    let wide = try archive.tree { $0.columns = 400 }
    #expect(wide.contains(Self.key) && !wide.contains(Self.text))
  }

  @Test func `Differences are cut to a width, or not at all`() throws {
    let other = Self.text + "end"
    let files = (
      try InspectedArchive(Self.list("a", Self.text)),
      try InspectedArchive(Self.list("a", "x" + other))
    )
    func difference(_ columns: Int?) throws -> String {
      let collected = CollectedOutput()
      var difference = ArchiveDifference(
        files.0, files.1, names: ("a", "b"), columns: columns, send: { collected.add($0) })
      _ = try difference.write()
      return collected.text
    }
    #expect(try difference(nil).contains("+a: \"x\(other)\"\n"))
    #expect(try difference(60).split(separator: "\n").allSatisfy { $0.count <= 60 })
  }
}
