import PortolanDocuments
import PortolanGraphics

/// Copied features.
package struct Register: Sendable {
  /// The features of one layer.
  struct Part: Sendable {
    /// The layer without its features.
    var layer: any FeatureHolding
    var features: [Feature]

    var name: String { layer.name }
  }

  /// In the order of their layers, the lowest first.
  var parts: [Part] = []
  /// The system of their coordinates.
  var system = CoordinateSystem.crs84
  /// The document that they were copied from.
  var document: OpenDocument.ID?
  /// Its place in the order in which the people of the workspace have copied.
  var turn = 0

  var features: [Feature] { parts.flatMap(\.features) }
  var count: Int { parts.reduce(0) { $0 + $1.features.count } }

  /// The same features as those of one layer.
  var together: Register {
    guard let first = parts.first else { return self }
    let part = Part(layer: first.layer, features: features)
    return Register(parts: [part], system: system, document: document, turn: turn)
  }

  /// Whether adding them may take longer than half a second.
  var isLarge: Bool {
    var cost = 0
    for feature in parts.lazy.flatMap(\.features) {
      cost += 4 + feature.geometry.paths.reduce(0) { $0 + $1.vertices.count }
      if cost >= EditRequest.least { return true }
    }
    return false
  }
}

/// What another person of the workspace has copied.
package struct OfferedCopies: Sendable {
  let person: String
  let register: Register
}

/// Copying features, also from one document into another, and from one person to another.
extension Desk {
  mutating func yank() throws {
    try requireRead()
    guard !selection.features.isEmpty else {
      throw nothingSelected(or: isMapPane ? "Y copies the map" : "Y copies all rows as text")
    }
    let selected = Dictionary(grouping: selection.features, by: \.layer)
    let parts = document.layers.compactMap { layer -> Register.Part? in
      let features = (selected[layer.id] ?? []).compactMap { document.feature($0) }
      guard !features.isEmpty, let layer = layer as? any FeatureHolding else { return nil }
      return Register.Part(layer: LayerKinds.features(layer.id, like: layer), features: features)
    }
    session.register = Register(
      parts: parts, system: document.metadata.coordinateSystem, document: file.id,
      turn: max(session.register.turn, offered?.register.turn ?? 0) + 1)
    let layers = parts.count > 1 ? " of \(parts.count) layers" : ""
    let next = isMapPane ? "p pastes at the cursor" : "p on the map pastes, Y copies as text"
    say("\(CountText.features(session.register.count))\(layers) copied: \(next)")
  }

  /// Adds copies of the yanked features to the active layer; those of several layers to the layers
  /// that they were copied from, in another document to those of the same names. Layers that are
  /// missing are made.
  ///
  /// A document without features takes over the coordinate system of the copies. They stay in
  /// place then, because the cursor's position is one of another system.
  ///
  /// - Parameters:
  ///   - intoActive: whether all go into the active layer.
  ///   - isTheirs: whether the copies are what another person copied last; else they are that only
  ///     if this person has copied nothing.
  mutating func pasteFeatures(
    inPlace: Bool, intoActive: Bool = false, isTheirs: Bool = false
  ) throws {
    let taken = isTheirs || session.register.parts.isEmpty ? offered : nil
    let copies = taken?.register ?? session.register
    let register = intoActive ? copies.together : copies
    guard !register.parts.isEmpty, taken != nil || !isTheirs else {
      throw EditingError(
        .refused, isTheirs ? "nobody else here has copied anything" : "nothing was copied: y copies"
      )
    }
    try requireMap()
    let wasEmpty = document.extent.isEmpty
    let isForeign = register.system != document.metadata.coordinateSystem
    if isForeign, !wasEmpty {
      throw EditingError.systemsDiffer(register.system, document.metadata.coordinateSystem)
    }
    let isInPlace = inPlace || isForeign
    let by = isInPlace ? Coordinate(x: 0, y: 0) : try offset(of: register.features)
    let targets = try targets(of: register)
    let isGeographic = self.isGeographic
    let count = register.count
    let text = CountText.features(count)
    let names = zip(register.parts, targets).map { part, target in
      target.flatMap { document[layer: $0]?.name } ?? part.name
    }
    try edit(
      "paste \(text)", isLong: register.isLarge,
      saying: "\(text) pasted into \(Self.listed(names))"
        + (taken.map { ", copied by \($0.person)" } ?? "")
    ) { document, progress in
      if isForeign { document.metadata.take(register.system) }
      var done = 0
      for (part, target) in zip(register.parts, targets) {
        try document.add(part.features, to: target, like: part.layer, isInPlace) {
          var geometry = $0
          if !isInPlace { geometry.move(x: by.x, y: by.y, isGeographic: isGeographic) }
          guard geometry.isFinite else { throw EditingError.beyondNumbers }
          done += 1
          if done.isMultiple(of: 256) { try progress.report(Double(done) / Double(count)) }
          return geometry
        }
      }
    } then: { desk in
      let made = desk.document.layers.suffix(targets.count { $0 == nil }).map(\.id)
      var next = made.makeIterator()
      let places = zip(register.parts, targets).compactMap { part, target in
        (target ?? next.next()).map { (layer: $0, count: part.features.count) }
      }
      desk.showPasted(places, fitting: wasEmpty && isInPlace)
    }
  }

  /// The layers that the parts of copies go into; `nil` for those that are made.
  private func targets(of register: Register) throws -> [LayerID?] {
    guard register.parts.count > 1 else {
      return [document.layers.isEmpty ? nil : try requireActiveLayer().id]
    }
    return register.parts.map { part in
      let known = document.layers.filter { $0 is any FeatureHolding }
      let own = register.document == file.id ? known.first { $0.id == part.layer.id } : nil
      return (own ?? known.first { $0.name == part.name })?.id
    }
  }

  /// Names with commas between them; of many the first ones and their number.
  private static func listed(_ names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more layers" : shown
  }

  /// Selects the last features of layers.
  private mutating func showPasted(_ places: [(layer: LayerID, count: Int)], fitting: Bool) {
    if let last = places.last { activeLayer = last.layer }
    if fitting { fit(document.extent) }
    var pasted: [FeatureReference] = []
    for place in places {
      guard let layer = document[layer: place.layer] as? any FeatureHolding else { continue }
      var blocks: [FeatureBlock] = []
      var known = 0
      for block in layer.blocks.reversed() where known < place.count {
        blocks.append(block)
        known += block.rowCount
      }
      let added = blocks.reversed().flatMap(\.featureIDs).suffix(place.count)
      pasted += added.map { FeatureReference(layer: layer.id, feature: $0) }
    }
    select(pasted, .replace)
  }

  /// The offset that brings the middle of features to the cursor: of each its largest part counts,
  /// so that a country comes to lie there whatever islands it has.
  private func offset(of features: [Feature]) throws -> Coordinate {
    let isGeographic = self.isGeographic
    let geometries = features.map { isGeographic ? $0.geometry.unwrapped : $0.geometry }
    let box = geometries.reduce(Box.empty) { $0.union($1.box) }
    if box.isEmpty { return Coordinate(x: 0, y: 0) }
    let middle = geometries.reduce(Box.empty) { $0.union($1.boxOfLargestPart) }.center
    let by = Coordinate(x: cursor.x - middle.x, y: cursor.y - middle.y)
    if isGeographic, box.maxY + by.y > 90 || box.minY + by.y < -90 {
      throw EditingError(
        .refused, "at the cursor they would reach beyond the pole: P pastes them in their place")
    }
    return by
  }
}

extension Document {
  /// Adds features to a layer, or to a new one of the kind and the looks of another one.
  fileprivate mutating func add(
    _ features: [Feature], to id: LayerID?, like model: any FeatureHolding, _ isExact: Bool,
    _ placed: (Geometry) throws -> Geometry
  ) throws {
    guard let id else {
      var layer = LayerKinds.features(LayerID(nextID), like: model)
      try layer.add(features, isExact: isExact, placed)
      return add([layer], hasLooks: true)
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
