import PortolanDocuments
import PortolanExpressions
import PortolanPrinting
import PortolanTerminals
import PortolanTexts

/// The figures of a column: what its values are, how many, from which to which.
struct ColumnStatistics: Sendable {
  let name: String
  private(set) var features = 0
  private(set) var missing = 0
  private(set) var nulls = 0
  private(set) var truths = 0
  private(set) var numbers = 0
  private(set) var texts = 0
  private(set) var lists = 0
  private(set) var distinct = DistinctCount()
  /// The least and the greatest number, as they are written.
  private(set) var leastNumber: (value: Number, text: String)?
  private(set) var greatestNumber: (value: Number, text: String)?
  /// The least and the greatest text, by code points.
  private(set) var leastText: [UInt8]?
  private(set) var greatestText: [UInt8]?
  /// The doubles nearest to the two numbers above.
  private var innerNumbers: (least: Double, greatest: Double)?
  /// The first bytes of the two texts above.
  private var innerTexts: (least: UInt64, greatest: UInt64)?
  private var areWhole = true
  private var areDates = true
  /// Numbers beyond all doubles: they have no place in sums and order.
  private(set) var beyond = 0

  init(_ name: String) { self.name = name }

  /// The values, besides null and missing.
  var values: Int { truths + numbers + texts + lists }

  /// The type of all values in a word.
  var type: String {
    let counts: [AttributeKind: Int] = [
      .number: numbers, .string: texts, .yes: truths, .json: lists,
    ]
    return Self.type(
      Set(counts.filter { $0.value > 0 }.keys), areWhole: areWhole, areDates: areDates)
  }

  /// The type of values of some kinds in the one word that tells it everywhere: whole, real, text,
  /// truth, date, json, mixed, or null without any.
  static func type(_ kinds: Set<AttributeKind>, areWhole: Bool, areDates: Bool) -> String {
    switch kinds {
    case []: "null"
    case [.number]: areWhole ? "whole" : "real"
    case [.string]: areDates ? "date" : "text"
    case [.json]: "json"
    default: kinds.isSubset(of: [.yes, .no]) ? "truth" : "mixed"
    }
  }

  /// The kinds of the values, as JSON has them: `null|number|string`.
  var kinds: String {
    let kinds = [
      ("null", nulls), ("boolean", truths), ("number", numbers), ("string", texts), ("json", lists),
    ]
    return kinds.filter { $0.1 > 0 }.map(\.0).joined(separator: "|")
  }

  /// The least value as text: of the numbers, if there are any; `nil` of truths and lists.
  var least: String? { leastNumber?.text ?? leastText.map { String(decoding: $0, as: UTF8.self) } }
  var greatest: String? {
    greatestNumber?.text ?? greatestText.map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Counting

  /// Counts the rows of a block; without a column, none of them has a value.
  ///
  /// - Parameter use: called with each number.
  mutating func add(_ column: AttributeColumn?, rows: Int, use: (Number) -> Void = { _ in }) {
    features += rows
    guard let column else {
      missing += rows
      return
    }
    let count = min(rows, column.rowCount)
    column.bytes.withUnsafeBufferPointer { bytes in
      column.kinds.withUnsafeBufferPointer { kinds in
        column.ends.withUnsafeBufferPointer { ends in
          var former = Former()
          var start = 0
          for row in 0..<count {
            let text = UnsafeBufferPointer(rebasing: bytes[start..<Int(ends[row])])
            start = Int(ends[row])
            add(text, kinds[row], &former, use)
          }
        }
      }
    }
    distinct.settle()
  }

  /// The value before, and the number that it is: neighbours are often equal.
  private struct Former {
    var kind: UInt8 = 0
    var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var number: Number?

    @inline(__always)
    func isSame(_ kind: UInt8, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
      guard kind == self.kind, text.count == other.count else { return false }
      for place in 0..<text.count where text[place] != other[place] { return false }
      return true
    }
  }

  @inline(__always)
  private mutating func add(
    _ text: UnsafeBufferPointer<UInt8>, _ kind: UInt8, _ former: inout Former,
    _ use: (Number) -> Void
  ) {
    let isSame = former.isSame(kind, text)
    if !isSame { (former.kind, former.text) = (kind, text) }
    switch AttributeKind(rawValue: kind) ?? .missing {
    case .missing: missing += 1
    case .null: nulls += 1
    case .no, .yes:
      truths += 1
      if !isSame { distinct.add(text, kind: kind) }
    case .number:
      numbers += 1
      if !isSame { former.number = add(number: text) }
      if let number = former.number { use(number) } else { beyond += 1 }
    case .string:
      texts += 1
      if !isSame { add(text: text) }
    case .json:
      lists += 1
      if !isSame { distinct.add(text, kind: kind) }
    }
  }

  /// - Returns: the number; `nil` for one beyond all doubles.
  private mutating func add(number bytes: UnsafeBufferPointer<UInt8>) -> Number? {
    guard let number = Number(bytes) else {
      areWhole = areWhole && Self.isWhole(bytes)
      distinct.add(bytes, kind: AttributeKind.number.rawValue)
      return nil
    }
    if case .real = number { areWhole = areWhole && Self.isWhole(bytes) }
    distinct.add(number)
    let double = number.double
    // Most numbers lie between those before them, rounded or not.
    if let inner = innerNumbers, double > inner.least, double < inner.greatest { return number }
    note(number, double, bytes)
    return number
  }

  private mutating func note(
    _ number: Number, _ double: Double, _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    if leastNumber.map({ number < $0.value }) ?? true {
      leastNumber = (number, String(decoding: bytes, as: UTF8.self))
    }
    if greatestNumber.map({ number > $0.value }) ?? true {
      greatestNumber = (number, String(decoding: bytes, as: UTF8.self))
    }
    innerNumbers = (
      min(innerNumbers?.least ?? double, double), max(innerNumbers?.greatest ?? double, double)
    )
  }

  private mutating func add(text bytes: UnsafeBufferPointer<UInt8>) {
    distinct.add(bytes, kind: AttributeKind.string.rawValue)
    if areDates {
      areDates = ISODate.normalised(String(decoding: bytes.prefix(40), as: UTF8.self)) != nil
    }
    // Most texts lie between those before them by their first bytes.
    let first = Self.firstBytes(bytes)
    if let inner = innerTexts, first > inner.least, first < inner.greatest { return }
    if leastText.map({ bytes.lexicographicallyPrecedes($0) }) ?? true { leastText = Array(bytes) }
    if greatestText.map({ $0.lexicographicallyPrecedes(bytes) }) ?? true {
      greatestText = Array(bytes)
    }
    innerTexts = (min(innerTexts?.least ?? first, first), max(innerTexts?.greatest ?? first, first))
  }

  /// The first eight bytes of a text as a number, zeros behind a shorter one: a text with the
  /// smaller number comes first.
  private static func firstBytes(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if text.count >= 8 {
      let word = UnsafeRawBufferPointer(text).loadUnaligned(as: UInt64.self)
      return UInt64(bigEndian: word)
    }
    var number: UInt64 = 0
    for byte in text { number = number << 8 | UInt64(byte) }
    return text.isEmpty ? 0 : number << (64 - 8 * UInt64(text.count))
  }

  static func isWhole(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == 0x2D || $0 &- 0x30 < 10 }
  }

  /// The figures of every column of some layers, or of a few.
  static func columns(
    _ names: [String], of layers: [any FeatureHolding]
  ) -> [ColumnStatistics] {
    names.map { name in
      var statistics = ColumnStatistics(name)
      for block in layers.lazy.flatMap(\.blocks) {
        statistics.add(block.column(name), rows: block.rowCount)
      }
      return statistics
    }
  }

  // MARK: Words

  /// `whole, 240 distinct of 243, 5 … 35676000, 2 null`.
  var words: String {
    var words = [type]
    if values > 0 {
      words.append("\(distinct.words) distinct of \(Figures.grouped(values))")
    }
    if let least, let greatest { words.append("\(Self.short(least)) … \(Self.short(greatest))") }
    if nulls > 0 { words.append("\(Figures.grouped(nulls)) null") }
    if missing > 0 { words.append("\(Figures.grouped(missing)) missing") }
    return words.joined(separator: ", ")
  }

  /// A value as one short line.
  static func short(_ text: String) -> String {
    if text.isEmpty { return "\"\"" }
    let line = text.unicodeScalars.prefix(200).map { $0.properties.isWhitespace ? " " : $0 }
    let safe = DisplayWidth.sanitised(String(String.UnicodeScalarView(line)))
    let part = DisplayWidth.prefix(of: safe, columns: 24)
    return part.text == safe && text.unicodeScalars.count <= 200
      ? safe : DisplayWidth.prefix(of: safe, columns: 23).text + "…"
  }

  /// The members of its JSON object.
  var members: [(name: String, value: String)] {
    func value(_ number: String?, _ text: [UInt8]?) -> String {
      number ?? text.map { SafeJSON.string(String(decoding: $0, as: UTF8.self)) } ?? "null"
    }
    return [
      ("type", SafeJSON.string(type)), ("values", String(values)), ("nulls", String(nulls)),
      ("missing", String(missing)), ("distinct", String(distinct.value)),
      ("distinctIsEstimate", distinct.isEstimate ? "true" : "false"),
      ("least", value(leastNumber?.text, leastText)),
      ("greatest", value(greatestNumber?.text, greatestText)),
    ]
  }
}

/// The figures of the numbers of a column: sum, mean, median and how they are spread.
struct NumberStatistics: Sendable {
  private var sum = ExactSum()
  private var numbers: [Number] = []

  mutating func add(_ number: Number) {
    sum.add(number)
    numbers.append(number)
  }

  /// The figures, with names; empty without numbers.
  var figures: [(name: String, text: String?)] {
    if numbers.isEmpty { return [] }
    return [
      ("sum", sum.text), ("mean", sum.mean.flatMap(\.text)), ("median", median.flatMap(\.text)),
    ]
  }

  private var median: Number? {
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return sorted[middle] }
    var pair = ExactSum()
    pair.add(sorted[middle - 1])
    pair.add(sorted[middle])
    return pair.mean
  }

  /// A part of the range of the numbers: the last one has its upper bound too.
  struct Bar: Sendable {
    var from: Double
    var to: Double
    var count: Int
  }

  private static let barCount = 10

  /// The counts of numbers in parts of equal width; empty if there is no range.
  var histogram: [Bar] {
    let reals = numbers.map(\.double)
    guard let least = reals.min(), let greatest = reals.max(), least < greatest else { return [] }
    // Halves: the range of two doubles may be none.
    let width = (greatest / 2 - least / 2) / Double(Self.barCount)
    if !(width > 0) { return [] }
    var counts = [Int](repeating: 0, count: Self.barCount)
    for real in reals {
      let place = ((real / 2 - least / 2) / width).rounded(.down)
      counts[min(Self.barCount - 1, Int(max(0, min(place, 1e6))))] += 1
    }
    return counts.indices.map { index in
      func bound(_ index: Int) -> Double {
        index == Self.barCount ? greatest : (least / 2 + width * Double(index)) * 2
      }
      return Bar(from: bound(index), to: bound(index + 1), count: counts[index])
    }
  }

  /// The histogram as lines of signs.
  func lines(sign: String) -> [String] {
    let bars = histogram
    let most = bars.map(\.count).max() ?? 0
    if most == 0 { return [] }
    let ranges = bars.map { "\(Self.short($0.from)) … \(Self.short($0.to))" }
    let width = ranges.map { DisplayWidth.of($0) }.max() ?? 0
    return zip(bars, ranges).map { bar, range in
      let length = bar.count == 0 ? 0 : max(1, bar.count * 30 / most)
      return "  " + range + String(repeating: " ", count: width - DisplayWidth.of(range)) + "  "
        + String(repeating: sign, count: length) + (length > 0 ? " " : "")
        + Figures.grouped(bar.count)
    }
  }

  /// A bound in at most six digits.
  private static func short(_ value: Double) -> String {
    let magnitude = value.magnitude
    if magnitude >= 1e15 || magnitude > 0 && magnitude < 1e-4 { return value.description }
    let decimals = magnitude >= 1000 ? 0 : magnitude >= 1 ? 2 : 5
    return Figures.short(value, decimals: decimals)
  }
}
