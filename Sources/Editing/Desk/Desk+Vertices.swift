import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// Picking vertices.
extension Desk {
  /// Goes from vertex to vertex of the selected feature, first to the one nearest to the cursor.
  mutating func stepVertex(by steps: Int) throws {
    guard let reference = selection.currentFeature, let feature = document.feature(reference) else {
      throw nothingSelected()
    }
    let places = Self.vertices(of: feature.geometry)
    if places.isEmpty { throw EditingError(.notFound, "the feature has no geometry") }
    var index: Int
    if let vertex = selection.vertex, vertex.feature == reference,
      let place = places.firstIndex(where: { $0.path == vertex.path && $0.vertex == vertex.vertex })
    {
      index = place + steps
    } else {
      index = nearest(of: places, in: feature.geometry)?.index ?? 0
      index += steps - steps.signum()
    }
    index = (index % places.count + places.count) % places.count
    let place = places[index]
    pick(VertexReference(feature: reference, path: place.path, vertex: place.vertex))
    say("vertex \(index + 1) of \(places.count): m moves, d deletes, a inserts one after it")
  }

  /// Picks the vertex of the single selected feature near the cursor's cell, if the feature has no
  /// other one there; returns whether it did.
  ///
  /// A vertex is not picked twice, nor where the cursor is nearer to a point of another feature:
  /// the features are meant then.
  mutating func pickVertexHere() -> Bool {
    guard !mapArea.isEmpty, selection.count == 1, let reference = selection.features.first,
      let geometry = document.feature(reference)?.geometry
    else { return false }
    let places = Self.vertices(of: geometry)
    guard places.count > 1, let found = nearest(of: places, in: geometry),
      found.square <= 3.2 * 3.2, !found.isCrowded
    else { return false }
    let place = places[found.index]
    let vertex = VertexReference(feature: reference, path: place.path, vertex: place.vertex)
    if vertex == selection.vertex { return false }
    if let first = featuresHere.first, first != reference,
      let point = document.feature(first)?.geometry, point.kind == .point, let at = point.anchor
    {
      let picker = vertexPicker
      if square(at, picker) <= found.square { return false }
    }
    selection.vertex = vertex
    if let coordinate = coordinate(of: vertex) {
      // A click does not move the map, unless the vertex lies beyond its edge.
      let isShown = camera.cell(at: coordinate) != nil
      if isShown { settleCursor(at: coordinate) } else { visit(coordinate) }
    }
    say(
      "vertex \(found.index + 1) of \(places.count): m moves, d deletes, a inserts one after it")
    return true
  }

  /// Picks the vertex in the place of a deleted one.
  mutating func pickVertex(after deleted: VertexReference) {
    guard let paths = document.feature(deleted.feature)?.geometry.paths,
      paths.indices.contains(deleted.path)
    else {
      selection.vertex = nil
      return
    }
    let path = paths[deleted.path]
    let count = path.vertices.count - (path.role.isRing && path.vertices.count > 1 ? 1 : 0)
    guard count > 0 else {
      selection.vertex = nil
      return
    }
    var next = deleted
    if next.vertex >= count { next.vertex = path.role.isRing ? 0 : count - 1 }
    pick(next)
  }

  private mutating func pick(_ vertex: VertexReference) {
    selection.vertex = vertex
    if let coordinate = coordinate(of: vertex) { visit(coordinate) }
  }

  /// The vertex nearest to the cursor; crowded if another is less than a cell away from it.
  private func nearest(
    of places: [(path: Int, vertex: Int)], in geometry: Geometry
  ) -> (index: Int, square: Double, isCrowded: Bool)? {
    let picker = vertexPicker
    var best: (index: Int, square: Double)?
    for (index, place) in places.enumerated() {
      let square = square(geometry.paths[place.path].vertices[place.vertex], picker)
      if best.map({ square < $0.square }) ?? true { best = (index, square) }
    }
    guard let best else { return nil }
    let place = places[best.index]
    let coordinate = geometry.paths[place.path].vertices[place.vertex]
    let isCrowded = places.contains { other in
      let there = geometry.paths[other.path].vertices[other.vertex]
      guard there != coordinate else { return false }
      var x = there.x - coordinate.x
      if plane.isGeographic { x = Geodesy.wrapped(x) }
      let (across, down) = (x * picker.scaleX, (there.y - coordinate.y) * picker.scaleY)
      return across * across + down * down < 4
    }
    return (best.index, best.square, isCrowded)
  }

  /// The picker for distances from the cursor; in a script independent of the screen.
  private var vertexPicker: Picker {
    let camera =
      isScripted
      ? Camera(plane: plane, center: cursor, zoom: 10, size: CellSize(columns: 80, rows: 24))
      : self.camera
    return Picker(camera: camera, point: cursor, tolerance: 3.2)
  }

  /// The squared distance from the cursor, in dots, the short way round.
  private func square(_ place: Coordinate, _ picker: Picker) -> Double {
    var x = place.x - cursor.x
    if plane.isGeographic { x = Geodesy.wrapped(x) }
    return picker.square(Coordinate(x: cursor.x + x, y: place.y), cursor.x)
  }

  /// All vertices of a geometry; the closing vertex of a ring is left out.
  static func vertices(of geometry: Geometry) -> [(path: Int, vertex: Int)] {
    geometry.paths.indices.flatMap { path -> [(path: Int, vertex: Int)] in
      let count = geometry.paths[path].vertices.count
      let last = geometry.paths[path].role.isRing && count > 1 ? count - 1 : count
      return (0..<last).map { (path, $0) }
    }
  }
}
