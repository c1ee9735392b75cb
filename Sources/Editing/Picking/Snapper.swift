package import PortolanDocuments
package import PortolanGraphics
import PortolanRendering

/// The snap target of a vertex, in place of the cursor's position.
package struct SnapTarget: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case vertex(FeatureReference)
    case edge(FeatureReference)
    /// The first vertex of the draft.
    case start
    case grid
  }

  package var kind: Kind
  package var place: Coordinate
}

/// Finds the snap target of a new vertex: the nearest vertex, else the nearest edge, else the grid.
struct Snapper {
  /// The largest snap distance, in dots: half the height of a cell.
  static let reach = 2.0

  let picker: Picker
  let mode: SnapMode
  /// The nearest vertex and the nearest edge with their squared distances.
  private var vertex: (square: Double, target: SnapTarget?)
  private var edge: (square: Double, target: SnapTarget?)

  init(camera: Camera, point: Coordinate, mode: SnapMode) {
    picker = Picker(camera: camera, point: point, tolerance: Self.reach)
    self.mode = mode
    vertex = (Self.reach * Self.reach, nil)
    edge = vertex
  }

  /// Considers all features of a block but one.
  mutating func visit(_ block: FeatureBlock, of layer: LayerID, except excluded: Int?) {
    guard mode == .vertex || mode == .edge || mode == .all else { return }
    let geometry = block.geometry
    for row in picker.rowsNear(in: geometry) where row != excluded {
      let feature = FeatureReference(layer: layer, feature: block.featureIDs[row])
      for path in geometry.paths(ofFeature: row) {
        let isLine = geometry.pathRoles[path].kind.dimension != 0
        let vertices = geometry.vertices(ofPath: path)
        for stretch in picker.nearStretches(of: vertices, ofFeature: row, in: geometry) {
          visit(stretch, of: geometry, row: row, isLine: isLine, of: feature)
        }
      }
    }
  }

  /// Considers the first vertex of the draft.
  mutating func visit(start: Coordinate) {
    guard mode == .vertex || mode == .all else { return }
    visitVertex(start, .start)
  }

  private mutating func visit(
    _ vertices: Range<Int>, of geometry: GeometryBlock, row: Int, isLine: Bool,
    of feature: FeatureReference
  ) {
    let mayJump = picker.isGeographic && isLine && geometry.boxes[row].mayJump
    let numbers = geometry.coordinates
    var former: Coordinate?
    geometry.eachOnGlobe(vertices, mayJump: mayJump) { vertex, x in
      let place = Coordinate(x: x, y: numbers[2 * vertex + 1])
      if mode != .edge { visitVertex(place, .vertex(feature)) }
      if isLine, mode != .vertex, let former { visitEdge(former, place, of: feature) }
      former = place
    }
  }

  private mutating func visitVertex(_ coordinate: Coordinate, _ kind: SnapTarget.Kind) {
    let square = picker.square(coordinate, x(near: coordinate.x))
    if square < vertex.square { vertex = (square, SnapTarget(kind: kind, place: coordinate)) }
  }

  /// The longitude of the cursor on the turn of the globe of another one.
  private func x(near longitude: Double) -> Double {
    picker.isGeographic ? Longitude.nearest(picker.point.x, to: longitude) : picker.point.x
  }

  private mutating func visitEdge(
    _ a: Coordinate, _ b: Coordinate, of feature: FeatureReference
  ) {
    let dX = (b.x - a.x) * picker.scaleX
    let dY = (b.y - a.y) * picker.scaleY
    let length = dX * dX + dY * dY
    guard length > 0 else { return }
    let x = x(near: a.x + dX / picker.scaleX / 2)
    let toX = (x - a.x) * picker.scaleX
    let toY = (picker.point.y - a.y) * picker.scaleY
    let part = min(max((toX * dX + toY * dY) / length, 0), 1)
    let coordinate = Coordinate(x: a.x + part * (b.x - a.x), y: a.y + part * (b.y - a.y))
    let square = picker.square(coordinate, x)
    if square < edge.square {
      edge = (square, SnapTarget(kind: .edge(feature), place: coordinate))
    }
  }

  /// The snap target; `nil` if nothing is near.
  var target: SnapTarget? {
    if let found = vertex.target ?? edge.target { return found }
    guard mode == .grid || mode == .all else { return nil }
    return SnapTarget(kind: .grid, place: gridPoint)
  }

  /// The nearest crossing of a grid of round numbers, no farther than the reach either way.
  private var gridPoint: Coordinate {
    let step = Self.roundStep(2 * Self.reach / max(picker.scaleX, picker.scaleY))
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
