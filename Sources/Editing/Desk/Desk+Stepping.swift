import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// Stepping through features, layers, vertices and matches.
extension Desk {
  /// Goes so many steps forward or back.
  mutating func step(_ target: StepTarget, by steps: Int) throws {
    switch target {
    case .near: try stepNear(by: steps)
    case .feature: try stepFeature(by: steps)
    case .layer: try stepLayer(by: -steps)
    case .layerLine: stepLayerLine(by: -steps)
    case .selected: try stepSelected(by: steps)
    case .vertex: try stepVertex(by: steps)
    case .match: try stepMatch(by: steps)
    case .finding: try stepFinding(by: steps)
    }
  }

  /// An index some steps on, around the end.
  private func around(_ index: Int, by steps: Int, of count: Int) -> Int {
    ((index + steps) % count + count) % count
  }

  // MARK: Near

  /// A walk from feature to feature by their distance from its starting point.
  struct NearWalk: Sendable {
    var revision: Int
    var order: [(feature: FeatureReference, place: Coordinate)]
    var index: Int
  }

  private mutating func stepNear(by steps: Int) throws {
    if work.nearWalk?.revision != history.present.revision
      || work.nearWalk.map({ $0.order[$0.index].place }) != cursor
    {
      work.nearWalk = makeNearWalk()
    }
    guard var walk = work.nearWalk, !walk.order.isEmpty else {
      work.nearWalk = nil
      throw EditingError(.notFound, "no features in view: _ shows everything")
    }
    let isFresh = walk.index < 0
    walk.index = around(isFresh && steps < 0 ? 0 : walk.index, by: steps, of: walk.order.count)
    let next = walk.order[walk.index]
    let kept = cursor
    settleCursor(at: next.place)
    // Beyond the map's edge by rounding: the walk takes the cursor's place.
    if cursor != next.place { cursor = next.place }
    work.nearWalk = walk
    work.arrival = Arrival(feature: next.feature, place: cursor)
    if kept != cursor || steps != 0 { sayFeature(next.feature) }
  }

  /// The features in view by their distance from the cursor, at most ten thousand; in a script,
  /// which has no view, all of them.
  func makeNearWalk() -> NearWalk {
    let (isScripted, plane, cursor) = (self.isScripted, self.plane, self.cursor)
    let camera =
      isScripted
      ? Camera(plane: plane, center: cursor, zoom: 10, size: CellSize(columns: 80, rows: 24))
      : self.camera
    let visible = camera.visible
    let picker = Picker(camera: camera, point: cursor, tolerance: 1)
    var found: [(square: Double, feature: FeatureReference, place: Coordinate)] = []
    for layer in choosableLayers {
      for block in layer.blocks {
        guard isScripted || found.count < 10_000 else { break }
        for row in 0..<block.rowCount
        where isScripted
          || block.geometry.boxes[row].mayShow(in: visible, isGeographic: plane.isGeographic)
        {
          guard let place = block.geometry.geometry(ofFeature: row).anchor,
            isScripted || camera.cell(at: place) != nil
          else { continue }
          let reference = FeatureReference(layer: layer.id, feature: block.featureIDs[row])
          let turned = plane.isGeographic ? Geodesy.wrapped(place.x - cursor.x) : place.x - cursor.x
          let near = Coordinate(x: cursor.x + turned, y: place.y)
          found.append((picker.square(near, cursor.x), reference, place))
        }
      }
    }
    found.sort { ($0.square, $0.feature.feature) < ($1.square, $1.feature.feature) }
    return NearWalk(
      revision: history.present.revision, order: found.map { ($0.feature, $0.place) }, index: -1)
  }

  // MARK: Features and layers

  private mutating func stepFeature(by steps: Int) throws {
    let layer = try requireActiveLayer()
    if document.isProtected(layer) { throw EditingError.locked(layer.name) }
    guard let holder = shown(layer) as? any FeatureHolding, holder.count > 0 else {
      throw EditingError(.notFound, "layer \(layer.name) has no features")
    }
    let starts = holder.blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rowCount) }
    var index = steps > 0 ? -1 : 0
    if let current = selection.currentFeature, current.layer == layer.id,
      let place = holder.position(of: current.feature)
    {
      index = starts[place.block] + place.row
    }
    index = around(index, by: steps, of: holder.count)
    let block = starts.lastIndex { $0 <= index } ?? 0
    let id = holder.blocks[block].featureIDs[index - starts[block]]
    visit(FeatureReference(layer: layer.id, feature: id), "\(index + 1) of \(holder.count)")
  }

  private mutating func stepLayer(by steps: Int) throws {
    let layers = document.layers
    let layer = try requireActiveLayer()
    let index = layers.firstIndex { $0.id == layer.id } ?? 0
    let next = layers[around(index, by: steps, of: layers.count)]
    activeLayer = next.id
    say("active layer: \(next.name)")
  }

  private mutating func stepLayerLine(by steps: Int) {
    let layers = document.layers
    guard let index = layers.firstIndex(where: { $0.id == activeLayer }) else { return }
    activeLayer = layers[min(max(0, index + steps), layers.count - 1)].id
  }

  private mutating func stepSelected(by steps: Int) throws {
    if selection.isEmpty { throw nothingSelected() }
    selection.current = around(selection.current, by: steps, of: selection.count)
    let reference = selection.features[selection.current]
    selection.vertex = nil
    if let place = document.feature(reference)?.geometry.anchor { visit(place) }
    work.arrival = Arrival(feature: reference, place: cursor)
    sayFeature(reference, suffix: "\(selection.current + 1) of \(selection.count) selected")
  }

  /// Chooses a feature and goes to it.
  mutating func visit(_ reference: FeatureReference, _ suffix: String) {
    select([reference], .replace)
    if let place = document.feature(reference)?.geometry.anchor { visit(place) }
    work.arrival = Arrival(feature: reference, place: cursor)
    sayFeature(reference, suffix: suffix)
  }

  /// The error of what needs a selection: it tells how to make one where the keys are, and what
  /// else would do.
  func nothingSelected(or remedy: String = "") -> EditingError {
    let advice =
      isScripted
      ? "select where CONDITION or go name NAME selects" : pane.kind.selecting.advice
    return EditingError(
      .refused, "nothing is selected: \(advice)" + (remedy.isEmpty ? "" : ", \(remedy)"))
  }
}

extension EditingError {
  static let beyondPole = EditingError(.refused, "that would reach beyond the pole")
  static let beyondNumbers = EditingError(
    .refused, "that would reach beyond what a coordinate can be")
}
