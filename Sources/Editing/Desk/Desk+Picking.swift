package import PortolanDocuments
package import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// Picking: features and snap targets at the cursor.
extension Desk {
  /// The layers that the map shows, from the bottom up: in a script at any zoom.
  private var layersInView: [any Layer] {
    isScripted ? shownDocument.shownLayers : shownDocument.shownLayers(at: camera.magnification)
  }

  /// Layers that can be picked from, topmost first.
  private var pickableLayers: [any Layer] {
    layersInView.reversed().filter { !document.isProtected($0) }
  }

  /// Layers whose features can be picked and taken by boxes, topmost first.
  var featuresInView: [any FeatureHolding] {
    pickableLayers.compactMap { $0 as? any FeatureHolding }
  }

  /// Layers whose features can be chosen and found, at any zoom; topmost first.
  var choosableLayers: [any FeatureHolding] {
    shownDocument.shownLayers.reversed().filter { !document.isProtected($0) }
      .compactMap { $0 as? any FeatureHolding }
  }

  /// Features under the cursor: points before lines before areas, topmost layer first.
  ///
  /// A point exactly at the cursor comes first, then those in its cell, the highest first: the cell
  /// shows its sign.
  ///
  /// In a script those exactly at the cursor, else those near its cell. In a table that of the row.
  package var featuresHere: [FeatureReference] {
    if let table {
      return document.isProtected(table.layer) ? [] : [table.reference(table.row)].compactMap { $0 }
    }
    return isScripted ? features(at: cursor) : features(near: cursor)
  }

  private func features(at place: Coordinate) -> [FeatureReference] {
    let box = Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
    return features(on: PickCanvas(touching: box, isGeographic: isGeographic))
  }

  func features(near point: Coordinate) -> [FeatureReference] {
    let camera = self.camera
    guard camera.size.columns > 0, camera.size.rows > 0 else { return [] }
    return features(
      on: PickCanvas(near: Picker(camera: camera, point: point, tolerance: 3.2)), of: camera,
      cell: camera.cell(at: point))
  }

  /// The features that a canvas picks from the layers.
  ///
  /// - Parameter cell: the cell of a camera's picture where a sign comes before its neighbours.
  private func features(
    on canvas: PickCanvas, of camera: Camera? = nil, cell: (column: Int, row: Int)? = nil
  ) -> [FeatureReference] {
    var found: [PickedFeature] = []
    for (order, layer) in pickableLayers.enumerated() {
      var canvas = canvas
      layer.draw(on: &canvas, labelPriority: 0)
      // Hits of one block follow each other.
      var (block, ids): (GeometryBlock?, [FeatureID]) = (nil, [])
      for hit in canvas.hits {
        if hit.block !== block { (block, ids) = (hit.block, layer.featureIDs(of: hit.block) ?? []) }
        guard ids.indices.contains(hit.row) else { continue }
        var picked = PickedFeature(
          dimension: hit.dimension, order: order, distance: hit.distance, number: found.count,
          feature: FeatureReference(layer: layer.id, feature: ids[hit.row]))
        if let cell, hit.distance > 1e-6, let place = hit.point,
          let shown = camera?.cell(at: place), shown == cell
        {
          picked.rankInCell = layer.ranks(of: hit.block)?[hit.row] ?? -.infinity
        }
        found.append(picked)
      }
    }
    return found.sorted { $0.precedes($1) }.map(\.feature)
  }

  /// Features of some layers that intersect a box, in the layers' order.
  func features(in box: Box, of layers: [any FeatureHolding]) -> [FeatureReference] {
    let touch = BoxTouch(box, isGeographic: isGeographic)
    return layers.flatMap { layer in
      layer.blocks.flatMap { block in
        touch.rows(in: block.geometry).map {
          FeatureReference(layer: layer.id, feature: block.featureIDs[$0])
        }
      }
    }
  }

  /// All shown features of a layer.
  func features(of layer: any Layer) -> [FeatureReference] {
    guard let layer = shown(layer) as? any FeatureHolding else { return [] }
    return layer.blocks.flatMap { block in
      block.featureIDs.map { FeatureReference(layer: layer.id, feature: $0) }
    }
  }

  /// All features of visible, unlocked layers.
  var visibleFeatures: [FeatureReference] { featuresInView.flatMap { features(of: $0) } }

  /// The place of a vertex put at the cursor, after snapping.
  package var snappedCursor: Coordinate { snapTarget?.place ?? cursor }

  /// The snap target at the cursor; `nil` if there is none.
  ///
  /// A typed position does not snap, and a script has no cells to be near in.
  package var snapTarget: SnapTarget? {
    guard snap != .off, !isScripted, !mapArea.isEmpty, cursor != map.typedCursor else {
      return nil
    }
    var snapper = Snapper(camera: camera, point: cursor, mode: snap)
    if let draft, draft.kind == .polygon, draft.vertices.count >= 3 {
      snapper.visit(start: draft.vertices[0])
    }
    let carried = carry?.vertex?.feature
    for layer in layersInView {
      guard let layer = layer as? any FeatureHolding else { continue }
      for block in layer.blocks {
        let row = carried?.layer == layer.id ? carried.flatMap { block.row(of: $0.feature) } : nil
        snapper.visit(block, of: layer.id, except: row)
      }
    }
    return snapper.target
  }

  /// The snap target and its distance from the cursor, for messages; `nil` if there is none.
  func snapWords(_ target: SnapTarget?) -> String? {
    guard let target, target.place != cursor else { return nil }
    let what =
      switch target.kind {
      case .vertex(let feature): "a vertex of \(describe(feature))"
      case .edge(let feature): "an edge of \(describe(feature))"
      case .start: "its first vertex"
      case .grid: "the grid"
      }
    let distance: String
    if isGeographic {
      distance = Figures.distance(meters: Geodesy.distance(from: cursor, to: target.place))
    } else {
      let x = target.place.x - cursor.x
      let y = target.place.y - cursor.y
      distance = Figures.short((x * x + y * y).squareRoot(), decimals: 3)
    }
    return "snapped to \(what), \(distance) from the cursor"
  }

  /// The box for looking at some features: on the globe the narrowest, which may reach past 180.
  func reach(of features: [FeatureReference]) -> Box {
    var box = Box.empty
    var arc = LongitudeArc()
    for reference in features {
      guard let layer = document[layer: reference.layer] as? any FeatureHolding,
        let place = layer.position(of: reference.feature)
      else { continue }
      let geometry = layer.blocks[place.block].geometry
      box = box.union(geometry.boxes[place.row])
      if plane.isGeographic { geometry.addLongitudes(ofFeature: place.row, to: &arc) }
    }
    return Self.narrowed(box, to: arc)
  }

  /// The box of features in a longitude arc: that of the arc if it is much narrower.
  ///
  /// Features all over the globe keep the familiar map between -180 and 180.
  private static func narrowed(_ box: Box, to arc: LongitudeArc) -> Box {
    guard let bounds = arc.bounds, bounds.end - bounds.start < 0.8 * box.width else { return box }
    return Box(minX: bounds.start, minY: box.minY, maxX: bounds.end, maxY: box.maxY)
  }

  /// The box for looking at a layer, as for its features.
  func reach(of layer: any Layer) -> Box {
    let extent = layer.extent
    guard plane.isGeographic, extent.width > 180, let layer = layer as? any FeatureHolding else {
      return extent
    }
    var arc = LongitudeArc()
    for block in layer.blocks {
      for row in 0..<block.rowCount { block.geometry.addLongitudes(ofFeature: row, to: &arc) }
    }
    return Self.narrowed(extent, to: arc)
  }

  /// The box of all selected features.
  ///
  /// - Complexity: O(features of the layers that hold selected ones), at most.
  package var selectionBox: Box {
    var box = Box.empty
    for layer in document.layers {
      guard let layer = layer as? any FeatureHolding else { continue }
      let ids = selection.ids(in: layer.id)
      if ids.isEmpty { continue }
      for block in layer.blocks {
        for row in block.rows(of: ids) { box = box.union(block.geometry.boxes[row]) }
      }
    }
    return box
  }

  /// The coordinate of a picked vertex.
  package func coordinate(of vertex: VertexReference) -> Coordinate? {
    document.feature(vertex.feature)?.geometry.coordinate(of: vertex)
  }
}

/// A feature near the cursor, and its place among the others.
private struct PickedFeature {
  var dimension: Int
  /// The number of its layer, the topmost first.
  var order: Int
  /// In dots.
  var distance: Double
  /// Its number in the order of the document.
  var number: Int
  var feature: FeatureReference
  /// The rank of a point in the cursor's cell, but not exactly there; `nil` for other features.
  var rankInCell: Double?

  private var isExact: Bool { distance <= 1e-6 }

  func precedes(_ other: PickedFeature) -> Bool {
    if dimension != other.dimension { return dimension < other.dimension }
    if order != other.order { return order < other.order }
    if isExact != other.isExact { return isExact }
    switch (rankInCell, other.rankInCell) {
    case (let rank?, let otherRank?):
      return rank != otherRank ? rank > otherRank : number < other.number
    case (_?, nil): return true
    case (nil, _?): return false
    default: return (distance, feature.feature) < (other.distance, other.feature.feature)
    }
  }
}
