import PortolanGraphics
import PortolanTerminals

/// The places of the labels in the last frame, kept while the map is moved.
struct LabelMemory {
  var plane = MapPlane.webMercator
  var zoom = Double.nan
  var places: [LabelKey: Place] = [:]

  enum Place {
    /// One of the places around a point, by its number, and which of the feature's points.
    case around(Int, point: Int)
    /// The first cell of the name of a line or an area, in dots of the world.
    ///
    /// `part` is the part of the area whose middle has the name.
    case fixed(x: Int, y: Int, columns: Int, isSpaced: Bool, part: AnchorPart)

    var isInPart: Bool {
      if case .fixed(_, _, _, _, .visible) = self { true } else { false }
    }
  }
}

/// The name of a feature as it is shown.
struct LabelName {
  /// The longest name in columns; longer ones end with an ellipsis.
  static let columnsMax = 32
  /// The least columns of a name that is cut to the room of its area.
  static let columnsLeast = 8
  /// What follows in a longer text is beyond every place; no text is read further each frame.
  private static let bytesMax = 4000

  let text: String
  let columns: Int
  /// The text of spaced capitals without the blanks; `nil` for other texts.
  var capitals: String?

  /// - Parameter room: the columns of its area; a long name is cut to them, unless they are few.
  init(_ name: String, room: Int = columnsMax) {
    let name = name.utf8.count > Self.bytesMax ? String(name.unicodeScalars.prefix(200)) : name
    let columns = DisplayWidth.of(name)
    if columns <= Self.columnsMax {
      (text, self.columns) = (name, columns)
    } else {
      let most = room < Self.columnsLeast ? Self.columnsMax : min(room, Self.columnsMax)
      let start = DisplayWidth.prefix(of: name, columns: most - 1)
      (text, self.columns) = (start.text + "\u{2026}", start.columns + 1)
    }
  }

  /// A name in spaced capitals; `nil` if it cannot have them.
  init?(spaced name: String) {
    guard name.utf8.count <= Self.bytesMax,
      let capitals = SpacedCapitals.capitals(of: name)
    else { return nil }
    text = SpacedCapitals.spaced(capitals)
    columns = DisplayWidth.of(text)
    self.capitals = capitals
  }
}

/// Places labels without overlaps, most important first.
///
/// A label may cover dots and the signs of less important points, never those of others. Of its
/// places it takes the one with the least beneath it.
struct LabelPlacer {
  /// The number of points of a layer whose cells others leave free where they can.
  static let leaders = 24
  /// The most names that are tried beside their areas: each looks at all areas of its layer.
  static let outsideMax = 64
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
  private(set) var occupancy: CellOccupancy
  private var placedTexts: [String: [(column: Int, row: Int)]] = [:]
  private var placed: [PlacedLabel] = []
  private var places: [LabelKey: LabelMemory.Place] = [:]
  /// The cells of the most important points that have no label yet.
  private var wanted: Set<Int> = []
  private(set) var sets: [LabelSet] = []
  let visibleAnchors = VisibleAnchors()

  /// - Parameters:
  ///   - columns: the columns of the window in which labels may be placed.
  ///   - texts: the texts of notes, of which labels keep off.
  ///   - reserved: other cells of which they keep off.
  init(
    camera: Camera, picture: CellPicture, memory: RenderMemory, name: String, columns: Range<Int>,
    texts: [PlacedText] = [], reserved: [CellRect] = [], clearance: Int = 0
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
    for rect in reserved {
      for row in rect.row..<max(rect.row, rect.row + rect.rows) {
        occupancy.addLabel(column: rect.column, row: row, columns: max(0, rect.columns))
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
    self.sets = sets
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
      where groups[group][index].dimension != 1 {
        groups[group][index].isLeader = true
        if groups[group][index].dimension == 0 { wanted.insert(cell(of: groups[group][index])) }
      }
    }
    var candidates = Array(groups.joined())
    let small = candidates.indices.lazy.filter {
      candidates[$0].dimension == 2
        && candidates[$0].size / 2 + 2 < DisplayWidth.of(candidates[$0].text)
    }
    for index in small.prefix(Self.outsideMax) { candidates[index].mayStandOutside = true }
    // Names in parts of areas come last: what kept them from the middle is there again.
    for isPart in [false, true] {
      for candidate in candidates {
        guard let place = former[candidate.key], place.isInPart == isPart else { continue }
        restore(candidate, at: place)
      }
    }
    // The most important points, then areas that are important or have much room, then all others.
    for candidate in candidates
    where candidate.isLeader && candidate.dimension == 0 && isUnplaced(candidate) {
      add(candidate)
    }
    for candidate in candidates where candidate.dimension == 2 && isUnplaced(candidate) {
      if !addSpaced(candidate), candidate.isLeader { addInside(candidate) }
    }
    for candidate in candidates where isUnplaced(candidate) { add(candidate) }
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
        // A line may have its name beside it.
        let size = window.scale.dot(
          dimension == 1 ? max(bounds.width, bounds.height) : bounds.width)
        // Too small for any text.
        if dimension > 0 && size < 6 { continue }
        let left = max(0, window.dotX(bounds.minX, copy: copy))
        let right = min(camera.dotWidth - 1, window.dotX(bounds.maxX, copy: copy))
        let top = max(0, window.dotY(bounds.minY))
        let bottom = min(camera.dotHeight - 1, window.dotY(bounds.maxY))
        guard left <= right && top <= bottom else { continue }
        let candidate = LabelCandidate(
          key: LabelKey(block: block, row: row, copy: copy), set: index, text: "",
          rank: Self.comparable(set.rank(row)), size: size, x: (left + right) / 2,
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
        rank: Self.comparable(set.rank(row)), size: 0, x: x, y: y, dimension: 0, point: point)
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

  private func isUnplaced(_ candidate: LabelCandidate) -> Bool { places[candidate.key] == nil }

  /// Puts a name at the best free one of its places.
  private mutating func add(_ candidate: LabelCandidate) {
    let name = self.name(of: candidate)
    switch candidate.dimension {
    case 0:
      wanted.remove(cell(of: candidate))
      put(name, candidate, at: pointPlaces(candidate, name.columns))
    case 1: put(name, candidate, at: linePlaces(candidate, name.columns))
    default:
      if addInside(candidate) { return }
      put(name, candidate, at: outsidePlaces(candidate, name.columns))
    }
  }

  /// The name of a feature as written: of an area cut to its room.
  private func name(of candidate: LabelCandidate) -> LabelName {
    guard candidate.dimension == 2, candidate.text.utf8.count > LabelName.columnsMax,
      let pole = pole(of: candidate, .whole)
    else { return LabelName(candidate.text) }
    return LabelName(candidate.text, room: window.scale.dot(pole.box.width) / 2 + 2)
  }

  /// Puts the name of an area into it.
  ///
  /// - Parameter parts: those of the area that count.
  @discardableResult
  private mutating func addInside(
    _ candidate: LabelCandidate, _ parts: [AnchorPart] = [.whole, .visible]
  ) -> Bool {
    let name = self.name(of: candidate)
    return parts.contains { part in
      guard let pole = pole(of: candidate, part) else { return false }
      return put(
        name, candidate, at: areaPlaces(pole, candidate.key.copy, name.columns), part: part,
        coversSigns: candidate.isLeader)
    }
  }

  /// Puts the name of an area into it in spaced capitals, if it has the room.
  private mutating func addSpaced(
    _ candidate: LabelCandidate, _ parts: [AnchorPart] = [.whole, .visible]
  ) -> Bool {
    guard let name = LabelName(spaced: candidate.text) else { return false }
    return parts.contains { part in
      guard let pole = pole(of: candidate, part) else { return false }
      return put(
        name, candidate, at: spacedPlaces(pole, candidate.key.copy, name.columns), part: part,
        coversSigns: true)
    }
  }

  /// Puts a label where it was in the last frame, if that place is still free.
  private mutating func restore(_ candidate: LabelCandidate, at place: LabelMemory.Place) {
    switch place {
    case .around(let number, let point):
      guard candidate.point == point else { return }
      wanted.remove(cell(of: candidate))
      let name = LabelName(candidate.text)
      let places = pointPlaces(candidate, name.columns)
      if places.indices.contains(number) {
        put(name, candidate, at: places, only: number)
      }
    case .fixed(let x, let y, let columns, let isSpaced, let part):
      let spaced = isSpaced ? LabelName(spaced: candidate.text) : nil
      let name = spaced ?? self.name(of: candidate)
      // Another name needs another place.
      guard name.columns == columns, (spaced != nil) == isSpaced else { return }
      let (x, y) = (x - camera.originX, y - camera.originY)
      let middle = (x + name.columns, y + 2)
      if part == .visible, replaces(candidate, at: middle, isSpaced: isSpaced) { return }
      let place = LabelPlace(column: x >> 1, row: y >> 2, penalty: 0)
      put(
        name, candidate, at: [place], part: part, coversSigns: candidate.dimension == 2)
    }
  }

  /// Puts the name of an area into the middle of the whole area if that is free now.
  ///
  /// - Parameter middle: the dot of the name's middle in the part that was in view.
  /// - Returns: whether the former place no longer counts: the name has the middle, or more of the
  ///   area has come into view elsewhere.
  private mutating func replaces(
    _ candidate: LabelCandidate, at middle: (x: Int, y: Int), isSpaced: Bool
  ) -> Bool {
    if addSpaced(candidate, [.whole]) || !isSpaced && addInside(candidate, [.whole]) {
      return true
    }
    guard let box = pole(of: candidate, .visible)?.box else { return true }
    let copy = candidate.key.copy
    // A text may be a row beside the middle.
    return middle.x < window.dotX(box.minX, copy: copy) - 1
      || middle.x > window.dotX(box.maxX, copy: copy) + 1
      || middle.y < window.dotY(box.minY) - 6 || middle.y > window.dotY(box.maxY) + 6
  }

  /// Puts a name at the place with the least beneath it.
  ///
  /// - Parameters:
  ///   - only: the number of the only place that counts; `nil` for all.
  ///   - part: the part of an area that the places are in.
  ///   - coversSigns: whether it may lie upon signs of points without names.
  /// - Returns: whether there was one.
  @discardableResult
  private mutating func put(
    _ name: LabelName, _ candidate: LabelCandidate, at places: [LabelPlace], only: Int? = nil,
    part: AnchorPart = .whole, coversSigns: Bool = false
  ) -> Bool {
    guard name.columns > 0 else { return false }
    let set = sets[candidate.set]
    var best: (index: Int, cost: Int)?
    for (index, place) in places.enumerated() where only == nil || only == index {
      guard !isRepeated(candidate.text, place),
        let cost = cost(of: candidate, set, at: place, name.columns, coversSigns: coversSigns)
      else { continue }
      if best.map({ cost + place.penalty < $0.cost }) ?? true {
        best = (index, cost + place.penalty)
      }
    }
    guard let best else { return false }
    let place = places[best.index]
    var label = PlacedLabel(
      text: name.text, capitals: name.capitals, column: place.column, row: place.row,
      columns: name.columns, style: set.style(ofRow: candidate.key.row), set: candidate.set,
      feature: candidate.key.row)
    if name.capitals != nil, let pole = pole(of: candidate, .whole) {
      label.isBright = 2 * window.scale.dot(pole.box.width) <= camera.dotWidth
    }
    self.places[candidate.key] =
      candidate.dimension == 0
      ? .around(best.index, point: candidate.point)
      : .fixed(
        x: camera.originX + 2 * place.column, y: camera.originY + 4 * place.row,
        columns: name.columns, isSpaced: name.capitals != nil, part: part)
    keep(label, candidate, set)
    return true
  }

  /// Keeps a label, and its cells free.
  private mutating func keep(
    _ label: PlacedLabel, _ candidate: LabelCandidate, _ set: LabelSet
  ) {
    var label = label
    occupancy.addLabel(column: label.column, row: label.row, columns: label.columns)
    if candidate.dimension == 0 {
      label.dot = PlacedLabel.DotPosition(x: candidate.x, y: candidate.y)
      let cell = PlacedLabel.CellPosition(column: candidate.x >> 1, row: candidate.y >> 2)
      occupancy.addSign(column: cell.column, row: cell.row)
      if lacksSign(candidate, set, cell) { label.sign = cell }
    }
    placedTexts[candidate.text, default: []].append((label.column, label.row))
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
    of candidate: LabelCandidate, _ set: LabelSet, at place: LabelPlace, _ columns: Int,
    coversSigns: Bool
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
        guard let owner = picture.owner(ofCell: cell),
          coversSigns || isLower(owner, than: candidate, set)
        else { return nil }
        cost += 4
      } else if picture.raster.bits[cell] != 0 {
        cost += 1
      }
    }
    // The sign of another point would seem to be its own.
    let own = candidate.dimension == 0 ? cell(of: candidate) : -1
    for column in [place.column - 1, place.column + columns]
    where column >= 0 && column < picture.columns && hasSign(column, place.row)
      && place.row * picture.columns + column != own
    {
      cost += 3
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

  private func isRepeated(_ text: String, _ place: LabelPlace) -> Bool {
    placedTexts[text]?.contains {
      abs($0.column - place.column) < Self.repeatDistance
        && 2 * abs($0.row - place.row) < Self.repeatDistance
    } ?? false
  }

  /// Whether a label is in a cell.
  func hasLabel(column: Int, row: Int) -> Bool { occupancy.hasLabel(column: column, row: row) }
}
