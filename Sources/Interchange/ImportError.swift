/// Why a file could not be read: the place, the problem and the remedy.
package struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of fault.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case empty
    case cut
    case notJSON
    case notGeoJSON
    case topoJSON
    case esriJSON
    case wrongType
    case unknownType
    case missingType
    case badNumber
    case notFinite
    case numberTooLarge
    case badString
    case controlCharacter
    case notUTF8
    case utf16
    case badEncoding
    case utf32
    case compressed
    case badCoordinates
    case shortPosition
    case mixedSystems
    case tooDeep
    case tooManyMembers
    case tooLarge
    case moreAfterEnd
    case givenTwice
    case noColumns
    case noSuchColumn
    case badTable
    case tooManyColumns
    case notText
    case binary
    case notShapes
    case notRows
    case notDatabase
    case badWKT
    case badWKB
  }

  package var code: Code
  /// The offset of the fault in bytes.
  package var offset: Int
  /// The line, from 1.
  package var line: Int
  /// The column, from 1, in characters.
  package var column: Int
  /// The number of the feature in its file, from 1, if the fault is inside one.
  package var feature: Int?
  /// The text found or expected there; may be empty.
  package var detail: String

  package init(
    code: Code, offset: Int, line: Int, column: Int, feature: Int? = nil, detail: String = ""
  ) {
    self.code = code
    self.offset = offset
    self.line = line
    self.column = column
    self.feature = feature
    self.detail = detail
  }

  /// One line: `line:column: what: how to fix`.
  package var description: String {
    var text = "\(line):\(column): \(what)"
    if !detail.isEmpty { text += " (\(detail))" }
    if let feature { text += " in feature \(feature)" }
    return text + ": " + remedy
  }

  private var what: String { Self.texts(code).what }
  private var remedy: String { Self.texts(code).remedy }

  private static func texts(_ code: Code) -> (what: String, remedy: String) {
    structureTexts(code) ?? valueTexts(code)
  }

  private static func structureTexts(_ code: Code) -> (what: String, remedy: String)? {
    switch code {
    case .empty: ("the file is empty", "fetch or export it again")
    case .cut: ("the file ends too early", "it was cut; fetch or export it again")
    case .notJSON:
      ("this is not JSON", "correct the text here, or say what it is: --from csv, --from wkt")
    case .notGeoJSON:
      (
        "this is JSON but not GeoJSON",
        "the root must be an object whose type is FeatureCollection, Feature or a geometry"
      )
    case .topoJSON: ("this is TopoJSON", "give --from topojson, or call it .topojson")
    case .esriJSON: ("this is Esri JSON", "convert it with ogr2ogr -f GeoJSON")
    case .wrongType: ("a member has the wrong type", "correct it as RFC 7946 tells")
    case .unknownType: ("the type is none of GeoJSON's", "correct it; capitals count")
    case .missingType: ("the object has no type", "add \"type\": \"Feature\" or a geometry's name")
    case .moreAfterEnd:
      (
        "there is more after the end of the JSON text",
        "remove it, or give one feature a line (ndjson)"
      )
    case .givenTwice:
      ("the features are given twice, and programs differ in which they take", "remove one of both")
    case .tooDeep: ("values are nested too deeply", "flatten them")
    case .tooManyMembers: ("an object has too many members", "split the object")
    case .tooLarge: ("the file is too large", "split it")
    case .noColumns:
      (
        "no column holds positions",
        "call the columns lon and lat in the first line (easting and northing if they are planar), "
          + "or one of WKT text wkt; or name them with --x-column and --y-column, --wkt-column, or "
          + "--point-column for pairs in one column, such as (37.8, -122.4); --no-positions reads "
          + "a table of attributes alone"
      )
    case .noSuchColumn: ("no column has that name", "give it as the first line has it")
    case .badTable: ("the table is broken", "close the quotes")
    case .tooManyColumns:
      (
        "a line of the table has too many fields",
        "split the table, or give one value a line; GeoJSON holds features of any attributes"
      )
    case .notShapes:
      (
        "these are no shapes",
        "name the .shp of a Shapefile, or say what it is: --from geojson, --from csv"
      )
    case .notRows: ("this is no table of dBASE", "say what it is: --from csv")
    case .badWKT: ("this is no well-known text", "write it as in LINESTRING (10 60, 11 61)")
    case .badWKB: ("this is no well-known binary", "write it as ST_AsEWKB or ST_AsBinary do")
    case .notDatabase:
      (
        "this is no database of SQLite, as a GeoPackage is",
        "say what it is: --from geojson, --from csv"
      )
    case .binary: ("this is neither text nor of a known format", "name a file of map data")
    case .notText: ("a NUL stands here: this is no text", "name a file of map data")
    default: nil
    }
  }

  private static func valueTexts(_ code: Code) -> (what: String, remedy: String) {
    switch code {
    case .badNumber: ("this is not a JSON number", "write it as in 12.5 or -0.5e3")
    case .notFinite: ("NaN and Infinity are not JSON", "write null, or remove the position")
    case .numberTooLarge: ("a coordinate is too large for a double", "correct the number")
    case .badString: ("a string is broken", "correct the escape or close the quotes")
    case .controlCharacter:
      ("a control character stands in a string", "escape it, as in \\n or \\u0009")
    case .notUTF8:
      (
        "the text is not UTF-8",
        "name the encoding of a table, as --encoding windows-1252; convert others, as with "
          + "iconv -f ISO-8859-1 -t UTF-8"
      )
    case .badEncoding: ("the text is not of this encoding", "give another --encoding")
    case .utf16: ("the file is UTF-16", "convert it with iconv -f UTF-16 -t UTF-8")
    case .utf32: ("the file is UTF-32", "convert it with iconv -f UTF-32 -t UTF-8")
    case .compressed: ("the file is compressed", "unpack it first, as with zcat FILE | portolan -")
    case .badCoordinates:
      ("the coordinates do not fit the geometry's type", "nest the brackets as RFC 7946 tells")
    case .shortPosition: ("a position has fewer than two numbers", "give longitude and latitude")
    case .mixedSystems:
      (
        "features are of different coordinate systems",
        "convert them to one first, as with ogr2ogr -t_srs EPSG:4326"
      )
    default: ("the file cannot be read", "correct it")
    }
  }
}

/// A fault of scanning: place and problem only; lines are counted for the message.
struct ScanFault: Error {
  var code: ImportError.Code
  var offset: Int
  var detail: String

  init(_ code: ImportError.Code, at offset: Int, _ detail: String = "") {
    self.code = code
    self.offset = offset
    self.detail = detail
  }

  /// A foreign text short enough for a message, without control characters.
  static func excerpt(_ text: String) -> String {
    String(text.unicodeScalars.prefix(40).map { $0.value < 0x20 ? " " : Character($0) })
  }
}
