import PortolanDocuments
import PortolanExpressions

/// The types of columns in formats that have some, as SQL names them.
enum WrittenType: String {
  case boolean = "BOOLEAN"
  case integer = "INTEGER"
  case shortInteger = "MEDIUMINT"
  case real = "DOUBLE"
  case text = "TEXT"
  /// `2024-05-01`.
  case date = "DATE"
  /// `2024-05-01T08:00:00.000Z`: the one form that GeoPackages of version 1.3 have.
  case time = "DATETIME"

  /// The type of a text as it stands.
  init(ofText text: ArraySlice<UInt8>) {
    let bytes = Array(text)
    let isTime =
      bytes.count == 24 && bytes[10] == UInt8(ascii: "T") && bytes[16] == UInt8(ascii: ":")
      && bytes[19] == UInt8(ascii: ".") && bytes[23] == UInt8(ascii: "Z")
    self = .text
    guard isTime || bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == bytes[4],
      ISODate.normalised(String(decoding: bytes, as: UTF8.self)) != nil
    else { return }
    self = isTime ? .time : .date
  }
}

/// Chooses the type that all values of a column fit, and counts what is lost.
struct WrittenTypes {
  /// Whether columns of whole numbers that fit into 32 bits are of that type.
  let narrowsIntegers: Bool
  /// Whether columns of dates and of times alone are of these types.
  let findsTimes: Bool
  /// What becomes of whole numbers beyond 32 bits, whose columns are text; `nil` if they have a
  /// type.
  let longNumberWords: String?
  private var longNumbers = 0
  private var losses = NumberLosses()

  init(narrowsIntegers: Bool, findsTimes: Bool = false, longNumberWords: String? = nil) {
    (self.narrowsIntegers, self.findsTimes) = (narrowsIntegers, findsTimes)
    self.longNumberWords = longNumberWords
  }

  /// The type of an attribute in the chosen rows of blocks.
  mutating func type(of field: String, in blocks: [FeatureBlock], _ rows: [[Int]]) -> WrittenType {
    var kinds: Set<AttributeKind> = []
    var (areWhole, areShort, areNarrow) = (true, true, narrowsIntegers)
    var (areFinite, rounded) = (true, 0)
    var times: WrittenType? = findsTimes ? nil : .text
    for (block, rows) in zip(blocks, rows) {
      guard let column = block.column(field) else { continue }
      for row in rows {
        let kind = column.kind(row)
        kinds.insert(kind)
        guard kind == .number || kind == .string else { continue }
        let text = column.bytes[column.textRange(row)]
        if kind == .string {
          if times == .text { continue }
          let type = WrittenType(ofText: text)
          times = times.map { $0 == type ? type : .text } ?? type
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
    if kinds.isEmpty { return .text }
    if kinds.isSubset(of: [.yes, .no]) { return .boolean }
    if kinds == [.string] { return times ?? .text }
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
