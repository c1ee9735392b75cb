import PortolanGraphics
import PortolanTerminals

/// Places labels without overlaps, most important first.
///
/// A label may cover dots and the signs of less important points, never those of others. Of its
/// places it takes the one with the least beneath it.
///
/// It is never copied: a copy of what was placed so far costs more than most names.
struct LabelPlacer: ~Copyable {
  /// The number of the most important points and areas of a layer in a small picture, and the cells
  /// of a large one for each of them.
  static let leaders = 24
  static let cellsPerLeader = 120
  /// The number of names of lines that come before those of other points.
  static let leadingLines = 12
  /// The most lines of one of these names that do.
  static let leadingParts = 3
  /// The number of points of a layer in a small picture that have their names before areas; in a
  /// large one half of the most important ones do.
  static let foremost = 10
  /// Of so many important areas one has its name before all points.
  static let areasPerGreat = 8
  /// The most names that are tried beside their areas: each looks at all areas of its layer.
  static let outsideMax = 64
  /// How often on a page a name that makes room may have others make room for it.
  static let chainMax = 2
  /// The most places within an area that are tried beside those at its middle.
  static let roomsMax = 24
  /// What a place on land is worse for a town at the coast.
  static let landCost = 2
  /// The most level stretches of a line that are tried for its name.
  static let levelRunsMax = 4
  /// What a place is worse for a name in the next row.
  static let nearCost = 8
  /// The most rows of an island that has its name beside it.
  static let islandRows = 3
  /// The most places among a group of islands that are tried for its name.
  static let groupCellsMax = 200
  /// An island counts if it has this part of the largest one's size.
  static let islandShare = 8.0
  /// The most letters on a map, in percent of its cells: more would bury it. The smallest map may
  /// have one name.
  static let lettersShare = 18
  /// What a cell of a coast or border beneath a name costs, and one part of a name of little
  /// importance that may lie upon them.
  static let outlineCost = 3
  static let outlinePart = 5
  /// The least distance between two labels with the same text.
  static let repeatDistance = 30

  let camera: Camera
  let window: ViewWindow
  let memory: RenderMemory
  let picture: CellPicture
  /// The picture whose labels keep their places.
  let name: String
  /// The rows above and below a label that have no other one: of pages, where no sign is hidden.
  let clearance: Int
  /// The selected features, which have their names first.
  let selected: [ObjectIdentifier: Set<Int>]
  /// The columns in which labels may be placed.
  let columns: Range<Int>
  var names: PlacedNames
  /// The cells that no label may have, before any was placed.
  let taken: CellOccupancy
  /// The places of the labels in the last frame, as far as they count.
  let former: [LabelKey: LabelMemory.Place]
  /// The most letters that there may be, without those of what is chosen.
  let lettersMax: Int
  /// The cells of the most important points.
  var leadingCells: Set<Int> = []
  private(set) var sets: [LabelSet] = []
  let known = KnownPlaces()

  /// - Parameters:
  ///   - columns: the columns of the window in which labels may be placed.
  ///   - texts: the texts of notes, of which labels keep off.
  ///   - reserved: other cells of which they keep off.
  init(
    camera: Camera, picture: CellPicture, memory: RenderMemory, name: String, columns: Range<Int>,
    texts: [PlacedText] = [], reserved: [CellRect] = [], clearance: Int = 0,
    selected: [ObjectIdentifier: Set<Int>] = [:]
  ) {
    self.selected = selected
    self.clearance = max(0, clearance)
    self.camera = camera
    self.memory = memory
    self.picture = picture
    self.name = name
    window = ViewWindow(camera)
    self.columns = columns
    lettersMax = max(
      LabelName.columnsMax, columns.count * camera.worldRows.count * Self.lettersShare / 100)
    var taken = CellOccupancy(columns: picture.columns, rows: picture.rows)
    for text in texts {
      // Blank lines and the ends of short ones belong to it as well.
      let first = text.lines.map(\.column).min() ?? 0
      let end = text.lines.map(\.cells.upperBound).max() ?? 0
      for line in text.lines {
        taken.addLabel(column: first, row: line.row, columns: end - first)
      }
    }
    for rect in reserved {
      for row in rect.row..<max(rect.row, rect.row + rect.rows) {
        taken.addWall(column: rect.column, row: row, columns: max(0, rect.columns))
      }
    }
    for row in columns == 0..<picture.columns ? 0..<0 : 0..<picture.rows {
      taken.addWall(column: 0, row: row, columns: min(columns.lowerBound, picture.columns))
      taken.addWall(
        column: columns.upperBound, row: row,
        columns: max(0, picture.columns - columns.upperBound))
    }
    self.taken = taken
    names = PlacedNames(taken, columns: picture.columns, rows: picture.rows)
    former = memory.labels[name]?.places(for: camera) ?? [:]
  }

  /// The labels of all sets; remembers their places.
  mutating func place(_ sets: [LabelSet]) -> [PlacedLabel] {
    guard !sets.isEmpty, camera.size.columns > 0, camera.size.rows > 0 else { return [] }
    self.sets = sets
    let (candidates, order) = ordered()
    let formers = former.isEmpty ? [] : candidates.map { former[$0.key] }
    for pass in LabelPass.all where !(formers.isEmpty && pass.isOfFormer) {
      for index in order[pass.turns]
      where !(pass.isOfFormer && formers[index] == nil)
        && !names.isNamed(candidates[index].number)
      {
        let candidate = candidates[index]
        // Without letters left no further name has a place.
        guard hasLetters(for: candidate, 1) || pass.isOfFormer else { continue }
        for way in pass.ways
        where name(candidate, way, former: formers.isEmpty ? nil : formers[index]) { break }
      }
    }
    memory.keep(
      LabelMemory(names.places, in: camera, isSettled: former.isEmpty), of: name)
    return names.lines.map { label in
      var label = label
      label.halo = halo(of: label)
      return label
    }
  }

  /// Names a feature in one way.
  ///
  /// - Parameter former: where its name was in the last frame.
  /// - Returns: whether it has a name now.
  private mutating func name(
    _ candidate: LabelCandidate, _ way: LabelPass.Way, former: LabelMemory.Place?
  ) -> Bool {
    switch way {
    case .former, .formerInWhole:
      guard let former, way == .former || !former.isInPart else { return false }
      return restore(candidate, at: former)
    case .own: return add(candidate)
    case .moving: return addMoving(candidate, chain: clearance > 0 ? Self.chainMax : 0)
    case .beside: return addBeside(candidate)
    }
  }

  /// The cells at both ends of a label with nothing but dots and lines in them.
  private func halo(of label: PlacedLabel) -> [PlacedLabel.CellPosition] {
    [label.column - 1, label.column + label.columns].compactMap { column in
      guard column >= 0, column < picture.columns, !hasSign(column, label.row),
        !names.occupancy.hasLabel(column: column, row: label.row)
      else { return nil }
      return PlacedLabel.CellPosition(column: column, row: label.row)
    }
  }

  func hasSign(_ column: Int, _ row: Int) -> Bool {
    picture.symbols[row * picture.columns + column] > 0
      || names.occupancy.hasSign(column: column, row: row)
  }

  /// The cell of a point.
  func cell(of candidate: LabelCandidate) -> Int {
    (candidate.y >> 2) * picture.columns + candidate.x >> 1
  }

  /// Puts a name at the place with the least beneath it.
  ///
  /// - Parameters:
  ///   - only: the number of the only place that counts; `nil` for all.
  ///   - part: the part of an area that the places are in.
  ///   - coversSigns: whether it may lie upon signs of points without names.
  /// - Returns: whether there was one.
  @discardableResult
  mutating func put(
    _ name: LabelName, _ candidate: LabelCandidate, at places: [LabelPlace], only: Int? = nil,
    part: AnchorPart = .whole, coversSigns: Bool = false
  ) -> Bool {
    guard name.columns > 0, hasLetters(for: candidate, name.letters),
      candidate.dimension != 0 || !touchesOtherName(candidate)
    else { return false }
    var best: (index: Int, cost: Int)?
    for (index, place) in places.enumerated() where only == nil || only == index {
      // None of the following places is better than the best one so far.
      if let best, place.penalty >= best.cost { continue }
      guard
        let cost = cost(
          of: candidate, at: place, name.columns, coversSigns: coversSigns,
          isSpaced: name.capitals != nil),
        best.map({ cost + place.penalty < $0.cost }) ?? true, !isRepeated(candidate, place)
      else { continue }
      best = (index, cost + place.penalty)
    }
    guard let best else { return false }
    let place = places[best.index]
    var label = PlacedLabel(
      name, at: place, of: candidate, style: sets[candidate.set].style(ofRow: candidate.key.row))
    if name.capitals != nil, let pole = pole(of: candidate, .whole) {
      label.isBright = 2 * window.scale.dot(pole.box.width) <= camera.dotWidth
    }
    keep(
      [label], of: candidate,
      at: candidate.dimension == 0
        ? .around(best.index, point: candidate.point)
        : .fixed(
          x: camera.originX + 2 * place.column, y: camera.originY + 4 * place.row,
          columns: name.columns, isSpaced: name.capitals != nil, part: part))
    return true
  }

  /// Whether the map may have so many further letters.
  func hasLetters(for candidate: LabelCandidate, _ count: Int) -> Bool {
    candidate.isChosen || names.letters + count <= lettersMax
  }

  /// Keeps the lines of a name, and where they stand.
  mutating func keep(
    _ lines: [PlacedLabel], of candidate: LabelCandidate, at place: LabelMemory.Place
  ) {
    names.add(
      PlacedNames.Name(
        owner: candidate,
        lines: candidate.dimension == 0 ? lines.map { beside($0, candidate) } : lines,
        place: place))
  }

  /// A label with its point, and with the point's sign if that must be drawn.
  private func beside(_ label: PlacedLabel, _ point: LabelCandidate) -> PlacedLabel {
    var label = label
    label.dot = PlacedLabel.DotPosition(x: point.x, y: point.y)
    let cell = PlacedLabel.CellPosition(column: point.x >> 1, row: point.y >> 2)
    if lacksSign(point, sets[point.set], cell) { label.sign = cell }
    return label
  }

  /// Whether the sign of a labelled point must still be drawn, because a higher one is near.
  func lacksSign(
    _ candidate: LabelCandidate, _ set: LabelSet, _ cell: PlacedLabel.CellPosition
  ) -> Bool {
    let index = cell.row * picture.columns + cell.column
    guard !set.style(ofRow: candidate.key.row).symbol.isEmpty,
      picture.symbols.indices.contains(index), !taken.hasText(column: cell.column, row: cell.row)
    else { return false }
    if picture.symbols[index] == 0 { return true }
    return picture.owner(ofCell: index).map { isLower($0, than: candidate) } ?? false
  }

  /// The number of cells with something beneath a label; `nil` for a place that it cannot have.
  func cost(
    of candidate: LabelCandidate, at place: LabelPlace, _ columns: Int, coversSigns: Bool,
    isSpaced: Bool = false
  ) -> Int? {
    // The capitals of an area's name are wider on a page than its columns.
    let edge = clearance > 0 && candidate.dimension == 2 ? 1 : 0
    guard place.column >= edge, place.row >= 0, place.row < camera.size.rows,
      place.column + columns <= camera.size.columns - edge,
      names.occupancy.isFree(
        column: place.column, row: place.row, columns: columns, isSpaced: isSpaced),
      clearance == 0 || isClear(candidate, place, columns),
      candidate.dimension != 2 || candidate.isBeside || isOnArea(candidate, place, columns),
      !isBesideForeignSign(place, columns),
      clearance == 0 || !isNearForeignSign(candidate, place, columns)
    else { return nil }
    guard let ground = groundCost(of: candidate, at: place, columns, coversSigns: coversSigns),
      let near = foreignCost(of: candidate, at: place, columns)
    else { return nil }
    return ground + near + (clearance > 0 && !hasClearRows(place, columns) ? Self.nearCost : 0)
  }

  /// The number of cells with something of the map beneath a text; `nil` where it may not lie.
  func groundCost(
    of candidate: LabelCandidate, at place: LabelPlace, _ columns: Int, coversSigns: Bool
  ) -> Int? {
    // Signs are painted upon names.
    let signCost = clearance > 0 ? 30 : 4
    var (cost, outlines) = (0, 0)
    for column in place.column..<(place.column + columns) {
      let cell = place.row * picture.columns + column
      // A point beneath a label can have none itself.
      if names.occupancy.isWanted(column: column, row: place.row) { cost += 12 }
      if picture.symbols[cell] > 0 {
        guard let owner = picture.owner(ofCell: cell),
          coversSigns || isLower(owner, than: candidate),
          // On a page nothing would be left of the sign of a capital.
          candidate.dimension != 2 || clearance == 0 || !leadingCells.contains(cell)
        else { return nil }
        cost += signCost
      } else if picture.hasOutline(inCell: cell) {
        outlines += 1
      } else if picture.raster.bits[cell] != 0 {
        cost += 1
      }
    }
    if candidate.turn == .other, Self.outlinePart * outlines > columns { return nil }
    return cost + Self.outlineCost * outlines
  }

  func isLower(_ owner: SymbolOwner, than candidate: LabelCandidate) -> Bool {
    let priority = sets[candidate.set].priority
    if owner.priority != priority { return owner.priority > priority }
    return PointRank(
      rank: candidate.rank, part: sets[candidate.set].part, row: candidate.key.row
    )
    .isHigher(than: owner.rank)
  }

  /// Whether the same text is near: of a line, within half the window.
  func isRepeated(_ candidate: LabelCandidate, _ place: LabelPlace) -> Bool {
    let distance =
      candidate.dimension == 1
      ? max(Self.repeatDistance, camera.size.columns / 2) : Self.repeatDistance
    return names.positions(of: NameKind(candidate)).contains {
      abs($0.column - place.column) < distance && 2 * abs($0.row - place.row) < distance
    }
  }

  /// Whether a label is in the cell of a point, which then can have none: a note's text, which no
  /// name can be beside, leaves it the rows above and below.
  func isCovered(_ point: LabelCandidate) -> Bool {
    let (column, row) = (point.x >> 1, point.y >> 2)
    return hasLabel(column: column, row: row) && !taken.hasText(column: column, row: row)
  }

  /// Whether a label is in a cell.
  func hasLabel(column: Int, row: Int) -> Bool {
    names.occupancy.hasLabel(column: column, row: row)
  }
}

extension PlacedLabel {
  /// A line of the name of a feature.
  init(_ name: LabelName, at place: LabelPlace, of feature: LabelCandidate, style: MarkStyle) {
    self.init(
      text: name.text, capitals: name.capitals, column: place.column, row: place.row,
      columns: name.columns, style: style, set: feature.set, feature: feature.key.row)
    isBeside = feature.isBeside
  }
}
