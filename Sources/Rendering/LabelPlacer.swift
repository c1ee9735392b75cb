import PortolanGraphics
import PortolanTerminals

/// The places of the labels in the last frame, kept while the map is moved.
struct LabelMemory {
  var plane = MapPlane.webMercator
  var zoom = Double.nan
  /// The index of the place of each label.
  var places: [LabelKey: Int] = [:]
}

/// A text with its place in the window.
struct PlacedLabel: Hashable {
  var text: String
  /// The text of spaced capitals without the blanks; `nil` for other texts.
  var capitals: String?
  /// Whether it names an area that is wholly in view.
  var isBright = false
  var column: Int
  var row: Int
  var columns: Int
  var style: MarkStyle
  /// The index of its set among those that were placed, and the row of its feature in it.
  var set: Int
  var feature: Int
  /// The dot of its point; `nil` for labels of lines and areas.
  var dot: DotPosition?
  /// The cell of its point, if the point's sign is not in the picture.
  var sign: CellPosition?
  /// The cells beside it that are blanked, so that lines and dots do not run into the text.
  var halo: [CellPosition] = []

  struct CellPosition: Hashable {
    var column: Int
    var row: Int
  }

  struct DotPosition: Hashable {
    var x: Int
    var y: Int
  }

  /// The cells that it writes, by row.
  var cells: [(row: Int, columns: Range<Int>)] {
    let single = halo + [sign].compactMap { $0 }
    return [(row, column..<max(column, column + columns))]
      + single.map { ($0.row, $0.column..<($0.column + 1)) }
  }

  /// Writes the label over the map and keeps the backgrounds beneath; where they would hide it, it
  /// is black or white.
  func write(into frame: inout Frame, at rect: CellRect, style: CellStyle, ink: GroundInk) {
    guard column >= 0, row >= 0, column + columns <= rect.columns, row < rect.rows else { return }
    for cell in halo where cell.column >= 0 && cell.column < rect.columns {
      write(" ", 1, at: cell, style, ink, into: &frame, rect)
    }
    if let sign, sign.column >= 0, sign.column < rect.columns, sign.row >= 0, sign.row < rect.rows {
      write(self.style.symbol, 1, at: sign, style, ink, into: &frame, rect)
    }
    write(text, columns, at: CellPosition(column: column, row: row), style, ink, into: &frame, rect)
  }

  private func write(
    _ text: String, _ columns: Int, at cell: CellPosition, _ style: CellStyle, _ ink: GroundInk,
    into frame: inout Frame, _ rect: CellRect
  ) {
    let (column, row) = (rect.column + cell.column, rect.row + cell.row)
    let grounds = (0..<columns).map { frame[column + $0, row].style.background }
    frame.write(text, at: column, row: row, style: style, maxColumns: columns)
    if grounds.allSatisfy(\.isStandard) { return }
    let inks = ink.text(style.foreground, over: grounds)
    for (offset, ground) in grounds.enumerated() {
      frame[column + offset, row].style.background = ground
      frame[column + offset, row].style.foreground = inks[offset]
    }
  }
}

/// Places labels without overlaps, most important first.
///
/// A label may cover dots and the signs of less important points, never those of others. Of its
/// places it takes the one with the least beneath it.
struct LabelPlacer {
  /// The longest text in columns; longer ones end with an ellipsis.
  static let columnsMax = 32
  /// The number of points of a layer whose cells others leave free where they can.
  static let leaders = 24
  /// The least distance between two labels with the same text.
  static let repeatDistance = 30

  let camera: Camera
  let window: ViewWindow
  let memory: RenderMemory
  let picture: CellPicture
  /// The picture whose labels keep their places.
  let name: String
  /// The rows above and below a label that have no other one.
  let clearance: Int
  private var occupancy: CellOccupancy
  private var placedTexts: [String: [(column: Int, row: Int)]] = [:]
  private var placed: [PlacedLabel] = []
  private var places: [LabelKey: Int] = [:]
  /// The cells of the most important points that have no label yet.
  private var wanted: Set<Int> = []

  /// - Parameters:
  ///   - columns: the columns of the window in which labels may be placed.
  ///   - texts: the texts of notes, of which labels keep off.
  init(
    camera: Camera, picture: CellPicture, memory: RenderMemory, name: String, columns: Range<Int>,
    texts: [PlacedText] = [], clearance: Int = 0
  ) {
    self.clearance = max(0, clearance)
    self.camera = camera
    self.memory = memory
    self.picture = picture
    self.name = name
    window = ViewWindow(camera)
    occupancy = CellOccupancy(columns: picture.columns, rows: picture.rows)
    for text in texts {
      // Blank lines and the ends of short ones belong to it as well.
      let first = text.lines.map(\.column).min() ?? 0
      let end = text.lines.map(\.cells.upperBound).max() ?? 0
      for line in text.lines {
        occupancy.addLabel(column: first, row: line.row, columns: end - first)
      }
    }
    guard columns != 0..<picture.columns else { return }
    for row in 0..<picture.rows {
      occupancy.addLabel(column: 0, row: row, columns: min(columns.lowerBound, picture.columns))
      occupancy.addLabel(
        column: columns.upperBound, row: row,
        columns: max(0, picture.columns - columns.upperBound))
    }
  }

  /// The labels of all sets; remembers their places.
  mutating func place(_ sets: [LabelSet]) -> [PlacedLabel] {
    guard !sets.isEmpty, camera.size.columns > 0, camera.size.rows > 0 else { return [] }
    let known = memory.labels[name]
    let isSameScale = known?.zoom == camera.zoom && known?.plane == camera.plane
    let former = isSameScale ? known?.places ?? [:] : [:]
    var groups: [[LabelCandidate]] = []
    for priority in Set(sets.map(\.priority)).sorted() {
      var grid = LabelGrid(camera)
      for (index, set) in sets.enumerated() where set.priority == priority {
        collect(set, index, into: &grid)
      }
      groups.append(grid.ordered)
    }
    for group in groups.indices {
      for index in groups[group].indices.prefix(Self.leaders)
      where groups[group][index].dimension == 0 {
        groups[group][index].isLeader = true
        wanted.insert(cell(of: groups[group][index]))
      }
    }
    for candidate in groups.joined() {
      if let place = former[candidate.key] { add(candidate, sets, only: place) }
    }
    for candidate in groups.joined() where places[candidate.key] == nil {
      add(candidate, sets, only: nil)
    }
    memory.labels[name] = LabelMemory(plane: camera.plane, zoom: camera.zoom, places: places)
    for index in placed.indices { placed[index].halo = halo(of: placed[index]) }
    return placed
  }

  /// Offers the visible features of a set.
  private func collect(_ set: LabelSet, _ index: Int, into grid: inout LabelGrid) {
    guard window.sees(memory.cache(of: set.block, on: camera.plane).outline) else { return }
    let base = memory.projected(set.block, on: camera.plane)
    let block = ObjectIdentifier(set.block)
    for copy in window.copies {
      guard let box = window.box(copy: copy) else { continue }
      collectPoints(base, set, index, block, copy, box, &grid)
      for (row, bounds) in base.featureBoxes.enumerated() where bounds.intersects(box) {
        let dimension = set.block.kinds[row].dimension ?? 0
        if dimension == 0 && set.block.kinds[row] != .geometryCollection { continue }
        let width = window.scale.dot(bounds.width)
        // Too small for any text.
        if dimension > 0 && width < 6 { continue }
        let left = max(0, window.dotX(bounds.minX, copy: copy))
        let right = min(camera.dotWidth - 1, window.dotX(bounds.maxX, copy: copy))
        let top = max(0, window.dotY(bounds.minY))
        let bottom = min(camera.dotHeight - 1, window.dotY(bounds.maxY))
        guard left <= right && top <= bottom else { continue }
        let candidate = LabelCandidate(
          key: LabelKey(block: block, row: row, copy: copy), set: index, text: "",
          rank: Self.comparable(set.rank(row)), size: width, x: (left + right) / 2,
          y: (top + bottom) / 2, dimension: dimension)
        grid.offer(candidate, text: set.text)
      }
    }
  }

  private func collectPoints(
    _ base: ProjectedBlock, _ set: LabelSet, _ index: Int, _ block: ObjectIdentifier, _ copy: Int,
    _ box: WorldBox, _ grid: inout LabelGrid
  ) {
    let points = base.paths.points
    var previous = -1
    for point in points.rows.indices {
      let (worldX, worldY) = (points.coordinates[2 * point], points.coordinates[2 * point + 1])
      let row = Int(points.rows[point])
      guard box.contains(x: worldX, y: worldY), row != previous else { continue }
      let (x, y) = (window.dotX(worldX, copy: copy), window.dotY(worldY))
      guard x >= 0, y >= 0, x < camera.dotWidth, y < camera.dotHeight else { continue }
      previous = row
      let candidate = LabelCandidate(
        key: LabelKey(block: block, row: row, copy: copy), set: index, text: "",
        rank: Self.comparable(set.rank(row)), size: 0, x: x, y: y, dimension: 0)
      grid.offer(candidate, text: set.text)
    }
  }

  private static func comparable(_ rank: Double) -> Double { rank.isNaN ? -.infinity : rank }

  /// The cells at both ends of a label with nothing but dots and lines in them.
  private func halo(of label: PlacedLabel) -> [PlacedLabel.CellPosition] {
    [label.column - 1, label.column + label.columns].compactMap { column in
      guard column >= 0, column < picture.columns, !hasSign(column, label.row),
        !occupancy.hasLabel(column: column, row: label.row)
      else { return nil }
      return PlacedLabel.CellPosition(column: column, row: label.row)
    }
  }

  private func hasSign(_ column: Int, _ row: Int) -> Bool {
    picture.symbols[row * picture.columns + column] > 0
      || occupancy.hasSign(column: column, row: row)
  }

  /// The cell of a point.
  private func cell(of candidate: LabelCandidate) -> Int {
    (candidate.y >> 2) * picture.columns + candidate.x >> 1
  }

  /// Puts a label at the best free one of its places.
  private mutating func add(_ candidate: LabelCandidate, _ sets: [LabelSet], only: Int?) {
    if candidate.dimension == 0 { wanted.remove(cell(of: candidate)) }
    let set = sets[candidate.set]
    if candidate.dimension == 2, only ?? -1 < 0,
      addSpaced(candidate, set, only: only) || only != nil
    {
      return
    }
    var text = candidate.text
    var columns = DisplayWidth.of(text)
    if columns > Self.columnsMax {
      let start = DisplayWidth.prefix(of: text, columns: Self.columnsMax - 1)
      text = start.text + "\u{2026}"
      columns = start.columns + 1
    }
    guard columns > 0, let places = candidatePlaces(candidate, set, columns) else { return }
    var best: (index: Int, cost: Int)?
    for (index, place) in places.enumerated() where only == nil || only == index {
      guard !isRepeated(text, place.column, place.row),
        let cost = cost(of: candidate, set, at: place, columns)
      else { continue }
      // Of two places the former is better by one cell with dots.
      if best.map({ cost + index < $0.cost }) ?? true { best = (index, cost + index) }
    }
    guard let best else { return }
    let place = places[best.index]
    let label = PlacedLabel(
      text: text, column: place.column, row: place.row, columns: columns,
      style: set.style(ofRow: candidate.key.row), set: candidate.set, feature: candidate.key.row)
    keep(label, candidate, set, at: best.index)
  }

  /// Puts the name of an area into it in spaced capitals, if it has the room.
  ///
  /// - Parameter only: the number of its place: they are negative.
  private mutating func addSpaced(
    _ candidate: LabelCandidate, _ set: LabelSet, only: Int?
  ) -> Bool {
    guard let capitals = SpacedCapitals.capitals(of: candidate.text),
      let pole = pole(of: candidate, set)
    else { return false }
    let text = SpacedCapitals.spaced(capitals)
    let columns = DisplayWidth.of(text)
    var best: (index: Int, cost: Int, column: Int, row: Int)?
    for (index, place) in spacedPlaces(pole, candidate.key.copy, columns).enumerated()
    where only == nil || only == -1 - index {
      guard !isRepeated(candidate.text, place.column, place.row),
        let cost = cost(of: candidate, set, at: place, columns)
      else { continue }
      // The middle of the area is worth some dots.
      if best.map({ cost + 2 * index < $0.cost }) ?? true {
        best = (index, cost + 2 * index, place.column, place.row)
      }
    }
    guard let best else { return false }
    var label = PlacedLabel(
      text: text, capitals: capitals, column: best.column, row: best.row, columns: columns,
      style: set.style(ofRow: candidate.key.row), set: candidate.set, feature: candidate.key.row)
    label.isBright = 2 * window.scale.dot(pole.width) <= camera.dotWidth
    keep(label, candidate, set, at: -1 - best.index)
    return true
  }

  /// The places of spaced capitals within an area, with a cell of it at each side of them.
  private func spacedPlaces(
    _ pole: AreaAnchor, _ copy: Int, _ columns: Int
  ) -> [(column: Int, row: Int)] {
    let unitsPerDot = WorldPoint.worldWidth / camera.worldDots
    let runs = pole.runs(height: 5 * unitsPerDot).compactMap { run -> (Int, Int, row: Int)? in
      let first = window.dotX(Int64(run.minX) + Int64(copy) << 31) >> 1 + 2
      let last = window.dotX(Int64(run.maxX) + Int64(copy) << 31) >> 1 - 1 - columns
      return first <= last ? (first, last, window.dotY(Int64(run.y)) >> 2) : nil
    }
    let middles = runs.map { (column: ($0.0 + $0.1) / 2, row: $0.row) }
    return middles
      + runs.flatMap { run in
        [(run.0 * 3 + run.1) / 4, (run.0 + run.1 * 3) / 4].map { ($0, run.row) }
      }
  }

  /// Keeps a label, and its cells free.
  private mutating func keep(
    _ label: PlacedLabel, _ candidate: LabelCandidate, _ set: LabelSet, at index: Int
  ) {
    var label = label
    occupancy.addLabel(column: label.column, row: label.row, columns: label.columns)
    if candidate.dimension == 0 {
      label.dot = PlacedLabel.DotPosition(x: candidate.x, y: candidate.y)
      let cell = PlacedLabel.CellPosition(column: candidate.x >> 1, row: candidate.y >> 2)
      occupancy.addSign(column: cell.column, row: cell.row)
      if lacksSign(candidate, set, cell) { label.sign = cell }
    }
    let text = label.capitals == nil ? label.text : candidate.text
    placedTexts[text, default: []].append((label.column, label.row))
    places[candidate.key] = index
    placed.append(label)
  }

  /// Whether the sign of a labelled point must still be drawn, because a higher one is near.
  private func lacksSign(
    _ candidate: LabelCandidate, _ set: LabelSet, _ cell: PlacedLabel.CellPosition
  ) -> Bool {
    let index = cell.row * picture.columns + cell.column
    guard !set.style(ofRow: candidate.key.row).symbol.isEmpty,
      picture.symbols.indices.contains(index)
    else { return false }
    if picture.symbols[index] == 0 { return true }
    return picture.owner(ofCell: index).map { isLower($0, than: candidate, set) } ?? false
  }

  /// The number of cells with something beneath a label; `nil` for a place that it cannot have.
  private func cost(
    of candidate: LabelCandidate, _ set: LabelSet, at place: (column: Int, row: Int),
    _ columns: Int
  ) -> Int? {
    guard place.column >= 0, place.row >= 0, place.row < camera.size.rows,
      place.column + columns <= camera.size.columns,
      occupancy.isFree(column: place.column, row: place.row, columns: columns),
      occupancy.isClear(
        column: place.column, row: place.row, columns: columns, rows: clearance)
    else { return nil }
    var cost = 0
    for column in place.column..<(place.column + columns) {
      let cell = place.row * picture.columns + column
      // A point beneath a label can have none itself.
      if wanted.contains(cell) { cost += 12 }
      if picture.symbols[cell] > 0 {
        guard let owner = picture.owner(ofCell: cell), isLower(owner, than: candidate, set) else {
          return nil
        }
        cost += 4
      } else if picture.raster.bits[cell] != 0 {
        cost += 1
      }
    }
    return cost
  }

  private func isLower(
    _ owner: SymbolOwner, than candidate: LabelCandidate, _ set: LabelSet
  ) -> Bool {
    if owner.priority != set.priority { return owner.priority > set.priority }
    return PointRank(rank: candidate.rank, part: set.part, row: candidate.key.row)
      .isHigher(than: owner.rank)
  }

  private func isRepeated(_ text: String, _ column: Int, _ row: Int) -> Bool {
    placedTexts[text]?.contains {
      abs($0.column - column) < Self.repeatDistance && 2 * abs($0.row - row) < Self.repeatDistance
    } ?? false
  }

  /// The possible first cells of a label, best first; `nil` for none at all.
  private func candidatePlaces(
    _ candidate: LabelCandidate, _ set: LabelSet, _ columns: Int
  ) -> [(column: Int, row: Int)]? {
    switch candidate.dimension {
    case 0:
      let (column, row) = (candidate.x >> 1, candidate.y >> 2)
      guard !occupancy.hasLabel(column: column, row: row) else { return nil }
      return [
        (column + 1, row), (column - columns, row), (column - columns / 2, row - 1),
        (column - columns / 2, row + 1), (column + 1, row - 1), (column + 1, row + 1),
        (column - columns, row - 1), (column - columns, row + 1),
        // Above and below, with the point under another part of the text.
        (column, row - 1), (column, row + 1), (column - columns + 1, row - 1),
        (column - columns + 1, row + 1), (column - columns / 4, row - 1),
        (column - columns / 4, row + 1), (column - columns * 3 / 4, row - 1),
        (column - columns * 3 / 4, row + 1),
      ] + (candidate.isLeader ? Self.farPlaces(column, row, columns) : [])
    case 1:
      let outline = memory.cache(of: set.block, on: camera.plane).outline
      let paths = memory.paths(
        of: set.block, on: camera.plane, level: PathLevel.level(for: camera, outline: outline))
      guard
        let run = LabelAnchors.levelRun(
          of: candidate.key.row, in: paths, window, copy: candidate.key.copy,
          width: camera.dotWidth, height: camera.dotHeight), run.length >= columns
      else { return nil }
      let (column, row) = (run.x >> 1 - columns / 2, run.y >> 2)
      return [(column, row - 1), (column, row), (column, row + 1)]
    default:
      // A text may reach a little beyond its area, not more.
      guard candidate.size / 2 + 2 >= columns, let pole = pole(of: candidate, set),
        window.scale.dot(pole.width) / 2 + 2 >= columns
      else { return nil }
      let column = window.dotX(pole.point.x, copy: candidate.key.copy) >> 1 - columns / 2
      let row = window.dotY(pole.point.y) >> 2
      return [(column, row), (column, row - 1), (column, row + 1)]
    }
  }

  /// Places with a free cell or row between the point and its label, for the most important ones.
  private static func farPlaces(
    _ column: Int, _ row: Int, _ columns: Int
  ) -> [(column: Int, row: Int)] {
    [
      (column + 2, row), (column - columns - 1, row), (column + 1, row - 2), (column + 1, row + 2),
      (column - columns, row - 2), (column - columns, row + 2), (column - columns / 2, row - 2),
      (column - columns / 2, row + 2),
    ]
  }

  private func pole(of candidate: LabelCandidate, _ set: LabelSet) -> AreaAnchor? {
    let cache = memory.cache(of: set.block, on: camera.plane)
    if let known = cache.anchors[candidate.key.row] { return known }
    let base = memory.projected(set.block, on: camera.plane)
    let pole = LabelAnchors.pole(of: candidate.key.row, in: base.paths)
    cache.anchors[candidate.key.row] = pole
    return pole
  }
}
