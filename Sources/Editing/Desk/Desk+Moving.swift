import PortolanDocuments
package import PortolanGraphics

/// Moving, deleting and copying the selection.
extension Desk {
  /// Picks up the selection, or the vertex, to follow the cursor.
  mutating func startCarrying() throws {
    try requireChangeable()
    let vertex = selection.vertex
    if let vertex, let place = coordinate(of: vertex) { visit(place) }
    leaveModes()
    carry = Carry(start: cursor, vertex: vertex)
    say("move, then Enter drops; Esc puts back")
  }

  /// Checks that there is a selection and that all of it may be changed.
  private func requireChangeable() throws {
    if selection.isEmpty { throw EditingError.nothingSelected }
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
      let target = Coordinate(x: place.x + by.x, y: place.y + by.y)
      if isGeographic, abs(target.y) > 90 { throw EditingError.beyondPole }
      try editGeometry("move vertex", of: vertex.feature) { $0.moveVertex(vertex, by: by) }
      settleCursor(at: coordinate(of: vertex) ?? target)
      say("vertex moved" + (snapped.map { "; " + $0 } ?? ""))
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

  mutating func deleteSelection() throws {
    try requireChangeable()
    if let vertex = selection.vertex {
      try editGeometry("delete vertex", of: vertex.feature) { try $0.removeVertex(vertex) }
      pickVertex(after: vertex)
      say("vertex deleted: the next one is picked; Esc lets go of it")
      return
    }
    let gone = amountText(of: selection)
    try editSelection("delete \(CountText.features(selection.count))") { layer, ids in
      layer.remove(ids)
    }
    selection = Selection()
    say("\(gone) deleted: u brings back")
  }

  mutating func yank() throws {
    if selection.isEmpty {
      throw EditingError(
        .refused,
        "nothing is selected: Enter selects the feature under the cursor, Y copies the map")
    }
    session.register.features = selection.features.compactMap { document.feature($0) }
    session.register.system = document.metadata.coordinateSystem
    say("\(CountText.features(session.register.features.count)) copied: p pastes at the cursor")
  }

  /// Adds copies of the yanked features to the active layer.
  mutating func pasteFeatures(inPlace: Bool) throws {
    guard !session.register.features.isEmpty else {
      throw EditingError(.refused, "nothing was copied: y copies")
    }
    let layer = try requireActiveLayer()
    let copies = session.register.features
    var by = Coordinate(x: 0, y: 0)
    let isGeographic = self.isGeographic
    let box = copies.reduce(Box.empty) { box, copy in
      box.union((isGeographic ? copy.geometry.unwrapped : copy.geometry).box)
    }
    if !inPlace, !box.isEmpty {
      by = Coordinate(x: cursor.x - box.center.x, y: cursor.y - box.center.y)
    }
    guard session.register.system == document.metadata.coordinateSystem else {
      throw EditingError(
        .refused,
        "the copied features are of another coordinate system (\(session.register.system.name))")
    }
    if isGeographic, box.maxY + by.y > 90 || box.minY + by.y < -90 {
      throw EditingError.beyondPole
    }
    var ids: [FeatureID] = []
    try editFeatures("paste \(CountText.features(copies.count))", of: layer.id) { layer in
      for copy in copies {
        var geometry = copy.geometry
        if !inPlace {
          geometry.move(x: by.x, y: by.y, isGeographic: isGeographic)
        }
        guard geometry.isFinite else { throw EditingError.beyondNumbers }
        ids.append(
          layer.add(geometry: geometry, attributes: copy.attributes, isExact: inPlace))
      }
    }
    select(ids.map { FeatureReference(layer: layer.id, feature: $0) }, .replace)
    say("\(CountText.features(copies.count)) pasted into \(layer.name)")
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
