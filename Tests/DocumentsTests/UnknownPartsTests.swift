import Archiving
import PortolanGraphics
import Testing

@testable import PortolanDocuments

/// What a newer program might write: kinds and keys that this one does not know.
struct FutureDocument: Coding {
  static var archivedClass: ArchivedClass { "PortolanDocument" }
  var changesBlocks = true
  /// The first layer's number; 0 is none.
  var layerID = 3

  init() {}
  init(coder: any DecodingCoder) throws {}

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(1, forKey: "formatVersion")
    try coder.encodeInt(20, forKey: "nextID")
    let style = FutureStyle()
    let layers: [any Coding] = [
      FutureLayer(id: layerID, style: style), FutureFeatureLayer(id: 4, style: style),
      FutureFeatureLayer(id: 5, style: style),
    ]
    try coder.encodeObjects(layers, forKey: "layers")
    let views: [any Coding] = [FutureMapView(), FutureView()]
    try coder.encodeObjects(views, forKey: "views")
    try coder.encodeStrings(["home", "work"], forKey: "bookmarks")
  }
}

final class FutureStyle: Coding {
  static let archivedClass = ArchivedClass("PortolanCategoryStyle", superclass: "PortolanStyle")
  init() {}
  init(coder: any DecodingCoder) throws {}
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString("classes", forKey: "name")
    try coder.encodeString("#ff0000", forKey: "stroke")
    try coder.encodePacked([1.5, 2.5], forKey: "breaks")
  }
}

struct FutureLayer: Coding {
  static let archivedClass = ArchivedClass("PortolanGlyphLayer", superclass: "PortolanLayer")
  var id: Int
  var style: FutureStyle
  init(id: Int, style: FutureStyle) { (self.id, self.style) = (id, style) }
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(id, forKey: "id")
    try coder.encodeString("dungeon", forKey: "name")
    try coder.encodeObject(style, forKey: "style")
    try coder.encodePacked([UInt8](0...255), forKey: "cells")
  }
}

struct FutureFeatureLayer: Coding {
  static let archivedClass = ArchivedClass("PortolanFeatureLayer", superclass: "PortolanLayer")
  var id: Int
  var style: FutureStyle
  init(id: Int, style: FutureStyle) { (self.id, self.style) = (id, style) }
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(id, forKey: "id")
    try coder.encodeObject(style, forKey: "style")
    try coder.encodeInt(1, forKey: "nextFeatureID")
    try coder.encodeDouble(0.5, forKey: "opacity")
  }
}

struct FutureMapView: Coding {
  static let archivedClass = ArchivedClass("PortolanMapView", superclass: "PortolanView")
  init() {}
  init(coder: any DecodingCoder) throws {}
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(8, forKey: "id")
    try coder.encodeReference(FutureViewID(), forKey: "auxiliaryView")
    try coder.encodeDouble(90, forKey: "rotation")
  }
}

struct FutureViewID: ArchiveIdentity {}

struct FutureView: IdentifiedCoding {
  static let archivedClass = ArchivedClass("PortolanGlobeView", superclass: "PortolanView")
  var archiveIdentity: FutureViewID { FutureViewID() }
  init() {}
  init(coder: any DecodingCoder) throws {}
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(9, forKey: "id")
    try coder.encodeString("table", forKey: "name")
  }
}

@Suite("What this program does not know")
struct UnknownPartsTests {
  private func graphs() throws -> (before: ObjectGraph, document: Document, after: ObjectGraph) {
    let bytes = try KeyedArchiver.archive(FutureDocument())
    let document = try DocumentArchive.open(bytes).document
    let again = try DocumentArchive.bytes(of: document)
    return (try ObjectGraph(bytes), document, try ObjectGraph(again))
  }

  private func nodes(_ graph: ObjectGraph, _ name: String) throws -> [ObjectGraph.Node] {
    try (0..<graph.nodeCount).map { try graph.node(NodeID(rawValue: UInt32($0))) }
      .filter { $0.classChain.first == name }
  }

  @Test("Unknown layers, views and styles are listed and written back whole")
  func classes() throws {
    let (before, document, after) = try graphs()
    let layer = try #require(document.layers[0] as? UnknownLayer)
    #expect(layer.name == "dungeon" && layer.id == LayerID(3) && layer.kindCode == "?")
    #expect(layer.className == "PortolanGlyphLayer")
    let view = try #require(document.views[1] as? UnknownView)
    #expect(view.name == "table" && view.id == ViewID(9))
    for name in ["PortolanGlyphLayer", "PortolanGlobeView", "PortolanCategoryStyle"] {
      let (old, new) = (try nodes(before, name), try nodes(after, name))
      #expect(old.count == 1 && new.count == 1, "\(name)")
      #expect(old.map { $0.fields.map(\.key) } == new.map { $0.fields.map(\.key) })
      #expect(old.map(\.classChain) == new.map(\.classChain))
    }
  }

  @Test("An unknown style looks as its inherited keys say and stays shared")
  func style() throws {
    let document = try graphs().document
    #expect(document.layers[1].style === document.layers[2].style)
    #expect(document.layers[1].style.mark.stroke == Colour(red: 255, green: 0, blue: 0))
  }

  @Test("Unknown keys are written back unchanged")
  func keys() throws {
    let (_, _, after) = try graphs()
    let document = try #require(try nodes(after, "PortolanDocument").first)
    #expect(document.fields.last?.key == "bookmarks")
    for layer in try nodes(after, "PortolanFeatureLayer") {
      let opacity = try #require(layer.fields.first { $0.key == "opacity" })
      guard case .double(0.5) = try after.content(of: opacity.value) else {
        Issue.record("opacity is not 0.5")
        continue
      }
    }
    let map = try #require(try nodes(after, "PortolanMapView").first)
    #expect(map.fields.contains { $0.key == "rotation" })
    guard let auxiliary = map.fields.first(where: { $0.key == "auxiliaryView" }),
      case .reference(let reference) = try after.content(of: auxiliary.value)
    else {
      Issue.record("no auxiliary view")
      return
    }
    #expect(try after.node(reference).classChain.first == "PortolanGlobeView")
  }

  @Test("A layer without a number has the same one at every open, and uses none up")
  func numbers() throws {
    var future = FutureDocument()
    future.layerID = 0
    var document = try DocumentArchive.open(try KeyedArchiver.archive(future)).document
    let (id, next) = (document.layers[0].id, document.nextID)
    #expect(document.layers[0] is UnknownLayer)
    #expect(Set(document.layers.map(\.id)).count == 3)
    for _ in 0..<3 {
      document = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
      #expect(document.layers[0].id == id)
      #expect(document.nextID == next)
    }
    document.nextID = 1 << 53 + 1
    #expect(throws: (any Error).self) { try DocumentArchive.bytes(of: document) }
  }

  @Test("Writing back what is not known is stable: a second round gives the same bytes")
  func stable() throws {
    let document = try graphs().document
    let bytes = try DocumentArchive.bytes(of: document)
    #expect(try DocumentArchive.bytes(of: DocumentArchive.open(bytes).document) == bytes)
  }
}
