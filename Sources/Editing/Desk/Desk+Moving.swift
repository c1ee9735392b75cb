import PortolanDocuments
package import PortolanGraphics

/// Moving and deleting the selection.
extension Desk {
  /// Picks up the selection, or the vertex, to follow the cursor.
  ///
  /// - Parameter alone: whether a vertex that several areas share moves in this one alone.
  mutating func startCarrying(alone: Bool = false) throws {
    try requireChangeable()
    let vertex = selection.vertex
    if let vertex, let place = coordinate(of: vertex) { visit(place) }
    leaveModes()
    carry = Carry(start: cursor, vertex: vertex, isAlone: alone)
    let shared = alone ? "" : vertex.map { shareWords(sharers(of: $0), key: "gm") } ?? ""
    say("move, then Enter drops; Esc puts back" + shared)
  }

  /// Checks that there is a selection and that all of it may be changed.
  private func requireChangeable() throws {
    if selection.isEmpty { throw nothingSelected() }
    try requireWritable()
    for layer in document.layers where document.isProtected(layer) {
      if selection.features.contains(where: { $0.layer == layer.id }) {
        throw EditingError.locked(layer.name)
      }
    }
  }

  /// The offset from the place of picking up to the cursor.
  package var carriedBy: Coordinate? {
    guard let carry else { return nil }
    let place = carry.vertex == nil ? cursor : snappedCursor
    var x = place.x - carry.start.x
    if isGeographic, x.isFinite { x = Geodesy.wrapped(x) }
    return Coordinate(x: x, y: place.y - carry.start.y)
  }

  mutating func dropCarried() throws {
    guard let carry, let by = carriedBy else {
      throw EditingError(.refused, "nothing is being moved: m picks up")
    }
    let snapped = carry.vertex == nil ? nil : snapWords(snapTarget)
    self.carry = nil
    guard by.x != 0 || by.y != 0 else {
      say("not moved")
      return
    }
    if let vertex = carry.vertex {
      guard let place = coordinate(of: vertex) else { return }
      let shared = try moveVertex(vertex, by: by, alone: carry.isAlone)
      settleCursor(
        at: coordinate(of: vertex) ?? Coordinate(x: place.x + by.x, y: place.y + by.y))
      say("vertex moved" + shared + (snapped.map { "; " + $0 } ?? ""))
    } else {
      try moveSelection(x: by.x, y: by.y)
      session.lastEditLine = "move --by \(by.x),\(by.y)"
    }
  }

  mutating func moveSelection(x: Double, y: Double) throws {
    try requireChangeable()
    let box = selectionBox
    let isGeographic = self.isGeographic
    if isGeographic, y != 0, box.maxY + y > 90 || box.minY + y < -90 {
      throw EditingError.beyondPole
    }
    // A full turn of the globe moves nothing.
    let x = isGeographic ? Geodesy.wrapped(x) : x
    let title = "move \(CountText.features(selection.count))"
    let message = "moved \(amountText(of: selection))"
    let selection = self.selection
    let total = Double(max(1, selection.count))
    try edit(title, isLong: isLong, saying: message) { document, progress in
      var count = 0
      try selection.change(in: &document) { layer, ids in
        try layer.changeGeometries(of: ids) { geometry in
          geometry.move(x: x, y: y, isGeographic: isGeographic)
          guard geometry.isFinite else { throw EditingError.beyondNumbers }
          count += 1
          if count.isMultiple(of: 256) { try progress.report(Double(count) / total) }
        }
      }
    }
  }

  /// Whether changing the selected features may take longer than half a second.
  private var isLong: Bool {
    let layers = Set(selection.features.map(\.layer))
    let vertices = document.layers.reduce(0) { sum, layer in
      guard layers.contains(layer.id), let holding = layer as? any FeatureHolding else {
        return sum
      }
      return sum + holding.blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    }
    return selection.count + vertices >= EditRequest.least && selection.count > 1
  }

  /// Changes all selected features in one undoable step.
  private mutating func editSelection(
    _ title: String, _ change: (inout any FeatureHolding, Set<FeatureID>) throws -> Void
  ) throws {
    let selection = self.selection
    try edit(title) { try selection.change(in: &$0, change) }
  }

  /// - Parameter alone: whether a vertex that several areas share goes in this one alone.
  mutating func deleteSelection(alone: Bool = false) throws {
    try requireChangeable()
    if let vertex = selection.vertex {
      let shared = try removeVertex(vertex, alone: alone)
      pickVertex(after: vertex)
      say("vertex deleted\(shared): the next one is picked; Esc lets go of it")
      return
    }
    let gone = amountText(of: selection)
    try editSelection("delete \(CountText.features(selection.count))") { layer, ids in
      layer.remove(ids)
    }
    selection = Selection()
    say("\(gone) deleted: u brings back")
  }
}

extension Selection {
  /// Changes the layers that hold selected features.
  fileprivate func change(
    in document: inout Document,
    _ change: (inout any FeatureHolding, Set<FeatureID>) throws -> Void
  ) throws {
    for index in document.layers.indices {
      let ids = ids(in: document.layers[index].id)
      guard !ids.isEmpty, var layer = document.layers[index] as? any FeatureHolding else {
        continue
      }
      if document.isProtected(layer) { throw EditingError.locked(layer.name) }
      try change(&layer, ids)
      document.layers[index] = layer
    }
  }
}
