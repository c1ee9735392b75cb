import PortolanDocuments
import PortolanGeometries
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Laws of the commands that make features of others, on random layers.
@Suite struct LayerOperationLawTests {
  /// Two layers of areas, one of lines and one of points, in degrees or a plane.
  private static func document(_ seed: UInt64) -> Document {
    var generator = SeededGenerator(seed: seed)
    var document = Document()
    let isPlanar = seed % 2 == 0
    if isPlanar { document.metadata.take(.planar) }
    // Across the antimeridian now and then.
    let west = seed % 4 == 1 ? 172.0 : 0
    func place() -> Coordinate {
      Coordinate(
        x: west + .random(in: 0...12, using: &generator), y: .random(in: 0...12, using: &generator))
    }
    func star() -> Geometry {
      let center = place()
      let corners = Int.random(in: 3...12, using: &generator)
      return .polygon([
        (0..<corners).map { corner in
          let angle = 2 * Double.pi * Double(corner) / Double(corners)
          let radius = Double.random(in: 0.5...3, using: &generator)
          return Coordinate(
            x: center.x + radius * Mathematics.cosine(angle),
            y: center.y + radius * Mathematics.sine(angle))
        }
      ])
    }
    let makers: [(String, () -> Geometry)] = [
      ("a", star), ("b", star), ("lines", { .line([place(), place(), place()]) }),
      ("points", { .point(place()) }),
    ]
    for (name, make) in makers {
      let id = LayerID(document.makeID())
      guard var layer = LayerKinds.features(id, name: name) as? any BlockHolding else { continue }
      for number in 0..<Int.random(in: 2...7, using: &generator) {
        _ = layer.add(
          geometry: make(),
          attributes: [
            ("name", .string("\(name)\(number)")), ("kind", .number("\(number % 3)")),
          ], isExact: true)
      }
      document.layers.append(layer)
    }
    return document
  }

  /// The sum of the areas of a layer, and that of their union, in the plane of the coordinates.
  private static func areas(_ layer: String, _ editor: Editor) throws -> (sum: Double, all: Double)
  {
    let geos = try Geos()
    let isGeographic = editor.document.metadata.isGeographic
    let shapes = try (editor.layer(layer)?.blocks ?? []).flatMap { block in
      try (0..<block.rowCount).map { row in
        let flat = FlatGeometry(block.geometry, row: row)
        return try isGeographic ? geos.worldShape(flat) : geos.shape(flat)
      }
    }
    if shapes.isEmpty { return (0, 0) }
    return (
      try shapes.reduce(0) { $0 + (try geos.area(of: $1)) },
      try geos.area(of: try geos.union(shapes))
    )
  }

  /// A command may have no result at all: no layer then.
  private static func tried(_ editor: inout Editor, _ line: String) throws -> Bool {
    do {
      try editor.run(line)
      return true
    } catch let error as EditingError {
      #expect(error.code == .notFound, "\(error)")
      return false
    }
  }

  @Test(arguments: Seeds.some(3))
  func `Overlays share out the areas of layers`(seed: UInt64) throws {
    var editor = Editor(Self.document(seed))
    try editor.run("layer a")
    let (a, b) = (try Self.areas("a", editor), try Self.areas("b", editor))
    // The pieces of a do not overlap more than its features: one area of it first.
    try editor.run("dissolve --as one")
    let one = try Self.areas("one", editor)
    #expect((one.sum - a.all).magnitude < 1e-8 * a.all && editor.layer("one")?.count == 1)
    try editor.run("layer a")
    try editor.run("dissolve --by kind --as groups")
    let groups = try Self.areas("groups", editor)
    #expect((groups.all - a.all).magnitude < 1e-8 * a.all)
    for (line, name) in [("clip b", "inside"), ("difference b", "outside")] {
      try editor.run("layer one")
      _ = try Self.tried(&editor, "\(line) --as \(name)")
    }
    let (inside, outside) = (
      try Self.areas("inside", editor), try Self.areas("outside", editor)
    )
    #expect((inside.sum + outside.sum - one.sum).magnitude < 1e-8 * one.sum, "seed \(seed)")
    // By each area of b alone the same.
    try editor.run("layer one")
    if try Self.tried(&editor, "intersect b --as pieces") {
      #expect((try Self.areas("pieces", editor).all - inside.sum).magnitude < 1e-8 * one.sum)
    } else {
      #expect(inside.sum < 1e-9)
    }
    try editor.run("layer one")
    try editor.run("union b --as both")
    let both = try Self.areas("both", editor)
    #expect((both.all - (a.all + b.all - inside.sum)).magnitude < 1e-8 * both.all)
    #expect(both.all <= both.sum + 1e-9)
  }

  @Test(arguments: Seeds.some(4))
  func `What a clip keeps is what lies within`(seed: UInt64) throws {
    var editor = Editor(Self.document(seed))
    for (line, condition) in [
      ("clip b", "within(b)"), ("difference b", "not intersects(b)"),
    ] {
      try editor.run("layer points")
      try editor.run("select none")
      _ = try Self.tried(&editor, "select where \(condition)")
      let wanted = editor.selected.sorted()
      try editor.run("select none")
      _ = try Self.tried(&editor, "\(line) --as kept")
      let kept = editor.features("kept").compactMap { $0.attributes.first?.value.text }
      #expect(kept.sorted() == wanted, "seed \(seed): \(line)")
      if editor.layer("kept") != nil { try editor.run("delete-layer kept") }
    }
  }

  @Test(arguments: Seeds.some(2))
  func `Each command is one step, and undo brings the document back`(seed: UInt64) throws {
    var editor = Editor(Self.document(seed))
    let before = editor.document
    for line in [
      "buffer 1\(seed % 2 == 0 ? "" : "km")", "centroid", "centroid --inside", "hull", "explode",
      "collect --by kind", "dissolve --by kind --count --first name --mean kind", "make-valid",
      "clip b", "difference b", "intersect b", "union b", "clip \(seed % 4 == 1 ? 172 : 0),0,180,9",
    ] {
      for place in ["", " --in-place"] {
        try editor.run("layer a")
        let steps = editor.desk.history.past.count
        guard try Self.tried(&editor, line + place) else { continue }
        guard editor.desk.history.past.count > steps else { continue }
        #expect(editor.desk.history.past.count == steps + 1, "\(line)")
        let ids = editor.document.layers.flatMap { layer in
          ((layer as? any FeatureHolding)?.blocks ?? []).flatMap(\.featureIDs).map {
            FeatureReference(layer: layer.id, feature: $0)
          }
        }
        #expect(Set(ids).count == ids.count, "\(line): numbers twice")
        try editor.run("undo")
        #expect(editor.document.isUnchanged(since: before), "\(line)")
      }
    }
  }

  @Test(arguments: Seeds.some(2))
  func `The order of features changes no result`(seed: UInt64) throws {
    var editor = Editor(Self.document(seed))
    var turned = Editor(Self.document(seed))
    for index in turned.document.layers.indices {
      guard let layer = turned.document.layers[index] as? any BlockHolding else { continue }
      let features = layer.blocks.flatMap { block in
        (0..<block.rowCount).map { block.feature(row: $0) }
      }
      try turned.desk.edit("turn") { document in
        guard var changed = layer.bare() as (any Layer)? as? any BlockHolding else { return }
        changed.add(features.reversed(), isExact: true) { $0 }
        document.layers[index] = changed
      }
    }
    for line in ["dissolve --by kind --as x", "clip b --as x", "difference b --as x"] {
      try editor.run("layer a")
      try turned.run("layer a")
      let found = try Self.tried(&editor, line)
      #expect(try Self.tried(&turned, line) == found)
      let (one, other) = (try Self.areas("x", editor), try Self.areas("x", turned))
      #expect((one.sum - other.sum).magnitude <= 1e-9 * (1 + one.sum), "seed \(seed): \(line)")
      #expect(editor.layer("x")?.count == turned.layer("x")?.count)
      guard found else { continue }
      try editor.run("delete-layer x")
      try turned.run("delete-layer x")
    }
  }

  @Test(arguments: Seeds.some(2))
  func `Parts of features are put together and taken apart`(seed: UInt64) throws {
    var editor = Editor(Self.document(seed))
    for layer in ["a", "lines", "points"] {
      let before = editor.features(layer)
      try editor.run("layer \(layer)")
      try editor.run("select none")
      try editor.run("collect --as all")
      #expect(editor.layer("all")?.count == 1)
      try editor.run("explode --as parts")
      #expect(editor.features("parts").map(\.geometry) == before.map(\.geometry))
      for name in ["all", "parts"] { try editor.run("delete-layer \(name)") }
    }
  }
}
