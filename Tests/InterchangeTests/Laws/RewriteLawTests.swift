import PortolanDocuments
import Testing

@testable import PortolanInterchange

/// Data that is edited and written back over its file: only what was edited differs there. Seeded
/// random files and edits, `PORTOLAN_LAWS=N` for N.
@Suite struct RewriteLawTests {
  private static func rewritten(
    _ layer: FeatureLayer, _ voyage: Voyage
  ) throws -> RewrittenFile {
    try voyage.format.rewrite(
      layer, over: FormerFile(voyage.bytes, voyage.layer), system: .crs84)
  }

  private static func map(_ seed: UInt64) throws -> Voyage {
    var map = RandomMap(seed: seed)
    return try Voyage(Array(map.text().utf8), GeoJSONFormat())
  }

  private static func lines(_ seed: UInt64) throws -> Voyage {
    var map = RandomMap(seed: seed)
    return try Voyage(Array(map.text().utf8), LinesFormat())
  }

  private static func table(_ seed: UInt64) throws -> Voyage {
    var table = RandomTable(seed: seed)
    let bytes = Array((seed % 2 == 0 ? table.text() : table.regularText()).utf8)
    return try Voyage(bytes, table.isTabbed ? CSVFormat.tab : CSVFormat.comma)
  }

  @Test(arguments: ["maps", "lines", "tables"])
  func `A file that was not edited is written back byte for byte`(kind: String) {
    let broken = Laws.broken("\(kind) written back") { seed in
      let voyage = try Self.voyage(kind, seed)
      let file = try Self.rewritten(voyage.layer, voyage)
      if !file.losses.isEmpty { return "it tells \(file.losses)" }
      return file.bytes == voyage.bytes ? nil : difference(voyage.bytes, file.bytes)
    }
    #expect(broken == [])
  }

  private static func voyage(_ kind: String, _ seed: UInt64) throws -> Voyage {
    switch kind {
    case "maps": try map(seed)
    case "lines": try lines(seed)
    default: try table(seed)
    }
  }

  @Test(arguments: ["maps", "lines"])
  func `An edit of one feature changes its bytes only in GeoJSON`(kind: String) {
    let broken = Laws.broken("\(kind) edited") { seed in
      let voyage = try Self.voyage(kind, seed)
      var edit = RandomEdit(seed: seed)
      let items = JSONItems(voyage.bytes).features
      // A bare geometry in a collection of geometries has no place for attributes.
      guard voyage.layer.source.root != .geometryCollection, voyage.layer.count > 0,
        items.count == voyage.layer.count
      else { throw Laws.Refused() }
      let row = edit.number(0...items.count - 1)
      let id = voyage.layer.blocks.flatMap(\.featureIDs)[row]
      var layer = voyage.layer
      let name = edit.pick(layer.fieldNames + ["brand new"])
      try layer.setAttribute(
        name, to: edit.pick([.string("edited"), .number("1.50"), .null, .json("[1, 2]")]), of: [id])
      let file = try Self.rewritten(layer, voyage)
      if !file.losses.isEmpty { return "it tells \(file.losses)" }
      return outside(items[row], voyage.bytes, file.bytes)
    }
    #expect(broken == [])
  }

  @Test func `An edit of one record changes its bytes only in a table`() {
    let broken = Laws.broken("tables edited") { seed in
      let voyage = try Self.table(seed)
      var edit = RandomEdit(seed: seed)
      let ids = voyage.layer.blocks.flatMap(\.featureIDs)
      let records = TableItems(voyage.bytes).records
      guard !ids.isEmpty, !voyage.layer.fieldNames.isEmpty else { throw Laws.Refused() }
      let row = edit.number(0...ids.count - 1)
      let name = edit.pick(voyage.layer.fieldNames)
      let isNumeric = voyage.layer.blocks.contains { block in
        block.column(name).map { column in
          (0..<column.rowCount).contains { column.kind($0) == .number }
        } ?? false
      }
      var layer = voyage.layer
      try layer.setAttribute(
        name, to: isNumeric ? .number("42.50") : .string("edited, \"so\""), of: [ids[row]])
      let file = try Self.rewritten(layer, voyage)
      // Where a position stood, or where a line had more fields than the first one, all may change.
      if !file.losses.isEmpty { throw Laws.Refused() }
      return outside(records[row], voyage.bytes, file.bytes)
    }
    #expect(broken == [])
  }

  @Test func `A table that was edited at random is read as it was saved, or tells what is lost`() {
    let broken = Laws.broken("tables edited at random") { seed in
      let voyage = try Self.table(seed)
      var edits = RandomEdit(seed: seed)
      var (layer, former) = (voyage.layer, FormerFile(voyage.bytes, voyage.layer))
      for _ in 0..<edits.number(1...4) {
        try edits.edit(&layer)
        let file = try voyage.format.rewrite(layer, over: former, system: .crs84)
        former = FormerFile(file.bytes, layer)
        if !file.losses.isEmpty { continue }
        let again = try Voyage.read(file.bytes, voyage.format)
        let told = String(decoding: file.bytes, as: UTF8.self).debugDescription
        // Values of position columns are the shape of a feature that has none.
        let pairs = zip(FeatureValues.all(layer), FeatureValues.all(again)).filter {
          !($0.paths.isEmpty && !$1.paths.isEmpty)
        }
        if again.count != layer.count { return "\(again.count) of \(layer.count) features" }
        if let problem = differences(
          pairs.map { $0.0.withoutGeometry }, pairs.map { $0.1.withoutGeometry }, told)
        {
          return problem
        }
      }
      return nil
    }
    #expect(broken == [])
  }

  /// What differs outside of a part of a file.
  private func outside(_ part: Range<Int>, _ old: [UInt8], _ new: [UInt8]) -> String? {
    let tail = old.count - part.upperBound
    if new.count >= part.lowerBound + tail, new.prefix(part.lowerBound) == old[..<part.lowerBound],
      new.suffix(tail) == old[part.upperBound...]
    {
      return nil
    }
    return difference(old, new)
  }
}
