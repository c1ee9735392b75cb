import PortolanGraphics
import PortolanTerminals
import PortolanTexts

/// A text of a `TextSet` with its place in the window; parts of it may lie beyond the edges.
struct PlacedText {
  struct Line: Hashable {
    var text: String
    var column: Int
    var row: Int
    var columns: Int

    var cells: Range<Int> { column..<(column + columns) }
  }

  enum Alignment {
    /// To the east of its place, at both sides of it, or to the west.
    case start, middle, end
  }

  /// The row of its feature in the block.
  var feature: Int
  /// Its point, the beginning of its line or the middle of its area, in dots of the window.
  var dot: DotPoint
  var alignment: Alignment
  var lines: [Line]

  /// Whether one of its lines covers a cell.
  func covers(column: Int, row: Int) -> Bool {
    lines.contains { $0.row == row && $0.cells.contains(column) }
  }
}

/// The places of texts, which depend on the camera alone.
enum TextLayout {
  /// More lines are left out; longer ones end with an ellipsis.
  static let linesMax = 64
  static let columnsMax = 256

  /// The texts of a set, in the order of its rows; of two that would overlap the first.
  ///
  /// Those beyond the window count as well, so that panning shows and hides none.
  static func texts(of set: TextSet, through camera: Camera) -> [PlacedText] {
    var taken: [Int: [Range<Int>]] = [:]
    return (0..<set.block.featureCount).compactMap { row in
      guard let anchor = Anchor(set.block, row, isGeographic: camera.plane.isGeographic),
        let dot = camera.dot(at: anchor.place), let text = set.text(row),
        let placed = placed(lines(of: text), at: dot, anchor, camera, row)
      else { return nil }
      let isFree = placed.lines.allSatisfy { line in
        taken[line.row]?.allSatisfy { !$0.overlaps(line.cells) } ?? true
      }
      if !isFree { return nil }
      for line in placed.lines where line.columns > 0 {
        taken[line.row, default: []].append(line.cells)
      }
      return placed
    }
  }

  private static func lines(of text: String) -> [(text: String, columns: Int)] {
    text.split(separator: "\n", maxSplits: linesMax, omittingEmptySubsequences: false)
      .prefix(linesMax).map { line in
        let line = String(line)
        let columns = DisplayWidth.of(line)
        if columns <= columnsMax { return (line, columns) }
        let start = DisplayWidth.prefix(of: line, columns: columnsMax - 1)
        return (start.text + "\u{2026}", start.columns + 1)
      }
  }

  private static func placed(
    _ lines: [(text: String, columns: Int)], at dot: DotPoint, _ anchor: Anchor, _ camera: Camera,
    _ feature: Int
  ) -> PlacedText? {
    let far = Double(Int32.max)
    guard lines.contains(where: { $0.columns > 0 }), abs(dot.x) < far, abs(dot.y) < far else {
      return nil
    }
    let column = Int((dot.x / 2).rounded(.down))
    let row = Int((dot.y / 4).rounded(.down))
    var (alignment, edge, top) = (PlacedText.Alignment.start, column, row)
    switch anchor.kind {
    case .point: break
    case .area: (alignment, top) = (.middle, row - (lines.count - 1) / 2)
    case .line(let next):
      let (from, to) = (camera.plane.forward(anchor.place), camera.plane.forward(next))
      let (stepX, stepY) = (to.x - from.x, to.y - from.y)
      if abs(stepX) >= abs(stepY) / 2 {
        (alignment, edge) = stepX < 0 ? (.start, column + 1) : (.end, column)
        top = row - (lines.count - 1) / 2
      } else {
        (alignment, top) = (.middle, stepY > 0 ? row - lines.count : row + 1)
      }
    }
    let placed = lines.enumerated().map { index, line in
      let first =
        switch alignment {
        case .start: edge
        case .middle: edge - line.columns / 2
        case .end: edge - line.columns
        }
      return PlacedText.Line(
        text: line.text, column: first, row: top + index, columns: line.columns)
    }
    return PlacedText(feature: feature, dot: dot, alignment: alignment, lines: placed)
  }

  /// The place that a text belongs to.
  private struct Anchor {
    enum Kind {
      case point, area
      /// The line's second place.
      case line(Coordinate)
    }

    var place: Coordinate
    var kind = Kind.point

    init?(_ block: GeometryBlock, _ row: Int, isGeographic: Bool) {
      guard let path = block.paths(ofFeature: row).first else { return nil }
      let vertices = block.vertices(ofPath: path)
      guard let first = vertices.first else { return nil }
      let mayJump = isGeographic && block.boxes[row].mayJump
      place = block.coordinate(at: first)
      switch block.kinds[row].dimension {
      case 1:
        var next: Coordinate?
        block.eachOnGlobe(vertices, mayJump: mayJump) { vertex, x in
          let there = Coordinate(x: x, y: block.coordinates[2 * vertex + 1])
          if next == nil, there != place { next = there }
        }
        if let next { kind = .line(next) }
      case 2:
        kind = .area
        guard mayJump else {
          place = block.boxes[row].center
          return
        }
        var box = Box.empty
        block.eachOnGlobe(vertices, mayJump: true) { vertex, x in
          box.formUnion(Coordinate(x: x, y: block.coordinates[2 * vertex + 1]))
        }
        place = box.center
      default: return
      }
    }
  }
}

extension PickCanvas {
  /// The rows whose text covers the cell of the point.
  mutating func pick(_ set: TextSet) {
    guard case .near(let picker) = place, let cell = picker.camera.cell(at: picker.point) else {
      return
    }
    for text in TextLayout.texts(of: set, through: picker.camera)
    where text.covers(column: cell.column, row: cell.row) {
      add(Hit(block: set.block, row: text.feature, distance: 0, dimension: 0))
    }
  }
}
