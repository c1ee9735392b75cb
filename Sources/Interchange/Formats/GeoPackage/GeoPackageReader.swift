import PortolanDatabases
import PortolanDocuments
import PortolanGraphics

/// Reads the rows of a table of a GeoPackage as a layer.
struct GeoPackageReader {
  private let database: Database
  private let table: GeoPackageTable
  /// That of the layer, as remarks tell it.
  private var name = ""
  private let conversion: Conversion?
  private var builder = FeatureBlockBuilder()
  private var counts = Counts()
  /// Where each column stands in the answer.
  private let places: [Int]
  /// How many positions arcs may still add: those of all layers of a file.
  var room: Arcs.Room

  /// What another format became when ogr2ogr made a GeoPackage of it.
  struct Conversion {
    /// Whether the rows have ids of their own: the keys.
    var hasIdentifiers: Bool
    /// Whether the format tells null from no value: a GeoPackage has null for both.
    var hasNulls: Bool
    /// Whether each text of a column of JSON is a value of JSON; else lists and objects alone are.
    var holdsJSON = false
  }

  /// - Parameter conversion: `nil` for a file of a user.
  init(_ database: Database, _ table: GeoPackageTable, _ conversion: Conversion? = nil) {
    (self.database, self.table, self.conversion) = (database, table, conversion)
    room = Arcs.Room(bytes: database.byteCount)
    places = table.columns.indices.map(table.place(ofColumn:))
  }

  /// Whether a column of JSON has lists in GDAL's own form, such as `(2:a,b)`.
  private(set) var hasOddLists = false

  /// What is lost or odd.
  private struct Counts {
    var blobs = 0
    var measures = 0
    var arcs = 0
    var coarseArcs = 0
    var broken = 0
    var nested = 0
    var notText = 0
    var notFinite = 0
    var firstFault = ""
  }

  /// Reads the layer.
  ///
  /// - Parameter box: rows that do not touch it are left out, if there is an index; some stay.
  mutating func read(
    named name: String, box: Box?, progress: (Double) throws -> Void
  ) throws -> LayerPart {
    self.name = name
    let total = try rowCount()
    let box = try hasIndex() ? box : nil
    var shape = FeatureShape.plain
    shape.isCutOnExport = false
    var done = 0
    func appendRows(of question: String) throws {
      let statement = try Database.Statement(question, in: database)
      while try statement.step() {
        if done & 1023 == 0 { try progress(min(Double(done) / Double(max(total, 1)), 1)) }
        done += 1
        statement.withRow { self.append($0, shape) }
      }
    }
    try appendRows(of: table.question(in: box))
    // One row outside of the box brings the names of the attributes.
    if done == 0, box != nil { try appendRows(of: table.question(in: nil) + " LIMIT 1") }
    var layer = FeatureLayer(
      id: LayerID(1), name: name, style: LayerDefaults(blocks: []).style(named: name),
      source: .plain, blocks: builder.finish(), nextFeatureID: builder.nextFeatureID)
    layer.declared = table.declared
    var part = LayerPart(layer, table.geometry == nil ? nil : table.system)
    part.notes = table.notes.map { ImportReport.Note(code: $0.key, count: $0.value) }
    if counts.nested > 0 {
      part.notes.append(ImportReport.Note(code: .nestedCollections, count: counts.nested))
    }
    return part
  }

  private func rowCount() throws -> Int {
    var count = 0
    try database.rows("SELECT count(*) FROM \(Database.quoted(table.name))") { row in
      count = row.integer(0)
    }
    return count
  }

  private func hasIndex() throws -> Bool {
    guard let geometry = table.geometry, table.key != nil else { return false }
    var count = 0
    let name = Database.literal("rtree_\(table.name)_\(geometry)")
    try database.rows(
      "SELECT count(*) FROM sqlite_master WHERE name = \(name) AND "
        + "sql LIKE 'CREATE VIRTUAL TABLE%USING rtree%'"
    ) { row in
      count = row.integer(0)
    }
    if count == 0 { return false }
    let names = "('id', 'minx', 'maxx', 'miny', 'maxy')"
    try database.rows(
      "SELECT count(*) FROM pragma_table_xinfo(\(name)) WHERE lower(name) IN \(names)"
    ) { count = $0.integer(0) }
    return count == 5
  }

  /// What is told of the layer.
  var remarks: [String] {
    func many(_ count: Int, _ one: String, _ more: String) -> String? {
      count == 0 ? nil : "layer \(name): " + CountText.text(count, one, more)
    }
    return [
      many(counts.blobs, "value is", "values are").map { $0 + " binary (blobs); left out" },
      many(counts.measures, "feature has", "features have").map {
        $0 + " measures (M), which are left out"
      },
      counts.arcs == 0
        ? nil : "layer \(name): " + ImportNoteCode.arcs.text(count: counts.arcs),
      counts.coarseArcs == 0
        ? nil
        : "layer \(name): " + ImportNoteCode.coarseArcs.text(count: counts.coarseArcs),
      many(counts.broken, "geometry is", "geometries are").map {
        $0 + " not read (\(counts.firstFault)); kept without a position"
      },
      table.areNamesText
        ? nil
        : "layer \(name): names of columns are not UTF-8; the bytes become U+FFFD",
      many(counts.notText, "text is", "texts are").map {
        $0 + " not UTF-8; the bytes become U+FFFD"
      },
      many(counts.notFinite, "number is", "numbers are").map { $0 + " infinite; kept as text" },
    ].compactMap { $0 }
  }

  // MARK: Rows

  private mutating func append(_ row: borrowing Database.Row, _ shape: FeatureShape) {
    if builder.row == 0 {
      for column in table.columns { _ = builder.attributes.place(of: column.name) }
    }
    if conversion?.hasIdentifiers ?? true, row.kind(0) == .integer {
      builder.identifiers.pad(toRows: builder.row)
      builder.identifiers.append(.number(String(row.integer(0))))
    }
    let kind = geometry(row)
    for index in table.columns.indices { setAttribute(index, row) }
    builder.endRow(kind, shape: shape)
  }

  private mutating func geometry(_ row: borrowing Database.Row) -> GeometryKind {
    guard table.geometry != nil, row.kind(1) != .null else { return .none }
    let before = (builder.geometry.pathEnds.count, builder.geometry.vertexCount)
    do {
      return try row.withBytes(1) { bytes in
        let start = try GeoPackageHead.count(bytes)
        var reader = WKBReader(bytes, at: start, room: room)
        let kind = try reader.read(into: &builder.geometry)
        room = reader.room
        if reader.findings.hasMeasures { counts.measures += 1 }
        if reader.findings.hasArcs {
          if room.isUsedUp { counts.coarseArcs += 1 } else { counts.arcs += 1 }
        }
        counts.nested += reader.findings.nestedCount
        return kind
      }
    } catch {
      builder.geometry.truncate(paths: before.0, vertices: before.1)
      counts.broken += 1
      if counts.firstFault.isEmpty {
        counts.firstFault = (error as? WKB.Fault)?.reason ?? "\(error)"
      }
      return .none
    }
  }

  private mutating func setAttribute(_ index: Int, _ row: borrowing Database.Row) {
    let column = places[index]
    switch row.kind(column) {
    case .null: if conversion?.hasNulls ?? true { set(index, .null, "") }
    case .integer:
      let value = row.integer(column)
      if table.columns[index].type == .boolean, value == 0 || value == 1 {
        set(index, value == 1 ? .yes : .no, "")
      } else {
        set(index, .number, String(value))
      }
    case .real:
      let value = row.real(column)
      if !value.isFinite {
        counts.notFinite += 1
        set(index, .string, value < 0 ? "-Infinity" : "Infinity")
      } else if conversion != nil, table.columns[index].type == .float,
        Double(Float(value)) == value
      {
        set(index, .number, "\(Float(value))")
      } else {
        let text = NumberPrinter.shortest(value, isPointed: true)
        text.withUnsafeBufferPointer { builder.setAttribute(index, .number, utf8: $0) }
      }
    case .text:
      let isText = row.withBytes(column) { bytes in
        bytes.withMemoryRebound(to: UInt8.self) { text in
          guard UTF8Text.isValid(text) else { return false }
          setText(index, text)
          return true
        }
      }
      if !isText {
        counts.notText += 1
        set(index, .string, row.text(column) ?? "")
      }
    case .blob:
      counts.blobs += 1
      set(index, .null, "")
    }
  }

  private mutating func setText(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) {
    switch table.columns[index].type {
    case .json where conversion?.holdsJSON == true && setJSON(index, text): return
    case .json where Self.isListOrObject(text):
      return builder.setAttribute(index, .json, utf8: text)
    case .json where conversion != nil && text.first == UInt8(ascii: "("): hasOddLists = true
    case .time where conversion != nil:
      if let range = Self.noMilliseconds(text) {
        let short = Array(text[..<range.lowerBound]) + text[range.upperBound...]
        return short.withUnsafeBufferPointer { builder.setAttribute(index, .string, utf8: $0) }
      }
    default: break
    }
    builder.setAttribute(index, .string, utf8: text)
  }

  /// Sets a plain value of JSON: a text, a number, a truth or null.
  ///
  /// - Returns: `false` if it is none; then nothing is set.
  private mutating func setJSON(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, JSONText.isValue(text) else { return false }
    switch first {
    case UInt8(ascii: "\""):
      let inner = UnsafeBufferPointer(rebasing: text.dropFirst().dropLast())
      var value: [UInt8] = []
      guard JSONText.unescape(inner, into: &value) else { return false }
      value.withUnsafeBufferPointer { builder.setAttribute(index, .string, utf8: $0) }
    case UInt8(ascii: "-"), 0x30...0x39: builder.setAttribute(index, .number, utf8: text)
    case UInt8(ascii: "t"): set(index, .yes, "")
    case UInt8(ascii: "f"): set(index, .no, "")
    case UInt8(ascii: "n"): set(index, .null, "")
    default: return false
    }
    return true
  }

  private static func isListOrObject(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    (text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "{")) && JSONText.isValue(text)
  }

  /// The `.000` that GDAL writes behind whole seconds: `2020-01-02T03:04:05.000Z`.
  private static func noMilliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard text.count >= 23, text[10] == UInt8(ascii: "T"), text[19..<23].elementsEqual(".000".utf8)
    else { return nil }
    return 19..<23
  }

  private mutating func set(_ place: Int, _ kind: AttributeKind, _ text: String) {
    var text = text
    text.withUTF8 { builder.setAttribute(place, kind, utf8: $0) }
  }
}

/// The head of a geometry in a GeoPackage.
///
///     0  2   47 50, "GP"
///     2  1   version, 0
///     3  1   flags: bit 0 least significant byte first; 1 to 3 the size of the box (none, 32, 48,
///            48 or 64 bytes); 4 empty; 5 of a kind that is no standard one
///     4  4   the number of the system
///     8      the box, then the geometry as well-known binary
enum GeoPackageHead {
  private static let boxCounts = [0, 32, 48, 48, 64]

  /// Its size in bytes.
  static func count(_ bytes: UnsafeRawBufferPointer) throws(WKB.Fault) -> Int {
    // SpatiaLite's own blobs begin with 0.
    guard bytes.count >= 8, bytes[0] == 0x47, bytes[1] == 0x50 else {
      throw WKB.Fault(offset: 0, reason: "no geometry of a GeoPackage")
    }
    let box = Int(bytes[3] >> 1 & 7)
    guard box < boxCounts.count else {
      throw WKB.Fault(offset: 3, reason: "an unknown size of its box")
    }
    if bytes[3] & 0x20 != 0 {
      throw WKB.Fault(offset: 3, reason: "a kind of geometry of another program")
    }
    return 8 + boxCounts[box]
  }

  /// The head of a geometry that is written: with a box of x and y unless it is empty.
  static func bytes(system: Int32, box: Box) -> [UInt8] {
    var bytes: [UInt8] = [0x47, 0x50, 0, box.isEmpty ? 0x11 : 0x03]
    withUnsafeBytes(of: system.littleEndian) { bytes.append(contentsOf: $0) }
    if box.isEmpty { return bytes }
    for value in [box.minX, box.maxX, box.minY, box.maxY] {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
