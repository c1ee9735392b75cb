import Archiving
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

@Suite("Groups of layers")
struct GroupTests {
  /// Layers a to e from the bottom up.
  private func document() -> Document {
    var document = Document()
    for name in ["a", "b", "c", "d", "e"] {
      document.layers.append(
        FeatureLayer(
          id: LayerID(document.makeID()), name: name, style: Style(name: name, mark: .init())))
    }
    return document
  }

  private func id(_ name: String, _ document: Document) throws -> LayerID {
    try #require(document.layers.first { $0.name == name }).id
  }

  /// The names from the bottom up, each with the names of its groups.
  private func shape(_ document: Document) -> [String] {
    document.layers.map { layer in
      ([layer.name] + document.groups(around: layer).map(\.name)).joined(separator: "<")
    }
  }

  @Test("A group takes the place of its uppermost layer, and the others come to it in order")
  func group() throws {
    var document = document()
    try document.group([id("d", document), id("a", document)], named: "G")
    #expect(shape(document) == ["b", "c", "a<G", "d<G", "G", "e"])
    try document.group([id("a", document)], named: "H")
    #expect(shape(document) == ["b", "c", "a<H<G", "H<G", "d<G", "G", "e"])
    #expect(throws: DocumentError.self) {
      try document.group([id("a", document), id("b", document)], named: "X")
    }
    #expect(throws: DocumentError.self) { try document.group([], named: "X") }
    #expect(throws: DocumentError.self) { try document.group([LayerID(999)], named: "X") }
  }

  @Test("Moving goes past whole groups and stays in the own one")
  func move() throws {
    var document = document()
    try document.group([id("b", document), id("c", document)], named: "G")
    try document.moveLayer(id("a", document), to: 1)
    #expect(shape(document) == ["b<G", "c<G", "G", "a", "d", "e"])
    try document.moveLayer(id("G", document), to: 99)
    #expect(shape(document) == ["a", "d", "e", "b<G", "c<G", "G"])
    try document.moveLayer(id("c", document), to: 0)
    #expect(shape(document) == ["a", "d", "e", "c<G", "b<G", "G"])
    try document.moveLayer(id("c", document), to: -5)
    #expect(shape(document) == ["a", "d", "e", "c<G", "b<G", "G"])
    #expect(try document.place(of: id("b", document)) == (1, 2))
  }

  @Test("Hiding, locking and removing a group means all that it holds; ungrouping keeps it")
  func cascade() throws {
    var document = document()
    let group = try document.group([id("b", document), id("c", document)], named: "G")
    try document.group([id("b", document)], named: "H")
    document[layer: group]?.isVisible = false
    document[layer: group]?.isLocked = true
    #expect(document.shownLayers.map(\.name) == ["a", "d", "e"])
    #expect(
      document.layers.filter { document.isProtected($0) }.map(\.name) == ["b", "H", "c", "G"])
    var flat = document
    try flat.ungroup(group)
    #expect(shape(flat) == ["a", "b<H", "H", "c", "d", "e"])
    #expect(throws: DocumentError.self) { try flat.ungroup(id("a", flat)) }
    try document.removeLayer(group)
    #expect(shape(document) == ["a", "d", "e"])
  }

  @Test("An archive whose layer does not stand below its group is refused")
  func astray() throws {
    var document = document()
    let group = try document.group([id("b", document), id("c", document)], named: "G")
    let whole = document
    for (from, to) in [(3, 0), (1, 4)] {
      document = whole
      document.layers.insert(document.layers.remove(at: from), at: to)
      let bytes = try DocumentArchive.bytes(of: document)
      #expect(throws: ArchiveError.self) { try DocumentArchive.open(bytes) }
    }
    document = whole
    document[layer: group]?.parent = group
    let bytes = try DocumentArchive.bytes(of: document)
    #expect(throws: ArchiveError.self) { try DocumentArchive.open(bytes) }
  }

  @Test(
    "Random groupings keep the list sound and come back from an archive", arguments: Seeds.some(30))
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var document = document()
    for step in 0..<40 {
      guard let layer = document.layers.randomElement(using: &generator) else { break }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let beside = document.layers.filter {
          $0.parent == layer.parent && Bool.random(using: &generator)
        }
        if !beside.isEmpty { try document.group(beside.map(\.id), named: "g\(step)") }
      case 1:
        try document.moveLayer(layer.id, to: Int.random(in: -1...6, using: &generator))
      case 2 where layer is GroupLayer: try document.ungroup(layer.id)
      default:
        if document.layers.count > 8 { try document.removeLayer(layer.id) }
      }
      var settled = document
      #expect(settled.settleGroups() == nil)
      #expect(shape(settled) == shape(document))
    }
    let again = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
    #expect(shape(again) == shape(document))
  }
}
