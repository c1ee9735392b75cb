import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Columns of dates and of times have types in the formats that hold these texts as they stand;
/// seeded random columns.
@Suite(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
struct TimeTypeLawTests {
  /// What the texts of a column are.
  private enum Recipe: CaseIterable {
    /// Dates; times, some with milliseconds; such with one of `.120`, `.12` or `.000` among them.
    case dates, times, paddedTimes, shortFractions, wholeTimes
    /// One text that is neither, or of another form, among dates or times.
    case odd
    case none

    /// The type for GDAL of a column of such texts.
    func type(in format: String) -> String {
      let formats: [String] =
        switch self {
        case .dates: ["gpkg", "shapefile", "shapezip", "sql"]
        case .times: ["gpkg", "flatgeobuf", "sql"]
        case .paddedTimes: ["gpkg", "flatgeobuf"]
        case .shortFractions: ["sql"]
        case .wholeTimes: ["gpkg"]
        case .odd, .none: []
        }
      return !formats.contains(format) ? "String" : self == .dates ? "Date" : "DateTime"
    }
  }

  private struct Columns {
    var random: SeededGenerator
    var columns: [(name: String, recipe: Recipe, texts: [String?])] = []

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      let count = number(1...12)
      for (index, recipe) in (Recipe.allCases + [.odd, .times]).enumerated() {
        let isOfTimes = number(0...1) == 0
        let texts = (0..<count).map { row -> String? in
          if recipe == .none || row > 0 && number(0...4) == 0 { return nil }
          switch recipe {
          case .dates: return date()
          case .times: return time()
          case .paddedTimes:
            return row == 0 ? time(String(format: ".%02d0", number(1...99))) : time()
          case .shortFractions: return row == 0 ? time(".\(number(0...9))1") : time()
          case .wholeTimes: return row == 0 ? time(".000") : time()
          default: return row == 0 ? odd() : isOfTimes ? time() : date()
          }
        }
        columns.append(("c\(index)", recipe, texts))
      }
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
      .random(in: range, using: &random)
    }

    private mutating func date() -> String {
      let year = [1, 99, 1582, 1900, 2000, 2024, 9999, number(1...9999)].randomElement(
        using: &random)
      let (month, leap) = (number(1...12), year ?? 1)
      let isLeap = leap % 4 == 0 && (leap % 100 != 0 || leap % 400 == 0)
      let last = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
      return String(format: "%04d-%02d-%02d", leap, month, number(1...last))
    }

    private mutating func time(_ fraction: String? = nil) -> String {
      let digits = String(format: ".%02d%d", number(0...99), number(1...9))
      let milliseconds = fraction ?? (number(0...1) == 0 ? "" : digits)
      return date()
        + String(format: "T%02d:%02d:%02d", number(0...23), number(0...59), number(0...59))
        + milliseconds + "Z"
    }

    private mutating func odd() -> String {
      let day = date()
      return [
        "0000-01-01", "2023-02-29", "2024-13-01", "2024-5-01", "2024/05/01", " 2024-05-01",
        "2024-05-01 ", "20240501", "x", "1", "true", day + "Z", day + "T08:00", day + "T08:00Z",
        day + "T08:00:00", day + " 08:00:00Z", day + "t08:00:00Z", day + "T08:00:00z",
        day + "T08:00:60Z", day + "T24:00:00Z", day + "T08:00:00+00", day + "T08:00:00.50Z",
        day + "T08:00:00,500Z", day + "T08:00:00.123456Z", day + "T08:00:00+01:00",
        "0000-01-01T00:00:00Z", day + "T08:60:00Z", day + "T0800:00.00Z",
      ].randomElement(using: &random) ?? ""
    }

    /// The columns with the number of the row, in points.
    var layer: FeatureLayer {
      var layer = FeatureLayer(
        id: LayerID(1), name: "a", style: .standard(forDimension: 0, index: 0))
      for row in columns[0].texts.indices {
        let values =
          columns.map { ($0.name, $0.texts[row].map { .string($0) } ?? .null) }
          as [(name: String, value: AttributeValue)]
        _ = layer.add(
          geometry: .point(Coordinate(x: Double(row), y: 2)),
          attributes: [("row", .number("\(row)"))] + values)
      }
      return layer
    }
  }

  /// The texts of each column in the order of `row`.
  private static func texts(_ layer: any Layer, _ name: String) throws -> [String?] {
    let blocks = try #require(layer as? FeatureLayer).blocks
    let rows = blocks.flatMap { block in
      (0..<block.rowCount).map { row -> (Int, String?) in
        let value = block.attribute(name, row: row)
        let number = Int(block.attribute("row", row: row).text) ?? -1
        return (number, [.missing, .null].contains(value.kind) ? nil : value.text)
      }
    }
    return rows.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The types of columns, and the properties in the order of `row`, that GDAL reads in a file.
  private static func told(
    by folder: ScratchFolder, _ name: String
  ) throws -> (types: [String: String], rows: [[String: Any]]) {
    let info = try #require(ChildProcess(named: "ogrinfo"))
    let told = try info.run(["-ro", "-so", "-al", name], in: folder) { _ in }
    #expect(told.errors.replacing(/.*(1\.4\.0|Non-conformant).*\n/, with: "") == "")
    // `day: Date (10.0)`
    let types = told.output.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /(\w+): (\w+) .*/).map { (String($0.1), String($0.2)) }
    }
    let ogr = try #require(ChildProcess(named: "ogr2ogr"))
    _ = try ogr.run(["-f", "GeoJSON", "\(name).geojson", name], in: folder) { _ in }
    let data = Data(try folder.read("\(name).geojson"))
    let map = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let rows = try #require(map["features"] as? [[String: Any]]).compactMap {
      $0["properties"] as? [String: Any]
    }
    return (
      Dictionary(types) { first, _ in first },
      rows.sorted { ($0["row"] as? Int ?? -1) < ($1["row"] as? Int ?? -1) }
    )
  }

  /// A time in GDAL's notation, whichever its version.
  private static func common(_ text: String?) -> String? {
    text?.replacing("/", with: "-").replacing(".000Z", with: "Z")
  }

  @Test(arguments: ["gpkg", "shapefile", "flatgeobuf", "shapezip"])
  func `Texts of dates and times come back as they stand, and GDAL reads the types`(
    format: String
  ) throws {
    let writer = try #require(FileFormats.exporters.first { $0.name == format })
    let ending = writer.extensions[0]
    for seed in Seeds.some(8) {
      let columns = Columns(seed: seed)
      let folder = try ScratchFolder()
      try writer.write([columns.layer], options: ExportOptions(), toFiles: folder, "a", ending)
      let source = FileSource(path: folder.file("a." + ending), in: RealFileSystem())
      let reader = try #require(FileFormats.importers.first { $0.name == format })
      let back = try reader.read(source, options: ImportOptions(name: "a")) { _ in }
      let (types, rows) = try Self.told(by: folder, "a." + ending)
      for (name, recipe, texts) in columns.columns {
        let found = try Self.texts(back.layers[0], name)
        // Tables of dBASE have no blanks at the ends of texts.
        let isTable = ["shapefile", "shapezip"].contains(format)
        func plain(_ text: String?) -> String? {
          isTable ? text?.trimmingCharacters(in: .whitespaces) : text
        }
        let wanted = texts.map(plain)
        #expect(found.map(plain) == wanted, "seed \(seed), \(name)")
        #expect(types[name] == recipe.type(in: format), "seed \(seed), \(name)")
        #expect(
          rows.map { Self.common($0[name] as? String) } == wanted.map(Self.common),
          "seed \(seed), \(name)")
      }
    }
  }

  @Test func `SQL of PostGIS has columns of dates and times with the same values`() throws {
    let writer = try #require(BridgedWriter.all.first { $0.name == "sql" })
    for seed in Seeds.some(4) {
      let columns = Columns(seed: seed)
      var bytes: [UInt8] = []
      let report = try writer.write([columns.layer], options: ExportOptions()) { bytes += $0 }
      #expect(report.remarks == [])
      let sql = String(decoding: bytes, as: UTF8.self)
      for (name, recipe, texts) in columns.columns {
        let type = recipe.type(in: "sql")
        let word = ["Date": "date", "DateTime": "timestamp with time zone"][type] ?? "VARCHAR"
        #expect(sql.contains("ADD COLUMN \"\(name)\" \(word);"), "seed \(seed), \(name)")
        for text in texts.compactMap({ $0 }) {
          let plain = type == "String" ? text : text.replacing("-", with: "/")
          let fraction = plain.split(separator: ".").dropFirst().first.map { $0.dropLast() } ?? ""
          let zeros =
            fraction.isEmpty ? "" : String(repeating: "0", count: max(0, 3 - fraction.count))
          let value =
            type != "DateTime"
            ? plain : plain.replacing("T", with: " ").replacing("Z", with: zeros + "+00")
          #expect(sql.contains("'\(value)'"), "seed \(seed), \(name)")
        }
      }
    }
  }
}

extension Exporter {
  /// Writes the file, or those of its endings, of a name.
  fileprivate func write(
    _ layers: [any Layer], options: ExportOptions, toFiles folder: ScratchFolder, _ name: String,
    _ ending: String
  ) throws {
    var files: [String: [UInt8]] = [:]
    if isSingleFile {
      try write(layers, options: options) { files[ending, default: []] += $0 }
    } else {
      try write(layers, options: options, toFiles: { files[$0, default: []] += $1 })
    }
    for (ending, bytes) in files where !bytes.isEmpty {
      try folder.write(bytes, to: "\(name).\(ending)")
    }
  }
}
