package import PortolanGraphics
import Synchronization

/// Lines in world units.
struct LinePaths: Sendable {
  /// x0 y0 x1 y1 …
  private(set) var coordinates: [Int32] = []
  /// The vertex after the last of each path.
  private(set) var pathEnds: [UInt32] = []
  /// The path after the last of each line.
  private(set) var lineEnds: [UInt32] = []

  mutating func endLine() { lineEnds.append(UInt32(truncatingIfNeeded: pathEnds.count)) }

  mutating func endPath() {
    let end = UInt32(truncatingIfNeeded: coordinates.count / 2)
    if end > pathEnds.last ?? 0 { pathEnds.append(end) }
  }

  @inline(__always)
  mutating func add(_ x: Int32, _ y: Int32) {
    coordinates.append(x)
    coordinates.append(y)
  }

  /// Calls a body with the vertices of each path of a line.
  @inline(__always)
  func eachPath(ofLine line: Int, _ body: (Range<Int>) -> Void) {
    let first = line == 0 ? 0 : Int(lineEnds[line - 1])
    for path in first..<Int(lineEnds[line]) {
      body((path == 0 ? 0 : Int(pathEnds[path - 1]))..<Int(pathEnds[path]))
    }
  }

  /// The same without the vertices that are in the same square of a grid as the one before.
  ///
  /// - Parameter shift: the squares are 2^shift units wide.
  func simplified(shift: Int) -> LinePaths {
    var simple = LinePaths()
    for line in lineEnds.indices {
      eachPath(ofLine: line) { vertices in
        var (lastX, lastY) = (Int32.max, Int32.max)
        for vertex in vertices {
          let (x, y) = (coordinates[2 * vertex], coordinates[2 * vertex + 1])
          if x >> shift == lastX && y >> shift == lastY { continue }
          (lastX, lastY) = (x >> shift, y >> shift)
          simple.add(x, y)
        }
        simple.endPath()
      }
      simple.endLine()
    }
    return simple
  }
}

/// An end of a line, in world units.
struct LineEnd: Sendable {
  /// Equal for ends in one place.
  let place: UInt64
  /// The direction into the line, of length 1; 0 where there is none.
  let direction: (x: Double, y: Double)

  var x: Int32 { Int32(bitPattern: UInt32(truncatingIfNeeded: place >> 32)) }
  var y: Int32 { Int32(bitPattern: UInt32(truncatingIfNeeded: place)) }

  init(_ paths: LinePaths, _ vertex: Int, _ next: Int) {
    let (x, y) = (paths.coordinates[2 * vertex], paths.coordinates[2 * vertex + 1])
    place = UInt64(UInt32(bitPattern: x)) << 32 | UInt64(UInt32(bitPattern: y))
    let stepX = Double(paths.coordinates[2 * next]) - Double(x)
    let stepY = Double(paths.coordinates[2 * next + 1]) - Double(y)
    let length = max((stepX * stepX + stepY * stepY).squareRoot(), 1)
    direction = (stepX / length, stepY / length)
  }

  /// The cosine of the angle to another end in the same place: -1 if one line goes on straight as
  /// the other.
  func cosine(to other: LineEnd) -> Double {
    direction.x * other.direction.x + direction.y * other.direction.y
  }
}

/// The lines of one block on one plane.
package final class LineMeasure: Sendable {
  /// It keeps the block alive, so that its identity stays unique.
  package let geometry: GeometryBlock
  /// The rows of the lines.
  let rows: [Int]
  /// The length of each line, in world units.
  let lengths: [Float]
  /// Both ends of each path of each line.
  let ends: [[LineEnd]]
  /// The box of all lines, in world units; empty without any.
  let box: (minX: Int64, minY: Int64, maxX: Int64, maxY: Int64)?
  private let full: LinePaths
  private let simplified = Mutex<[Int: LinePaths]>([:])

  /// Projects the lines of a block.
  ///
  /// - Complexity: O(vertices), about 30 ns each.
  package init(_ geometry: GeometryBlock, on plane: MapPlane) {
    self.geometry = geometry
    rows = geometry.kinds.indices.filter { geometry.kinds[$0].dimension == 1 }
    let world = rows.isEmpty ? [] : plane.project(geometry)
    var (paths, lengths) = (LinePaths(), [Float]())
    var box: (minX: Int64, minY: Int64, maxX: Int64, maxY: Int64)?
    for row in rows {
      var length: Float = 0
      for path in geometry.paths(ofFeature: row) {
        var former: (x: Int32, y: Int32)?
        for vertex in geometry.vertices(ofPath: path) {
          let (x, y) = (world[2 * vertex], world[2 * vertex + 1])
          if x == .min && y == .min { continue }
          let (wideX, wideY) = (Int64(x), Int64(y))
          box =
            box.map {
              (
                min($0.minX, wideX), min($0.minY, wideY), max($0.maxX, wideX), max($0.maxY, wideY)
              )
            } ?? (wideX, wideY, wideX, wideY)
          if let former {
            let (stepX, stepY) = (Float(x) - Float(former.x), Float(y) - Float(former.y))
            length += (stepX * stepX + stepY * stepY).squareRoot()
          }
          former = (x, y)
          paths.add(x, y)
        }
        paths.endPath()
      }
      paths.endLine()
      lengths.append(length)
    }
    (full, self.lengths, self.box) = (paths, lengths, box)
    ends = rows.indices.map { line in
      var ends: [LineEnd] = []
      paths.eachPath(ofLine: line) { path in
        guard path.count > 1 else { return }
        ends.append(LineEnd(paths, path.lowerBound, path.lowerBound + 1))
        ends.append(LineEnd(paths, path.upperBound - 1, path.upperBound - 2))
      }
      return ends
    }
  }

  /// The lines as a picture at a half step of zoom needs them.
  func paths(at step: Int) -> LinePaths {
    // A cell is 2^(24 - zoom) units wide; four half steps share the finest of their grids.
    let band = step >= 0 ? step / 4 : -((3 - step) / 4)
    let shift = 21 - 2 * band
    guard shift > 0 else { return full }
    return simplified.withLock { known in
      if let paths = known[shift] { return paths }
      // The next finer known ones have all vertices that matter.
      let finer = known.filter { $0.key < shift }.max { $0.key < $1.key }?.value ?? full
      let paths = finer.simplified(shift: min(shift, 31))
      known[shift] = paths
      return paths
    }
  }
}
