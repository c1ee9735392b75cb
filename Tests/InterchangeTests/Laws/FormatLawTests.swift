import PortolanDocuments
import Testing

@testable import PortolanInterchange

/// Every form of source as every format: what is written is a file of the format and is read as the
/// same features. Seeded random files, `PORTOLAN_LAWS=N` for N.
@Suite struct FormatLawTests {
  /// The kinds of random files.
  enum Source: String, CaseIterable {
    case map, table
  }

  private static func voyage(_ source: Source, _ seed: UInt64) throws -> Voyage {
    switch source {
    case .map:
      var map = RandomMap(seed: seed)
      return try Voyage(Array(map.text().utf8), GeoJSONFormat())
    case .table:
      var table = RandomTable(seed: seed)
      let bytes = Array(table.text().utf8)
      return try Voyage(bytes, table.isTabbed ? CSVFormat.tab : CSVFormat.comma)
    }
  }

  @Test(arguments: Source.allCases, ["geojson", "ndjson", "geojsonseq"])
  func `An export is a file of its format with the same features`(
    source: Source, target: String
  ) throws {
    let format = try #require(FileFormats.both.first { $0.isMeant(by: target) })
    let broken = Laws.broken("\(source)s as \(target)") { seed in
      let voyage = try Self.voyage(source, seed)
      let document = seed % 2 == 0 ? voyage.document : try Voyage.reopened(voyage.document)
      let bytes = try Voyage.write(document, format)
      if let fault = FileJudge.fault(in: bytes, of: format) { return fault }
      let again = try Voyage.read(bytes, format)
      if let problem = differences(
        Voyage.values(document), FeatureValues.all(again), String(decoding: bytes, as: UTF8.self))
      {
        return problem
      }
      let ruled = try Voyage.write(document, format, ExportOptions(conformance: .rfc7946))
      if let fault = FileJudge.fault(in: ruled, of: format) { return "by the rules: \(fault)" }
      // What was read from a format is of its form.
      var next = document
      next.layers = [again]
      let second = try Voyage.write(next, format)
      return second == bytes ? nil : difference(bytes, second)
    }
    #expect(broken == [])
  }

  @Test(arguments: Source.allCases, ["csv", "tsv"])
  func `An export as a table has a record for each feature`(source: Source, target: String) throws {
    let format = try #require(FileFormats.both.first { $0.isMeant(by: target) })
    let broken = Laws.broken("\(source)s as \(target)") { seed in
      let voyage = try Self.voyage(source, seed)
      var options = ExportOptions()
      if target == "csv" { options.separator = 0x2C }
      var bytes: [UInt8] = []
      try format.write(voyage.document.layers, options: options) { bytes += $0 }
      if let fault = FileJudge.fault(in: bytes, of: format) { return fault }
      let again = FeatureValues.all(try Voyage.read(bytes, format))
      let former = FeatureValues.all(voyage.layer)
      if former.count != again.count { return "\(former.count) features became \(again.count)" }
      return nil
    }
    #expect(broken == [])
  }

  @Test(arguments: FileFormats.both.map(\.name))
  func `Several layers are one file of the format`(target: String) throws {
    let format = try #require(FileFormats.both.first { $0.isMeant(by: target) })
    let broken = Laws.broken("two layers as \(target)") { seed in
      let layers = [try Self.voyage(.map, seed).layer, try Self.voyage(.table, seed + 1000).layer]
      var bytes: [UInt8] = []
      try format.write(layers, options: ExportOptions()) { bytes += $0 }
      if let fault = FileJudge.fault(in: bytes, of: format) { return fault }
      let count = try Voyage.read(bytes, format).count
      return count == layers.map(\.count).reduce(0, +) ? nil : "\(count) features"
    }
    #expect(broken == [])
  }
}
