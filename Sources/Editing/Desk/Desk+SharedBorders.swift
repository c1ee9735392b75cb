package import PortolanDocuments
import PortolanGraphics
import PortolanPrinting

/// Editing vertices of borders that several areas of a layer share: in all of them at once.
extension Desk {
  /// The vertices of rings of the layer at the place of a vertex; empty for a vertex of a line or
  /// a point.
  package func sharers(of vertex: VertexReference) -> [RingVertex] {
    guard let place = ringPlace(of: vertex),
      let layer = document[layer: vertex.feature.layer] as? any FeatureHolding
    else { return [] }
    return layer.ringVertices(at: place)
  }

  /// The carried vertex, and those that go with it in other areas.
  package var carriedVertices: [VertexReference] {
    guard let carry, let vertex = carry.vertex else { return [] }
    let others = carry.isAlone ? [] : sharers(of: vertex)
    if others.count < 2 { return [vertex] }
    return others.map { other in
      VertexReference(
        feature: FeatureReference(layer: vertex.feature.layer, feature: other.feature),
        path: other.path, vertex: other.vertex)
    }
  }

  private func ringPlace(of vertex: VertexReference) -> Coordinate? {
    guard let paths = document.feature(vertex.feature)?.geometry.paths,
      paths.indices.contains(vertex.path), paths[vertex.path].role.isRing
    else { return nil }
    return coordinate(of: vertex)
  }

  /// `; 3 areas share it` if there are several.
  package func shareWords(_ vertices: [RingVertex], key: String = "") -> String {
    let count = Set(vertices.map(\.feature)).count
    guard count > 1 else { return "" }
    return "; \(count) areas share it" + (key.isEmpty ? "" : "; \(key) changes this one alone")
  }

  /// Moves a vertex in all areas that share it, or alone; returns what to say of others.
  mutating func moveVertex(
    _ vertex: VertexReference, by offset: Coordinate, alone: Bool
  ) throws -> String {
    guard let place = coordinate(of: vertex) else { return "" }
    let target = Coordinate(x: place.x + offset.x, y: place.y + offset.y)
    if isGeographic, abs(target.y) > 90 { throw EditingError.beyondPole }
    let vertices = sharers(of: vertex)
    if alone || vertices.count < 2 {
      try editGeometry("move vertex", of: vertex.feature) { $0.moveVertex(vertex, by: offset) }
      return ""
    }
    guard target.x.isFinite, target.y.isFinite else { throw EditingError.beyondNumbers }
    let isGeographic = self.isGeographic
    try editBorders("move vertex", of: vertex.feature.layer) { layer in
      _ = try layer.moveSharedVertex(at: place, to: target, isGeographic: isGeographic)
    }
    return shareWords(vertices)
  }

  /// Moves the vertex that is picked, or else the selection.
  mutating func move(x: Double, y: Double, alone: Bool) throws {
    guard let vertex = selection.vertex else { return try moveSelection(x: x, y: y) }
    let by = Coordinate(x: isGeographic ? Geodesy.wrapped(x) : x, y: y)
    say("vertex moved" + (try moveVertex(vertex, by: by, alone: alone)))
  }

  /// Deletes a vertex in all areas that share it, or alone; returns what to say of others.
  mutating func removeVertex(_ vertex: VertexReference, alone: Bool) throws -> String {
    let vertices = sharers(of: vertex)
    guard !alone, vertices.count > 1, let place = coordinate(of: vertex) else {
      try editGeometry("delete vertex", of: vertex.feature) { try $0.removeVertex(vertex) }
      return ""
    }
    let isGeographic = self.isGeographic
    try editBorders("delete vertex", of: vertex.feature.layer) { layer in
      try layer.removeSharedVertex(at: place, isGeographic: isGeographic)
    }
    return shareWords(vertices)
  }

  /// Puts a vertex half way to the next one in all areas that share the edge, or alone; returns
  /// what to say of others.
  mutating func insertVertex(after vertex: VertexReference, alone: Bool) throws -> String {
    let next = sharers(of: vertex).first {
      $0.feature == vertex.feature.feature && $0.path == vertex.path && $0.vertex == vertex.vertex
    }?.after
    let sharing = sharers(of: vertex).filter { $0.after == next || $0.before == next }
    guard !alone, sharing.count > 1, let next, let place = coordinate(of: vertex) else {
      try editGeometry("insert vertex", of: vertex.feature) { geometry in
        try geometry.insertVertex(after: vertex)
      }
      return ""
    }
    let isGeographic = self.isGeographic
    try editBorders("insert vertex", of: vertex.feature.layer) { layer in
      _ = try layer.insertSharedVertex(between: place, and: next, isGeographic: isGeographic)
    }
    return shareWords(sharing)
  }

  private mutating func editBorders(
    _ title: String, of layer: LayerID, _ change: (inout any FeatureHolding) throws -> Void
  ) throws {
    do {
      try editFeatures(title, of: layer, change)
    } catch let fault as BorderFault {
      throw EditingError(.refused, fault.words)
    }
  }
}

extension BorderFault {
  fileprivate var words: String {
    let alone = "with --alone only this area changes"
    return switch self {
    case .crossing(let place):
      "the border would cross or touch another one at \(Figures.short(place.x, decimals: 6)) "
        + "\(Figures.short(place.y, decimals: 6)): \(alone)"
    case .parting: "borders part here, so that a gap would be left: \(alone)"
    case .tooFew: "one of the areas would have too few vertices: \(alone)"
    case .seam: "this edge has no middle that all its areas can have: \(alone)"
    }
  }
}
