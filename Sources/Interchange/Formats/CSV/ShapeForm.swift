import PortolanDocuments
import PortolanGraphics

/// How a table writes shapes in one column.
struct ShapeForm: Hashable {
  enum Kind: String {
    /// Well-known text.
    case words = "wkt"
    /// The digits of well-known binary.
    case digits = "wkb"
    /// A geometry of GeoJSON.
    case json
  }

  var kind = Kind.words
  /// Whether `\x` stands before digits.
  var hasMark = false
  /// Whether digits tell the system even of degrees on WGS 84.
  var hasSystem = false

  /// The word for it in a layout: `wkb+mark+system`.
  var word: String {
    kind.rawValue + (hasMark ? "+mark" : "") + (hasSystem ? "+system" : "")
  }

  init(_ kind: Kind = .words, hasMark: Bool = false, hasSystem: Bool = false) {
    (self.kind, self.hasMark, self.hasSystem) = (kind, hasMark, hasSystem)
  }

  init(word: Substring) {
    let parts = word.split(separator: "+").map { String($0) }
    kind = parts.first.flatMap { Kind(rawValue: $0) } ?? .words
    (hasMark, hasSystem) = (parts.contains("mark"), parts.contains("system"))
  }

  /// A geometry in this form; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - prefix: the text before the words.
  ///   - system: the code that digits tell.
  func text(_ geometry: Geometry, prefix: String, system: UInt32?) -> String? {
    switch kind {
    case .words: WKT.text(geometry).map { prefix + $0 }
    case .digits: digits(geometry, system)
    case .json: Self.json(geometry)
    }
  }

  private func digits(_ geometry: Geometry, _ system: UInt32?) -> String? {
    var builder = GeometryBlockBuilder()
    builder.appendPaths(of: geometry)
    builder.endFeature(geometry.kind)
    guard var bytes = WKB.bytes(of: builder.block(), row: 0), bytes.count >= 5 else { return nil }
    if let system {
      // Least significant byte first: the flag is in the last byte of the kind.
      bytes[4] |= 0x20
      bytes.insert(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: system >> ($0 * 8)) }, at: 5)
    }
    let signs = Array("0123456789ABCDEF".utf8)
    var text = hasMark ? Array("\\x".utf8) : []
    for byte in bytes {
      text.append(signs[Int(byte >> 4)])
      text.append(signs[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func json(_ geometry: Geometry) -> String? {
    guard let name = geometry.kind.name else { return nil }
    guard geometry.kind == .geometryCollection else {
      return #"{"type":"\#(name)","coordinates":\#(coordinates(geometry))}"#
    }
    let members = geometry.paths.runs { $0.role.beginsMember }.compactMap { paths in
      json(Geometry(kind: paths[0].role.kind, paths: paths))
    }
    return #"{"type":"\#(name)","geometries":[\#(members.joined(separator: ","))]}"#
  }

  private static func coordinates(_ geometry: Geometry) -> String {
    let paths = geometry.paths
    switch geometry.kind {
    case .none, .geometryCollection: return "[]"
    case .point:
      guard let path = paths.first, !path.vertices.isEmpty else { return "[]" }
      return position(path, 0)
    case .lineString: return paths.first.map { positions($0) } ?? "[]"
    case .multiPoint:
      return list(paths.flatMap { path in path.vertices.indices.map { position(path, $0) } })
    case .multiLineString, .polygon: return list(paths.map { positions($0) })
    case .multiPolygon:
      return list(
        paths.runs { $0.role.beginsPolygon }.map { polygon in list(polygon.map { positions($0) }) })
    }
  }

  private static func list(_ parts: [String]) -> String {
    "[" + parts.joined(separator: ",") + "]"
  }

  private static func positions(_ path: Geometry.Path) -> String {
    list(path.vertices.indices.map { position(path, $0) })
  }

  private static func position(_ path: Geometry.Path, _ index: Int) -> String {
    var numbers = [path.vertices[index].x, path.vertices[index].y]
    if path.elevations.indices.contains(index), let height = path.elevations[index] {
      numbers.append(height)
    }
    return list(
      numbers.map { number in
        String(decoding: NumberPrinter.shortest(number, isPointed: false), as: UTF8.self)
      })
  }
}
