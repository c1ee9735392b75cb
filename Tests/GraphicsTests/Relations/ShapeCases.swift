import Foundation
import PortolanGraphics
import Testing

/// Pairs of shapes, and what shapely says of them.
struct ShapeCase {
  var line: String
  var first: Geometry
  var second: Geometry
  /// Whether the second's areas cover the first; `nil` where it has none.
  var covers: Bool?
  var meets: Bool
  var distance: Double

  init(_ line: Substring) throws {
    let cells = line.split(separator: "\t")
    try #require(cells.count == 5)
    self.line = String(line)
    first = try Self.shape(cells[0])
    second = try Self.shape(cells[1])
    covers = cells[2] == "-" ? nil : cells[2] == "1"
    meets = cells[3] == "1"
    distance = try #require(Double(cells[4]))
  }

  private static func shape(_ text: Substring) throws -> Geometry {
    let parts = text.split(separator: ":")
    try #require(parts.count == 2)
    let kinds: [Substring: GeometryKind] = [
      "point": .point, "points": .multiPoint, "line": .lineString, "lines": .multiLineString,
      "area": .polygon, "areas": .multiPolygon,
    ]
    let kind = try #require(kinds[parts[0]])
    let paths = try parts[1].split(separator: "|").enumerated().map { index, path in
      let isHole = path.hasPrefix("h")
      let places = try path.drop { $0 == "h" }.split(separator: " ").map { place in
        let numbers = place.split(separator: ",").compactMap { Double($0) }
        try #require(numbers.count == 2)
        return Coordinate(x: numbers[0], y: numbers[1])
      }
      let role = PathRole(
        kind: kind, beginsMember: index == 0, beginsPolygon: kind.dimension == 2 && !isHole)
      return Geometry.Path(role: role, vertices: places)
    }
    return Geometry(kind: kind, paths: paths)
  }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  static func stored() throws -> [ShapeCase] {
    let file = folder.appendingPathComponent("cases.tsv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      try ShapeCase($0)
    }
  }

  /// A Python that has shapely: the environment variable PORTOLAN_PYTHON names it.
  static let python: String? = {
    guard let path = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"] else { return nil }
    return (try? made(by: path, seed: 1, count: 1))?.isEmpty == false ? path : nil
  }()

  static func made(by python: String, seed: UInt64, count: Int) throws -> [ShapeCase] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [folder.appendingPathComponent("cases.py").path, "\(seed)", "\(count)"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      try ShapeCase($0)
    }
  }
}

extension Geometry {
  /// The geometry with its positions changed.
  func mapped(_ change: (Coordinate) -> Coordinate) -> Geometry {
    var geometry = self
    for path in paths.indices {
      geometry.paths[path].vertices = paths[path].vertices.map(change)
    }
    return geometry
  }
}

extension GeometryBlock {
  /// A block of some shapes.
  static func of(_ shapes: [Geometry]) throws -> GeometryBlock {
    var coordinates: [Double] = []
    var pathEnds: [UInt32] = []
    var roles: [PathRole] = []
    var featureEnds: [UInt32] = []
    for shape in shapes {
      for path in shape.paths {
        for vertex in path.vertices { coordinates += [vertex.x, vertex.y] }
        pathEnds.append(UInt32(coordinates.count / 2))
        roles.append(path.role)
      }
      featureEnds.append(UInt32(pathEnds.count))
    }
    return try #require(
      GeometryBlock(
        coordinates: coordinates, elevations: [], pathEnds: pathEnds, pathRoles: roles,
        featureEnds: featureEnds, kinds: shapes.map(\.kind)))
  }
}
