import Archiving
import PortolanGraphics
import Testing

@testable import PortolanDocuments

/// Layers that come from another document: their numbers, groups and what is not known of them.
@Suite struct AddedLayersTests {
  /// A layer of a kind that this program does not know, in a group, that refers to a layer.
  private struct ForeignLayer: Coding {
    static let archivedClass = ArchivedClass("PortolanGlyphLayer", superclass: "PortolanLayer")
    var id: Int
    var parent: Int
    var neighbour: LayerID?

    init(id: Int, parent: Int, neighbour: LayerID? = nil) {
      (self.id, self.parent, self.neighbour) = (id, parent, neighbour)
    }

    init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(id, forKey: "id")
      try coder.encodeString("glyphs \(id)", forKey: "name")
      try coder.encodeInt(parent, forKey: "parent")
      try coder.encodeReference(neighbour, forKey: "neighbour")
      try coder.encodePacked([UInt8](0...255), forKey: "cells")
    }
  }

  /// A document as a newer program may write it, from the bottom up.
  private struct ForeignDocument: Coding {
    static let archivedClass: ArchivedClass = "PortolanDocument"
    var layers: [any Coding]

    init(_ layers: [any Coding]) { self.layers = layers }
    init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(Document.formatVersion, forKey: "formatVersion")
      try coder.encodeInt(30, forKey: "nextID")
      try coder.encodeObjects(layers, forKey: "layers")
    }
  }

  private func features(_ id: UInt64, _ name: String, parent: UInt64? = nil) -> FeatureLayer {
    var layer = FeatureLayer(id: LayerID(id), name: name, style: Style(name: "", mark: .init()))
    layer.parent = parent.map { LayerID($0) }
    return layer
  }

  private func group(_ id: UInt64, _ name: String, parent: UInt64? = nil) -> GroupLayer {
    GroupLayer(id: LayerID(id), name: name, parent: parent.map { LayerID($0) })
  }

  private func reopened(_ document: Document) throws -> Document {
    try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
  }

  /// The names from the bottom up, each with the names of its groups.
  private func shape(_ document: Document) -> [String] {
    document.layers.map { layer in
      ([layer.name] + document.groups(around: layer).map(\.name)).joined(separator: "<")
    }
  }

  /// Groups 5 and 6 hold an unknown layer each; the numbers are those of `mine`, too.
  private func foreign() throws -> Document {
    let inner = features(3, "rivers", parent: 5)
    let layers: [any Coding] = [
      features(2, "roads"), ForeignLayer(id: 4, parent: 5, neighbour: LayerID(3)), inner,
      group(5, "water", parent: 6), ForeignLayer(id: 7, parent: 6), group(6, "all"),
      ForeignLayer(id: 8, parent: 0),
    ]
    return try DocumentArchive.open(KeyedArchiver.archive(ForeignDocument(layers))).document
  }

  private func mine() -> Document {
    var document = Document()
    document.layers = [
      features(3, "mine"), features(4, "roads", parent: 5), group(5, "own group"),
    ]
    document.nextID = 6
    return document
  }

  @Test func `Groups and unknown layers come along, and stay so after a save`() throws {
    let shapes = [
      "mine", "roads<own group", "own group", "roads 2", "glyphs 4<water<all", "rivers<water<all",
      "water<all", "glyphs 7<all", "all", "glyphs 8",
    ]
    var document = mine()
    document.add(try foreign().layers, hasLooks: true)
    #expect(shape(document) == shapes)
    let again = try reopened(document)
    #expect(shape(again) == shapes)
    #expect(again.layers.map(\.id) == document.layers.map(\.id))
    #expect(Set(again.layers.map(\.id)).count == again.layers.count)
    #expect(again.layers.filter { $0 is UnknownLayer }.count == 3)
    #expect(try DocumentArchive.bytes(of: again) == DocumentArchive.bytes(of: document))
  }

  /// A program that knows the kind finds numbers that are right in the new document.
  @Test func `The archived numbers of an unknown layer are those of its new document`() throws {
    var document = mine()
    document.add(try foreign().layers, hasLooks: true)
    let graph = try ObjectGraph(DocumentArchive.bytes(of: document))
    var numbers: [[Int64]] = []
    for number in 0..<graph.nodeCount {
      let node = try graph.node(NodeID(rawValue: UInt32(number)))
      guard node.classChain.first == "PortolanGlyphLayer" else { continue }
      #expect(node.fields.map(\.key).sorted() == ["cells", "id", "name", "neighbour", "parent"])
      numbers.append(
        try ["id", "parent"].map { key in
          let field = try #require(node.fields.first { $0.key == key })
          guard case .integer(let value) = try graph.content(of: field.value) else { return -1 }
          return value
        })
    }
    let water = try #require(document.layers.first { $0.name == "water" }).id.rawValue
    let all = try #require(document.layers.first { $0.name == "all" }).id.rawValue
    let ids = document.layers.filter { $0 is UnknownLayer }.map { Int64($0.id.rawValue) }
    #expect(numbers == [[ids[0], Int64(water)], [ids[1], Int64(all)], [ids[2], 0]])
  }

  /// Layer 3 is another one here.
  @Test func `An unknown layer refers to nothing of the new document`() throws {
    var document = mine()
    document.add(try foreign().layers.filter { $0 is UnknownLayer }, hasLooks: true)
    #expect(shape(document).suffix(3) == ["glyphs 4", "glyphs 7", "glyphs 8"])
    let graph = try ObjectGraph(DocumentArchive.bytes(of: document))
    var neighbours: [String] = []
    for number in 0..<graph.nodeCount {
      let node = try graph.node(NodeID(rawValue: UInt32(number)))
      guard let field = node.fields.first(where: { $0.key == "neighbour" }),
        case .reference(let reference) = try graph.content(of: field.value)
      else { continue }
      let name = try graph.node(reference).fields.first { $0.key == "name" }
      guard let name, case .reference(let text) = try graph.content(of: name.value),
        case .bare(let value) = try graph.node(text).kind,
        case .string(let string) = try graph.content(of: value)
      else { continue }
      neighbours.append(string)
    }
    #expect(neighbours == ["rivers"])
    #expect(shape(try reopened(document)) == shape(document))
  }

  @Test func `An unknown layer that was grouped stays in its group`() throws {
    let layers: [any Coding] = [
      features(2, "a", parent: 6), ForeignLayer(id: 4, parent: 6), features(3, "b", parent: 6),
      group(6, "outer"),
    ]
    var document = try DocumentArchive.open(
      KeyedArchiver.archive(ForeignDocument(layers))
    ).document
    try document.group([LayerID(2), LayerID(4), LayerID(3)], named: "inner")
    let shapes = [
      "a<inner<outer", "glyphs 4<inner<outer", "b<inner<outer", "inner<outer", "outer",
    ]
    #expect(shape(document) == shapes)
    #expect(shape(try reopened(document)) == shapes)
  }

  /// Former versions wrote the group that such a layer was archived with.
  @Test func `A group named by an unknown layer does not end one that goes on`() throws {
    let layers: [any Coding] = [
      features(2, "a", parent: 5), ForeignLayer(id: 4, parent: 6), features(3, "b", parent: 5),
      group(5, "inner", parent: 6), group(6, "outer"),
    ]
    let document = try DocumentArchive.open(
      KeyedArchiver.archive(ForeignDocument(layers))
    ).document
    #expect(
      shape(document) == [
        "a<inner<outer", "glyphs 4<inner<outer", "b<inner<outer", "inner<outer", "outer",
      ])
  }

  @Test func `What is damaged and not understood is not taken in`() throws {
    let sound = try KeyedArchiver.archive(ForeignDocument([ForeignLayer(id: 4, parent: 0)]))
    var foundCount = 0
    for place in sound.indices {
      var bytes = sound
      bytes[place] ^= 0x80
      guard let opened = try? DocumentCodec().decode(bytes, progress: { _ in }) else { continue }
      let (layers, damaged) = opened.soundLayers
      #expect(layers.count + damaged.count == opened.document.layers.count)
      var document = mine()
      document.add(layers, hasLooks: true)
      #expect(throws: Never.self) { try DocumentArchive.bytes(of: document) }
      if !damaged.isEmpty { foundCount += 1 }
    }
    #expect(foundCount > 0)
  }

  @Test func `New layers look unlike those of their kind, chosen looks stay`() throws {
    func points(_ id: UInt64) -> FeatureLayer {
      var layer = features(id, "p")
      _ = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
      return layer
    }
    var document = Document()
    document.add([points(1), points(2), features(3, "e")], hasLooks: false)
    document.add([group(4, "g")], hasLooks: false)
    let marks = document.layers.map(\.style.mark)
    #expect(marks[0] == Style.standard(forDimension: 0, index: 0).mark)
    #expect(marks[1] == Style.standard(forDimension: 0, index: 1).mark)
    #expect(marks[2] == Style.standard(forDimension: nil, index: 2).mark)
    #expect(marks[3] == MarkStyle())
    document.add([points(1)], hasLooks: true)
    #expect(document.layers[4].style.mark == MarkStyle())
    #expect(document.layers.map(\.name) == ["p", "p 2", "e", "g", "p 3"])
  }
}
