import PortolanGraphics

/// Puts the names of points, lines and areas at one of their places.
extension LabelPlacer {
  /// Puts a name at the best free one of its places.
  ///
  /// - Returns: whether it has one.
  @discardableResult
  mutating func add(_ candidate: LabelCandidate) -> Bool {
    switch candidate.dimension {
    case 0:
      names.setWanted(false, candidate)
      if isCovered(candidate) { return false }
      let name = self.name(of: candidate)
      guard hasLetters(for: candidate, name.letters) else { return false }
      let places = pointPlaces(candidate, name.columns)
      // The signs of its suburbs leave a great town no place on a page.
      let isGreat = clearance > 0 && candidate.turn < .other
      var candidate = candidate
      return (isGreat ? [false, true] : [false]).contains { isAmongLower in
        candidate.isAmongLower = isAmongLower
        return put(name, candidate, at: places, coversSigns: candidate.coversSigns)
      }
    case 1:
      let name = self.name(of: candidate)
      // Most lines of a name that is near have no place themselves.
      let place = LabelPlace(column: candidate.x >> 1, row: candidate.y >> 2, penalty: 0)
      guard hasLetters(for: candidate, name.letters), !isRepeated(candidate, place) else {
        return false
      }
      let line = line(of: candidate)
      return put(name, candidate, at: levelPlaces(line, name.columns))
        || put(name, candidate, at: steepPlaces(line, name.columns))
    default:
      // In two lines a name is a blank shorter.
      guard hasLetters(for: candidate, self.name(of: candidate).letters - 1) else { return false }
      return candidate.turn <= .area && addSpaced(candidate) || addInside(candidate)
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
  mutating func addInside(
    _ candidate: LabelCandidate, _ parts: [AnchorPart] = [.whole, .visible]
  ) -> Bool {
    let name = self.name(of: candidate)
    return parts.contains { part in
      guard let pole = pole(of: candidate, part) else { return false }
      // Wholly within, else a little beyond the outline.
      return put(
        name, candidate, at: rooms(in: pole, candidate.key.copy, name.columns, rows: 1),
        part: part, coversSigns: candidate.coversSigns)
        || put(
          name, candidate, at: areaPlaces(pole, candidate.key.copy, name.columns), part: part,
          coversSigns: candidate.coversSigns)
        || putWrapped(name, candidate, in: pole, part)
    }
  }

  /// Puts the name of a small island beside it.
  ///
  /// - Parameter former: the only place that counts; `nil` for all.
  @discardableResult
  mutating func addBeside(_ candidate: LabelCandidate, at former: LabelPlace? = nil) -> Bool {
    guard candidate.dimension == 2 else { return false }
    var candidate = candidate
    candidate.isBeside = true
    let name = self.name(of: candidate)
    guard hasLetters(for: candidate, name.letters) else { return false }
    let places = outsidePlaces(candidate, name.columns).filter { place in
      former.map { $0.column == place.column && $0.row == place.row } ?? true
    }
    return put(name, candidate, at: places)
  }

  /// Puts the name of an area into it in spaced capitals, if it has the room.
  mutating func addSpaced(
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
  mutating func restore(_ candidate: LabelCandidate, at place: LabelMemory.Place) -> Bool {
    switch place {
    case .around(let number, let point):
      guard candidate.point == point, !isCovered(candidate) else { return false }
      names.setWanted(false, candidate)
      let name = LabelName(candidate.text)
      let places = pointPlaces(candidate, name.columns)
      return places.indices.contains(number) && put(name, candidate, at: places, only: number)
    case .wrapped(let x, let y, let columns, let part):
      guard let lines = LabelName.wrapped(candidate.text), Self.columns(of: lines) == columns
      else { return false }
      let (column, row) = ((x - camera.originX) >> 1, (y - camera.originY) >> 2)
      let middle = (x - camera.originX + Self.columns(of: lines), y - camera.originY + 4)
      if part == .visible, replaces(candidate, at: middle, isSpaced: false) {
        return names.hasName(candidate)
      }
      let place = LabelPlace(column: column, row: row, penalty: 0)
      return putWrapped(lines, candidate, at: [place], part, coversSigns: true)
    case .fixed(let x, let y, let columns, let isSpaced, let part):
      let spaced = isSpaced ? LabelName(spaced: candidate.text) : nil
      let name = spaced ?? self.name(of: candidate)
      // Another name needs another place.
      guard name.columns == columns, (spaced != nil) == isSpaced else { return false }
      let (x, y) = (x - camera.originX, y - camera.originY)
      let middle = (x + name.columns, y + 2)
      if part == .visible, replaces(candidate, at: middle, isSpaced: isSpaced) {
        return names.hasName(candidate)
      }
      let place = LabelPlace(column: x >> 1, row: y >> 2, penalty: 0)
      return put(name, candidate, at: [place], part: part, coversSigns: candidate.dimension == 2)
        || addBeside(candidate, at: place)
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

  // MARK: Two lines

  /// Puts the name of an area into it in two lines, where one has no room.
  private mutating func putWrapped(
    _ name: LabelName, _ candidate: LabelCandidate, in pole: AreaAnchor, _ part: AnchorPart
  ) -> Bool {
    // Most areas have not even the room for half of their name.
    guard window.scale.dot(pole.box.width) / 2 + 2 >= name.columns / 2,
      let lines = LabelName.wrapped(candidate.text)
    else { return false }
    let columns = Self.columns(of: lines)
    let copy = candidate.key.copy
    guard window.scale.dot(pole.box.width) / 2 + 2 >= columns,
      window.scale.dot(pole.box.height) / 4 + 1 >= lines.count
    else { return false }
    let column = window.dotX(pole.point.x, copy: copy) >> 1 - columns / 2
    // The two rows on both sides of the middle.
    let row = (window.dotY(pole.point.y) - 2) >> 2
    let near = LabelPlace.inOrder(LabelPlace.near(column: column, row: row))
    return putWrapped(
      lines, candidate, at: near, part, coversSigns: candidate.coversSigns)
      || putWrapped(
        lines, candidate, at: rooms(in: pole, copy, columns, rows: lines.count), part,
        coversSigns: candidate.coversSigns)
  }

  /// Puts the lines of a name below each other, at the place with the least beneath them.
  @discardableResult
  private mutating func putWrapped(
    _ lines: [LabelName], _ candidate: LabelCandidate, at places: [LabelPlace], _ part: AnchorPart,
    coversSigns: Bool
  ) -> Bool {
    let columns = Self.columns(of: lines)
    guard hasLetters(for: candidate, lines.reduce(0) { $0 + $1.columns }) else { return false }
    func cost(at place: LabelPlace) -> Int? {
      var sum = place.penalty
      for (number, line) in lines.enumerated() {
        let column = place.column + (columns - line.columns) / 2
        let place = LabelPlace(column: column, row: place.row + number, penalty: 0)
        guard !isRepeated(candidate, place),
          let cost = self.cost(
            of: candidate, at: place, line.columns, coversSigns: coversSigns)
        else { return nil }
        sum += cost
      }
      return sum
    }
    let possible = places.compactMap { place in cost(at: place).map { (place: place, cost: $0) } }
    guard let best = possible.min(by: { $0.cost < $1.cost })?.place else { return false }
    let style = sets[candidate.set].style(ofRow: candidate.key.row)
    keep(
      lines.enumerated().map { number, line in
        let place = LabelPlace(
          column: best.column + (columns - line.columns) / 2, row: best.row + number, penalty: 0)
        return PlacedLabel(line, at: place, of: candidate, style: style)
      }, of: candidate,
      at: .wrapped(
        x: camera.originX + 2 * best.column, y: camera.originY + 4 * best.row, columns: columns,
        part: part))
    return true
  }

  static func columns(of lines: [LabelName]) -> Int { lines.map(\.columns).max() ?? 0 }
}
