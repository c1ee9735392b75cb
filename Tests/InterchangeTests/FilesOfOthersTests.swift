import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Files have the layers, features, ids, values, doubles and systems that GDAL finds in them: those
/// of others, and those that ogr2ogr makes in ten formats, of random layers and of the data in the
/// folder that `PORTOLAN_DATA` names.
@Suite(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
struct FilesOfOthersTests {
  /// Files of others by their folders.
  static let corpus: [String] = {
    ["geopackage", "shapefile", "flatgeobuf", "gpx", "kml"].flatMap { folder in
      let path = Shared.path("corpus/maps/\(folder)")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let endings = ["gpkg", "shp", "fgb", "gpx", "kml", "kmz"]
      return names.filter { FilePath.ending(of: $0).map(endings.contains) ?? false }.sorted()
        .map { path + "/" + $0 }
    }
  }()

  private static let ogr = ChildProcess(named: "ogr2ogr")
  private static let info = ChildProcess(named: "ogrinfo")

  private static func run(_ words: [String], in folder: ScratchFolder) throws {
    let done = try #require(ogr).run(words, in: folder) { _ in }
    if done.end != .exit(code: 0) { throw ToolError(.refused, "\(words): \(done.errors)") }
  }

  /// The layer of a file as GDAL tells it, by GeoJSON that has all digits.
  private static func told(_ path: String, _ layer: String) throws -> FeatureLayer? {
    let folder = try ScratchFolder()
    try run(
      [
        "-f", "GeoJSON", "-preserve_fid", "-lco", "SIGNIFICANT_FIGURES=22", "-nlt",
        "CONVERT_TO_LINEAR", "out.json", path, layer,
      ], in: folder)
    let result = try GeoJSONFormat().read(
      folder.read("out.json"), options: ImportOptions(name: layer)
    ) { _ in }
    return result.layers.first as? FeatureLayer
  }

  private static func read(_ path: String) throws -> ImportResult {
    let source = FileSource(path: path, in: RealFileSystem())
    let head = try source.head()
    let importer = try #require(FileFormats.importer(ofFile: path, head: head))
    return try importer.read(source, options: ImportOptions(name: FilePath.stem(of: path))) { _ in }
  }

  /// Compares a file with what GDAL tells; `nil` if they agree.
  ///
  /// - Parameter compared: counts the files that have features.
  private static func difference(_ path: String, _ compared: inout Int) throws -> String? {
    let answer = try #require(info).run(["-ro", "-so", "-al", path], in: ScratchFolder()) { _ in }
    let wanted = try OGRTools.layers(answer.output).filter { $0.count != 0 }
    if wanted.isEmpty { return nil }
    compared += 1
    let result = try read(path)
    let layers = result.layers.compactMap { $0 as? FeatureLayer }.filter { $0.count > 0 }
    if layers.count != wanted.count { return "\(layers.map(\.name)) of \(wanted.map(\.name))" }
    for (layer, told) in zip(layers, wanted) {
      guard let other = try self.told(path, told.name) else { return "\(told.name) is missing" }
      let isConverted = result.remarks.contains { $0.contains("is converted from") }
      if let words = difference(layer, other, hasPlaces: !isConverted) {
        return "\(told.name): \(words)"
      }
      // `ID["EPSG",25833]]` at the end.
      let mark = "ID[\"EPSG\","
      let end = told.system.ranges(of: mark).last.map { told.system[$0.upperBound...] } ?? ""
      let code = end.hasSuffix("]]") ? Int(end.dropLast(2)) : nil
      if let code, !isConverted, CoordinateSystem(named: "EPSG:\(code)") != result.coordinateSystem
      {
        return "\(told.name): \(result.coordinateSystem.name) is not EPSG:\(code)"
      }
    }
    return nil
  }

  private static func difference(
    _ layer: FeatureLayer, _ other: FeatureLayer, hasPlaces: Bool
  ) -> String? {
    let (ours, theirs) = (FeatureValues.all(layer), FeatureValues.all(other))
    if ours.count != theirs.count { return "\(ours.count) features of \(theirs.count)" }
    for (number, (one, two)) in zip(ours, theirs).enumerated() {
      if hasPlaces, one.kind != two.kind, !isArea(one) || !isArea(two) {
        return "\(number): \(one.kind) is not \(two.kind)"
      }
      if hasPlaces, paths(one) != paths(two) {
        return "\(number): \(one.paths) are not \(two.paths)".prefix(400).description
      }
      if one.identifier != .missing, one.identifier != two.identifier {
        return "\(number): the id \(one.identifier) is not \(two.identifier)"
      }
      let (mine, yours) = (values(one), values(two))
      for name in Set(mine.keys).union(yours.keys) where mine[name] != yours[name] {
        // What GDAL fills in, in KML.
        let filler = ["tessellate": "-1", "extrude": "0", "visibility": "-1"][name]
        if mine[name] == nil, filler == yours[name] { continue }
        // Whole numbers that GDAL read as reals.
        if let one = mine[name].flatMap(Double.init), one == yours[name].flatMap(Double.init) {
          continue
        }
        return "\(number): \(name) is \(mine[name] ?? "null"), not \(yours[name] ?? "null")"
      }
    }
    return nil
  }

  private static func isArea(_ values: FeatureValues) -> Bool {
    [.polygon, .multiPolygon].contains(values.kind)
  }

  /// The paths with rings wound one way from their least vertex on, holes as others: Shapefiles do
  /// not tell which outer ring has which hole.
  private static func paths(_ values: FeatureValues) -> [[UInt64]] {
    let isArea = isArea(values)
    let runs = values.paths.map { path -> [UInt64] in
      var vertices = stride(from: 0, to: path.ordinates.count, by: 2).map { place in
        let vertex = place / 2
        let height = vertex < path.heights.count ? path.heights[vertex] : Double.nan.bitPattern
        return [path.ordinates[place], path.ordinates[place + 1], height]
      }
      guard isArea, vertices.count > 3, vertices.first == vertices.last else {
        return vertices.flatMap { $0 }
      }
      vertices.removeLast()
      func isLess(_ one: [UInt64], _ other: [UInt64]) -> Bool {
        one.lexicographicallyPrecedes(other)
      }
      let turned = [vertices, vertices.reversed()].map { ring -> [UInt64] in
        let start = ring.indices.min { isLess(ring[$0], ring[$1]) } ?? 0
        return (ring[start...] + ring[..<start]).flatMap { $0 }
      }
      return turned.min(by: isLess) ?? []
    }
    return isArea ? runs.sorted { $0.lexicographicallyPrecedes($1) } : runs
  }

  /// The values in words that tell numbers apart by their doubles alone, without null.
  private static func values(_ feature: FeatureValues) -> [String: String] {
    var values: [String: String] = [:]
    for (name, value) in feature.attributes {
      let text: String? =
        switch value {
        case .missing, .null: nil
        case .number(let digits):
          Int(digits).map { "\($0)" } ?? Double(digits).map { "\($0)" } ?? digits
        case .json(let text): text.filter { !$0.isWhitespace }
        default: value.text
        }
      values[String(decoding: name, as: UTF8.self)] = text
    }
    return values
  }

  @Test(.enabled(if: !corpus.isEmpty, "the files of others are missing"))
  func `Files of others are read as GDAL reads them`() throws {
    var compared = 0
    for path in Self.corpus {
      let words = try Self.difference(path, &compared)
      #expect(words == nil, "\(path)")
    }
    #expect(compared > 0)
  }

  /// Ten formats: the ending, the driver and further arguments.
  private static let formats = [
    ("gpkg", "GPKG", []), ("shp", "ESRI Shapefile", ["-lco", "ENCODING=UTF-8"]),
    ("fgb", "FlatGeobuf", []), ("gml", "GML", []), ("kml", "LIBKML", []),
    ("mif", "MapInfo File", ["-dsco", "FORMAT=MIF"]), ("sqlite", "SQLite", []), ("jml", "JML", []),
    ("gmt", "OGR_GMT", []), ("geojson", "GeoJSON", ["-preserve_fid"]),
  ]

  private static let data: [String] = {
    guard let folder = ProcessInfo.processInfo.environment["PORTOLAN_DATA"] else { return [] }
    return [
      "ne_110m_countries", "ne_110m_populated_places", "wdb_borders_i", "ne_50m_countries",
      "airports", "cities15000",
    ].map { "\(folder)/\($0).geojson" }.filter { FileManager.default.fileExists(atPath: $0) }
  }()

  private static func made(_ source: String, in folder: ScratchFolder) throws {
    var compared = 0
    for (ending, driver, words) in formats {
      let name = "made." + ending
      do {
        try run(["-f", driver] + words + [name, source], in: folder)
      } catch {
        continue  // Not every driver takes every kind of shape or value.
      }
      let words = try difference(folder.file(name), &compared)
      #expect(words == nil, "\(source) as \(driver)")
    }
    // GeoPackage and GeoJSON take all kinds of shapes.
    #expect(compared >= 2, "\(source)")
  }

  @Test(arguments: Seeds.some(3))
  func `Files that ogr2ogr makes of random layers are read as GDAL reads them`(seed: UInt64) throws
  {
    var random = RandomLayers(seed: seed)
    let kinds: [GeometryKind] = [.point, .lineString, .multiLineString, .polygon, .multiPoint]
    let layer = random.layer(
      "one", kind: kinds[Int(seed % UInt64(kinds.count))], hasHeights: seed % 2 == 0)
    let folder = try ScratchFolder()
    var bytes: [UInt8] = []
    try GeoJSONFormat().write([layer], options: ExportOptions()) { bytes += $0 }
    try folder.write(bytes, to: "source.geojson")
    try Self.made("source.geojson", in: folder)
  }

  @Test(.enabled(if: !data.isEmpty, "PORTOLAN_DATA names no folder of data"), arguments: data)
  func `Files that ogr2ogr makes of real data are read as GDAL reads them`(source: String) throws {
    try Self.made(source, in: ScratchFolder())
  }
}
