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
  var column: Int
  var row: Int
  var columns: Int
  var style: MarkStyle

  /// Writes the label over the map and keeps the backgrounds beneath.
  func write(into frame: inout Frame, at rect: CellRect, depth: ColourDepth) {
    guard column >= 0, row >= 0, column + columns <= rect.columns, row < rect.rows else { return }
    let backgrounds = (0..<columns).map {
      frame[rect.column + column + $0, rect.row + row].style.background
    }
    let style = CellPicture.cellStyle(style, depth)
    frame.write(
      text, at: rect.column + column, row: rect.row + row, style: style, maxColumns: columns)
    for (offset, background) in backgrounds.enumerated() {
      frame[rect.column + column + offset, rect.row + row].style.background = background
    }
  }
}

/// Places labels without overlaps with each other or with symbols, most important first.
struct LabelPlacer {
  /// The longest text in columns; longer ones end with an ellipsis.
  static let columnsMax = 32
  /// The least distance between two labels with the same text.
  static let repeatDistance = 30

  let camera: Camera
  let window: ViewWindow
  let memory: RenderMemory
  /// The picture whose labels keep their places.
  let name: String
  private var occupancy: CellOccupancy
  private var placedTexts: [String: [(column: Int, row: Int)]] = [:]
  private var placed: [PlacedLabel] = []
  private var places: [LabelKey: Int] = [:]

  /// - Parameter columns: the columns of the window in which labels may be placed.
  init(
    camera: Camera, picture: CellPicture, memory: RenderMemory, name: String, columns: Range<Int>
  ) {
    self.camera = camera
    self.memory = memory
    self.name = name
    window = ViewWindow(camera)
    occupancy = CellOccupancy(columns: picture.columns, rows: picture.rows)
    for (cell, symbol) in picture.symbols.enumerated() where symbol > 0 {
      occupancy.addSymbol(column: cell % picture.columns, row: cell / picture.columns)
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
    for candidate in groups.joined() {
      if let place = former[candidate.key] { add(candidate, sets, only: place) }
    }
    for candidate in groups.joined() where places[candidate.key] == nil {
      add(candidate, sets, only: nil)
    }
    memory.labels[name] = LabelMemory(plane: camera.plane, zoom: camera.zoom, places: places)
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

  /// Puts a label at the first free one of its places.
  private mutating func add(_ candidate: LabelCandidate, _ sets: [LabelSet], only: Int?) {
    let set = sets[candidate.set]
    var text = candidate.text
    var columns = DisplayWidth.of(text)
    if columns > Self.columnsMax {
      let start = DisplayWidth.prefix(of: text, columns: Self.columnsMax - 1)
      text = start.text + "\u{2026}"
      columns = start.columns + 1
    }
    guard columns > 0, let places = candidatePlaces(candidate, set, columns) else { return }
    for (index, place) in places.enumerated() where only == nil || only == index {
      guard place.column >= 0, place.row >= 0, place.row < camera.size.rows,
        place.column + columns <= camera.size.columns,
        occupancy.isFree(column: place.column, row: place.row, columns: columns),
        !isRepeated(text, place.column, place.row)
      else { continue }
      occupancy.addLabel(column: place.column, row: place.row, columns: columns)
      if candidate.dimension == 0 {
        occupancy.addSymbol(column: candidate.x >> 1, row: candidate.y >> 2)
      }
      placedTexts[text, default: []].append(place)
      self.places[candidate.key] = index
      placed.append(
        PlacedLabel(
          text: text, column: place.column, row: place.row, columns: columns, style: set.style))
      return
    }
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
      ]
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

  private func pole(
    of candidate: LabelCandidate, _ set: LabelSet
  ) -> (point: WorldPoint, width: Int64)? {
    let cache = memory.cache(of: set.block, on: camera.plane)
    if let known = cache.anchors[candidate.key.row] { return known }
    let base = memory.projected(set.block, on: camera.plane)
    let pole = LabelAnchors.pole(of: candidate.key.row, in: base.paths)
    cache.anchors[candidate.key.row] = pole
    return pole
  }
}

/// The cells with a symbol or a label.
struct CellOccupancy {
  private let columns: Int
  private let words: Int
  private var symbols: [UInt64]
  private var labels: [UInt64]

  init(columns: Int, rows: Int) {
    self.columns = columns
    words = (columns + 63) / 64
    symbols = [UInt64](repeating: 0, count: words * rows)
    labels = symbols
  }

  mutating func addSymbol(column: Int, row: Int) { set(&symbols, column, row) }

  mutating func addLabel(column: Int, row: Int, columns: Int) {
    for column in column..<(column + columns) { set(&labels, column, row) }
  }

  func hasLabel(column: Int, row: Int) -> Bool { has(labels, column, row) }

  /// Whether a run of cells has neither, and no label touches its ends.
  func isFree(column: Int, row: Int, columns: Int) -> Bool {
    if has(labels, column - 1, row) || has(labels, column + columns, row) { return false }
    for column in column..<(column + columns)
    where has(labels, column, row) || has(symbols, column, row) {
      return false
    }
    return true
  }

  private func has(_ bits: [UInt64], _ column: Int, _ row: Int) -> Bool {
    guard column >= 0, column < columns, row >= 0, row * words < bits.count else { return false }
    return bits[row * words + column >> 6] >> UInt64(column & 63) & 1 == 1
  }

  private func set(_ bits: inout [UInt64], _ column: Int, _ row: Int) {
    guard column >= 0, column < columns, row >= 0, row * words < bits.count else { return }
    bits[row * words + column >> 6] |= 1 << UInt64(column & 63)
  }
}
