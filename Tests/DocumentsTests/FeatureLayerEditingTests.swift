import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

@Suite("Editing layers")
struct FeatureLayerEditingTests {
  @Test("An edit replaces one block and leaves the former value as it was")
  func oneBlock() throws {
    let former = Samples.points(3_000)
    var layer = former
    let id = FeatureID(1_500)
    try layer.setGeometry(.point(Coordinate(x: 7, y: 8)), of: id)
    #expect(layer.feature(id)?.geometry == .point(Coordinate(x: 7, y: 8)))
    #expect(former.feature(id)?.geometry == .point(Coordinate(x: 1_499, y: -1_499)))
    #expect(layer.blocks[0] === former.blocks[0])
    #expect(layer.blocks[1] !== former.blocks[1])
    #expect(layer.blocks[2] === former.blocks[2])
    #expect(layer.blocks[1].attributes == former.blocks[1].attributes)
    #expect(layer.blocks[1].geometry.kinds == former.blocks[1].geometry.kinds)
  }

  @Test("An attribute's edit keeps the geometry's identity, so that caches stay good")
  func attributeKeepsGeometry() throws {
    var layer = Samples.points(10)
    let geometry = layer.blocks[0].geometry
    try layer.setAttribute("name", to: .string("x"), of: [FeatureID(3), FeatureID(5)])
    #expect(layer.blocks[0].geometry === geometry)
    let names = layer.blocks[0].attributes[0]
    #expect(
      (0..<6).map { names.value($0).text } == [
        "point 0", "point 1", "x", "point 3", "x", "point 5",
      ])
  }

  @Test("A new attribute stands last, a removed one is gone, one set again stands last")
  func attributeOrder() throws {
    var layer = Samples.points(2)
    let id = FeatureID(2)
    try layer.setAttribute("tz", to: .null, of: [id])
    #expect(layer.feature(id)?.attributes.map(\.name) == ["name", "tz"])
    try layer.setAttribute("rank", to: .number("1.50"), of: [id])
    #expect(layer.feature(id)?.attributes.map(\.name) == ["name", "tz", "rank"])
    #expect(layer.feature(FeatureID(1))?.attributes.map(\.name) == ["name", "rank"])
    try layer.setAttribute("name", to: .missing, of: [id])
    try layer.setAttribute("name", to: .string("n"), of: [id])
    #expect(layer.feature(id)?.attributes.map(\.name) == ["tz", "rank", "name"])
    try layer.setAttribute("tz", to: .missing, of: [id])
    #expect(layer.fieldNames == ["name", "rank"])
  }

  @Test("Attributes set at once are as set one after the other")
  func severalAttributes() throws {
    var (once, singly) = (Samples.points(3), Samples.points(3))
    let ids: Set = [FeatureID(1), FeatureID(3)]
    let names = ["tz", "name", "rank"]
    try once.setAttributes(names, of: ids) { _, rows in
      names.map { name in rows.map { .string("\(name)\($0)") } }
    }
    for name in names {
      try singly.setAttribute(name, of: ids) { _, rows in rows.map { .string("\(name)\($0)") } }
    }
    #expect(once.fieldNames == singly.fieldNames)
    for id in UInt64(1)...3 {
      let (all, each) = (once.feature(FeatureID(id)), singly.feature(FeatureID(id)))
      #expect(all?.attributes.map(\.name) == each?.attributes.map(\.name))
      #expect(all?.attributes.map(\.value) == each?.attributes.map(\.value))
    }
  }

  @Test(
    "A feature keeps its attributes in the order in which it got them", arguments: Seeds.some(20))
  func orders(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    var layer = random.layer(id: LayerID(1), style: .standard(forDimension: 0, index: 0))
    let ids = layer.blocks.flatMap(\.featureIDs)
    var expected = ids.map { layer.feature($0)?.attributes ?? [] }
    let values: [AttributeValue] = [.missing, .null, .bool(true), .number("1.50"), .string("é")]
    for step in 0..<12 {
      let name = ["name", "rank", "new", "newer"].randomElement(using: &random.random) ?? ""
      let share = Int.random(in: 1...4, using: &random.random)
      let chosen = ids.indices.filter { _ in
        Int.random(in: 1...4, using: &random.random) <= share
      }
      var wanted: [FeatureID: AttributeValue] = [:]
      for index in chosen {
        let value = values.randomElement(using: &random.random) ?? .null
        wanted[ids[index]] = value
        let known = expected[index].firstIndex { $0.name == name }
        switch (known, value) {
        case (let known?, .missing): expected[index].remove(at: known)
        case (let known?, _): expected[index][known].value = value
        case (nil, .missing): break
        case (nil, _): expected[index].append((name, value))
        }
      }
      let by = { (block: FeatureBlock, rows: [Int]) in
        rows.map { wanted[block.featureIDs[$0]] ?? .missing }
      }
      if step % 2 == 0 {
        try layer.setAttribute(name, of: Set(wanted.keys), by: by)
      } else {
        let references = wanted.keys.map { FeatureReference(layer: layer.id, feature: $0) }
        try layer.setAttribute(name, of: FeatureChoice(references), by: by)
      }
      for (id, attributes) in zip(ids, expected) {
        let found = layer.feature(id)?.attributes ?? []
        #expect(
          found.elementsEqual(attributes) { $0.name == $1.name && $0.value == $1.value },
          "feature \(id.rawValue), seed \(seed), step \(step)")
      }
    }
  }

  @Test("Two spellings of a letter are two values")
  func spellings() {
    let (one, other) = (AttributeValue.string("\u{e9}"), AttributeValue.string("e\u{301}"))
    #expect(one != other)
    #expect(Set([one, other, .string("\u{e9}"), .json("\u{e9}")]).count == 3)
  }

  @Test("A number that is none and a feature that is gone are refused and nothing changes")
  func refused() throws {
    var layer = Samples.points(3)
    let former = layer.blocks[0]
    #expect(throws: DocumentError.self) {
      try layer.setAttribute("rank", to: .number("1e"), of: [FeatureID(1)])
    }
    #expect(throws: DocumentError.self) {
      try layer.setAttribute("rank", to: .null, of: [FeatureID(1), FeatureID(99)])
    }
    #expect(throws: DocumentError.self) { try layer.setGeometry(.none, of: FeatureID(99)) }
    #expect(layer.blocks[0] === former)
  }

  @Test("Numbers are permanent: never used again, not even after all is removed")
  func permanentNumbers() {
    var layer = Samples.points(2)
    layer.remove([FeatureID(1), FeatureID(2), FeatureID(77)])
    #expect(layer.blocks.isEmpty)
    let id = layer.add(geometry: .point(Coordinate(x: 1, y: 1)), attributes: [])
    #expect(id == FeatureID(3))
    #expect(layer.count == 1)
  }

  @Test("Removing keeps the others in order with all they have")
  func remove() throws {
    var layer = Samples.points(1_500)
    let second = layer.blocks[1]
    layer.remove(Set((1...1_024).filter { $0 % 3 != 0 }.map { FeatureID(UInt64($0)) }))
    #expect(layer.blocks[0].rowCount == 341)
    #expect(layer.blocks[1] === second)
    let feature = try #require(layer.feature(FeatureID(9)))
    #expect(feature.geometry == .point(Coordinate(x: 8, y: -8)))
    #expect(feature.attributes.map(\.value) == [.string("point 8"), .number("8")])
  }

  @Test("A block that has grown beyond twice the target is split")
  func split() throws {
    var layer = Samples.lines(10, length: 1_600)
    #expect(layer.blocks.count == 1)
    let vertices = (0..<20_000).map { Coordinate(x: Double($0 % 100), y: 1) }
    try layer.setGeometry(.line(vertices), of: FeatureID(5))
    #expect(layer.blocks.map(\.rowCount) == [4, 1, 5])
    #expect(layer.blocks.flatMap(\.featureIDs).map(\.rawValue) == Array(1...10))
    #expect(layer.feature(FeatureID(5))?.geometry == .line(vertices))
  }

  @Test("Adding fills the last block, then begins another")
  func add() {
    var layer = Samples.points(1_023)
    for _ in 0..<2 {
      _ = layer.add(
        geometry: .line([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)]),
        attributes: [("name", .string("n")), ("new", .bool(true))])
    }
    #expect(layer.blocks.map(\.rowCount) == [1_024, 1])
    #expect(layer.kindCode == "mix")
    #expect(layer.feature(FeatureID(1_024))?.attributes.map(\.name) == ["name", "new"])
    #expect(layer.fieldNames == ["name", "rank", "new"])
  }

  @Test("New coordinates get the file's decimals, those that were there stay as they are")
  func decimals() throws {
    var layer = Samples.lines(1, length: 2)
    layer.source.decimals = 3
    let former = try #require(layer.feature(FeatureID(1))).geometry
    var geometry = former
    geometry.paths[0].vertices.append(Coordinate(x: 1.23456, y: -0.98765))
    try layer.setGeometry(geometry, of: FeatureID(1))
    let vertices = try #require(layer.feature(FeatureID(1))).geometry.paths[0].vertices
    #expect(vertices == former.paths[0].vertices + [Coordinate(x: 1.235, y: -0.988)])
  }

  @Test(
    "The bbox member follows the geometry",
    arguments: [
      ("[0,0,1,1]", Geometry.line([Coordinate(x: 3, y: 4), Coordinate(x: 1, y: 2)]), "[1,2,3,4]"),
      ("[0, 0, 1, 1]", .point(Coordinate(x: 1.5, y: 2)), "[1.5, 2, 1.5, 2]"),
      ("[0,0,0,1,1,1]", .point(Coordinate(x: 1, y: 2)), ""), ("[0,0,1,1]", .none, ""),
      // No box is a member as any other.
      ("-38", .point(Coordinate(x: 1, y: 2)), "-38"), ("[0,0,1]", .none, "[0,0,1]"),
      (#"[0,0,1,"1"]"#, .point(Coordinate(x: 1, y: 2)), #"[0,0,1,"1"]"#), ("[]", .none, "[]"),
      ("[0,,1,1]", .none, "[0,,1,1]"), ("{}", .none, "{}"),
    ])
  func boundingBox(former: String, geometry: Geometry, expected: String) throws {
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape.plain
    builder.members.set("bbox", row: builder.row, json: former)
    builder.endRow(.none, shape: shape)
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: .standard(forDimension: 0, index: 0),
      blocks: builder.finish(), nextFeatureID: 2)
    try layer.setGeometry(geometry, of: FeatureID(1))
    #expect(layer.blocks[0].foreignMembers.first?.value(0).text ?? "" == expected)
  }

  @Test("A box across the antimeridian has its west east of its east")
  func antimeridian() {
    let boxes = [
      Box(minX: 170, minY: -20, maxX: 180, maxY: -10),
      Box(minX: -180, minY: -19, maxX: -175, maxY: -9),
    ]
    #expect(BoundingBoxText.text(of: boxes, like: "[1,2,3,4]") == "[170,-20,-175,-9]")
    let world = boxes + [Box(minX: -180, minY: 0, maxX: 180, maxY: 1)]
    #expect(BoundingBoxText.text(of: world, like: "[1,2,3,4]") == "[-180,-20,180,1]")
  }

  @Test("An edited geometry loses its source text and is written in its own numbers")
  func sourceText() throws {
    var builder = FeatureBlockBuilder()
    var source = FeatureShape.plain
    source.numberStyle = .source
    let role = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
    for number in 1...2 {
      builder.geometry.appendPath(role, pairs: [Double(number), 2])
      builder.sourceGeometries.set(
        builder.row, .json, text: "{\"type\":\"Point\",\"coordinates\":[\(number)e0,2]}")
      builder.endRow(.point, shape: source)
    }
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: .standard(forDimension: 0, index: 0),
      blocks: builder.finish(), nextFeatureID: 3)
    try layer.setGeometry(.point(Coordinate(x: 5, y: 5)), of: FeatureID(1))
    let block = layer.blocks[0]
    #expect(block.shape(row: 0).numberStyle == .shortest)
    #expect(block.shape(row: 1).numberStyle == .source)
    #expect(block.sourceGeometries?.kind(0) == .missing)
    #expect(block.sourceGeometries?.kind(1) == .json)
    try layer.setGeometry(.none, of: FeatureID(2))
    #expect(layer.blocks[0].sourceGeometries == nil)
    #expect(layer.blocks[0].shapes.count == 1)
  }

  @Test("Adding many features at once is adding one after the other", arguments: Seeds.some(40))
  func addMany(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    var other = RandomDocuments(seed: seed &+ 900)
    let style = Style.standard(forDimension: 0, index: 0)
    let layer = random.layer(id: LayerID(1), style: style)
    let source = other.layer(id: LayerID(2), style: style)
    let features = source.blocks.flatMap { block in
      (0..<block.rowCount).map { block.feature(row: $0) }
    }
    // A large block is closed on the way; one after the other takes the square of them.
    let wanted = seed == 4 ? 1_100 : features.count
    let copies = (0..<wanted).map { features[$0 % max(1, features.count)] }
    let isExact = seed.isMultiple(of: 2)
    var single = layer
    for copy in copies {
      _ = single.add(geometry: copy.geometry, attributes: copy.attributes, isExact: isExact)
    }
    var batch = layer
    batch.add(copies, isExact: isExact) { $0 }
    #expect(differences(batch, single) == [])
    #expect(batch.blocks.map(\.rowCount) == single.blocks.map(\.rowCount))
    #expect(batch.nextFeatureID == single.nextFeatureID)
  }

  @Test("Features that cannot all be added leave the layer as it was")
  func addManyThrows() throws {
    struct Refusal: Error {}
    var layer = Samples.points(1_500)
    let former = layer
    let copies = (0..<1_500).compactMap { former.feature(FeatureID($0 + 1)) }
    var count = 0
    #expect(throws: Refusal.self) {
      try layer.add(copies, isExact: true) { geometry in
        count += 1
        if count == 1_200 { throw Refusal() }
        return geometry
      }
    }
    #expect(layer.count == 1_500 && layer.nextFeatureID == former.nextFeatureID)
    #expect(zip(layer.blocks, former.blocks).allSatisfy { $0 === $1 })
  }

  @Test(
    "Changing many geometries at once is changing one after the other", arguments: Seeds.some(40))
  func changeMany(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let layer = random.layer(id: LayerID(1), style: .standard(forDimension: 0, index: 0))
    let all = layer.blocks.flatMap(\.featureIDs)
    let share = [1, 2, 5][Int(seed % 3)]
    let ids = Set(all.filter { _ in Int.random(in: 0..<share, using: &random.random) == 0 })
    func move(_ geometry: inout Geometry) {
      for path in geometry.paths.indices {
        for vertex in geometry.paths[path].vertices.indices where vertex % 3 != 1 {
          geometry.paths[path].vertices[vertex].x += 1.23456789
        }
      }
    }
    var single = layer
    for id in all where ids.contains(id) {
      var geometry = try #require(single.feature(id)).geometry
      move(&geometry)
      try single.setGeometry(geometry, of: id)
    }
    var batch = layer
    try batch.changeGeometries(of: ids.union([FeatureID(99_999)]), move)
    #expect(differences(batch, single) == [])
  }

  @Test("A change that throws leaves the layer as it was, and blocks without a change are shared")
  func changeManyThrows() throws {
    struct Refusal: Error {}
    var layer = Samples.points(3_000)
    let former = layer
    var count = 0
    #expect(throws: Refusal.self) {
      try layer.changeGeometries(of: Set((1...40).map { FeatureID($0 * 70) })) { geometry in
        count += 1
        if count == 30 { throw Refusal() }
        geometry = .point(Coordinate(x: 0, y: 0))
      }
    }
    #expect(zip(layer.blocks, former.blocks).allSatisfy { $0 === $1 })
    try layer.changeGeometries(of: [FeatureID(1_500)]) { $0 = .point(Coordinate(x: 1, y: 2)) }
    #expect(layer.blocks[0] === former.blocks[0])
    #expect(layer.blocks[2] === former.blocks[2])
    #expect(layer.feature(FeatureID(1_500))?.geometry == .point(Coordinate(x: 1, y: 2)))
  }
}
