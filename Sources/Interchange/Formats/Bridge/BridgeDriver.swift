import PortolanDocuments
import PortolanFiles
import PortolanGraphics

/// A driver of GDAL that the bridge uses, and the files that it is for.
struct BridgeDriver: Sendable {
  /// The word on the command line, and the name for people.
  var name: String
  var title: String
  /// The names in GDAL, the preferred one first.
  var drivers: [String]
  /// Endings in lower case.
  var extensions: [String]
  /// The endings of the files beside it that belong to it.
  var companions: [String] = []
  /// Whether a file with these first bytes is certainly of this format.
  var recognizes: @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
  /// Whether coordinates of no stated system are those of a drawing, never degrees.
  var isDrawing = false
  /// Whether features have ids of their own; else GDAL numbers them as it reads them, which is no
  /// id: in another file another feature has the number.
  var hasIdentifiers = false
  /// Whether features have null as well as no value; else GDAL has no value where there is none.
  var hasNulls = false
  /// Attributes that GDAL adds, with their values where the file says nothing of them: columns of
  /// these alone are left out.
  var fillers: [String: String] = [:]
  /// Whether it is read, and how it is written; `nil` if it is not.
  var isRead = true
  var writing: Writing?

  /// What becomes of features without a place.
  enum Unplaced {
    case kept
    /// GDAL refuses the layer.
    case refused
  }

  /// How a format is written.
  struct Writing: Sendable {
    /// Further arguments of ogr2ogr.
    var options: [String] = []
    /// Whether one file holds several layers.
    var holdsLayers = true
    /// Whether a layer without features has a place beside others.
    var holdsEmptyLayers = false
    /// The kinds of shapes that one layer may have together; empty for any.
    var kinds: [[GeometryKind]] = []
    /// Whether a layer may have shapes of one part beside others of several.
    var mixesParts = true
    /// Whether it holds whole numbers of 64 bits; else columns with longer ones than 32 bits are
    /// text, and this tells what of them.
    var longNumbers: String?
    /// Whether ids of features that are different whole numbers stay such.
    var holdsIdentifiers = false
    /// Whether the format knows longitude and latitude on WGS 84 only.
    var isOfDegrees = false
    /// Whether a layer without features needs a kind of shapes.
    var needsKind = false
    /// What becomes of features without a place.
    var unplaced = Unplaced.kept
    /// Which vertices may lack a height.
    var heights = FormatLimits.Heights.eachFeature
    /// Whether a shape may have no position; `unplaced` tells of the others.
    var holdsEmptyShapes = true
    /// The significant digits of numbers in attributes, if fewer than a double has.
    var digits: Int?
    /// The texts and the names of attributes that it holds.
    var texts = TextRules()
    /// Whether texts of digits alone are read as numbers, since the format has no types.
    var guessesTypes = false
    /// Attributes, in small letters, for which the format has types: texts may be lost there.
    var typedNames: Set<String> = []
    /// The longest text in bytes.
    var textMax = Int.max
    /// The dates and times for which it has types.
    var timeForms: TimeForms = []
    /// Bytes of texts that the driver may change.
    var signs: [UInt8] = []
    /// Whether it holds attributes, and ids as such.
    var holdsAttributes = true
  }

  /// The name of the copy that GDAL reads.
  func copyName(_ path: String, _ head: ArraySlice<UInt8>) -> String {
    let isZip = head.starts(with: [0x50, 0x4B])
    if isZip, name == "filegdb" { return "input.gdb.zip" }
    if isZip { return "input." + extensions[0] }
    if head.starts(with: "!table".utf8) { return "input.tab" }
    if head.dropFirst(6).starts(with: "OSMHeader".utf8) { return "input.osm.pbf" }
    let ending = FilePath.ending(of: path).flatMap { extensions.contains($0) ? $0 : nil }
    return "input." + (ending ?? extensions[0])
  }
}

extension BridgeDriver {
  /// All of them, in the order of the page of formats.
  static let all: [BridgeDriver] = [
    BridgeDriver(
      name: "kml", title: "KML", drivers: ["LIBKML", "KML"], extensions: ["kml"],
      recognizes: { isMarkup($0, "<kml") }, fillers: fillersOfKML),
    BridgeDriver(
      name: "kmz", title: "KMZ", drivers: ["LIBKML"], extensions: ["kmz"],
      recognizes: { isZip($0, [".kml"]) }, fillers: fillersOfKML),
    BridgeDriver(
      name: "gpx", title: "GPX", drivers: ["GPX"], extensions: ["gpx"],
      recognizes: { isMarkup($0, "<gpx") },
      writing: Writing(
        options: ["-dsco", "GPX_USE_EXTENSIONS=YES"],
        kinds: [[.point], [.lineString], [.multiLineString]],
        longNumbers: "which GDAL reads from GPX as other numbers",
        isOfDegrees: true, needsKind: true, unplaced: .refused, digits: 15,
        texts: .markup(.elements(prefix: "ogr_")), guessesTypes: true,
        typedNames: [
          "ele", "time", "magvar", "geoidheight", "number", "sat", "hdop", "vdop", "pdop",
          "ageofdgpsdata", "dgpsid",
        ])),
    BridgeDriver(
      name: "flatgeobuf", title: "FlatGeobuf", drivers: ["FlatGeobuf"], extensions: ["fgb"],
      recognizes: { $0.starts(with: [0x66, 0x67, 0x62]) && $0.contains { $0 < 9 } }),
    BridgeDriver(
      name: "gml", title: "GML", drivers: ["GML"], extensions: ["gml"], companions: ["xsd", "gfs"],
      recognizes: {
        isMarkup($0, "opengis.net/gml") && !isMarkup($0, "<kml") && !isMarkup($0, "<jcsdatafile")
      }, hasIdentifiers: true,
      writing: Writing(
        options: ["-dsco", "XSISCHEMA=OFF"], holdsIdentifiers: true, heights: .eachLayer,
        holdsEmptyShapes: false, digits: 15, texts: .markup(.elements(prefix: "")),
        guessesTypes: true)),
    BridgeDriver(
      name: "mapinfo", title: "MapInfo tables and MIF", drivers: ["MapInfo File"],
      extensions: ["mif"], companions: ["dat", "map", "id", "ind", "mid"],
      recognizes: { $0.starts(with: "!table".utf8) }),
    BridgeDriver(
      name: "dxf", title: "DXF", drivers: ["DXF"], extensions: ["dxf"], isDrawing: true,
      writing: Writing(
        holdsLayers: false,
        kinds: [
          [
            .point, .lineString, .multiLineString, .polygon, .multiPolygon, .geometryCollection,
          ]
        ], unplaced: .refused, holdsAttributes: false)),
    BridgeDriver(
      name: "dgn", title: "DGN", drivers: ["DGN"], extensions: ["dgn"], isDrawing: true),
    BridgeDriver(
      name: "filegdb", title: "a zipped FileGDB", drivers: ["OpenFileGDB"], extensions: ["gdbzip"],
      recognizes: { isZip($0, [".gdb/", ".gdbtable"]) }, hasIdentifiers: true, hasNulls: true),
    BridgeDriver(
      name: "shapezip", title: "a zipped Shapefile", drivers: ["ESRI Shapefile"],
      extensions: ["shz"], recognizes: { isZip($0, [".shp", ".shx", ".dbf", ".prj"]) },
      hasNulls: true,
      writing: Writing(
        options: ["-lco", "ENCODING=UTF-8"], holdsLayers: false,
        kinds: [
          [.point], [.multiPoint], [.lineString, .multiLineString], [.polygon, .multiPolygon],
        ], heights: .eachLayer, holdsEmptyShapes: false, digits: 15, textMax: 254,
        timeForms: .dates)),
    BridgeDriver(
      name: "osm", title: "OpenStreetMap data", drivers: ["OSM"], extensions: ["osm"],
      recognizes: {
        isMarkup($0, "<osm") || $0.dropFirst(6).starts(with: "OSMHeader".utf8)
      }, hasIdentifiers: true),
    BridgeDriver(
      name: "sqlite", title: "a database of SQLite or SpatiaLite", drivers: ["SQLite"],
      extensions: ["sqlite"],
      recognizes: {
        $0.starts(with: "SQLite format 3\0".utf8)
          && !$0.dropFirst(68).starts(with: "GP".utf8)
      }, hasIdentifiers: true, hasNulls: true),
    BridgeDriver(
      name: "esrijson", title: "Esri JSON", drivers: ["ESRIJSON"], extensions: ["esrijson"],
      recognizes: isEsriJSON, hasNulls: true),
    BridgeDriver(
      name: "e00", title: "an ArcInfo export file", drivers: ["AVCE00"], extensions: ["e00"]),
    BridgeDriver(
      name: "jml", title: "OpenJUMP JML", drivers: ["JML"], extensions: ["jml"],
      recognizes: { isMarkup($0, "<jcsdatafile") }, hasNulls: true,
      writing: Writing(
        holdsLayers: false, longNumbers: "which become text", digits: 15, texts: .markup())),
    BridgeDriver(
      name: "gmt", title: "GMT vectors", drivers: ["OGR_GMT", "GMT"], extensions: ["gmt"],
      recognizes: { $0.starts(with: "# @VGMT".utf8) },
      writing: Writing(
        // GDAL finds no point of a MultiPoint again.
        holdsLayers: false,
        kinds: [[.point], [.lineString, .multiLineString], [.polygon, .multiPolygon]],
        mixesParts: false, longNumbers: "which become text", unplaced: .refused, digits: 15,
        texts: TextRules(
          controls: [0x09, 0x0A],
          substitutes: [
            UInt8(ascii: "\""): UInt8(ascii: "'"), UInt8(ascii: "\\"): UInt8(ascii: "/"),
          ], names: .quoted),
        signs: Array("|@#".utf8))),
    BridgeDriver(
      name: "s57", title: "a chart of S-57", drivers: ["S57"], extensions: ["000"]),
    BridgeDriver(
      name: "parquet", title: "GeoParquet", drivers: ["Parquet"], extensions: ["parquet"],
      recognizes: { $0.starts(with: "PAR1".utf8) && $0.contains { $0 < 9 } }, hasNulls: true),
    BridgeDriver(
      name: "sql", title: "SQL of PostGIS", drivers: ["PGDump", "PGDUMP"], extensions: ["sql"],
      isRead: false,
      writing: Writing(
        holdsEmptyLayers: true, holdsIdentifiers: true,
        timeForms: [.dates, .times, .shortFractions])),
  ]

  /// Whether an answer of an Esri server begins so: an object that names a kind of geometry of Esri
  /// before its features.
  private static func isEsriJSON(_ head: ArraySlice<UInt8>) -> Bool {
    let start = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard start.first == UInt8(ascii: "{") else { return false }
    let text = String(decoding: start.prefix(2048), as: UTF8.self).filter { !$0.isWhitespace }
    return text.contains("\"geometryType\":\"esriGeometry") && !text.contains("\"type\":\"Feature")
  }

  private static let fillersOfKML = ["tessellate": "-1", "extrude": "0", "visibility": "-1"]

  /// Whether markup has a word near its beginning.
  private static func isMarkup(_ head: ArraySlice<UInt8>, _ word: String) -> Bool {
    let start = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard start.first == UInt8(ascii: "<") else { return false }
    return String(decoding: start.prefix(2048), as: UTF8.self).lowercased().contains(word)
  }

  /// Whether an archive begins with a file of such a name.
  private static func isZip(_ head: ArraySlice<UInt8>, _ words: [String]) -> Bool {
    guard head.starts(with: [0x50, 0x4B, 3, 4]) else { return false }
    let text = String(decoding: head.prefix(512), as: UTF8.self).lowercased()
    return words.contains(where: text.contains)
  }
}
