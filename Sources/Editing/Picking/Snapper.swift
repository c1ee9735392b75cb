import Documents
import Graphics
import Rendering

/// Finds what a new vertex sticks to: the nearest vertex, else the nearest edge, else the grid.
struct Snapper {
  let picker: Picker
  let mode: SnapMode
  private var vertex: (square: Double, coordinate: Coordinate)
  private var edge: (square: Double, coordinate: Coordinate)

  init(camera: Camera, point: Coordinate, mode: SnapMode, reach: Double = 3) {
    picker = Picker(camera: camera, point: point, tolerance: reach)
    self.mode = mode
    vertex = (reach * reach, point)
    edge = (reach * reach, point)
  }

  /// Considers all features of a block but one.
  mutating func visit(_ block: GeometryBlock, except excluded: Int?) {
    guard mode == .vertex || mode == .edge || mode == .all else { return }
    for row in picker.rowsNear(in: block) where row != excluded {
      for path in block.paths(ofFeature: row) {
        let isLine = block.pathRoles[path].kind.dimension != 0
        let vertices = block.vertices(ofPath: path)
        for stretch in picker.nearStretches(of: vertices, ofFeature: row, in: block) {
          visit(stretch.lazy.map { block.coordinate(at: $0) }, isLine: isLine)
        }
      }
    }
  }

  /// Considers a path.
  mutating func visit(_ path: some Collection<Coordinate>, isLine: Bool) {
    var former: Coordinate?
    for coordinate in path {
      if mode != .edge {
        let square = picker.square(coordinate, picker.point.x)
        if square < vertex.square { vertex = (square, coordinate) }
      }
      if isLine, mode != .vertex, let former { visitEdge(former, coordinate) }
      former = coordinate
    }
  }

  private mutating func visitEdge(_ a: Coordinate, _ b: Coordinate) {
    let dX = (b.x - a.x) * picker.scaleX
    let dY = (b.y - a.y) * picker.scaleY
    let length = dX * dX + dY * dY
    guard length > 0 else { return }
    let toX = (picker.point.x - a.x) * picker.scaleX
    let toY = (picker.point.y - a.y) * picker.scaleY
    let part = min(max((toX * dX + toY * dY) / length, 0), 1)
    let coordinate = Coordinate(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
    let square = picker.square(coordinate, picker.point.x)
    if square < edge.square { edge = (square, coordinate) }
  }

  /// What was found; the point itself if nothing is near.
  var result: Coordinate {
    let reach = picker.tolerance * picker.tolerance
    if vertex.square < reach { return vertex.coordinate }
    if edge.square < reach { return edge.coordinate }
    return mode == .grid || mode == .all ? gridPoint : picker.point
  }

  /// The nearest crossing of a grid of round numbers, about four cells wide.
  private var gridPoint: Coordinate {
    let step = Self.roundStep(16 / picker.scaleX)
    return Coordinate(
      x: (picker.point.x / step).rounded() * step, y: (picker.point.y / step).rounded() * step)
  }

  /// The largest of 1, 2, 5, 10, 20 … (or 0.5, 0.2 …) that is not above a width.
  static func roundStep(_ width: Double) -> Double {
    guard width.isFinite, width > 1e-9 else { return 1e-9 }
    var power = 1e-9
    while power * 10 <= width, power < 1e12 { power *= 10 }
    for factor in [5.0, 2.0] where power * factor <= width { return power * factor }
    return power
  }
}
