import PortolanGraphics

/// The names that stand, and what they take of the map: cells, letters, texts.
///
/// Names can be taken away and put back, so that a trial copies none of the others.
struct PlacedNames {
  /// The name of a feature, in one line or more.
  struct Name {
    let owner: LabelCandidate
    let lines: [PlacedLabel]
    let place: LabelMemory.Place
  }

  private(set) var occupancy: CellOccupancy
  /// The letters of the names, without those of what is chosen.
  private(set) var letters = 0
  /// The names in the order of placing; `nil` where one was taken away.
  private var names: [Name?] = []
  /// The names that were taken away, and their numbers.
  private var taken: [(number: Int, name: Name)] = []
  /// The number of the name in each cell; -1 for none.
  private var cells: [Int32]
  private let columns: Int
  private var texts: [NameKind: [PlacedLabel.CellPosition]] = [:]
  /// Whether features have names, by their numbers.
  private var named: [Bool] = []
  /// How many names of points there are of each row of their blocks.
  private var pointRows: [Int: Int] = [:]

  init(_ occupancy: CellOccupancy, columns: Int, rows: Int) {
    self.occupancy = occupancy
    self.columns = columns
    cells = [Int32](repeating: -1, count: columns * rows)
  }

  /// Makes room for features of some numbers, from 0 on.
  mutating func expect(features count: Int) { named = [Bool](repeating: false, count: count) }

  /// A state to go back to.
  struct Mark {
    fileprivate let count: Int
    fileprivate let taken: Int
  }

  var mark: Mark { Mark(count: names.count, taken: taken.count) }
  var present: some Sequence<Name> { names.lazy.compactMap { $0 } }
  var lines: some Sequence<PlacedLabel> { present.lazy.flatMap(\.lines) }
  var places: [LabelKey: LabelMemory.Place] {
    Dictionary(present.map { ($0.owner.key, $0.place) }, uniquingKeysWith: { $1 })
  }

  subscript(number: Int) -> Name? { names[number] }

  /// Whether a feature has a name in any copy of the world.
  func hasName(_ feature: LabelCandidate) -> Bool { isNamed(feature.number) }

  /// Whether the feature of a number has a name.
  func isNamed(_ number: Int) -> Bool { named[number] }

  /// Whether a point of a row of any block has a name.
  func hasPoint(ofRow row: Int) -> Bool { pointRows[row, default: 0] > 0 }

  /// The first cells of the names with a text.
  func positions(of kind: NameKind) -> [PlacedLabel.CellPosition] { texts[kind] ?? [] }

  /// The numbers of the names in a rectangle of cells, in the order of placing.
  func numbers(in columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> [Int] {
    let columns = Range(columns).clamped(to: 0..<self.columns)
    let rows = Range(rows).clamped(to: 0..<(self.columns > 0 ? cells.count / self.columns : 0))
    var found: [Int] = []
    for row in rows {
      for cell in columns {
        let number = Int(cells[row * self.columns + cell])
        if number >= 0, found.last != number, !found.contains(number) { found.append(number) }
      }
    }
    return found.sorted()
  }

  mutating func add(_ name: Name) {
    names.append(nil)
    put(name, number: names.count - 1)
  }

  /// Takes a name away; the sign of its point keeps its cell.
  @discardableResult
  mutating func take(_ number: Int) -> Name? {
    guard let name = names[number] else { return nil }
    taken.append((number, name))
    names[number] = nil
    named[name.owner.number] = false
    if name.owner.dimension == 0 { pointRows[name.owner.key.row, default: 0] -= 1 }
    if !name.owner.isChosen { letters -= name.letters }
    let kind = NameKind(name.owner)
    for line in name.lines {
      let position = PlacedLabel.CellPosition(column: line.column, row: line.row)
      texts[kind]?.removeAll { $0 == position }
      occupancy.removeLabel(column: line.column, row: line.row, columns: line.columns)
      fill(line, with: -1)
    }
    return name
  }

  /// Removes the names that were added since, and puts back those that were taken away; the signs
  /// keep their cells.
  mutating func goBack(to mark: Mark) {
    for number in (mark.count..<names.count).reversed() { take(number) }
    names.removeLast(names.count - mark.count)
    for (number, name) in taken[mark.taken...].reversed() where number < mark.count {
      put(name, number: number)
    }
    taken.removeLast(taken.count - mark.taken)
  }

  private mutating func put(_ name: Name, number: Int) {
    names[number] = name
    named[name.owner.number] = true
    if !name.owner.isChosen { letters += name.letters }
    let kind = NameKind(name.owner)
    for line in name.lines {
      texts[kind, default: []].append(
        PlacedLabel.CellPosition(column: line.column, row: line.row))
      occupancy.addLabel(
        column: line.column, row: line.row, columns: line.columns, isSpaced: line.capitals != nil)
      fill(line, with: number)
    }
    guard name.owner.dimension == 0 else { return }
    pointRows[name.owner.key.row, default: 0] += 1
    setSign(true, of: name.owner)
  }

  /// Whether the cell of a point is kept free of other names.
  func hasSign(of point: LabelCandidate) -> Bool {
    occupancy.hasSign(column: point.x >> 1, row: point.y >> 2)
  }

  mutating func setSign(_ isKept: Bool, of point: LabelCandidate) {
    occupancy.setSign(isKept, column: point.x >> 1, row: point.y >> 2)
  }

  /// Notes whether other names keep off the cell of an important point where they can.
  mutating func setWanted(_ isWanted: Bool, _ point: LabelCandidate) {
    occupancy.setWanted(isWanted, column: point.x >> 1, row: point.y >> 2)
  }

  private mutating func fill(_ line: PlacedLabel, with number: Int) {
    guard line.row >= 0, line.row * columns < cells.count else { return }
    let range = (line.column..<(line.column + line.columns)).clamped(to: 0..<columns)
    for column in range { cells[line.row * columns + column] = Int32(truncatingIfNeeded: number) }
  }
}

extension PlacedNames.Name {
  fileprivate var letters: Int { lines.reduce(0) { $0 + $1.letters } }
}

/// A name of lines, or of other features: a river may be called like a town.
struct NameKind: Hashable {
  let text: String
  let isOfLine: Bool

  init(_ candidate: LabelCandidate) {
    (text, isOfLine) = (candidate.text, candidate.dimension == 1)
  }
}
