import PortolanGraphics
import PortolanTerminals

/// A place that a name may have: its first cell.
struct LabelPlace {
  var column: Int
  var row: Int
  /// What it is worse than the best one, in cells with dots beneath.
  var penalty: Int

  /// Places, each a cell with dots worse than the one before.
  static func inOrder(_ cells: [(column: Int, row: Int)]) -> [LabelPlace] {
    cells.enumerated().map { LabelPlace(column: $1.column, row: $1.row, penalty: $0) }
  }

  /// The cells at the middle of an area and around it, the nearest ones first; the first three are
  /// below each other.
  static func near(column: Int, row: Int) -> [(column: Int, row: Int)] {
    [0, 2, -2].flatMap { aside in
      [0, -1, 1].map { (column: column + aside, row: row + $0) }
    }
  }
}

/// The part of an area whose middle may have the name.
enum AnchorPart {
  case whole
  /// The part in the window, where the window cuts the area.
  case visible
}

/// What places are found from, once a frame.
final class KnownPlaces {
  /// The middles of the visible parts of areas.
  var anchors: [LabelKey: AreaAnchor?] = [:]
  /// The paths of the sets' blocks as they are drawn.
  var paths: [Int: PathLevel] = [:]
  /// The dots of the signs in the cells of a page; no numbers where they were not yet sought.
  var signs: [(x: Double, y: Double)] = []
}

/// The possible places of names, best first.
extension LabelPlacer {
  // MARK: Points

  func pointPlaces(_ candidate: LabelCandidate, _ columns: Int) -> [LabelPlace] {
    let (column, row) = (candidate.x >> 1, candidate.y >> 2)
    var places: [LabelPlace] = []
    places.reserveCapacity(24)
    func add(_ column: Int, _ rowsDown: Int) {
      places.append(
        LabelPlace(column: column, row: row + rowsDown, penalty: places.count))
    }
    let (right, left) = (column + 1, column - columns)
    add(right, 0)
    add(left, 0)
    for place in [column - columns / 2, right, left] {
      add(place, -1)
      add(place, 1)
    }
    // Above and below, with the point under another part of the text.
    for place in [column, left + 1, column - columns / 4, column - columns * 3 / 4] {
      add(place, -1)
      add(place, 1)
    }
    guard isCoastal(column, row) else { return places }
    for index in places.indices where isOnLand(places[index], columns) {
      places[index].penalty += Self.landCost
    }
    return places
  }

  /// Whether of a cell and those around it some have an area, and some have none.
  private func isCoastal(_ column: Int, _ row: Int) -> Bool {
    var (hasLand, hasSea) = (false, false)
    for row in max(0, row - 1)...max(0, min(picture.rows - 1, row + 1)) {
      for column in max(0, column - 2)...max(0, min(picture.columns - 1, column + 2)) {
        let isLand = picture.backgrounds[row * picture.columns + column] > 0
        (hasLand, hasSea) = (hasLand || isLand, hasSea || !isLand)
      }
    }
    return hasLand && hasSea
  }

  /// Whether areas are beneath more than a quarter of the cells of a text.
  private func isOnLand(_ place: LabelPlace, _ columns: Int) -> Bool {
    guard place.row >= 0, place.row < picture.rows else { return false }
    let cells = (place.column..<(place.column + columns)).clamped(to: 0..<picture.columns)
    return 4 * cells.count { picture.backgrounds[place.row * picture.columns + $0] > 0 } > columns
  }

  // MARK: Lines

  /// The part of a line in the window.
  func line(of candidate: LabelCandidate) -> LabelAnchors.Line {
    LabelAnchors.Line(
      row: candidate.key.row, paths: visiblePaths(ofSet: candidate.set), window: window,
      copy: candidate.key.copy, width: camera.dotWidth, height: camera.dotHeight)
  }

  /// The places at a line's longest level stretches.
  func levelPlaces(_ line: LabelAnchors.Line, _ columns: Int) -> [LabelPlace] {
    var places: [LabelPlace] = []
    // A stretch may be half as long as the name, which then reaches beyond its ends.
    for run in line.levelRuns(ofDots: columns).prefix(Self.levelRunsMax) {
      for row in (run.y >> 2 - 1)...(run.y >> 2 + 1) {
        places.append(
          LabelPlace(column: run.x >> 1 - columns / 2, row: row, penalty: places.count))
      }
    }
    return places
  }

  /// The places beside a steep line.
  func steepPlaces(_ line: LabelAnchors.Line, _ columns: Int) -> [LabelPlace] {
    var places: [LabelPlace] = []
    for dot in line.middles(ofDots: max(24, 2 * columns)) {
      for column in [dot.x >> 1 + 2, dot.x >> 1 - columns - 1] {
        places.append(LabelPlace(column: column, row: dot.y >> 2, penalty: places.count))
      }
    }
    return places
  }

  // MARK: Areas

  /// The places upon the middle of an area: a text may reach a little beyond it, not more.
  func areaPlaces(_ pole: AreaAnchor, _ copy: Int, _ columns: Int) -> [LabelPlace] {
    guard window.scale.dot(pole.box.width) / 2 + 2 >= columns else { return [] }
    let column = window.dotX(pole.point.x, copy: copy) >> 1 - columns / 2
    let row = window.dotY(pole.point.y) >> 2
    // Above and below the middle, where the whole name has room.
    let others = pole.runs(height: 0).dropFirst().compactMap { run -> (column: Int, row: Int)? in
      let first = window.dotX(Int64(run.minX) + Int64(copy) << 31) >> 1
      let last = window.dotX(Int64(run.maxX) + Int64(copy) << 31) >> 1 - columns
      return first < last ? ((first + last) / 2, window.dotY(Int64(run.y)) >> 2) : nil
    }
    let near = LabelPlace.near(column: column, row: row)
    return LabelPlace.inOrder(near.prefix(3) + others + near.dropFirst(3))
  }

  /// The places of spaced capitals within an area, with a cell of it at each side of them.
  func spacedPlaces(_ pole: AreaAnchor, _ copy: Int, _ columns: Int) -> [LabelPlace] {
    let unitsPerDot = WorldPoint.worldWidth / camera.worldDots
    let runs = pole.runs(height: 5 * unitsPerDot).compactMap { run -> (Int, Int, row: Int)? in
      let first = window.dotX(Int64(run.minX) + Int64(copy) << 31) >> 1 + 2
      let last = window.dotX(Int64(run.maxX) + Int64(copy) << 31) >> 1 - 1 - columns
      return first <= last ? (first, last, window.dotY(Int64(run.y)) >> 2) : nil
    }
    let middles = runs.map { (column: ($0.0 + $0.1) / 2, row: $0.row) }
    let others = runs.flatMap { run in
      [(run.0 * 3 + run.1) / 4, (run.0 + run.1 * 3) / 4].map { (column: $0, row: run.row) }
    }
    // The middle of the area is worth some dots.
    return (middles + others).enumerated().map {
      LabelPlace(column: $1.column, row: $1.row, penalty: 2 * $0)
    }
  }

  /// The places for a text of some rows that lie wholly in an area, the nearest to its middle
  /// first.
  func rooms(
    in area: AreaAnchor, _ copy: Int, _ columns: Int, rows: Int
  ) -> [LabelPlace] {
    guard window.scale.dot(area.box.width) / 2 >= columns else { return [] }
    let first = max(0, window.dotY(area.box.minY) >> 2)
    let last = min(camera.size.rows, window.dotY(area.box.maxY) >> 2 + 1) - rows
    guard first <= last else { return [] }
    let units = WorldPoint.worldWidth / camera.worldDots
    let middle = (x: window.dotX(area.point.x, copy: copy), y: window.dotY(area.point.y))
    var found: [(column: Int, row: Int, away: Int)] = []
    for row in first...last {
      let top = Double(camera.originY + 4 * row) * units
      for run in area.mask.runs(from: top, to: top + Double(4 * rows) * units) {
        let offset = Int64(copy) << 31
        let low = (window.dotX(Int64(run.minX) + offset) + 1) >> 1
        let high = window.dotX(Int64(run.maxX) + offset) >> 1 - columns
        guard low <= high else { continue }
        let column = min(max(middle.x >> 1 - columns / 2, low), high)
        // A sign at one end of a text leaves a blank to one that is moved.
        for column in [column, column - 2, column + 2] where low <= column && column <= high {
          let away = abs(2 * column + columns - middle.x) + abs(4 * row + 2 * rows - middle.y)
          found.append((column, row, away))
        }
      }
    }
    found.sort { ($0.away, $0.row, $0.column) < ($1.away, $1.row, $1.column) }
    return LabelPlace.inOrder(found.prefix(Self.roomsMax).map { ($0.column, $0.row) })
  }

  // MARK: Middles of areas

  /// The middle of an area or of its visible part; `nil` for an empty area, and for the visible
  /// part of one that the window does not cut.
  func pole(of candidate: LabelCandidate, _ part: AnchorPart) -> AreaAnchor? {
    let row = candidate.key.row
    let block = sets[candidate.set].block
    switch part {
    case .whole: return memory.anchor(ofArea: row, block, on: camera.plane)
    case .visible:
      if let anchor = known.anchors[candidate.key] { return anchor }
      let base = memory.projected(block, on: camera.plane)
      let pole = visiblePole(of: candidate, base.featureBoxes[row])
      known.anchors[candidate.key] = .some(pole)
      return pole
    }
  }

  private func visiblePole(of candidate: LabelCandidate, _ box: WorldBox) -> AreaAnchor? {
    guard let view = window.box(copy: candidate.key.copy), !view.contains(box) else { return nil }
    // Names keep off the edges of the window, and slivers have none.
    let units = WorldPoint.worldWidth / camera.worldDots
    let room = view.expanded(by: -Int64(limiting: 8 * units))
    return LabelAnchors.pole(
      of: candidate.key.row, in: visiblePaths(ofSet: candidate.set), within: room
    )
    .flatMap { window.scale.dot($0.box.height) >= 8 ? $0 : nil }
  }

  /// The paths of a set's block as they are drawn.
  func visiblePaths(ofSet index: Int) -> PathLevel {
    if let paths = known.paths[index] { return paths }
    let block = sets[index].block
    let outline = memory.cache(of: block, on: camera.plane).outline
    let paths = memory.paths(
      of: block, on: camera.plane, level: PathLevel.level(for: camera, outline: outline))
    known.paths[index] = paths
    return paths
  }
}
