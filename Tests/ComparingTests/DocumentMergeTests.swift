import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanComparing

/// Merges of documents.
@Suite struct DocumentMergeTests {
  private static func document() -> Document {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "towns")
    for number in 1...5 {
      _ = layer.add(
        geometry: .point(Coordinate(x: Double(number), y: 0)),
        attributes: [("name", .string("town \(number)")), ("pop", .number("\(number)"))])
    }
    document.layers.append(layer)
    return document
  }

  private static func edited(
    _ document: Document, _ change: (inout any FeatureHolding) throws -> Void
  ) rethrows -> Document {
    var document = document
    guard var layer = document.layers.first as? any FeatureHolding else { return document }
    try change(&layer)
    document.layers[0] = layer
    return document
  }

  private static func rows(_ document: Document) -> [String] {
    let layer = document.layers.first as? any FeatureHolding
    return (layer?.blocks ?? []).flatMap { block in
      (0..<block.rowCount).map { row in
        let feature = block.feature(row: row)
        let place = feature.geometry.box.center
        let values = feature.attributes.map { "\($0.value.text)" }.joined(separator: " ")
        return "#\(feature.id.rawValue) \(values) at \(place.x) \(place.y)"
      }
    }
  }

  @Test func `features of one number are merged, additions get numbers`() throws {
    let base = Self.document()
    let ours = try Self.edited(base) { layer in
      try layer.setAttribute("pop", to: .number("10"), of: [FeatureID(1)])
      layer.remove([FeatureID(4)])
      _ = layer.add(
        geometry: .point(Coordinate(x: 9, y: 9)), attributes: [("name", .string("our"))])
    }
    let theirs = try Self.edited(base) { layer in
      try layer.setAttribute("name", to: .string("first"), of: [FeatureID(1)])
      try layer.setGeometry(.point(Coordinate(x: 2, y: 7)), of: FeatureID(2))
      layer.remove([FeatureID(5)])
      _ = layer.add(
        geometry: .point(Coordinate(x: 8, y: 8)), attributes: [("name", .string("their"))])
    }
    var merge = DocumentMerge(base: base, ours: ours, theirs: theirs)
    let merged = try merge.merged()
    #expect(
      Self.rows(merged) == [
        "#1 first 10 at 1.0 0.0", "#2 town 2 2 at 2.0 7.0", "#3 town 3 3 at 3.0 0.0",
        "#6 our at 9.0 9.0", "#7 their at 8.0 8.0",
      ])
    #expect(merge.conflicts.isEmpty && merged.conflicts.isEmpty)
    #expect(
      try DocumentArchive.open(DocumentArchive.bytes(of: merged)).document.layers[0].count == 5)
  }

  @Test func `conflicts are objects of the archive`() throws {
    let base = Self.document()
    let ours = try Self.edited(base) { layer in
      try layer.setAttribute("pop", to: .number("10"), of: [FeatureID(1)])
      layer.remove([FeatureID(2)])
      layer.name = "places"
    }
    let theirs = try Self.edited(base) { layer in
      try layer.setAttribute("pop", to: .number("11"), of: [FeatureID(1), FeatureID(2)])
      layer.name = "cities"
    }
    var merge = DocumentMerge(base: base, ours: ours, theirs: theirs)
    let merged = try merge.merged()
    #expect(merge.conflicts.count == 3)
    let again = try DocumentArchive.open(DocumentArchive.bytes(of: merged)).document
    #expect(again.conflicts.map(\.part) == [.name, .feature, .feature])
    #expect(again.conflicts[0].theirs == "cities" && again.layers[0].name == "places")
    let changed = try #require(again.conflicts.first { $0.feature == FeatureID(1) })
    #expect(changed.theirs?.contains("\"pop\":11") == true)
    let removed = try #require(again.conflicts.first { $0.feature == FeatureID(2) })
    #expect(removed.removedBy == .ours && removed.base?.contains("\"pop\":2") == true)
    #expect(Self.rows(again).contains("#2 town 2 11 at 2.0 0.0"))
    // A document with conflicts is not merged again.
    var next = DocumentMerge(base: base, ours: again, theirs: theirs)
    #expect(throws: DocumentMerge.Refusal.undecided(.ours)) { _ = try next.merged() }
    // A conflict of a removed layer is decided.
    var without = again
    without.layers = []
    #expect(without.openConflicts.isEmpty)
  }

  @Test func `layers, looks and order come from the side that changed them`() throws {
    var base = Self.document()
    base.layers.append(LayerKinds.features(LayerID(base.makeID()), name: "roads"))
    var ours = base
    ours.layers[0].isVisible = false
    ours.metadata.author = "us"
    var theirs = base
    theirs.layers[0].style = Style(name: "new", mark: MarkStyle(symbol: "x"))
    theirs.metadata.licence = "CC0"
    base.metadata.settings = ["units": "km", "snap": "grid", "base": "none"]
    ours.metadata.settings = ["units": "mi", "snap": "grid", "base": "coast", "later": "1"]
    theirs.metadata.settings = ["units": "km", "panels": "all", "base": "auto"]
    theirs.layers.append(LayerKinds.features(LayerID(theirs.makeID()), name: "rails"))
    theirs.layers.swapAt(0, 1)
    var merge = DocumentMerge(base: base, ours: ours, theirs: theirs)
    let merged = try merge.merged()
    #expect(merge.conflicts.isEmpty)
    #expect(merged.layers.map(\.name) == ["roads", "towns", "rails"])
    #expect(merged.layers[1].isVisible == false && merged.layers[1].style.mark.symbol == "x")
    #expect(
      merged.metadata.settings == ["units": "mi", "panels": "all", "base": "coast", "later": "1"])
    #expect(merge.remarks == ["setting “base”: both changed it; ours is kept"])
    #expect(merged.metadata.author == "us" && merged.metadata.licence == "CC0")
    #expect(merged.nextID > merged.layers.map(\.id.rawValue).max() ?? 0)
  }

  @Test(arguments: Seeds.some(15))
  func `a side that changed nothing gives the features of the other`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let base = Self.document()
    var other = base
    for _ in 0..<4 {
      other = try Self.edited(other) { layer in
        let id = FeatureID(UInt64.random(in: 1...5, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0: layer.remove([id])
        case 1:
          _ = layer.add(
            geometry: .point(Coordinate(x: Double(id.rawValue), y: 5)), attributes: [])
        default:
          if layer.position(of: id) != nil {
            try layer.setAttribute("pop", to: .number("77"), of: [id])
          }
        }
      }
    }
    for (ours, theirs) in [(base, other), (other, base), (other, other)] {
      var merge = DocumentMerge(base: base, ours: ours, theirs: theirs)
      let merged = try merge.merged()
      #expect(Self.rows(merged).sorted() == Self.rows(other).sorted(), "seed \(seed)")
      #expect(merge.conflicts.isEmpty, "seed \(seed)")
    }
  }

  @Test func `features are the same after their texts`() throws {
    let ring = [(0.1, 0.2), (10, 0), (10, 10.123_456_789), (0.1, 0.2)].map {
      Coordinate(x: $0.0, y: $0.1)
    }
    var layer = LayerKinds.features(LayerID(1), name: "all")
    let shapes: [Geometry] = [
      .none, .point(ring[0]), .line(ring), .polygon([ring, ring]),
      Geometry(
        kind: .geometryCollection,
        paths: Geometry.point(ring[1]).paths + Geometry.polygon([ring]).paths),
    ]
    for shape in shapes {
      _ = layer.add(
        geometry: shape, attributes: [("a", .json("[1, {\"b\":null}]")), ("é", .bool(true))],
        isExact: true)
    }
    let rows = ComparedRow.rows(of: layer)
    let blocks = try FeatureWriter.blocks(
      rows.map { FeatureWriter.text($0.block, row: $0.row) })
    let again = blocks.flatMap { block in (0..<block.rowCount).map { block.feature(row: $0) } }
    #expect(again.map(\.geometry) == shapes)
    #expect(again.allSatisfy { $0.attributes.map(\.name) == ["a", "é"] })
  }
}
