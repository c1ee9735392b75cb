import PortolanFiles

/// An unsupported format of map data, known by a file's first bytes or its ending.
package struct ForeignFormat: Hashable, Sendable {
  /// The format in words, to follow "this is".
  package var words: String
  /// The advice; `FILE` stands for the file's name, `QUOTED` for the same in a query between quotes
  /// of the shell, `RESULT`, `DOCUMENT`, `TABLE` and `MAIN` for that with the endings .geojson,
  /// .doc, .csv and .shp.
  private var way: String

  private init(_ words: String, _ way: String = "convert it with \(Self.conversion)") {
    self.words = words
    self.way = way
  }

  private static let conversion = "ogr2ogr -f GeoJSON RESULT FILE"

  /// GeoJSON holds one layer.
  private static let layered =
    "convert it with \(conversion), and a LAYER behind that if ogrinfo FILE lists several"

  /// GDAL has no driver for it in many systems.
  private static let parquet = ForeignFormat(
    "GeoParquet",
    "convert it with DuckDB (pip install duckdb-cli; call the column of shapes as the file does): "
      + "duckdb -c \"COPY (SELECT * RENAME (geometry AS wkt) FROM 'QUOTED') TO '/dev/stdout' "
      + "(FORMAT csv)\" | portolan import - -o DOCUMENT")

  /// Bytes that are no text and begin as no known format does.
  package static let unknown = ForeignFormat(
    "neither text nor of a known format",
    "ogrinfo FILE tells whether GDAL reads it, and \(conversion) converts it then")

  /// The format of a file; `nil` if it may be readable here, or is unknown.
  ///
  /// - Parameters:
  ///   - head: the first bytes of the file, at most `FileHead.count`.
  ///   - path: its name; `-` for standard input.
  package static func of(_ head: ArraySlice<UInt8>, path: String) -> ForeignFormat? {
    binary(head) ?? markup(head) ?? (head.isEmpty ? nil : named(path, head))
  }

  /// The problem, and the advice.
  package func message(for path: String) -> String {
    let isStream = path == "-"
    let file = isStream ? "/vsistdin/" : FilePath.quoted(path)
    let stem = isStream ? "data" : FilePath.stem(of: path)
    let result = FilePath.ending(of: path) == "geojson" ? stem + "-read" : stem
    let folder = FilePath.folder(of: path)
    let main = (folder == "." ? "" : folder + "/") + stem + ".shp"
    let names = [
      ("RESULT", FilePath.quoted(result + ".geojson")), ("MAIN", FilePath.quoted(main)),
      ("DOCUMENT", FilePath.quoted(stem + ".doc")), ("TABLE", FilePath.quoted(stem + ".csv")),
      ("QUOTED", Self.inQuery(path)), ("FILE", file),
    ]
    var text = "this is \(words), which is not read here: "
    var rest = way[...]
    while let first = rest.first {
      if let (mark, name) = names.first(where: { rest.hasPrefix($0.0) }) {
        text += name
        rest = rest.dropFirst(mark.count)
      } else {
        text.append(first)
        rest = rest.dropFirst()
      }
    }
    return text
  }
}

extension ForeignFormat {
  /// A name in a literal of SQL that stands between double quotes of the shell.
  private static func inQuery(_ path: String) -> String {
    path.map { $0 == "'" ? "''" : "\\\"$`".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

// MARK: By the first bytes

extension ForeignFormat {
  private static func binary(_ head: ArraySlice<UInt8>) -> ForeignFormat? {
    if head.starts(with: [0x50, 0x4B, 3, 4]) { return zip(head) }
    if head.starts(with: "SQLite format 3\0".utf8) { return database(head) }
    if head.dropFirst(6).starts(with: "OSMHeader".utf8) {
      return ForeignFormat(
        "OpenStreetMap data (PBF)", "convert it with \(conversion) multipolygons")
    }
    if head.dropFirst(257).starts(with: "ustar".utf8) {
      return ForeignFormat("a tar archive", "unpack it first (tar xf FILE)")
    }
    if let found = magics.first(where: { head.starts(with: $0.magic) }) { return found.format }
    // These begin with plain letters, with which a table may begin, too.
    let isText = !head.contains { $0 < 9 || ($0 > 13 && $0 < 32) }
    return isText ? nil : lettered.first { head.starts(with: $0.magic.utf8) }?.format
  }

  private static let magics: [(magic: [UInt8], format: ForeignFormat)] = [
    (Array("!table".utf8), ForeignFormat("a MapInfo table")),
    (
      Array("version https://git-lfs".utf8),
      ForeignFormat("a pointer of Git LFS", "fetch what it stands for: git lfs pull")
    ),
    ([0x1F, 0x8B], compressed("gzip", "zcat")),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], compressed("xz", "xzcat")),
    ([0x28, 0xB5, 0x2F, 0xFD], compressed("zstd", "zstdcat")),
    ([0x37, 0x7A, 0xBC, 0xAF], ForeignFormat("a 7z archive", "unpack it first (7z x FILE)")),
    ([0x52, 0x61, 0x72, 0x21, 0x1A, 7], ForeignFormat("a RAR archive", "unpack it first")),
    (Array("II*\0".utf8), raster), ([0x4D, 0x4D, 0, 0x2A], raster),
    (Array("II+\0".utf8), raster), ([0x4D, 0x4D, 0, 0x2B], raster),
    ([0x89, 0x48, 0x44, 0x46], raster), ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], raster),
    ([0, 1, 0, 0] + Array("Standard ".utf8), access),
  ]

  /// Formats that begin with letters; other bytes follow soon.
  private static let lettered: [(magic: String, format: ForeignFormat)] = [
    ("fgb", ForeignFormat("FlatGeobuf")), ("PAR1", parquet), ("ARROW1", arrow), ("FEA1", arrow),
    ("LASF", cloud), ("ASTM-E57", cloud), ("AC10", drawing),
    ("PMTiles", ForeignFormat("PMTiles", "convert it with \(conversion), GDAL 3.8 or later")),
    ("BZh", compressed("bzip2", "bzcat")), ("CDF", raster), ("GRIB", raster), ("msid", raster),
    ("EHFA_HEADER_TAG", raster),
  ]

  private static let raster = ForeignFormat(
    "a picture or a grid (TIFF, NetCDF, GRIB, MrSID, …)",
    "Portolan reads points, lines and areas; "
      + "gdal_contour -a height -i 10 -f GeoJSON FILE RESULT draws lines of a grid of heights")

  private static let cloud = ForeignFormat(
    "a cloud of points (LAS, LAZ, E57)",
    "write its points as a table with pdal translate FILE TABLE, and open that")

  private static let arrow = ForeignFormat(
    "Arrow or Feather data", "write it as GeoJSON or GeoParquet in its program")

  private static let access = ForeignFormat(
    "a database of Access, as a personal geodatabase is",
    "write it as a GeoPackage or a file geodatabase in its program")

  private static let drawing = ForeignFormat(
    "a DWG drawing", "save it as DXF in its program; DXF is read here")

  private static let project = ForeignFormat(
    "a project of QGIS", "it names the files of its layers and holds none: open those")

  private static func compressed(_ name: String, _ tool: String) -> ForeignFormat {
    ForeignFormat(
      "compressed with \(name)", "unpack it first, as with \(tool) FILE | portolan info -")
  }

  private static func zip(_ head: ArraySlice<UInt8>) -> ForeignFormat? {
    let text = String(decoding: head.prefix(512), as: UTF8.self).lowercased()
    if text.contains(".qgs") { return project }
    if text.contains(".kml") { return ForeignFormat("KMZ", layered) }
    if [".shp", ".shx", ".dbf", ".prj"].contains(where: text.contains) {
      return ForeignFormat(
        "a zipped Shapefile", "unpack it first (unzip FILE) and open its .shp")
    }
    if ["[content_types].xml", "opendocument.spreadsheet", "xl/"].contains(where: text.contains) {
      return ForeignFormat(
        "a file of an office program",
        "save the sheet with the positions as CSV in its program, or: "
          + "ogr2ogr -f CSV /vsistdout/ FILE | portolan import - --from csv -o DOCUMENT")
    }
    return nil
  }

  private static func database(_ head: ArraySlice<UInt8>) -> ForeignFormat {
    let mark = head.dropFirst(68).prefix(2)
    let lists = "\(conversion) LAYER; ogrinfo FILE lists the layers"
    return ForeignFormat(
      mark.elementsEqual("GP".utf8) ? "a GeoPackage" : "an SQLite database",
      "convert a layer of it with \(lists)")
  }

  /// Markup is identified by its root element.
  private static func markup(_ head: ArraySlice<UInt8>) -> ForeignFormat? {
    let start = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard start.first == UInt8(ascii: "<") else { return nil }
    let text = String(decoding: start.prefix(FileHead.count), as: UTF8.self).lowercased()
    if text.contains("<plist") || text.contains("<!doctype plist") { return nil }
    return roots.first { text.contains($0.root) }?.format ?? ForeignFormat("XML")
  }

  private static let roots: [(root: String, format: ForeignFormat)] = [
    ("<kml", ForeignFormat("KML", layered)),
    ("<gpx", ForeignFormat("GPX", "convert it with \(conversion) tracks (or waypoints, routes)")),
    ("<osm", ForeignFormat("OpenStreetMap data", "convert it with \(conversion) multipolygons")),
    ("opengis.net/gml", ForeignFormat("GML", layered)),
    ("<!doctype qgis", project), ("<qgis", project),
    ("<svg", ForeignFormat("SVG", "it is a picture")),
    ("<html", webPage), ("<!doctype html", webPage),
  ]

  private static let webPage = ForeignFormat(
    "a web page", "a download that failed looks like this; fetch the data again")
}

// MARK: By the ending

extension ForeignFormat {
  /// Formats not identified by their bytes, and parts of multi-file formats.
  private static func named(_ path: String, _ head: ArraySlice<UInt8>) -> ForeignFormat? {
    // An index begins as the shapes do.
    guard let ending = FilePath.ending(of: path),
      ending == "shx" || !FileFormats.importers.contains(where: { $0.recognizes(head) })
    else { return nil }
    if partEndings.contains(ending) {
      return ForeignFormat(
        "a part of a Shapefile",
        "open the whole by its shapes: portolan MAIN; where that file is missing, get it as well")
    }
    if ending == "zip" {
      return head.starts(with: [0x50, 0x4B])
        ? ForeignFormat("a zip file", "unpack it first (unzip FILE)") : nil
    }
    if ending == "parquet" { return parquet }
    return endings[ending]
  }

  /// Whether a name has the ending of a format that is neither read nor written here.
  package static func isEnding(of path: String) -> Bool {
    guard let ending = FilePath.ending(of: path) else { return false }
    return endings[ending] != nil || partEndings.contains(ending) || otherEndings.contains(ending)
  }

  private static let partEndings: Set<String> = ["shx", "prj", "cpg", "sbn", "sbx", "qix"]

  /// The endings of pictures, pages and archives.
  private static let otherEndings: Set<String> = [
    "zip", "svg", "png", "pdf", "jpg", "gif", "html", "xp", "tmx",
  ]

  private static let endings = [
    "pbf": ForeignFormat("vector tiles or OpenStreetMap data (PBF)"),
    "mvt": ForeignFormat("vector tiles (MVT)"), "mbtiles": ForeignFormat("MBTiles"),
    "mid": ForeignFormat("a part of a MapInfo file", "open the whole by its .mif or .tab"),
    "dwg": drawing, "las": cloud, "laz": cloud, "gdb": ForeignFormat("a geodatabase"),
    "gdbtable": geodatabase, "gdbtablx": geodatabase, "gdbindexes": geodatabase,
  ]

  private static let geodatabase = ForeignFormat(
    "a part of a geodatabase",
    "zip its folder, and name the zip: zip -r roads.gdb.zip roads.gdb")
}
