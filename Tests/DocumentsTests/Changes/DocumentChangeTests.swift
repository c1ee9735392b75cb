import Archiving
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

/// The law of changes: what differs, put onto the former document, gives the new one.
@Suite struct DocumentChangeTests {
  /// A change as it comes back from a typedstream, which is how journals code it.
  private func archived(_ change: DocumentChange) throws -> DocumentChange {
    try Unarchiver.unarchive(DocumentChange.self, from: Archiver.archive(change))
  }

  @Test(arguments: Seeds.some(24))
  func `What differs gives the new document again`(seed: UInt64) throws {
    var documents = RandomDocuments(seed: seed)
    var edits = RandomEdits(seed: seed)
    var document = documents.document()
    for step in 0..<12 {
      var edited = try edits.edited(document)
      if step % 4 == 0 { edited = try edits.edited(edited) }
      let change = try archived(DocumentChange(from: document, to: edited))
      #expect(differences(try change.applied(to: document), edited) == [], "step \(step)")
      let back = try archived(DocumentChange(from: edited, to: document))
      #expect(differences(try back.applied(to: edited), document) == [], "step \(step) back")
      document = edited
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A change can be put onto the document as a file gives it`(seed: UInt64) throws {
    var documents = RandomDocuments(seed: seed &+ 500)
    var edits = RandomEdits(seed: seed &+ 500)
    var document = documents.document()
    var replayed = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
    for _ in 0..<10 {
      let edited = try edits.edited(document)
      replayed = try archived(DocumentChange(from: document, to: edited)).applied(to: replayed)
      document = edited
    }
    // As a file gives it, no view refers to one that is not there.
    let file = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
    let last = try DocumentArchive.open(DocumentArchive.bytes(of: replayed)).document
    #expect(try DocumentArchive.bytes(of: last) == DocumentArchive.bytes(of: file))
  }

  @Test func `Nothing differs between a document and itself`() throws {
    var documents = RandomDocuments(seed: 3)
    let document = documents.document()
    #expect(try DocumentChange(from: document, to: document).isEmpty)
  }

  @Test func `Moving one vertex of a large block tells little`() throws {
    var document = Document()
    var layer = FeatureLayer(id: LayerID(document.makeID()), name: "coast", style: .plainLine)
    let vertices = (0..<16_000).map { Coordinate(x: Double($0) / 100, y: Double($0 % 89)) }
    let id = layer.add(geometry: .line(vertices), attributes: [("name", .string("long"))])
    document.layers = [layer]
    var geometry = try #require(layer.feature(id)).geometry
    geometry.paths[0].vertices[8_000].y = 45.5
    var moved = document
    try layer.setGeometry(geometry, of: id)
    moved.layers = [layer]
    #expect(try size(from: document, to: moved) < 1_024)
    geometry.paths[0].vertices.insert(Coordinate(x: 1, y: 2), at: 5_000)
    try layer.setGeometry(geometry, of: id)
    var longer = moved
    longer.layers = [layer]
    #expect(try size(from: moved, to: longer) < 1_024)
    // A block of one feature that is split into several tells each of them by the former one.
    layer.remove([])
    #expect(layer.blocks.count == 1)
  }

  @Test(arguments: Seeds.some(12))
  func `What an edit changes of layers' own fields is told alone`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var document = Document()
    for number in 0..<20 {
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: "layer \(number)", style: .plainLine)
      _ = layer.add(
        geometry: .line([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]), attributes: [])
      document.layers.append(layer)
    }
    let whole = try size(from: Document(), to: document)
    for _ in 0..<30 {
      var edited = document
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<edited.layers.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        // Names that Swift takes for equal are two names.
        case 0: edited.layers[place].name = Bool.random(using: &random) ? "\u{E9}" : "e\u{301}"
        case 1: edited.layers[place].title = Bool.random(using: &random) ? "T" : ""
        case 2: edited.layers[place].isVisible.toggle()
        case 3: edited.layers[place].isLocked.toggle()
        default:
          guard var layer = edited.layers[place] as? FeatureLayer else { continue }
          _ = layer.add(geometry: .point(Coordinate(x: 2, y: 2)), attributes: [])
          edited.layers[place] = layer
        }
      }
      let change = try archived(DocumentChange(from: document, to: edited))
      let applied = try change.applied(to: document)
      #expect(differences(applied, edited) == [], "seed \(seed)")
      for (layer, other) in zip(applied.layers, edited.layers) {
        #expect(layer.name.utf8.elementsEqual(other.name.utf8))
      }
      if document.layers.map(\.count) == edited.layers.map(\.count) {
        #expect(try size(from: document, to: edited) < whole / 4)
      }
      document = edited
    }
  }

  @Test func `What differs in other places is told whole`() throws {
    var document = Document()
    for _ in 0..<2 {
      document.layers.append(
        FeatureLayer(id: LayerID(document.makeID()), name: "a", style: .plainLine))
    }
    let edits: [(inout Document) -> Void] = [
      { $0.metadata.title = "t" }, { $0.metadata.settings["units"] = "km" }, { $0.nextID += 1 },
      { $0.layers.swapAt(0, 1) }, { $0.layers[1].style = .plainLine },
      { $0.layers[0].zooms = ZoomBounds(least: 2, greatest: 4) ?? .all }, { $0.views.removeLast() },
      { $0.bookmarks.set(Bookmark(name: "b", place: Coordinate(x: 1, y: 2))) },
      { $0.layers.removeLast() },
    ]
    for (number, edit) in edits.enumerated() {
      var edited = document
      edited.layers[0].name = "b"
      edit(&edited)
      let change = try archived(DocumentChange(from: document, to: edited))
      #expect(differences(try change.applied(to: document), edited) == [], "edit \(number)")
    }
  }

  @Test func `Removing every second feature tells no coordinates`() throws {
    var document = Document()
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape.plain
    for number in 0..<5_000 {
      let role = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
      builder.geometry.appendPath(role, pairs: [Double(number), 1])
      builder.endRow(.point, shape: shape)
    }
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "points", style: .plainLine, blocks: builder.finish())
    document.layers = [layer]
    var fewer = document
    layer.remove(Set((1...2_500).map { FeatureID(2 * UInt64($0)) }))
    fewer.layers = [layer]
    let change = try archived(DocumentChange(from: document, to: fewer))
    #expect(differences(try change.applied(to: document), fewer) == [])
    #expect(try size(from: document, to: fewer) < 2_500 * 10)
  }

  @Test func `A change is refused by a document that it does not belong to`() throws {
    var documents = RandomDocuments(seed: 8)
    var edits = RandomEdits(seed: 8)
    let document = documents.document()
    var edited = document
    for _ in 0..<10 { edited = try edits.edited(edited) }
    let change = try DocumentChange(from: document, to: edited)
    let stranger = Document()
    // Either it is refused, or nothing of the former document was needed.
    if let applied = try? change.applied(to: stranger) {
      #expect(applied.layers.count == edited.layers.count)
    }
    var layer = try #require(edited.layers.compactMap { $0 as? FeatureLayer }.last)
    layer.remove(Set(layer.blocks.flatMap(\.featureIDs).prefix(1)))
    var shorter = edited
    shorter[layer: layer.id] = layer
    let next = try DocumentChange(from: shorter, to: edited)
    #expect(throws: (any Error).self) { try next.applied(to: stranger) }
  }

  @Test(arguments: Seeds.some(4))
  func `No damaged change traps`(seed: UInt64) throws {
    var documents = RandomDocuments(seed: seed &+ 90)
    var edits = RandomEdits(seed: seed &+ 90)
    let document = documents.document()
    var edited = document
    for _ in 0..<4 { edited = try edits.edited(edited) }
    let change = try DocumentChange(from: document, to: edited)
    let bytes = try Archiver.archive(change)
    let keyed = try KeyedArchiver.archive(change)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      var damaged = bytes
      let place = Int.random(in: 0..<damaged.count, using: &random)
      damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let change = try? Unarchiver.unarchive(DocumentChange.self, from: damaged)
      _ = try? change?.applied(to: document)
      damaged = keyed
      damaged[place % keyed.count] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let other = try? KeyedUnarchiver.unarchive(DocumentChange.self, from: damaged)
      _ = try? other?.applied(to: document)
    }
  }

  private func size(from former: Document, to new: Document) throws -> Int {
    let full = try Archiver.archive(DocumentChange(from: former, to: new)).count
    let empty = try Archiver.archive(DocumentChange(from: former, to: former)).count
    return full - empty
  }
}

extension Style {
  fileprivate static var plainLine: Style { Style(name: "line", mark: MarkStyle()) }
}
