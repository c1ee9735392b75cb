/// Collects the columns of one kind of a block: its attributes, or its foreign members.
///
/// Columns are identified by their number in the whole layer; a block holds only those with a value
/// in one of its features, in the layer's order.
struct ColumnSetBuilder: Sendable {
  private var columns: [AttributeColumnBuilder] = []
  /// The layer's number of each column here.
  private var numbers: [Int] = []
  /// The index here of each of the layer's columns; -1 for columns not begun.
  private var places: [Int32] = []

  var count: Int { columns.count }
  /// Whether any value was appended.
  var isEmpty: Bool { columns.isEmpty }

  /// Appends a value in a row; rows between are missing.
  mutating func append(
    column number: Int, name: String, row: Int, kind: AttributeKind,
    utf8: UnsafeBufferPointer<UInt8>
  ) {
    let place = begin(number, name: name, row: row)
    columns[place].pad(toRows: row)
    columns[place].append(kind, utf8: utf8)
  }

  /// Ends the block: every column gets `rows` rows.
  ///
  /// - Returns: the columns in the layer's order, and the layer's number of each.
  func finish(rows: Int) -> (columns: [AttributeColumn], numbers: [Int]) {
    let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    let made = order.map { place in
      var builder = columns[place]
      builder.pad(toRows: rows)
      return builder.column()
    }
    return (made, order.map { numbers[$0] })
  }

  /// Forgets all columns, to begin another block.
  mutating func removeAll() {
    columns.removeAll(keepingCapacity: true)
    for number in numbers { places[number] = -1 }
    numbers.removeAll(keepingCapacity: true)
  }

  private mutating func begin(_ number: Int, name: String, row: Int) -> Int {
    if number >= places.count {
      places.append(contentsOf: repeatElement(-1, count: number + 1 - places.count))
    }
    if places[number] < 0 {
      places[number] = Int32(truncatingIfNeeded: columns.count)
      columns.append(AttributeColumnBuilder(name: name, missingRows: row))
      numbers.append(number)
    }
    return Int(places[number])
  }
}

/// The names of a layer's columns in order of first appearance, with a fast look-up.
struct NameTable: Sendable {
  private(set) var names: [String] = []
  private var utf8: [[UInt8]] = []
  private var numbers: [ExactText: Int] = [:]
  private var guess = 0

  /// The number of a name, a new one if need be.
  ///
  /// Features of one file name their members in the same order, so the name after the last one is
  /// tried first.
  mutating func number(of name: UnsafeBufferPointer<UInt8>) -> Int {
    if guess < utf8.count, utf8[guess].elementsEqual(name) {
      defer { guess += 1 }
      return guess
    }
    let number = number(of: String(decoding: name, as: UTF8.self))
    guess = number + 1
    return number
  }

  mutating func number(of name: String) -> Int {
    if let known = numbers[ExactText(name)] { return known }
    numbers[ExactText(name)] = names.count
    names.append(name)
    utf8.append(Array(name.utf8))
    return names.count - 1
  }

  /// Starts a new feature: its first name is likely the first of all.
  mutating func restart() { guess = 0 }
}
