import PortolanDocuments
import PortolanGraphics

/// Copied features.
package struct Register: Sendable {
  var features: [Feature] = []
  /// The system of their coordinates.
  var system = CoordinateSystem.crs84
  /// The name of the layer of the first one.
  var layerName = ""
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
      layerName: document[layer: first.layer]?.name ?? "")
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
    let target = document.layers.isEmpty ? nil : try requireActiveLayer().id
    let isGeographic = self.isGeographic
    var added: (layer: LayerID, features: [FeatureID])?
    try edit("paste \(CountText.features(register.features.count))") { document in
      if isForeign { document.metadata.take(register.system) }
      added = try document.changeFeatures(of: target, named: register.layerName) { layer in
        try register.features.map { copy in
          var geometry = copy.geometry
          if !isInPlace { geometry.move(x: by.x, y: by.y, isGeographic: isGeographic) }
          guard geometry.isFinite else { throw EditingError.beyondNumbers }
          return layer.add(geometry: geometry, attributes: copy.attributes, isExact: isInPlace)
        }
      }
    }
    guard let added else { return }
    activeLayer = added.layer
    if wasEmpty, isInPlace {
      file.planeReference = document.extent
      fit(document.extent)
    }
    select(added.features.map { FeatureReference(layer: added.layer, feature: $0) }, .replace)
    let name = document[layer: added.layer]?.name ?? ""
    say("\(CountText.features(added.features.count)) pasted into \(name)")
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
      throw EditingError.beyondPole
    }
    return by
  }
}

extension Document {
  /// Changes a layer of features, or adds a new one; returns its number and the result.
  fileprivate mutating func changeFeatures<Result>(
    of id: LayerID?, named name: String, _ change: (inout any FeatureHolding) throws -> Result
  ) throws -> (LayerID, Result) {
    let index = layers.firstIndex { $0.id == id }
    var layer: any FeatureHolding
    if let index {
      guard let holding = layers[index] as? any FeatureHolding else {
        throw EditingError(.notFound, "that layer holds no features")
      }
      if isProtected(holding) { throw EditingError.locked(holding.name) }
      layer = holding
    } else {
      layer = LayerKinds.features(LayerID(nextID), name: name)
    }
    let result = try change(&layer)
    guard let index else {
      add([layer], hasLooks: false)
      return (layers[layers.count - 1].id, result)
    }
    layers[index] = layer
    return (layer.id, result)
  }
}

extension EditingError {
  fileprivate static func systemsDiffer(
    _ copied: CoordinateSystem, _ mine: CoordinateSystem
  ) -> EditingError {
    EditingError(
      .refused,
      "the copied features are in \(copied.words), the document in \(mine.words): "
        + "paste them into an empty document")
  }
}
