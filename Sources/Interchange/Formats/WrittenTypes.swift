import PortolanDocuments
import PortolanExpressions

/// The types of columns in formats that have some, as SQL names them.
enum WrittenType: String {
  case boolean = "BOOLEAN"
  case integer = "INTEGER"
  case shortInteger = "MEDIUMINT"
  case real = "DOUBLE"
  case text = "TEXT"
  case date = "DATE"
  case time = "DATETIME"

  /// The type of a column that a file declares; `nil` for texts and for types of other kinds.
  init?(declared type: String) {
    switch type.prefix(while: { $0 != "(" }) {
    case "BOOLEAN": self = .boolean
    case "TINYINT", "SMALLINT", "MEDIUMINT": self = .shortInteger
    case "INT", "INTEGER": self = .integer
    case "FLOAT", "DOUBLE", "REAL": self = .real
    case "DATE": self = .date
    case "DATETIME": self = .time
    default: return nil
    }
  }

  /// The type of a text as it stands. Few formats have the year 0 and leap seconds.
  init(ofText text: ArraySlice<UInt8>, _ forms: TimeForms) {
    let bytes = Array(text)
    self = .text
    guard !forms.isDisjoint(with: TimeForms.form(of: bytes)), bytes[4] == UInt8(ascii: "-"),
      bytes[7] == bytes[4], !bytes.starts(with: "0000".utf8),
      ISODate.normalised(String(decoding: bytes, as: UTF8.self)) != nil
    else { return }
    self = bytes.count == 10 ? .date : .time
  }
}

/// The forms of dates and times for which a format has types, and which come back as they stand.
struct TimeForms: OptionSet {
  let rawValue: Int

  /// `2024-05-01`.
  static let dates = TimeForms(rawValue: 1)
  /// `2024-05-01T08:00:00Z` and `…:00.125Z`, the last digit other than 0.
  static let times = TimeForms(rawValue: 2)
  /// `…:00.120Z`: as GDAL writes what it has read.
  static let paddedTimes = TimeForms(rawValue: 4)
  /// `…:00.12Z`: as PostgreSQL does.
  static let shortFractions = TimeForms(rawValue: 8)
  /// `…:00.000Z`.
  static let wholeMilliseconds = TimeForms(rawValue: 16)

  /// The form that a text can have by its length and the signs behind the date.
  fileprivate static func form(of bytes: [UInt8]) -> TimeForms {
    if bytes.count == 10 { return .dates }
    guard [20, 22, 23, 24].contains(bytes.count), bytes.last == UInt8(ascii: "Z"),
      bytes[10] == UInt8(ascii: "T"), bytes[16] == UInt8(ascii: ":"), bytes[17] < UInt8(ascii: "6")
    else { return [] }
    let fraction = bytes[19..<bytes.count - 1]
    if fraction.isEmpty { return .times }
    if fraction.first != UInt8(ascii: ".") { return [] }
    if fraction.elementsEqual(".000".utf8) { return .wholeMilliseconds }
    let isPadded = fraction.last == UInt8(ascii: "0")
    if fraction.count < 4 { return isPadded ? [] : .shortFractions }
    return isPadded ? .paddedTimes : .times
  }
}

/// Chooses the type that all values of a column fit, and counts what is lost.
struct WrittenTypes {
  /// Whether columns of whole numbers that fit into 32 bits are of that type.
  let narrowsIntegers: Bool
  /// The dates and times whose columns are of these types.
  let timeForms: TimeForms
  /// What becomes of whole numbers beyond 32 bits, whose columns are text; `nil` if they have a
  /// type.
  let longNumberWords: String?
  /// Whether a column of times has one without milliseconds.
  private(set) var hasShortTimes = false
  private var longNumbers = 0
  private var losses = NumberLosses()

  init(narrowsIntegers: Bool, _ timeForms: TimeForms = [], longNumberWords: String? = nil) {
    (self.narrowsIntegers, self.timeForms) = (narrowsIntegers, timeForms)
    self.longNumberWords = longNumberWords
  }

  /// The type of an attribute in the chosen rows of the blocks of a layer; the declared one if
  /// there are no values.
  mutating func type(
    of field: String, in layer: any FeatureHolding, _ rows: [[Int]]
  ) -> WrittenType {
    let declared = layer.declared.types[field].flatMap(WrittenType.init(declared:))
    var kinds: Set<AttributeKind> = []
    var (areWhole, areShort) = (true, true)
    var areNarrow = narrowsIntegers || declared == .shortInteger
    var (areFinite, rounded) = (true, 0)
    var (times, areLong): (WrittenType?, Bool) = (timeForms.isEmpty ? .text : nil, true)
    for (block, rows) in zip(layer.blocks, rows) {
      guard let column = block.column(field) else { continue }
      for row in rows {
        let kind = column.kind(row)
        kinds.insert(kind)
        guard kind == .number || kind == .string else { continue }
        let text = column.bytes[column.textRange(row)]
        if kind == .string {
          if times == .text { continue }
          let type = WrittenType(ofText: text, timeForms)
          times = times.map { $0 == type ? type : .text } ?? type
          if text.count == 20 { areLong = false }
          continue
        }
        switch DoubleText.fit(text) {
        case .exact: break
        case .rounded: rounded += 1
        case .beyond: areFinite = false
        }
        if text.contains(where: { !(0x30...0x39).contains($0) && $0 != 0x2D }) {
          areWhole = false
        } else if areNarrow, Int32(String(decoding: text, as: UTF8.self)) == nil {
          areNarrow = false
        }
        if areWhole, text.count > 18, Int(String(decoding: text, as: UTF8.self)) == nil {
          areShort = false
        }
      }
    }
    kinds.subtract([.missing, .null])
    if kinds.isEmpty {
      let isUnknown =
        declared == .date && !timeForms.contains(.dates)
        || declared == .time && !timeForms.contains(.times)
      return isUnknown ? .text : declared ?? .text
    }
    if kinds.isSubset(of: [.yes, .no]) { return .boolean }
    if kinds == [.string] {
      if times == .time, !areLong { hasShortTimes = true }
      return times ?? .text
    }
    guard kinds == [.number] else { return .text }
    if areWhole {
      if areNarrow, areShort { return .shortInteger }
      if areShort, longNumberWords == nil { return .integer }
      longNumbers += 1
      return .text
    }
    if !areFinite {
      losses.textColumns += 1
      return .text
    }
    losses.rounded += rounded
    return .real
  }

  /// The remarks on a layer.
  func remarks(_ layer: String) -> [String] {
    var remarks: [String] = []
    if longNumbers > 0 {
      remarks.append(
        "layer \(layer): \(CountText.text(longNumbers, "column has", "columns have")) whole "
          + "numbers beyond \(longNumberWords == nil ? 64 : 32) bits, "
          + (longNumberWords ?? "which become text"))
    }
    return remarks + losses.remarks(layer)
  }
}
