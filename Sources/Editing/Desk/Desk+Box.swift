import PortolanDocuments
package import PortolanGraphics
import PortolanRendering

/// Choosing features with a box.
extension Desk {
  mutating func startBox(takesAllLayers: Bool) {
    leaveModes()
    map.box = SelectionBox(anchor: cursor, takesAllLayers: takesAllLayers)
  }

  /// Toggles whether the open box takes features of all layers or only of the active one.
  mutating func toggleBoxLayers() throws {
    guard let box = map.box else { throw EditingError.noBox }
    map.box?.takesAllLayers.toggle()
    if !box.takesAllLayers {
      let count = featuresInView.count
      say("the box takes from \(CountText.text(count, "layer", "layers")); a: only the active one")
    } else {
      say("the box takes from layer \(try requireActiveLayer().name) only")
    }
  }

  /// Selects the features in the box.
  ///
  /// - Parameters:
  ///   - given: A box to take instead of the open one; on the globe `minX > maxX` spans the
  ///     antimeridian.
  ///   - fromAll: Whether all visible, unlocked layers count, not only the active one.
  mutating func finishBox(
    _ change: SelectionChange, given: Box? = nil, fromAll: Bool = false
  ) throws {
    let box = try given ?? boxToTake()
    let takesAll = fromAll || map.box?.takesAllLayers == true
    let layers = takesAll ? featuresInView : try activeLayers()
    map.box = nil
    let found = features(in: box, of: layers)
    select(found, change)
    if found.isEmpty {
      let place = takesAll ? "" : " of layer \(try requireActiveLayer().name)"
      let advice = takesAll || isScripted ? "" : ": in a box, a takes all layers"
      let kept = selection.isEmpty ? "" : "; \(selectedText)"
      say("nothing\(place) is in the box\(advice)\(kept)")
    } else if selection.count == 1 {
      sayFeature(selection.features[0])
    }
  }

  /// The layers meant by the active one: itself, or those of a group.
  private func activeLayers() throws -> [any FeatureHolding] {
    let active = try requireActiveLayer()
    if document.isProtected(active) { throw EditingError.locked(active.name) }
    if !document.isShown(active) {
      throw EditingError(
        .refused, "layer “\(active.name)” is hidden: :show it, or let the box take all layers")
    }
    if !isScripted, !document.isInZoom(active, at: camera.magnification) {
      throw EditingError(
        .refused,
        "layer “\(active.name)” is hidden at this zoom: zoom, or let the box take all layers")
    }
    if active is any FeatureHolding { return featuresInView.filter { $0.id == active.id } }
    let inside = featuresInView.filter { layer in
      document.groups(around: layer).contains { $0.id == active.id }
    }
    guard !inside.isEmpty else {
      throw EditingError(
        .refused, "layer “\(active.name)” holds no features: choose another, or take all layers")
    }
    return inside
  }

  /// The selection box: in a script exactly between its corners, else with the whole cells of the
  /// corners.
  private func boxToTake() throws -> Box {
    guard let anchor = map.box?.anchor, let box = selectionRectangle else {
      throw EditingError.noBox
    }
    if isScripted {
      guard !isGeographic || abs(cursor.x - anchor.x) <= 180 else {
        throw EditingError(
          .refused, "the corners lie more than 180 degrees apart: --bbox W,S,E,N says which way")
      }
      return box
    }
    let camera = self.camera
    guard let start = camera.dot(at: anchor), let end = camera.dot(at: cursor) else {
      return box
    }
    let (west, east) = Self.cellEdges(start.x, end.x, dots: 2)
    let (north, south) = Self.cellEdges(start.y, end.y, dots: 4)
    let topLeft = camera.coordinate(at: DotPoint(x: west, y: north))
    let bottomRight = camera.coordinate(at: DotPoint(x: east, y: south))
    return Box(minX: topLeft.x, minY: bottomRight.y, maxX: bottomRight.x, maxY: topLeft.y)
  }

  /// The outer edges of the cells of two dots.
  private static func cellEdges(_ a: Double, _ b: Double, dots: Double) -> (Double, Double) {
    ((min(a, b) / dots).rounded(.down) * dots, ((max(a, b) / dots).rounded(.down) + 1) * dots)
  }

  /// Zooms to the box.
  mutating func zoomToBox(_ given: Box? = nil) throws {
    guard let box = given ?? selectionRectangle else { throw EditingError.noBox }
    map.box = nil
    fit(box)
  }

  /// The box between the anchor of the selection box and the cursor.
  ///
  /// On the globe it spans its corners as the map shows them, on the side of the centre; its
  /// numbers may go past ±180.
  package var selectionRectangle: Box? {
    guard let anchor = map.box?.anchor else { return nil }
    var box = Box.empty
    for corner in [anchor, cursor] {
      var corner = corner
      if plane.isGeographic, !isScripted {
        let middle = camera.center.x
        corner.x = middle + Geodesy.wrapped(corner.x - middle)
      }
      box.formUnion(corner)
    }
    return box
  }

  // MARK: Words

  /// The number of selected features, and their layers.
  var selectedText: String {
    selection.isEmpty
      ? "nothing selected" : "\(selection.count) selected\(layersText(of: selection))"
  }

  /// The number of some features, and their layers: `3 features of cities`.
  func amountText(of features: Selection) -> String {
    CountText.features(features.count) + layersText(of: features)
  }

  /// ` of cities`, or ` (cities 5, countries 2)`.
  private func layersText(of features: Selection) -> String {
    var counts: [LayerID: Int] = [:]
    for feature in features.features { counts[feature.layer, default: 0] += 1 }
    let layers = document.layers.reversed().compactMap { layer in
      counts[layer.id].map { (name: layer.name, count: $0) }
    }
    if layers.count == 1 { return " of \(layers[0].name)" }
    let shown = layers.prefix(4).map { "\($0.name) \($0.count)" }
    let rest = layers.count - shown.count
    let more = rest > 0 ? ["\(CountText.text(rest, "more layer", "more layers"))"] : []
    return layers.isEmpty ? "" : " (\((shown + more).joined(separator: ", ")))"
  }
}

extension EditingError {
  static let noBox = EditingError(.refused, "no box is open: v starts one")
}
