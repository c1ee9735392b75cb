import Archiving
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

/// What a kind of layer gets without a word of its own.
@Suite struct LayerChangeTests {
  /// A layer with one text, of a kind that is in no list.
  private struct NoteLayer: Layer {
    static let archivedClass = ArchivedClass("PortolanNoteLayer", superclass: "PortolanLayer")
    var id = LayerID(3)
    var name = "note"
    var isVisible = true
    var isLocked = false
    var parent: LayerID?
    var style = Style(name: "", mark: MarkStyle())
    var text: String

    var kindCode: String { "note" }
    var count: Int { 1 }
    var extent: Box { .empty }
    func legend(in visible: Box?) -> [LegendEntry] { [] }

    init(_ text: String) { self.text = text }
    init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

    func encode(with coder: any EncodingCoder) throws {
      try LayerFields(id: id, name: name, style: style).encode(with: coder)
      try coder.encodeString(text, forKey: "text")
    }

    func draw(on canvas: inout some Canvas, labelPriority priority: Int) {}

    func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> NoteLayer {
      var copy = self
      (copy.id, copy.name, copy.parent) = (id, name, parent)
      return copy
    }
  }

  @Test func `A kind without changes of its own is told whole`() throws {
    var former = Document()
    former.layers = [NoteLayer("one")]
    former.nextID = 9
    var edited = former
    edited.layers = [NoteLayer("two")]
    #expect(try DocumentChange(from: former, to: former).isEmpty)
    let archive = try Archiver.archive(DocumentChange(from: former, to: edited))
    let change = try Unarchiver.unarchive(DocumentChange.self, from: archive)
    let replayed = try change.applied(to: former)
    let reopened = try DocumentArchive.open(DocumentArchive.bytes(of: edited)).document
    #expect(try DocumentArchive.bytes(of: replayed) == DocumentArchive.bytes(of: reopened))
    #expect(try DocumentChange(from: reopened, to: replayed).isEmpty)
    #expect(try !DocumentChange(from: reopened, to: former).isEmpty)
    #expect(
      former.layers[0].parts.count == 1 && former.layers[0].parts[0] === former.layers[0].style)
  }

  /// The form in which changes of features have been written since there are journals.
  private struct FormerChange: Coding {
    static let archivedClass: ArchivedClass = "PortolanDocumentChange"
    var layers: [BlockListChange]

    init(layers: [BlockListChange]) { self.layers = layers }
    init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeBool(false, forKey: "hasFrame")
      try coder.encodeObjects(layers, forKey: "layers")
    }
  }

  @Test(arguments: Seeds.some(12))
  func `Changes of features are archived as they always were`(seed: UInt64) throws {
    var documents = RandomDocuments(seed: seed)
    let former = documents.document()
    var edited = former
    var changes: [BlockListChange] = []
    for place in edited.layers.indices {
      guard var layer = edited.layers[place] as? FeatureLayer else { continue }
      let before = layer
      _ = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [("n", .number("1"))])
      edited.layers[place] = layer
      var change = try #require(
        BlockListChange(
          from: before.blocks, to: layer.blocks, nextFeatureID: layer.nextFeatureID,
          formerNextFeatureID: before.nextFeatureID))
      change.layer = place
      changes.append(change)
    }
    // A box of the file around them may have changed as well, which is told in the frame.
    guard try DocumentArchive.bytes(of: bare(former)) == DocumentArchive.bytes(of: bare(edited))
    else { return }
    let change = try DocumentChange(from: former, to: edited)
    let form = FormerChange(layers: changes)
    #expect(try Archiver.archive(change) == Archiver.archive(form))
    #expect(try KeyedArchiver.archive(change) == KeyedArchiver.archive(form))
    let read = try Unarchiver.unarchive(DocumentChange.self, from: Archiver.archive(form))
    #expect(differences(try read.applied(to: former), edited) == [])
  }

  private func bare(_ document: Document) -> Document {
    var bare = document
    bare.layers = document.layers.map { $0.bare() }
    return bare
  }

  @Test func `A change of no known kind, or of another layer, is refused`() throws {
    var document = Document()
    document.layers = [NoteLayer("one")]
    let blocks = FeatureLayer(id: LayerID(3), name: "", style: Style(name: "", mark: .init()))
    var edited = blocks
    _ = edited.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
    let change = try #require(edited.change(from: blocks))
    #expect(throws: DocumentError.self) {
      try change.applied(to: NoteLayer("one"), as: NoteLayer("one"))
    }
    #expect(try change.applied(to: blocks, as: edited.bare()).count == 1)
    #expect(throws: DocumentError.self) {
      try change.applied(to: edited, as: edited.bare())
    }
  }
}
