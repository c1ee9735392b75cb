import PortolanDocuments
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// A text that is read in parts gives the same as one that is read whole.
@Suite struct PartReadingLawTests {
  /// Several random maps as one text: lines mostly, so that there are many parts.
  private static func text(_ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var map = RandomMap(seed: seed)
    var text = map.text()
    if Int.random(in: 0..<3, using: &random) == 0 {
      for _ in 0..<Int.random(in: 1...9, using: &random) { text += "\n" + map.text() }
    }
    var bytes = Array(text.utf8)
    if Int.random(in: 0..<4, using: &random) == 0, !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }

  private static func source(_ bytes: [UInt8], _ pieceCount: Int) -> TextSource {
    TextSource(byteCount: bytes.count, pieceCount: pieceCount) { offset, memory in
      memory.copyBytes(from: bytes[offset..<offset + memory.count])
    }
  }

  @Test func `Random texts give the same features, form, notes and errors`() {
    var inParts = 0
    let broken = Laws.broken("texts in parts") { seed in
      let bytes = Self.text(seed)
      var random = SeededGenerator(seed: seed)
      let pieceCount = Int.random(in: 1...300, using: &random)
      let options = ImportOptions(name: "law", firstLayerID: 7)
      var divided = GeoJSONFormat()
      divided.regions = TextRegions(size: Int.random(in: 20...900, using: &random), atOnce: 4)
      let format: any PartImporter = seed % 2 == 0 ? divided : LinesFormat()
      let whole = Result { try format.read(bytes, options: options) { _ in } }
      var blocks: [FeatureBlock] = []
      let parts: ImportResult
      do {
        parts = try format.readParts(
          of: Self.source(bytes, pieceCount), options: options, memory: PartMemory(),
          progress: { _ in }, take: { blocks.append($0) })
      } catch is TextParts.NeedsWhole {
        throw Laws.Refused()
      } catch {
        guard case .failure(let wanted) = whole else { return "only in parts: \(error)" }
        inParts += 1
        return "\(wanted)" == "\(error)" ? nil : "\(wanted) became \(error)"
      }
      inParts += 1
      guard case .success(let wanted) = whole else { return "an error of the whole text is lost" }
      if wanted.report != parts.report { return "\(wanted.report) became \(parts.report)" }
      if wanted.coordinateSystem != parts.coordinateSystem { return "another system" }
      return try Self.saved(wanted, []) == Self.saved(parts, blocks) ? nil : "other features"
    }
    #expect(broken == [])
    #expect(inParts > Laws.count / 4)
  }

  @Test(arguments: 1...80)
  func `White space before the first item may be cut anywhere`(pieceCount: Int) throws {
    let item =
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    let text = #"{"type":"FeatureCollection","features":["# + "\n \n" + item + "," + item + "]}"
    var count = 0
    do {
      _ = try GeoJSONFormat().readParts(
        of: Self.source(Array(text.utf8), pieceCount), options: ImportOptions(name: ""),
        memory: PartMemory(), progress: { _ in }, take: { count += $0.rowCount })
      #expect(count == 2)
    } catch is TextParts.NeedsWhole {}
  }

  @Test(arguments: ["\n", "\r\n", "  \n", "\n\n"])
  func `A second reading passes over the lines that the first one left out`(end: String) throws {
    let count = 5_000
    let lines = (0..<count).map {
      #"{"type":"Feature","properties":{"n":\#($0)},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    }
    let bytes = Array(lines.map { $0 + end }.joined().utf8)
    let memory = PartMemory()
    var chosen = FeatureNumbers()
    func read(_ take: (FeatureBlock) -> Void) throws {
      _ = try LinesFormat().readParts(
        of: Self.source(bytes, 64 << 10), options: ImportOptions(name: ""), memory: memory,
        progress: { _ in }, take: take)
    }
    try read { block in
      for id in block.featureIDs where id.rawValue % 2 == 0 { chosen.insert(id.rawValue) }
    }
    memory.chosen = chosen
    var numbers: [String] = []
    try read { block in
      for row in 0..<block.rowCount { numbers.append(block.attribute("n", row: row).text) }
    }
    if memory.skips {
      let isEven = numbers.first == "0" ? 0 : 1
      #expect(numbers == (0..<count).filter { $0 % 2 == isEven }.map { "\($0)" })
    } else {
      #expect(numbers.count == count)
    }
    // Other line ends may have to be read whole.
    #expect(memory.skips || end == "\n\n")
  }

  /// The bytes of a document with the layer.
  private static func saved(_ result: ImportResult, _ blocks: [FeatureBlock]) throws -> [UInt8] {
    var document = Document()
    guard var layer = result.layers.first as? FeatureLayer else { throw Laws.Refused() }
    layer.blocks += blocks
    document.nextID = layer.id.rawValue + 10
    document.layers = [layer]
    return try DocumentFile.bytes(of: document)
  }

  @Test func `An item that is never in memory whole needs the whole text`() throws {
    let line = #"{"type":"Point","coordinates":[1,2]}"# + "\n"
    let large =
      #"{"type":"Point","coordinates":[1,2],"x":""# + String(repeating: "x", count: 18 << 20)
      + "\"}\n"
    let bytes = Array((line + large + line).utf8)
    #expect(throws: TextParts.NeedsWhole.self) {
      _ = try LinesFormat().readParts(
        of: Self.source(bytes, 8 << 20), options: ImportOptions(name: ""), memory: PartMemory(),
        progress: { _ in }, take: { _ in })
    }
  }
}
