import PortolanDocuments

/// The types of columns in formats that have some, as SQL names them.
enum WrittenType: String {
  case boolean = "BOOLEAN"
  case integer = "INTEGER"
  case shortInteger = "MEDIUMINT"
  case real = "DOUBLE"
  case text = "TEXT"
}

/// Chooses the type that all values of a column fit, and counts what is lost.
struct WrittenTypes {
  /// Whether columns of whole numbers that fit into 32 bits are of that type.
  let narrowsIntegers: Bool
  private var longNumbers = 0
  private var losses = NumberLosses()

  init(narrowsIntegers: Bool) { self.narrowsIntegers = narrowsIntegers }

  /// The type of an attribute in the chosen rows of blocks.
  mutating func type(of field: String, in blocks: [FeatureBlock], _ rows: [[Int]]) -> WrittenType {
    var kinds: Set<AttributeKind> = []
    var (areWhole, areShort, areNarrow) = (true, true, narrowsIntegers)
    var (areFinite, rounded) = (true, 0)
    for (block, rows) in zip(blocks, rows) {
      guard let column = block.column(field) else { continue }
      for row in rows {
        let kind = column.kind(row)
        kinds.insert(kind)
        guard kind == .number else { continue }
        let text = column.bytes[column.textRange(row)]
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
    guard kinds == [.number] else { return .text }
    if areWhole {
      if areShort { return areNarrow ? .shortInteger : .integer }
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
          + "numbers beyond 64 bits, which become text")
    }
    return remarks + losses.remarks(layer)
  }
}
