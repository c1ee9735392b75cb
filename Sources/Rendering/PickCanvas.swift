package import PortolanGraphics

/// A canvas that draws nothing and collects its marks at a place.
///
/// A layer draws the same marks on it as on the screen, so that all visible features can be picked:
///
///     var canvas = PickCanvas(near: Picker(camera: camera, point: cursor, tolerance: 3.2))
///     layer.draw(on: &canvas, labelPriority: 0)
///     canvas.hits  // rows of blocks
///
/// Labels, grids and geometries outside of blocks are ignored: they belong to no feature.
package struct PickCanvas: Canvas {
  /// A row of a block at the place.
  package struct Hit: Sendable {
    package var block: GeometryBlock
    package var row: Int
    /// The distance in dots; 0 inside of an area.
    package var distance: Double
    /// 0 for points, 1 for lines, 2 for areas.
    package var dimension: Int

    /// The place of a single point; `nil` for other features.
    package var point: Coordinate? {
      guard block.kinds[row] == .point, let path = block.paths(ofFeature: row).first,
        let vertex = block.vertices(ofPath: path).first
      else { return nil }
      return Coordinate(x: block.coordinates[2 * vertex], y: block.coordinates[2 * vertex + 1])
    }
  }

  enum Place {
    case near(Picker)
    case touching(BoxTouch)
  }

  let place: Place
  package let visible: Box
  /// In drawing order: by mark, then by rising row.
  package private(set) var hits: [Hit] = []

  /// Picks features near a point on the screen.
  package init(near picker: Picker) {
    place = .near(picker)
    visible = picker.reach
  }

  /// Picks features that touch a box, in the coordinates of the document; it spans no antimeridian.
  package init(touching box: Box, isGeographic: Bool) {
    place = .touching(BoxTouch(box, isGeographic: isGeographic))
    // On the globe a shape around a pole reaches beyond its box.
    let globe = Box(minX: -540, minY: -90, maxX: 540, maxY: 90)
    visible = isGeographic ? box.union(globe) : box
  }

  package var hasLabels: Bool { false }

  /// Near a point on the screen only lines that the screen shows are picked.
  package var detail: MapDetail? {
    if case .near(let picker) = place { picker.camera.detail } else { nil }
  }

  package mutating func draw(_ block: GeometryBlock, style: MarkStyle) {
    pick(block) { _ in true }
  }

  package mutating func draw(_ mark: Mark) {
    switch mark {
    case .block(let block, _, let hidden): pick(block) { hidden.isEmpty || !hidden.contains($0) }
    case .features(let block, let rows, _):
      let rows = Set(rows)
      pick(block) { rows.contains($0) }
    case .group(let block, let groups, let number, _):
      pick(block) { groups.contains($0, in: number) }
    case .texts(let set): pick(set)
    case .geometry, .symbols, .labels, .grid: return
    }
  }

  private mutating func pick(_ block: GeometryBlock, where isDrawn: (Int) -> Bool) {
    switch place {
    case .near(let picker):
      for row in picker.rowsNear(in: block) where isDrawn(row) {
        guard let hit = picker.hit(block, row: row) else { continue }
        hits.append(
          Hit(block: block, row: row, distance: hit.distance, dimension: hit.dimension))
      }
    case .touching(let touch):
      for row in touch.rows(in: block) where isDrawn(row) {
        let dimension = block.dimension(ofFeature: row)
        hits.append(Hit(block: block, row: row, distance: 0, dimension: dimension))
      }
    }
  }

  mutating func add(_ hit: Hit) { hits.append(hit) }
}
