import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanComparing

/// One edit taken back in a document that was changed since.
@Suite struct EditReversalTests {
  typealias Change = (inout any FeatureHolding) throws -> Void

  private static let start: Document = {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "towns")
    for number in 1...5 {
      _ = layer.add(
        geometry: .point(Coordinate(x: Double(number), y: 0)),
        attributes: [("name", .string("town \(number)")), ("pop", .number("\(number)"))])
    }
    document.layers.append(layer)
    for name in ["roads", "fields"] {
      document.layers.append(LayerKinds.features(LayerID(document.makeID()), name: name))
    }
    return document
  }()

  private static func edited(_ document: Document, _ change: Change) throws -> Document {
    var document = document
    var layer = try #require(document.layers.first as? any FeatureHolding)
    try change(&layer)
    document.layers[0] = layer
    return document
  }

  private static func rows(_ document: Document) -> [String] {
    let layer = document.layers.first as? any FeatureHolding
    return (layer?.blocks ?? []).flatMap { block in
      (0..<block.rowCount).map { row in
        let feature = block.feature(row: row)
        let values = feature.attributes.map { "\($0.value.text)" }.joined(separator: " ")
        return "#\(feature.id.rawValue) \(values) at \(feature.geometry.box.center.x)"
      }
    }
  }

  /// Makes an edit, then another one, and takes the first back.
  private static func undone(
    _ first: Change, then second: Change
  ) throws -> Document {
    let after = try edited(start, first)
    let present = try edited(after, second)
    let document = try EditReversal(from: start, to: after, in: present).reversed()
    // What is left can be archived and read.
    _ = try DocumentArchive.open(DocumentArchive.bytes(of: document))
    return document
  }

  private static func set(_ name: String, _ value: String, _ ids: UInt64...) -> Change {
    { try $0.setAttribute(name, to: .string(value), of: Set(ids.map { FeatureID($0) })) }
  }

  private static func remove(_ ids: UInt64...) -> Change {
    { $0.remove(Set(ids.map { FeatureID($0) })) }
  }

  private static func add(_ name: String) -> Change {
    {
      _ = $0.add(
        geometry: .point(Coordinate(x: 9, y: 9)), attributes: [("name", .string(name))])
    }
  }

  @Test func `removed features come back with their numbers, behind their neighbours`() throws {
    let document = try Self.undone(Self.remove(1, 3, 4)) { layer in
      try Self.add("new")(&layer)
      try Self.set("name", "second", 2)(&layer)
    }
    #expect(
      Self.rows(document) == [
        "#1 town 1 1 at 1.0", "#2 second 2 at 2.0", "#3 town 3 3 at 3.0", "#4 town 4 4 at 4.0",
        "#5 town 5 5 at 5.0", "#6 new at 9.0",
      ])
  }

  @Test func `added features go, and their numbers are not used again`() throws {
    var document = try Self.undone(Self.add("mine"), then: Self.add("theirs"))
    #expect(Self.rows(document).last == "#7 theirs at 9.0")
    #expect(document.layers[0].count == 6)
    document = try EditReversal(
      from: Self.start, to: Self.edited(Self.start, Self.add("mine")),
      in: Self.edited(Self.start, Self.add("mine"))
    ).reversed()
    #expect((document.layers[0] as? any BlockHolding)?.nextFeatureID == 7)
  }

  @Test func `another attribute and another shape of the same feature stay`() throws {
    let document = try Self.undone(Self.set("pop", "many", 2)) { layer in
      try Self.set("name", "second", 2)(&layer)
      try layer.setGeometry(.point(Coordinate(x: 7, y: 0)), of: FeatureID(2))
    }
    #expect(Self.rows(document)[1] == "#2 second 2 at 7.0")
  }

  @Test func `what another edit changed, too, is not taken back`() throws {
    let id = Self.start.layers[0].id
    let cases: [(Change, Change)] = [
      (Self.set("pop", "many", 2), Self.set("pop", "few", 2)),
      (Self.set("pop", "many", 2), Self.remove(2)),
      (
        { try $0.setGeometry(.point(Coordinate(x: 7, y: 0)), of: FeatureID(2)) },
        { try $0.setGeometry(.point(Coordinate(x: 8, y: 0)), of: FeatureID(2)) }
      ),
    ]
    for (first, second) in cases {
      let fault = #expect(throws: ChangedPart.self) { try Self.undone(first, then: second) }
      #expect(
        fault?.kind == .feature(FeatureReference(layer: id, feature: FeatureID(2))))
      #expect(fault?.label.contains("feature 2") == true)
      let after = try Self.edited(Self.start, first)
      #expect(fault?.isChanged(from: after, to: try Self.edited(after, second)) == true)
      #expect(fault?.isChanged(from: after, to: after) == false)
    }
    #expect(throws: ChangedPart.self) {
      try Self.undone(Self.add("mine"), then: Self.set("name", "yours", 6))
    }
  }

  @Test func `a number gets the form back that it had`() throws {
    let document = try Self.undone {
      try $0.setAttribute("pop", to: .number("2.0"), of: [FeatureID(2)])
    } then: {
      try Self.add("new")(&$0)
    }
    #expect(Self.rows(document)[1] == "#2 town 2 2 at 2.0")
  }

  @Test func `an edit that somebody has already taken back changes nothing`() throws {
    let after = try Self.edited(Self.start, Self.set("name", "x", 1, 2))
    let document = try EditReversal(from: Self.start, to: after, in: Self.start).reversed()
    #expect(Self.rows(document) == Self.rows(Self.start))
  }

  @Test func `the box of a collection follows its features`() throws {
    func box(_ document: Document) -> String? {
      (document.layers[0] as? any BlockHolding)?.source.members.first { $0.name == "bbox" }?.json
    }
    func moved(_ document: Document, _ id: UInt64, to x: Double) throws -> Document {
      try Self.edited(document) {
        try $0.setGeometry(.point(Coordinate(x: x, y: 0)), of: FeatureID(id))
      }
    }
    var start = Self.start
    var layer = try #require(start.layers[0] as? any BlockHolding)
    layer.source.members.append(CollectionSource.Member(name: "bbox", json: "[1,0,5,0]"))
    start.layers[0] = layer
    let after = try moved(start, 5, to: 50)
    let present = try moved(after, 4, to: 40)
    let wanted = try moved(start, 4, to: 40)
    #expect(box(after) != box(start) && box(wanted) != box(start))
    let document = try EditReversal(from: start, to: after, in: present).reversed()
    #expect(box(document) == box(wanted))
    // It goes with the last feature, and comes back with it.
    let none = try Self.edited(start, Self.remove(1, 2, 3, 4, 5))
    let new = try Self.edited(none, Self.add("new"))
    let all = try EditReversal(from: start, to: none, in: new).reversed()
    #expect(box(all) == box(try Self.edited(start, Self.add("new"))))
  }

  // MARK: Layers and the document

  private static func undoneInDocument(
    _ first: (inout Document) throws -> Void, then second: (inout Document) throws -> Void
  ) throws -> Document {
    var after = start
    try first(&after)
    var present = after
    try second(&present)
    let document = try EditReversal(from: start, to: after, in: present).reversed()
    _ = try DocumentArchive.open(DocumentArchive.bytes(of: document))
    return document
  }

  @Test func `layers come back in their place, and go`() throws {
    let ids = Self.start.layers.map(\.id)
    var document = try Self.undoneInDocument {
      try $0.removeLayer(ids[1])
    } then: { document in
      document[layer: ids[0]]?.name = "cities"
      document.layers.append(
        LayerKinds.features(LayerID(document.makeID()), name: "rivers"))
    }
    #expect(document.layers.map(\.name) == ["cities", "roads", "fields", "rivers"])
    document = try Self.undoneInDocument { document in
      document.layers.insert(LayerKinds.features(LayerID(document.makeID()), name: "x"), at: 1)
    } then: {
      try $0.moveLayer(ids[0], to: 3)
    }
    #expect(document.layers.map(\.name) == ["roads", "fields", "towns"])
    #expect(document.nextID > Self.start.nextID)
  }

  @Test func `groups go only where nothing else was put into them`() throws {
    let ids = Self.start.layers.map(\.id)
    var group = LayerID(0)
    let document = try Self.undoneInDocument {
      group = try $0.group([ids[0], ids[1]], named: "base")
    } then: {
      $0[layer: ids[2]]?.name = "meadows"
    }
    #expect(document.layers.map(\.name) == ["towns", "roads", "meadows"])
    #expect(document.layers.allSatisfy { $0.parent == nil })
    let fault = #expect(throws: ChangedPart.self) {
      try Self.undoneInDocument {
        group = try $0.group([ids[0], ids[1]], named: "base")
      } then: { document in
        var layer = LayerKinds.features(LayerID(document.makeID()), name: "in")
        layer.parent = group
        document.layers.insert(layer, at: 0)
      }
    }
    #expect(fault?.kind == .order)
  }

  @Test func `properties are taken back one by one`() throws {
    let id = Self.start.layers[0].id
    let document = try Self.undoneInDocument { document in
      document[layer: id]?.isVisible = false
      document.metadata.title = "Mine"
      document.metadata.settings = ["units": "km", "snap": "off"]
      document.bookmarks.set(Bookmark(name: "home", place: Coordinate(x: 1, y: 2)))
    } then: { document in
      document[layer: id]?.name = "cities"
      document.metadata.author = "lea"
      document.metadata.settings["panels"] = "none"
      document.bookmarks.set(Bookmark(name: "work", place: Coordinate(x: 3, y: 4)))
    }
    #expect(document.layers[0].isVisible && document.layers[0].name == "cities")
    #expect(document.metadata.title == "" && document.metadata.author == "lea")
    #expect(document.metadata.settings == ["panels": "none"])
    #expect(document.bookmarks.map(\.name) == ["work"])
    let fault = #expect(throws: ChangedPart.self) {
      try Self.undoneInDocument {
        $0[layer: id]?.name = "a"
      } then: {
        $0[layer: id]?.name = "b"
      }
    }
    #expect(fault?.kind == .layer(id))
  }

  @Test func `where a layer was read is compared, merged and taken back`() throws {
    func read(_ document: Document, from source: String?) throws -> Document {
      var document = document
      var layer = try #require(document.layers[0] as? any OriginKeeping)
      layer.origin = source.map { LayerOrigin(source: $0) }
      document.layers[0] = layer
      return document
    }
    let start = try read(Self.start, from: "/m/old.csv")
    let after = try read(start, from: nil)
    var present = after
    present.metadata.title = "x"
    let document = try EditReversal(from: start, to: after, in: present).reversed()
    #expect(document.layers[0].keptOrigin?.source == "/m/old.csv")
    #expect(!LayerReversal.haveSameProperties(start.layers[0], after.layers[0]))
    #expect(throws: ChangedPart.self) {
      try EditReversal(from: start, to: after, in: read(start, from: "/m/new.csv")).reversed()
    }
    var ours = start
    ours.metadata.title = "x"
    var merge = DocumentMerge(base: start, ours: ours, theirs: after)
    #expect(try merge.merged().layers[0].keptOrigin == nil)
    merge = DocumentMerge(base: start, ours: try read(start, from: "/m/new.csv"), theirs: after)
    #expect(try merge.merged().layers[0].keptOrigin?.source == "/m/new.csv")
    #expect(merge.remarks.count == 1)
  }

  @Test func `bookmarks come back where they were, by the bytes of their names`() throws {
    let names = ["a", "\u{E9}", "e\u{301}", "d", "z"]
    func marked(_ names: [String]) -> Document {
      var document = Self.start
      for name in names {
        document.bookmarks.set(Bookmark(name: name, place: Coordinate(x: 1, y: 2)))
      }
      return document
    }
    let document = try EditReversal(
      from: marked(names), to: marked(["z"]), in: marked(["z", "new"])
    ).reversed()
    #expect(
      document.bookmarks.map { Array($0.name.utf8) } == (names + ["new"]).map { Array($0.utf8) })
  }

  @Test func `a layer that was locked since keeps its features`() throws {
    let id = Self.start.layers[0].id
    let after = try Self.edited(Self.start, Self.set("name", "x", 1))
    var present = after
    present[layer: id]?.isLocked = true
    #expect(throws: ChangedPart.self) {
      try EditReversal(from: Self.start, to: after, in: present).reversed()
    }
  }

  @Test func `other coordinates are taken back only where none was added since`() throws {
    let reproject: (inout Document) throws -> Void = { document in
      document.metadata.coordinateSystem = .planar
      document = try Self.edited(document) { layer in
        try layer.setGeometry(.point(Coordinate(x: 100, y: 0)), of: FeatureID(1))
      }
    }
    let document = try Self.undoneInDocument(reproject) { $0.metadata.title = "x" }
    #expect(document.metadata.coordinateSystem == Self.start.metadata.coordinateSystem)
    #expect(Self.rows(document) == Self.rows(Self.start))
    let fault = #expect(throws: ChangedPart.self) {
      try Self.undoneInDocument(reproject) { $0 = try Self.edited($0, Self.add("far")) }
    }
    #expect(fault?.kind == .coordinates)
  }

  @Test func `nothing comes back in another coordinate system than it had`() throws {
    let id = Self.start.layers[0].id
    let edits: [(inout Document) throws -> Void] = [
      { try $0.removeLayer(id) },
      { $0 = try Self.edited($0, Self.remove(1)) },
      { $0.bookmarks.set(Bookmark(name: "home", place: Coordinate(x: 1, y: 2))) },
    ]
    for edit in edits {
      let fault = #expect(throws: ChangedPart.self) {
        try Self.undoneInDocument(edit) { $0.metadata.coordinateSystem = .planar }
      }
      #expect(fault?.kind == .coordinateSystem)
    }
    let document = try Self.undoneInDocument {
      $0.metadata.title = "x"
    } then: {
      $0.metadata.coordinateSystem = .planar
    }
    #expect(document.metadata.title == "")
  }
}
