import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Data whose shapes are edited and that is written back over its file: it is read as it was
/// written, and the features that were not touched keep their bytes. Seeded random files and edits,
/// `PORTOLAN_LAWS=N` for N.
@Suite struct GeometryRewriteLawTests {
  private static func voyage(_ kind: String, _ seed: UInt64) throws -> Voyage {
    if kind == "tables" {
      var table = RandomTable(seed: seed)
      let bytes = Array((seed % 2 == 0 ? table.text() : table.regularText()).utf8)
      return try Voyage(bytes, table.isTabbed ? CSVFormat.tab : CSVFormat.comma)
    }
    var map = RandomMap(seed: seed)
    let bytes = Array(map.text().utf8)
    return kind == "maps"
      ? try Voyage(bytes, GeoJSONFormat()) : try Voyage(bytes, LinesFormat())
  }

  /// The bytes of the features of a file, without what ends them.
  private static func items(_ bytes: [UInt8], _ kind: String) -> [[UInt8]] {
    guard kind == "tables" else { return JSONItems(bytes).features.map { Array(bytes[$0]) } }
    return TableItems(bytes).records.map { record in
      var item = bytes[record]
      while let last = item.last, [0x0A, 0x0D].contains(last) { item.removeLast() }
      return Array(item)
    }
  }

  /// Whether a feature that was not touched stands in a file as it did.
  ///
  /// A record of a table may end with more or fewer empty cells, where its table got or lost a
  /// column, and may have other quotes, where they tell the type of a column whose other values went.
  private static func isKept(_ before: [UInt8], as after: [UInt8], _ kind: String) -> Bool {
    if before == after || kind != "tables" { return before == after }
    func values(_ record: [UInt8]) -> [UInt8] {
      var values = record.filter { $0 != UInt8(ascii: "\"") }
      while let last = values.last, [0x09, 0x2C, 0x3B, 0x7C].contains(last) { values.removeLast() }
      return values
    }
    return values(before) == values(after)
  }

  @Test(arguments: ["maps", "lines", "tables"])
  func `Edits of shapes are read as they were saved, and the rest keeps its bytes`(
    kind: String
  ) {
    let broken = Laws.broken("\(kind) with edited shapes") { seed in
      let voyage = try Self.voyage(kind, seed)
      var edits = ShapeEdit(seed: seed)
      var (layer, former) = (voyage.layer, FormerFile(voyage.bytes, voyage.layer))
      for _ in 0..<edits.number(1...3) {
        let old = layer.blocks.flatMap(\.featureIDs)
        var touched: Set<FeatureID> = []
        for _ in 0..<edits.number(1...4) {
          if let id = try edits.edit(&layer) { touched.insert(id) }
        }
        let file = try voyage.format.rewrite(layer, over: former, system: .crs84)
        let oldItems = Self.items(former.bytes, kind)
        former = FormerFile(file.bytes, layer)
        if !file.losses.isEmpty { continue }
        let told = String(decoding: file.bytes, as: UTF8.self).debugDescription
        let again = try Voyage.read(file.bytes, voyage.format)
        let (saved, read) = (FeatureValues.all(layer), FeatureValues.all(again))
        if let problem = differences(saved.map(\.asWritten), read.map(\.asWritten), told) {
          return problem
        }
        let items = Self.items(file.bytes, kind)
        let ids = layer.blocks.flatMap(\.featureIDs)
        // A lone geometry or an empty line is told otherwise; what stands where cannot be said.
        guard oldItems.count == old.count, items.count == ids.count else { continue }
        // A file of one geometry cannot hold two, and is one again when it loses one.
        if kind != "tables", (old.count == 1) != (ids.count == 1) { continue }
        let places = Dictionary(uniqueKeysWithValues: zip(old, oldItems))
        for (id, item) in zip(ids, items) where !touched.contains(id) {
          if let before = places[id], !Self.isKept(before, as: item, kind) {
            return "a feature that was not touched: \(difference(before, item))"
          }
        }
      }
      return nil
    }
    #expect(broken == [])
  }

  @Test(arguments: ["maps", "lines", "tables"])
  func `Edits of shapes and attributes that are undone give the bytes of the file`(kind: String) {
    let broken = Laws.broken("\(kind) edited and undone") { seed in
      // Of a record that was saved otherwise meanwhile, a table keeps no odd quotes.
      let isSavedAmid = kind != "tables" || seed % 2 == 1
      let voyage = try Self.voyage(kind, seed)
      var (shapes, values) = (ShapeEdit(seed: seed), RandomEdit(seed: seed))
      var (layer, former) = (voyage.layer, FormerFile(voyage.bytes, voyage.layer))
      for _ in 0..<shapes.number(1...4) {
        if shapes.chance(2) { _ = try shapes.edit(&layer) } else { try? values.edit(&layer) }
        // Now and then it is saved amid this: what is written over is the edited file then.
        if isSavedAmid, shapes.chance(2) {
          let file = try voyage.format.rewrite(layer, over: former, system: .crs84)
          // What was left out of a file once does not come back into it as it was.
          if !file.losses.isEmpty { throw Laws.Refused() }
          former = FormerFile(file.bytes, layer)
        }
      }
      let file = try voyage.format.rewrite(voyage.layer, over: former, system: .crs84)
      if !file.losses.isEmpty { return "it tells \(file.losses)" }
      return file.bytes == voyage.bytes ? nil : difference(voyage.bytes, file.bytes)
    }
    #expect(broken == [])
  }
}

extension GeometryRewriteLawTests {
  @Test(arguments: ["-38", "[1,2,3,4]", "[1,2,3,4,5,6]", "null"])
  func `A collection without features comes back after an addition that was saved`(
    box: String
  ) throws {
    let text = #"{"type":"FeatureCollection","features":[],"bbox":"# + box + "}\n"
    for format in [GeoJSONFormat(), LinesFormat()] as [any Importer & Exporter] {
      let voyage = try Voyage(Array(text.utf8), format)
      var layer = voyage.layer
      let id = layer.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
      layer.remove([id])
      let edited = try format.rewrite(
        layer, over: FormerFile(voyage.bytes, voyage.layer), system: .crs84)
      let undone = try format.rewrite(
        voyage.layer, over: FormerFile(edited.bytes, layer), system: .crs84)
      #expect(String(decoding: undone.bytes, as: UTF8.self) == text)
    }
  }

  private static let geoJSON =
    #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"Polygon","coordinates":"#
    + "[[[170,0],[170,9],[190.5,9],[170,0]],[[175,2],[176,5],[175,5],[175,2]]]}}"

  @Test(arguments: [
    (
      GeoJSONFormat() as any FileFormat,
      #"{"type":"FeatureCollection","features":["# + geoJSON + "]}"
    ),
    (LinesFormat(), geoJSON + "\n"),
    (CSVFormat.comma, "n,wkt\n1,\"POLYGON ((170 0, 170 9, 190.5 9, 170 0))\"\n"),
  ])
  func `A moved vertex changes the text of its position alone`(
    format: any FileFormat, text: String
  ) throws {
    let format = try #require(format as? any Importer & Exporter)
    let voyage = try Voyage(Array(text.utf8), format)
    var layer = voyage.layer
    let id = layer.blocks[0].featureIDs[0]
    var geometry = try #require(layer.feature(id)).geometry
    geometry.changeOnGlobe { $0.paths[0].vertices[2].x -= 1 }
    try layer.setGeometry(geometry, of: id)
    let file = try format.rewrite(
      layer, over: FormerFile(voyage.bytes, voyage.layer), system: .crs84)
    #expect(String(decoding: file.bytes, as: UTF8.self) == text.replacing("190.5", with: "189.5"))
  }
}

/// Edits of shapes made of a seed, as the editor's commands make them.
private struct ShapeEdit: Choosing {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed &+ 77) }

  /// Edits one feature.
  ///
  /// - Returns: the feature that was touched; `nil` if there was nothing to edit.
  mutating func edit(_ layer: inout FeatureLayer) throws -> FeatureID? {
    let ids = layer.blocks.flatMap(\.featureIDs)
    guard !ids.isEmpty, !chance(4) else { return layer.add(geometry: shape(), attributes: []) }
    let id = pick(ids)
    if chance(6) {
      layer.remove([id])
      return id
    }
    guard var geometry = layer.feature(id)?.geometry, let path = pickPath(geometry) else {
      return nil
    }
    let isRing =
      geometry.paths[path].vertices.count > 1
      && geometry.paths[path].vertices.first == geometry.paths[path].vertices.last
    let last = geometry.paths[path].vertices.count - 1
    let vertex = number(0...(isRing ? last - 1 : last))
    switch number(0...3) {
    case 0, 1:
      geometry.paths[path].vertices[vertex] = position()
      if isRing, vertex == 0 {
        geometry.paths[path].vertices[last] = geometry.paths[path].vertices[0]
      }
    case 2:
      for place in geometry.paths[path].vertices.indices {
        geometry.paths[path].vertices[place].x += 0.1
      }
    default:
      guard ![.point, .multiPoint].contains(geometry.paths[path].role.kind) else { return nil }
      geometry.paths[path].vertices.insert(position(), at: vertex + 1)
      if !geometry.paths[path].elevations.isEmpty {
        geometry.paths[path].elevations.insert(nil, at: vertex + 1)
      }
    }
    try layer.setGeometry(geometry, of: id)
    return id
  }

  private mutating func pickPath(_ geometry: Geometry) -> Int? {
    let places = geometry.paths.indices.filter { !geometry.paths[$0].vertices.isEmpty }
    return places.isEmpty ? nil : pick(places)
  }

  private mutating func position() -> Coordinate {
    let x = Double(number(-179_000...179_000)) / pick([1, 10, 1000, 3])
    return Coordinate(x: x.remainder(dividingBy: 180), y: Double(number(-800...800)) / 9.7)
  }

  private mutating func shape() -> Geometry {
    let (one, two, three) = (position(), position(), position())
    return pick([
      .point(one), .point(one), .line([one, two]), .polygon([[one, two, three, one]]),
    ])
  }
}

extension FeatureValues {
  /// What no rule of writing changes: without boxes, which are made anew where the geometry is, with
  /// rings that are closed.
  fileprivate var asWritten: FeatureValues {
    var values = self
    values.members[Array("bbox".utf8)] = nil
    values.geometryMembers[Array("bbox".utf8)] = nil
    for index in values.paths.indices where PathRole(rawValue: values.paths[index].role).isRing {
      var pairs = stride(from: 0, to: values.paths[index].ordinates.count, by: 2).map {
        Array(values.paths[index].ordinates[$0..<$0 + 2])
      }
      if let first = pairs.first, pairs.last != first { pairs.append(first) }
      values.paths[index].ordinates = Array(pairs.joined())
      values.paths[index].heights = []
    }
    return values
  }
}
