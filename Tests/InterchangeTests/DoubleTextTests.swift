import PortolanDatabases
import PortolanDocuments
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

@Suite struct DoubleTextTests {
  private static func fit(_ text: String) -> DoubleText.Fit {
    DoubleText.fit(Array(("x" + text).utf8).dropFirst())
  }

  @Test(arguments: [
    "0", "-0", "0e999999999999999999999", "1.50", "1e2", "100E-2", "-1e308", "5e-324",
    "0.1000000000000002", "9007199254740992", "123456789012345000000000000000",
  ])
  func `These are the same as doubles`(_ text: String) { #expect(Self.fit(text) == .exact) }

  @Test(arguments: [
    "9007199254740993", "0.12345678901234567890", "1e-400", "1.00000000000000000001",
    "100000000000000000000000000000000000000001", "1e-999999999999999999999",
  ])
  func `These are others as doubles`(_ text: String) { #expect(Self.fit(text) == .rounded) }

  @Test(arguments: ["1e400", "-1e400", "1e999999999999999999999", "1.8e308"])
  func `These are beyond doubles`(_ text: String) { #expect(Self.fit(text) == .beyond) }

  @Test func `Every double is the same, and not with one more digit`() {
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      #expect(Self.fit("\(value)") == .exact, "\(value)")
      // 18 digits of which the last one is wrong: no double has this shortest text.
      let whole = Int.random(in: 100_000_000_000_000_001...999_999_999_999_999_999, using: &random)
      let isSame = Double(whole) == Double("\(whole)") && Int(exactly: Double(whole)) == whole
      if !isSame { #expect(Self.fit("\(whole).5") == .rounded, "\(whole)") }
    }
  }

  /// Numbers of a real column that are not the same in the file are told.
  @Test(
    .enabled(if: Database.isFound && GeoPackageTests.hasOGR, "SQLite or ogr2ogr is missing"),
    arguments: ["gpkg", "shapefile", "topojson", "kml", "flatgeobuf", "gml", "jml", "shapezip"])
  func `A number that comes back as another is told`(_ name: String) throws {
    let writer = try #require(FileFormats.exporters.first { $0.name == name })
    for text in ["1e400", "100000000000000000000000000000000000000001", "0.1000000000000002"] {
      let rows = [text, "2.5"].map {
        #"{"type":"Feature","properties":{"a":\#($0)},"geometry":{"type":"Point","coordinates":[1,2]}}"#
      }
      let source = try GeoJSONFormat().read(
        Array(rows.joined(separator: "\n").utf8), options: ImportOptions(name: "a")
      ) { _ in }
      var files: [String: [UInt8]] = [:]
      let report = try writer.write(source.layers, options: ExportOptions()) { ending, bytes in
        files[ending, default: []] += bytes
      }
      let isHeld =
        name == "topojson"
        || text.hasPrefix("0.1")
          && ["gpkg", "shapefile", "kml", "flatgeobuf"]
            .contains(name)
      #expect(report.notes.isEmpty == isHeld, "\(text): \(report.notes)")
      guard isHeld, let reader = FileFormats.importers.first(where: { $0.name == name }),
        files.count == 1, let bytes = files.values.first
      else { continue }
      let again = try reader.read(bytes, options: ImportOptions(name: "a")) { _ in }
      let block = try #require((again.layers.first as? FeatureLayer)?.blocks.first)
      #expect(block.attribute("a", row: 0) == .number(text))
    }
  }
}
