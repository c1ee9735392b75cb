import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanEditing

/// A filter, whole in this file: what it hides is not there for anything but the document.
@Suite struct RowFilterTests {
  /// An editor of some hundred points in blocks, of which those of a letter are hidden.
  private struct Sifted {
    var editor: Editor
    let layer: LayerID
    let kept: [FeatureReference]
    let hidden: [FeatureReference]
  }

  private static let size = CellSize(columns: 120, rows: 40)

  private func sifted(seed: UInt64 = 1) throws -> Sifted {
    var generator = SeededGenerator(seed: seed)
    var document = Document()
    let id = LayerID(document.makeID())
    var builder = FeatureLayer(
      id: id, name: "places",
      style: .standard(forDimension: 0, index: 0, labelField: "name"))
    var (kept, hidden): ([FeatureReference], [FeatureReference]) = ([], [])
    for number in 0..<Int.random(in: 40...160, using: &generator) {
      let isHidden = Bool.random(using: &generator)
      let feature = builder.add(
        geometry: .point(
          Coordinate(
            x: Double.random(in: -40...40, using: &generator),
            y: Double.random(in: -40...40, using: &generator))),
        attributes: [("name", .string((isHidden ? "Q" : "K") + String(number)))])
      let reference = FeatureReference(layer: id, feature: feature)
      if isHidden { hidden.append(reference) } else { kept.append(reference) }
    }
    document.layers = [builder]
    var editor = Editor(document, size: Self.size)
    editor.desk.filter(id, by: Sieve(letter: "Q"))
    return Sifted(editor: editor, layer: id, kept: kept, hidden: hidden)
  }

  private func frame(_ desk: Desk, _ memory: inout RenderMemory) -> String {
    desk.frame(size: Self.size, memory: &memory).plainText()
  }

  @Test(arguments: Seeds.some(4))
  func `Hidden rows are neither drawn nor counted`(seed: UInt64) throws {
    let sifted = try sifted(seed: seed)
    var desk = sifted.editor.desk
    var memory = RenderMemory()
    let shown = frame(desk, &memory)
    #expect(!shown.contains("Q"))
    #expect(tells(shown, sifted.kept.count))
    // As if they were not in the document at all.
    var without = desk
    without.filter(sifted.layer, by: nil)
    #expect(frame(without, &memory) != shown)
    try without.edit("remove") { document in
      guard var layer = document[layer: sifted.layer] as? any FeatureHolding else { return }
      layer.remove(Set(sifted.hidden.map(\.feature)))
      document.layers[0] = layer
    }
    var fresh = RenderMemory()
    #expect(map(without, &fresh) == map(desk, &memory))
    #expect(
      LegendPanel.entries(without).map(\.note) == LegendPanel.entries(desk).map(\.note))
    desk.filter(sifted.layer, by: nil)
    #expect(tells(frame(desk, &memory), sifted.kept.count + sifted.hidden.count))
  }

  /// Whether a screen tells this number of points of the layer.
  private func tells(_ screen: String, _ count: Int) -> Bool {
    let lines = screen.split(separator: "\n").map { $0.split(separator: " ").suffix(2) }
    return lines.contains { Array($0) == ["pt", "\(count)"] }
  }

  private func map(_ desk: Desk, _ memory: inout RenderMemory) -> String {
    MapPane.picture(of: desk, memory).plainText()
  }

  @Test(arguments: Seeds.some(4))
  func `Hidden rows are neither picked nor chosen`(seed: UInt64) throws {
    let sifted = try sifted(seed: seed)
    var editor = sifted.editor
    let area = editor.desk.mapArea
    for column in 0..<area.columns {
      for row in 0..<area.rows {
        editor.desk.putCursor(column: column, row: row)
        #expect(Set(editor.desk.featuresHere).isDisjoint(with: sifted.hidden))
        if case .vertex(let feature)? = editor.desk.snapTarget?.kind {
          #expect(!sifted.hidden.contains(feature))
        }
      }
    }
    for line in ["select all", "select layer", "box all --bbox -60,-60,60,60"] {
      try? editor.run("select none")
      try? editor.run(line)
      if line.hasPrefix("select") {
        #expect(Set(editor.desk.selection.features) == Set(sifted.kept), "\(line)")
      }
      #expect(Set(editor.desk.selection.features).isDisjoint(with: sifted.hidden), "\(line)")
    }
  }

  @Test(arguments: Seeds.some(4))
  func `Hidden rows are neither stepped to nor found`(seed: UInt64) throws {
    let sifted = try sifted(seed: seed)
    var editor = sifted.editor
    var visited = Set<FeatureReference>()
    for _ in 0..<sifted.kept.count {
      try editor.run("next feature")
      visited.formUnion(editor.desk.selection.features)
    }
    #expect(visited == Set(sifted.kept))
    #expect(editor.desk.makeNearWalk().order.allSatisfy { !sifted.hidden.contains($0.feature) })
    let error = #expect(throws: EditingError.self) { try editor.run("search Q") }
    #expect(error?.message.contains("hidden by the filter of “places”") == true)
    try editor.run("search K")
    #expect(Set(try editor.desk.foundFeatures()) == Set(sifted.kept))
    let hidden = try #require(sifted.hidden.first?.feature.rawValue)
    #expect(throws: EditingError.self) { try editor.run("go feature places \(hidden)") }
  }

  @Test func `What becomes hidden is let go of`() throws {
    var sifted = try sifted()
    try sifted.editor.run("select layer")
    try sifted.editor.run("set name=Quit")
    #expect(sifted.editor.desk.selection.isEmpty)
    sifted.editor.desk.filter(sifted.layer, by: nil)
    try sifted.editor.run("select layer")
    sifted.editor.desk.filter(sifted.layer, by: Sieve(letter: "Q"))
    #expect(sifted.editor.desk.selection.isEmpty)
  }

  @Test func `The document is whole, and nothing of it is edited`() throws {
    let sifted = try sifted()
    var plain = sifted.editor.desk
    plain.filter(sifted.layer, by: nil)
    let bytes = try DocumentArchive.bytes(of: sifted.editor.desk.documentToSave)
    #expect(try DocumentArchive.bytes(of: plain.documentToSave) == bytes)
    #expect(sifted.editor.desk.history.past.isEmpty)
  }

  @Test func `An edit makes the rest of one block anew`() throws {
    var document = Document()
    let id = LayerID(document.makeID())
    var layer = FeatureLayer(
      id: id, name: "places", style: .standard(forDimension: 0, index: 0))
    for number in 0..<5_000 {
      _ = layer.add(
        geometry: .point(Coordinate(x: Double(number % 100), y: Double(number / 100))),
        attributes: [("name", .string(number.isMultiple(of: 3) ? "Q" : "K"))])
    }
    document.layers = [layer]
    var editor = Editor(document)
    let sieve = Sieve(letter: "Q")
    editor.desk.filter(id, by: sieve)
    func blocks() -> [FeatureBlock] {
      (editor.desk.shownDocument.layers[0] as? any FeatureHolding)?.blocks ?? []
    }
    let former = blocks()
    #expect(former.count > 2 && sieve.calls.withLock { $0 } == former.count)
    #expect(zip(former, blocks()).allSatisfy { $0 === $1 })
    try editor.run("next feature")
    try editor.run("set name=Kay")
    #expect(zip(former, blocks()).count { $0 !== $1 } == 1)
    #expect(sieve.calls.withLock { $0 } == former.count + 1)
  }
}

/// Hides the features whose names begin with a letter.
private final class Sieve: RowFilter {
  let letter: String
  /// The blocks that it was asked about.
  let calls = Mutex(0)

  init(letter: String) { self.letter = letter }

  func shownRows(
    of layer: any BlockHolding, in document: Document
  ) -> (FeatureBlock) -> [Int] {
    { block in
      self.calls.withLock { $0 += 1 }
      return (0..<block.rowCount).filter {
        !block.attribute("name", row: $0).text.hasPrefix(self.letter)
      }
    }
  }
}
