import PortolanDocuments
import PortolanGraphics

/// Copied features.
package struct Register: Sendable {
  var features: [Feature] = []
  /// The system of their coordinates.
  var system = CoordinateSystem.crs84
  /// The name of the layer of the first one.
  var layerName = ""

  /// Whether adding them may take longer than half a second.
  var isLarge: Bool {
    var cost = 0
    for feature in features {
      cost += 4 + feature.geometry.paths.reduce(0) { $0 + $1.vertices.count }
      if cost >= EditRequest.least { return true }
    }
    return false
  }
}

/// Copying features, also from one document into another.
extension Desk {
  mutating func yank() throws {
    guard let first = selection.features.first else {
      throw EditingError(
        .refused,
        "nothing is selected: Enter selects the feature under the cursor, Y copies the map")
    }
    session.register = Register(
      features: selection.features.compactMap { document.feature($0) },
      system: document.metadata.coordinateSystem,
      layerName: document[layer: first.layer]?.name ?? "copies")
    say("\(CountText.features(session.register.features.count)) copied: p pastes at the cursor")
  }

  /// Adds copies of the yanked features to the active layer; the first layer is made for them.
  ///
  /// A document without features takes over the coordinate system of the copies. They stay in
  /// place then, because the cursor's position is one of another system.
  mutating func pasteFeatures(inPlace: Bool) throws {
    let register = session.register
    guard !register.features.isEmpty else {
      throw EditingError(.refused, "nothing was copied: y copies")
    }
    try requireMap()
    let wasEmpty = document.extent.isEmpty
    let isForeign = register.system != document.metadata.coordinateSystem
    if isForeign, !wasEmpty {
      throw EditingError.systemsDiffer(register.system, document.metadata.coordinateSystem)
    }
    let isInPlace = inPlace || isForeign
    let by = isInPlace ? Coordinate(x: 0, y: 0) : try offset(of: register.features)
    let target = document.layers.isEmpty ? nil : try requireActiveLayer()
    let isGeographic = self.isGeographic
    let count = register.features.count
    let text = CountText.features(count)
    try edit(
      "paste \(text)", isLong: register.isLarge,
      saying: "\(text) pasted into \(target?.name ?? register.layerName)"
    ) { document, progress in
      if isForeign { document.metadata.take(register.system) }
      var done = 0
      try document.add(register.features, to: target?.id, named: register.layerName, isInPlace) {
        var geometry = $0
        if !isInPlace { geometry.move(x: by.x, y: by.y, isGeographic: isGeographic) }
        guard geometry.isFinite else { throw EditingError.beyondNumbers }
        done += 1
        if done.isMultiple(of: 256) { try progress.report(Double(done) / Double(count)) }
        return geometry
      }
    } then: { desk in
      desk.showPasted(count, in: target?.id, fitting: wasEmpty && isInPlace)
    }
  }

  /// Selects the last features of a layer, of the highest without one.
  private mutating func showPasted(_ count: Int, in layer: LayerID?, fitting: Bool) {
    let layer = layer.flatMap { document[layer: $0] } ?? document.layers.last
    guard let layer = layer as? any FeatureHolding else { return }
    activeLayer = layer.id
    if fitting {
      file.planeReference = document.extent
      fit(document.extent)
    }
    var blocks: [FeatureBlock] = []
    var known = 0
    for block in layer.blocks.reversed() where known < count {
      blocks.append(block)
      known += block.rowCount
    }
    let added = blocks.reversed().flatMap(\.featureIDs).suffix(count)
    select(added.map { FeatureReference(layer: layer.id, feature: $0) }, .replace)
  }

  /// The offset that brings the middle of features to the cursor.
  private func offset(of features: [Feature]) throws -> Coordinate {
    let isGeographic = self.isGeographic
    let box = features.reduce(Box.empty) { box, feature in
      box.union((isGeographic ? feature.geometry.unwrapped : feature.geometry).box)
    }
    if box.isEmpty { return Coordinate(x: 0, y: 0) }
    let by = Coordinate(x: cursor.x - box.center.x, y: cursor.y - box.center.y)
    if isGeographic, box.maxY + by.y > 90 || box.minY + by.y < -90 {
      throw EditingError(
        .refused, "at the cursor they would reach beyond the pole: P pastes them in their place")
    }
    return by
  }
}

extension Document {
  /// Adds features to a layer, or to a new one.
  fileprivate mutating func add(
    _ features: [Feature], to id: LayerID?, named name: String, _ isExact: Bool,
    _ placed: (Geometry) throws -> Geometry
  ) throws {
    guard let id else {
      var layer = LayerKinds.features(LayerID(nextID), name: name)
      try layer.add(features, isExact: isExact, placed)
      return add([layer], hasLooks: false)
    }
    guard let index = layers.firstIndex(where: { $0.id == id }),
      var layer = layers[index] as? any FeatureHolding
    else { throw EditingError(.notFound, "that layer holds no features") }
    if isProtected(layer) { throw EditingError.locked(layer.name) }
    try layer.add(features, isExact: isExact, placed)
    layers[index] = layer
  }
}

extension EditingError {
  fileprivate static func systemsDiffer(
    _ copied: CoordinateSystem, _ mine: CoordinateSystem
  ) -> EditingError {
    EditingError(
      .refused,
      "the copied features are \(copied.words), those of the document are \(mine.words): "
        + "paste them into an empty document")
  }
}
