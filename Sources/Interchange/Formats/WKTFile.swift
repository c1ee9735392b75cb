import PortolanDocuments
package import PortolanFiles
import PortolanGraphics

/// Well-known text without a table around it: geometries one after the other, as databases print
/// them. `SRID=25833;` before one names its system.
///
///     POINT (10.5 60)
///     SRID=25833;LINESTRING (500000 6650000, 510000 6660000)
package struct WKTFormat: Importer {
  package init() {}

  package var name: String { "wkt" }
  package var title: String { "well-known text" }
  package var extensions: [String] { ["wkt"] }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let start = head.starts(with: Self.byteOrderMark) ? head.dropFirst(3) : head
    let text = String(decoding: start.prefix(64), as: UTF8.self).uppercased()
    var rest = text.drop(while: \.isWhitespace)
    if rest.hasPrefix("SRID="), let end = rest.firstIndex(of: ";") {
      rest = rest[end...].dropFirst().drop(while: \.isWhitespace)
    }
    return WKT.kinds.keys.contains { name in
      guard rest.hasPrefix(name) else { return false }
      let next = rest.dropFirst(name.count).first { !$0.isWhitespace }
      return next.map { "(ZME".contains($0) } ?? false
    }
  }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let bytes = try source.bytes()
    var shapes = BareGeometries(byteCount: bytes.count)
    var start = bytes.starts(with: Self.byteOrderMark) ? 3 : 0
    while let piece = Self.piece(of: bytes, from: start) {
      if shapes.count & 255 == 0 { try progress(Double(start) / Double(bytes.count)) }
      start = piece.upperBound
      var text = String(decoding: bytes[piece], as: UTF8.self)
      if text.last == ";" { text.removeLast() }
      if text.allSatisfy({ $0.isWhitespace || $0 == ";" }) { continue }
      do throws(WKT.Fault) {
        let (geometry, hasMeasures, hasArcs) = try WKT.read(text, &shapes.room)
        shapes.append(
          geometry, WKT.systemCode(text), hasMeasures: hasMeasures, hasArcs: hasArcs)
      } catch {
        throw ImportError.place(
          .badWKT, at: piece.lowerBound + error.offset, in: bytes, detail: error.reason,
          feature: shapes.count + 1)
      }
    }
    try progress(1)
    return try shapes.result(options)
  }

  /// The next geometry with what is around it: it ends at a line's end or a semicolon outside of
  /// brackets.
  private static func piece(of bytes: [UInt8], from start: Int) -> Range<Int>? {
    guard start < bytes.count else { return nil }
    var (place, depth, hasBrackets) = (start, 0, false)
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "("):
        depth += 1
        hasBrackets = true
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\n"), UInt8(ascii: ";"):
        guard depth <= 0 else { continue }
        // `SRID=25833;` is the beginning of one; a name may stand alone in its line.
        let words = bytes[start..<place - 1].suffix(8)
        let text = String(decoding: words, as: UTF8.self).uppercased()
        let isBlank = bytes[start..<place - 1].allSatisfy { $0 <= 0x20 }
        if hasBrackets || text.contains("EMPTY") || isBlank {
          return start..<place
        }
      default: break
      }
    }
    return start..<bytes.count
  }
}

/// Well-known binary without a table around it: the bytes of one geometry, or geometries in
/// hexadecimal digits one a line, as PostGIS prints them.
///
///     0101000020E610000000000000000025400000000000004E40
package struct WKBFormat: Importer {
  package init() {}

  package var name: String { "wkb" }
  package var title: String { "well-known binary, or its hexadecimal digits" }
  package var extensions: [String] { ["wkb", "ewkb"] }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    if WKB.recognizes(head) { return true }
    let line = head.prefix { $0 > 0x20 }
    guard line.count >= 10, let bytes = Self.bytes(ofHex: line.prefix(20)) else { return false }
    return WKB.recognizes(bytes)
  }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let bytes = try source.bytes()
    var shapes = BareGeometries(byteCount: bytes.count)
    if WKB.recognizes(bytes) {
      var start = 0
      // Geometries may follow each other.
      while start < bytes.count {
        start = try Self.read(bytes, from: start, at: start, in: bytes, &shapes)
        try progress(Double(start) / Double(bytes.count))
      }
      return try shapes.result(options)
    }
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A } ?? bytes.count
      var line = bytes[start..<end].drop { $0 <= 0x20 }
      while let last = line.last, last <= 0x20 { line.removeLast() }
      if !line.isEmpty {
        guard let geometry = Self.bytes(ofHex: line) else {
          throw ImportError.place(
            .badWKB, at: line.startIndex, in: bytes, detail: "no pairs of hexadecimal digits",
            feature: shapes.count + 1)
        }
        let done = try Self.read(geometry, from: 0, at: line.startIndex, in: bytes, &shapes)
        if done < geometry.count {
          throw ImportError.place(
            .badWKB, at: line.startIndex, in: bytes, detail: "more bytes after the geometry",
            feature: shapes.count)
        }
      }
      if shapes.count & 255 == 0 { try progress(Double(start) / Double(bytes.count)) }
      start = end + 1
    }
    return try shapes.result(options)
  }

  /// Reads one geometry; returns where it ends.
  private static func read(
    _ bytes: [UInt8], from start: Int, at place: Int, in file: [UInt8],
    _ shapes: inout BareGeometries
  ) throws -> Int {
    do {
      return try bytes.withUnsafeBytes { try shapes.append($0, from: start) }
    } catch let fault as WKB.Fault {
      // In digits, two stand for a byte.
      let offset = bytes.count == file.count ? fault.offset : place + 2 * fault.offset
      throw ImportError.place(
        .badWKB, at: min(offset, file.count), in: file, detail: fault.reason,
        feature: shapes.count + 1)
    }
  }

  /// The bytes of hexadecimal digits, `\x` before them or not; `nil` if they are none.
  static func bytes(ofHex text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.starts(with: "\\x".utf8) ? text.dropFirst(2) : text
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = JSONText.hexDigit(digit) else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(truncatingIfNeeded: value))
        high = nil
      } else {
        high = UInt8(truncatingIfNeeded: value)
      }
    }
    return bytes
  }
}

/// Geometries without attributes, gathered into a layer.
private struct BareGeometries {
  private var builder = FeatureBlockBuilder()
  private(set) var count = 0
  private var measures = 0
  private var arcs: [ImportNoteCode: Int] = [:]
  private var systems: [CoordinateSystem] = []
  private var isUnstated = false
  /// How many positions arcs may still add.
  var room: Arcs.Room

  init(byteCount: Int) { room = Arcs.Room(bytes: byteCount) }

  private static var shape: FeatureShape {
    var shape = FeatureShape.plain
    shape.isCutOnExport = false
    return shape
  }

  mutating func append(
    _ geometry: Geometry, _ system: CoordinateSystem?, hasMeasures: Bool, hasArcs: Bool
  ) {
    if hasMeasures { measures += 1 }
    countArcs(hasArcs)
    builder.geometry.appendPaths(of: geometry)
    end(geometry.kind, system)
  }

  /// Appends a geometry of well-known binary; returns where it ends.
  mutating func append(_ bytes: UnsafeRawBufferPointer, from start: Int) throws -> Int {
    var reader = WKBReader(bytes, at: start, room: room)
    let kind = try reader.read(into: &builder.geometry)
    room = reader.room
    if reader.findings.hasMeasures { measures += 1 }
    countArcs(reader.findings.hasArcs)
    end(kind, reader.findings.system.map { CoordinateSystem(named: "EPSG:\($0)") })
    return reader.position
  }

  private mutating func countArcs(_ hasArcs: Bool) {
    if hasArcs { arcs[room.isUsedUp ? .coarseArcs : .arcs, default: 0] += 1 }
  }

  private mutating func end(_ kind: GeometryKind, _ system: CoordinateSystem?) {
    builder.endRow(kind, shape: Self.shape)
    count += 1
    if let system {
      if !systems.contains(system) { systems.append(system) }
    } else {
      isUnstated = true
    }
  }

  func result(_ options: ImportOptions) throws -> ImportResult {
    var builder = builder
    // Without a statement they are degrees on WGS 84, too.
    let isMixed = systems.count > 1 || isUnstated && systems.contains { !$0.isWGS84 }
    if options.system == nil, isMixed {
      throw ImportError(
        code: .mixedSystems, offset: 0, line: 1, column: 1,
        detail: (systems.map(\.name) + (isUnstated ? ["no stated one"] : []))
          .joined(separator: ", "))
    }
    let layer = FeatureLayer(
      id: LayerID(1), name: options.name, style: LayerDefaults(blocks: []).style(named: ""),
      blocks: builder.finish(), nextFeatureID: builder.nextFeatureID)
    var notes =
      measures == 0
      ? []
      : ["\(CountText.text(measures, "geometry has", "geometries have")) measures (M); left out"]
    for code in [ImportNoteCode.arcs, .coarseArcs] {
      if let count = arcs[code] { notes.append(code.text(count: count)) }
    }
    return try ImportResult([LayerPart(layer, systems.first)], remarks: notes, options)
  }
}

extension ImportError {
  /// An error at an offset of a text.
  static func place(
    _ code: Code, at offset: Int, in bytes: [UInt8], detail: String, feature: Int? = nil
  ) -> ImportError {
    bytes.withUnsafeBufferPointer { bytes in
      var locator = TextLocator(bytes)
      let (line, column) = locator.place(of: min(offset, bytes.count))
      return ImportError(
        code: code, offset: offset, line: line, column: column, feature: feature, detail: detail)
    }
  }
}
