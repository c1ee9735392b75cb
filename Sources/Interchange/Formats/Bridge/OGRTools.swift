import PortolanFiles

/// GDAL's programs for vectors, `ogrinfo` and `ogr2ogr`, as processes of their own.
///
/// Only the drivers that a conversion needs are loaded; none of them reaches the network.
struct OGRTools {
  let folder: ScratchFolder
  private var info: ChildProcess
  private var converter: ChildProcess

  static let missing =
    "ogr2ogr reads and writes it, and is not installed: apt-get install gdal-bin"

  init() throws {
    guard let info = ChildProcess(named: "ogrinfo"), let converter = ChildProcess(named: "ogr2ogr")
    else { throw ToolError(.missing, Self.missing) }
    (self.info, self.converter) = (info, converter)
    self.info.outputMax = Self.outputMax
    folder = try ScratchFolder()
  }

  /// Whether one of some drivers is installed: asked where a conversion failed, since each start of
  /// a program of GDAL takes a tenth of a second.
  func hasDriver(_ names: [String]) -> Bool {
    let wanted = Set(names.map { $0.lowercased() })
    let formats = try? info.run(["--formats"], in: folder) { _ in }
    // `  GPX -vector- (rw+v): GPX`
    return (formats?.output ?? "").split(separator: "\n").contains { line in
      guard let mark = line.firstRange(of: " -") else { return false }
      return wanted.contains(line[..<mark.lowerBound].drop { $0 == " " }.lowercased())
    }
  }

  /// Loads some drivers only.
  mutating func use(drivers: [String]) {
    let kept = Set(drivers.map { $0.lowercased() })
    let skipped = Self.known.filter { !kept.contains($0.lowercased()) }
    let environment = [
      "GDAL_SKIP": skipped.joined(separator: ",") + ",", "GDAL_DRIVER_PATH": "disable",
      "GDAL_HTTP_PROXY": "127.0.0.1:1", "GDAL_HTTP_TIMEOUT": "1",
      "CPL_VSIL_CURL_ALLOWED_EXTENSIONS": ".none", "GML_SKIP_RESOLVE_ELEMS": "ALL",
      "OGR_GEOJSON_MAX_OBJ_SIZE": "0", "GDAL_CACHEMAX": "64", "OGR_SQLITE_SYNCHRONOUS": "OFF",
    ]
    set(environment)
  }

  /// The drivers of GDAL that read vectors, of all of its versions.
  static let known = [
    "ADBC", "AIVector", "ARCGEN", "AVCBin", "AVCE00", "Aeronav", "AmigoCloud", "ArcObjects",
    "Arrow", "BAG", "BNA", "CAD", "CSV", "CSW", "Carto", "Cloudant", "CouchDB", "DB2ODBC", "DGN",
    "DGNv8",
    "DODS", "DWG", "DXF", "EDIGEO", "EEDA", "ESRI Shapefile", "ESRIJSON", "ElasticSearch",
    "Elasticsearch", "FITS", "FMEObjects Gateway", "FileGDB", "FlatGeobuf", "GDALG", "GFT", "GML",
    "GMLAS",
    "GMT", "GPKG", "GPSBabel", "GPX", "GTFS", "GTM", "GeoJSON", "GeoJSONSeq", "GeoRSS",
    "Geoconcept", "Geomedia", "HANA", "HTF", "HTTP", "IDB", "INGRES", "Idrisi", "Interlis 1",
    "Interlis 2", "JML", "JP2ECW", "JP2KAK", "JP2MrSID", "JP2OpenJPEG", "JSONFG", "KML", "LIBKML",
    "LVBAG", "MBTiles", "MDB",
    "MEM", "MSSQLSpatial", "MVT", "MapInfo File", "MapML", "Memory", "MiraMonVector", "MongoDB",
    "MongoDBv3", "MySQL", "NAS", "NGW", "OAPIF", "OCI", "ODBC", "ODS", "OGCAPI", "OGDI",
    "OGR_GMT", "OGR_OGDI", "OGR_PDS", "OGR_SDTS", "OGR_VRT", "OSM", "OpenAir", "OpenFileGDB",
    "OpenJPEG", "PCIDSK", "PDF", "PDS", "PDS4", "PGDUMP", "PGeo", "PLSCENES", "PMTiles", "Parquet",
    "PostgreSQL", "REC", "S57", "SDE", "SEGUKOOA", "SEGY", "SOSI", "SQLite", "SUA", "SVG", "SXF",
    "Selafin", "TIGER", "TileDB", "TopoJSON", "UK .NTF", "VDV", "VFK", "VICAR", "WAsP", "WFS",
    "WFS3",
    "Walk", "XLS", "XLSX", "XODR", "XPlane", "netCDF",
  ]

  /// Adds variables to the environment of the programs.
  mutating func set(_ variables: [String: String]) {
    info.environment.merge(variables) { $1 }
    converter.environment.merge(variables) { $1 }
  }

  /// Lets the programs have variables of our own environment.
  mutating func take(variables: Set<String>) {
    info.inherited.formUnion(variables)
    converter.inherited.formUnion(variables)
  }

  /// A layer of a file.
  struct Layer {
    var name: String
    /// `nil` if GDAL does not tell.
    var count: Int?
    /// The column of the ids; `nil` if there is none.
    var key: String?
    /// The columns of shapes.
    var places: [String] = []
    /// Its coordinate system in GDAL's words; empty if GDAL does not tell.
    var system = ""
  }

  /// The layers of a file in the folder, or of a database.
  ///
  /// - Parameters:
  ///   - arguments: further ones.
  ///   - names: those of the wanted layers; empty wants all.
  func layers(
    of name: String, _ arguments: [String] = [], names: [String] = [],
    progress: (Double) throws -> Void
  ) throws -> [Layer] {
    let words = ["-ro", "-so", "-nomd"] + arguments + (names.isEmpty ? ["-al"] : [])
    let told = try info.run(words + [name] + names, in: folder) { _ in try progress(0) }
    guard told.end == .exit(code: 0) else { throw Self.refusal(told, "ogrinfo") }
    return try Self.layers(told.output)
  }

  /// How much of an answer is kept.
  static let outputMax = 16 << 20

  /// Reads the answer of `ogrinfo -so -al`.
  ///
  /// - Throws: `ToolError` if it may have been cut off.
  static func layers(_ text: String) throws -> [Layer] {
    if text.utf8.count >= outputMax {
      throw ToolError(.refused, "it has too many layers to list: name those wanted with --layers")
    }
    var layers: [Layer] = []
    var before: Substring = ""
    var isOfFirst = true
    for line in text.split(separator: "\n") {
      defer { before = line }
      if let name = line.after("Layer name: ") {
        layers.append(Layer(name: String(name)))
      } else if let last = layers.indices.last {
        // The lines of a system behind the first one begin with blanks. Of several systems the
        // first one counts, which is that of the first column.
        if before == "Layer SRS WKT:" || before.hasPrefix("SRS WKT (") {
          isOfFirst = layers[last].system.isEmpty
          if !isOfFirst { continue }
          if line != "(unknown)" { layers[last].system = String(line) }
          continue
        }
        if isOfFirst, !layers[last].system.isEmpty, line.hasPrefix(" ") {
          layers[last].system += String(line)
        }
        if let count = line.after("Feature Count: ") { layers[last].count = Int(count) }
        if let key = line.after("FID Column = ") { layers[last].key = String(key) }
        if let place = line.after("Geometry Column"), let sign = place.firstRange(of: " = ") {
          layers[last].places.append(String(place[sign.upperBound...]))
        }
      }
    }
    return layers
  }

  /// Converts; a warning of ogr2ogr is a line of the answer.
  func convert(_ arguments: [String], progress: (Double) throws -> Void) throws -> [String] {
    let done = try converter.run(["-progress"] + arguments, in: folder) { output in
      let digits = output.split { !$0.isNumber }.last.flatMap { Double($0) } ?? 0
      try progress(min(digits / 100, 1))
    }
    guard done.end == .exit(code: 0) else { throw Self.refusal(done, "ogr2ogr") }
    return Array(Self.complaints(done.errors, "Warning ").prefix(5))
  }

  /// The loading of drivers, and the rules of GeoPackages where these are read at once.
  private static let noise = [
    "GDAL_SKIP", "Progress turned off", "not normally allowed by the GeoPackage",
    "non-standard gpkg_geom_",
  ]

  /// The lines of standard error that begin so, without noise.
  private static func complaints(_ errors: String, _ word: String) -> [String] {
    let lines = errors.split(separator: "\n").filter { line in
      line.hasPrefix(word) && !noise.contains(where: line.contains)
    }
    var seen = Set<Substring>()
    return lines.filter { seen.insert($0).inserted }.map { line in
      let text = line.firstRange(of: ": ").map { line[$0.upperBound...] } ?? line
      return String(text.prefix(300))
    }
  }

  private static func refusal(_ result: ChildProcess.Result, _ program: String) -> ToolError {
    // libpq gives its reason on the next line.
    let errors = result.errors.replacing("PQconnectdb failed.\n", with: "")
    let lines = complaints(errors, "ERROR ")
    // What follows from an error, or is told of every attribute, hides the cause.
    let causes = lines.filter { line in
      !["arbitrary field creation", "Unable to write feature", "Terminating translation"]
        .contains(where: line.contains)
    }
    // ogr2ogr writes FAILURE: in a line of its own.
    let others = complaints(result.errors.replacing("FAILURE:\n", with: ""), "")
    let words = causes.first ?? lines.first ?? others.first
    switch result.end {
    case .exit(let code):
      return ToolError(.refused, "\(program) refuses it: \(words ?? "exit code \(code)")")
    case .signal(24), .signal(25):
      return ToolError(.refused, "\(program) took more time or space than a conversion may")
    case .signal(let number):
      return ToolError(.refused, "\(program) was ended by signal \(number)")
    }
  }
}

extension Substring {
  /// What follows a word at the beginning.
  fileprivate func after(_ word: String) -> Substring? {
    hasPrefix(word) ? dropFirst(word.count) : nil
  }
}
