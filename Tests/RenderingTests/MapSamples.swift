import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// Small maps made of a few features, for tests.
enum MapSamples {
  static let white = Colour(red: 255, green: 255, blue: 255)
  static let green = Colour(red: 0, green: 128, blue: 0)
  static let line = MarkStyle(stroke: white)
  static let area = MarkStyle(stroke: white, fill: green)

  /// A block of geometries, in order.
  static func block(_ geometries: [Geometry]) -> GeometryBlock? {
    var coordinates: [Double] = []
    var pathEnds: [UInt32] = []
    var roles: [PathRole] = []
    var featureEnds: [UInt32] = []
    for geometry in geometries {
      for path in geometry.paths {
        for vertex in path.vertices { coordinates += [vertex.x, vertex.y] }
        pathEnds.append(UInt32(coordinates.count / 2))
        roles.append(path.role)
      }
      featureEnds.append(UInt32(pathEnds.count))
    }
    return GeometryBlock(
      coordinates: coordinates, elevations: [], pathEnds: pathEnds, pathRoles: roles,
      featureEnds: featureEnds, kinds: geometries.map(\.kind))
  }

  static func coordinates(_ pairs: [(Double, Double)]) -> [Coordinate] {
    pairs.map { Coordinate(x: $0.0, y: $0.1) }
  }

  static func square(_ x: Double, _ y: Double, _ half: Double) -> [Coordinate] {
    coordinates([
      (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half),
      (x - half, y - half),
    ])
  }

  /// A camera on a planar map whose units are dots at zoom 0, y north.
  static func planar(
    columns: Int, rows: Int, zoom: Double = 0, x: Double = 128, y: Double = 128
  ) -> Camera {
    let plane = MapPlane(
      projection: .planar, reference: Box(minX: 0, minY: 0, maxX: 256, maxY: 256))
    return Camera(
      plane: plane, center: Coordinate(x: x, y: y), zoom: zoom,
      size: CellSize(columns: columns, rows: rows))
  }

  /// The frame that marks give.
  static func frame(
    _ marks: [Mark], _ camera: Camera, glyphs: GlyphSet = .braille,
    depth: ColourDepth = .trueColour, memory: RenderMemory = RenderMemory()
  ) -> Frame {
    var canvas = CellCanvas(camera: camera, memory: memory, glyphs: glyphs, depth: depth)
    for mark in marks { canvas.draw(mark) }
    var frame = Frame(size: camera.size)
    canvas.compose(into: &frame, at: frame.bounds)
    return frame
  }
}
