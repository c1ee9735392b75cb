import PortolanGraphics

/// Keeps names at their own signs, away from those of others.
extension LabelPlacer {
  /// Half the height of a text on a page, and how far it is from a point beside it, in dots.
  private static let halfHeight = 1.3
  private static let gap = 1.5
  /// What a sign of another point makes a place worse, where a blank parts them.
  private static let nearSignCost = 6
  /// The least distance between the middles of texts below each other, in dots.
  private static let lineHeight = 3.7

  /// Whether one sign alone would stand between a text and another one: it names only one of them.
  func isBesideForeignSign(_ place: LabelPlace, _ columns: Int) -> Bool {
    func hasSignAlone(_ column: Int, _ step: Int) -> Bool {
      column >= 0 && column < picture.columns && hasSign(column, place.row)
        && names.occupancy.hasLabel(near: column, row: place.row, step: step)
    }
    let (first, last) = (place.column, place.column + columns - 1)
    return hasSignAlone(first - 1, -1) || hasSignAlone(first - 2, -1)
      || hasSignAlone(last + 1, 1) || hasSignAlone(last + 2, 1)
  }

  /// What the signs of other points beside a text make it worse: they would seem to be its own;
  /// `nil` where one does.
  ///
  /// A name in the row of its own sign begins or ends there; one above or below it is only near. A
  /// text that touches a sign at one of its ends reads as the name of that one.
  func foreignCost(
    of candidate: LabelCandidate, at place: LabelPlace, _ columns: Int
  ) -> Int? {
    let isPoint = candidate.dimension == 0
    let own = isPoint ? cell(of: candidate) : -1
    let isAside = isPoint && place.row != candidate.y >> 2
    var cost = 0
    let (before, after) = (place.column - 1, place.column + columns)
    for row in (isAside ? place.row - 1 : place.row)...(isAside ? place.row + 1 : place.row)
    where row >= 0 && row < picture.rows {
      // In the name's own row its two ends.
      for column in stride(from: before, through: after, by: row == place.row ? columns + 1 : 1)
      where column >= 0 && column < picture.columns && row * picture.columns + column != own
        && hasSign(column, row)
      {
        if !candidate.isChosen {
          if isPoint, isGreater(column, row, than: candidate) { return nil }
          // On pages distances are measured.
          if row == place.row, clearance == 0, isAside || !isPoint { return nil }
        }
        cost += row != place.row ? 2 : isPoint && !isAside ? 3 : 12
      }
    }
    guard clearance == 0, isAside || !isPoint else { return cost }
    // With one blank between them it is still near.
    for column in [before - 1, after + 1]
    where column >= 0 && column < picture.columns && hasSign(column, place.row)
      && place.row * picture.columns + column != own
    {
      cost += Self.nearSignCost
    }
    return cost
  }

  /// Whether the sign that a point gets with its name would touch the name of an area or a line, or
  /// that of a point in another row: it would read as the sign of that one. On a page, whether the
  /// name of another point is as near to it as a name beside it.
  func touchesOtherName(_ point: LabelCandidate) -> Bool {
    let (column, row) = (point.x >> 1, point.y >> 2)
    if clearance > 0, !point.isChosen {
      let dot = (x: Double(point.x) + 0.5, y: Double(point.y) + 0.5)
      return names.numbers(in: column - 2...column + 2, rows: row - 1...row + 1).contains {
        guard let name = names[$0], name.owner.dimension == 0 else { return false }
        return name.lines.contains { line in
          let place = LabelPlace(column: line.column, row: line.row, penalty: 0)
          return Self.distance(dot, pageText(name.owner, place, line.columns)) <= Self.gap
        }
      }
    }
    let cell = PlacedLabel.CellPosition(column: column, row: row)
    guard clearance == 0, !point.isChosen, lacksSign(point, sets[point.set], cell) else {
      return false
    }
    return [column - 1, column + 1].contains { column in
      names.numbers(in: column...column, rows: row...row).contains { number in
        names[number].map { $0.owner.dimension != 0 || $0.owner.y >> 2 != row } ?? false
      }
    }
  }

  /// Whether a sign without a name ranks higher than a point whose name would stand beside it.
  private func isGreater(_ column: Int, _ row: Int, than candidate: LabelCandidate) -> Bool {
    if names.occupancy.hasSign(column: column, row: row) { return false }
    return picture.owner(ofCell: row * picture.columns + column).map {
      !isLower($0, than: candidate)
    } ?? false
  }

  /// Whether the name of a point on a page is as near to another sign as to its own, or a name lies
  /// upon a sign; names of areas may, where nothing else is left.
  func isNearForeignSign(
    _ candidate: LabelCandidate, _ place: LabelPlace, _ columns: Int
  ) -> Bool {
    if candidate.dimension == 2, !candidate.isBeside { return false }
    let isPoint = candidate.dimension == 0
    let text = pageText(candidate, place, columns)
    let own = (x: Double(candidate.x) + 0.5, y: Double(candidate.y) + 0.5)
    let reach = isPoint ? Self.distance(own, text) : 0.5
    let columns =
      Int((text.x.lowerBound - reach) / 2) - 1...Int((text.x.upperBound + reach) / 2) + 1
    let rows = Int((text.y.lowerBound - reach) / 4) - 1...Int((text.y.upperBound + reach) / 4) + 1
    let home = isPoint ? cell(of: candidate) : -1
    for row in rows.clamped(to: 0...max(0, picture.rows - 1)) {
      for column in columns.clamped(to: 0...max(0, picture.columns - 1)) {
        let cell = row * picture.columns + column
        guard cell != home, picture.symbols[cell] > 0 else { continue }
        guard Self.distance(sign(in: cell), text) <= reach else { continue }
        if candidate.isAmongLower, let owner = picture.owner(ofCell: cell),
          isLower(owner, than: candidate), !hasName(owner)
        {
          continue
        }
        return true
      }
    }
    return false
  }

  /// Whether no other name is too near for a page: of points in the next row, of areas within a
  /// line of text.
  func isClear(_ candidate: LabelCandidate, _ place: LabelPlace, _ columns: Int) -> Bool {
    guard
      names.occupancy.hasClearEnds(
        column: place.column, row: place.row, columns: columns, cells: clearance)
    else { return false }
    if hasClearRows(place, columns) { return true }
    guard candidate.dimension == 2, !candidate.isBeside else { return false }
    let middle = 4 * Double(place.row) + 2
    return !names.lines.contains { label in
      abs(label.row - place.row) <= clearance && label.column <= place.column + columns
        && label.column + label.columns >= place.column
        && abs(Self.middle(of: label) - middle) < Self.lineHeight
    }
  }

  func hasClearRows(_ place: LabelPlace, _ columns: Int) -> Bool {
    names.occupancy.hasClearRows(
      column: place.column, row: place.row, columns: columns, rows: clearance)
  }

  /// The height of the middle of a placed name on a page, in dots: one beside its point is at the
  /// point's height.
  private static func middle(of label: PlacedLabel) -> Double {
    guard let dot = label.dot else { return 4 * Double(label.row) + 2 }
    return Double(dot.y) + 0.5 + 4 * Double(label.row - dot.y >> 2)
  }

  /// The dots of a text on a page, where one beside its point is at the point's height.
  private func pageText(
    _ candidate: LabelCandidate, _ place: LabelPlace, _ columns: Int
  ) -> (x: ClosedRange<Double>, y: ClosedRange<Double>) {
    let width = 2 * Double(columns)
    var first = 2 * Double(place.column)
    var middle = 4 * Double(place.row) + 2
    if candidate.dimension == 0 {
      let x = Double(candidate.x) + 0.5
      if place.column > candidate.x >> 1 {
        first = x + Self.gap
      } else if place.column + columns <= candidate.x >> 1 {
        first = x - Self.gap - width
      }
      middle = Double(candidate.y) + 0.5 + 4 * Double(place.row - candidate.y >> 2)
    }
    return (first...(first + width), (middle - Self.halfHeight)...(middle + Self.halfHeight))
  }

  /// Whether the point of a sign has a name.
  private func hasName(_ owner: SymbolOwner) -> Bool {
    guard names.hasPoint(ofRow: owner.rank.row) else { return false }
    return names.present.contains { name in
      let set = sets[name.owner.set]
      return name.owner.key.row == owner.rank.row && set.part == owner.rank.part
        && set.priority == owner.priority
    }
  }

  /// The dot of the sign in a cell; the cell's middle if its feature is not known.
  private func sign(in cell: Int) -> (x: Double, y: Double) {
    if known.signs.isEmpty {
      known.signs = [(x: Double, y: Double)](
        repeating: (.nan, .nan), count: picture.columns * picture.rows)
    }
    if known.signs[cell].x.isNaN { known.signs[cell] = findSign(in: cell) }
    return known.signs[cell]
  }

  private func findSign(in cell: Int) -> (x: Double, y: Double) {
    let (column, row) = (cell % picture.columns, cell / picture.columns)
    let middle = (x: Double(2 * column + 1), y: Double(4 * row + 2))
    guard let owner = picture.owner(ofCell: cell),
      let set = sets.first(where: {
        $0.priority == owner.priority && $0.part == owner.rank.part
      })
    else { return middle }
    let boxes = memory.projected(set.block, on: camera.plane).featureBoxes
    guard boxes.indices.contains(owner.rank.row) else { return middle }
    let box = boxes[owner.rank.row]
    for copy in window.copies {
      let (x, y) = (window.dotX(box.minX, copy: copy), window.dotY(box.minY))
      if x >> 1 == column, y >> 2 == row { return (Double(x) + 0.5, Double(y) + 0.5) }
    }
    return middle
  }

  private static func distance(
    _ dot: (x: Double, y: Double), _ text: (x: ClosedRange<Double>, y: ClosedRange<Double>)
  ) -> Double {
    let x = max(text.x.lowerBound - dot.x, dot.x - text.x.upperBound, 0)
    let y = max(text.y.lowerBound - dot.y, dot.y - text.y.upperBound, 0)
    return (x * x + y * y).squareRoot()
  }
}
