import PortolanDocuments
import PortolanGraphics

/// What the columns of a table depend on, of all features that are written.
struct TableFacts {
  /// What the strings of an attribute are, beside empty ones.
  private struct Texts {
    var haveNumbers = false
    var haveOthers = false
  }

  /// The names of the attributes in order of first appearance.
  private(set) var fields: [String] = []
  private(set) var arePoints = true
  /// Whether a written feature has a place.
  private(set) var hasPlaces = false
  private(set) var hasIdentifiers = false
  private(set) var hasHeights = false
  /// How many lines the table has, and how many of their fields have a value.
  private(set) var rows = 0
  private(set) var values = 0
  /// By the bytes of the names.
  private var texts: [[UInt8]: Texts] = [:]
  /// Whether numbers have a decimal comma.
  private let hasComma: Bool

  init(hasComma: Bool) { self.hasComma = hasComma }

  init(_ layers: [any FeatureHolding], _ options: ExportOptions, hasComma: Bool) {
    self.init(hasComma: hasComma)
    for layer in layers {
      for block in layer.blocks { add(block, rows: options.rows(of: block, in: layer)) }
    }
  }

  /// Adds a block, of which some rows are written.
  mutating func add(_ block: FeatureBlock, rows written: [Int]) {
    arePoints = arePoints && block.geometry.kinds.allSatisfy { $0 == .point || $0 == .none }
    hasPlaces = hasPlaces || written.contains { block.geometry.kinds[$0] != .none }
    hasHeights = hasHeights || !block.geometry.elevations.isEmpty
    hasIdentifiers =
      hasIdentifiers || block.identifiers.kinds.contains { $0 != AttributeKind.missing.rawValue }
    rows += written.count
    values += written.count
    for column in block.attributes {
      values += written.count { column.kind($0) != .missing }
      let name = Array(column.name.utf8)
      if texts[name] == nil { fields.append(column.name) }
      texts[name, default: Texts()] = merged(texts[name] ?? Texts(), column)
    }
  }

  private func merged(_ former: Texts, _ column: AttributeColumn) -> Texts {
    var texts = former
    for row in 0..<column.rowCount where !texts.haveOthers {
      switch AttributeKind(rawValue: column.kinds[row]) ?? .missing {
      case .missing, .null, .number: continue
      case .no, .yes, .json: texts.haveOthers = true
      case .string:
        let text = column.bytes[column.textRange(row)]
        if text.isEmpty { continue }
        if CSVReader.looksLikeNumber(text, hasComma: hasComma) {
          texts.haveNumbers = true
        } else {
          texts.haveOthers = true
        }
      }
    }
    return texts
  }

  /// Whether the strings of an attribute must be quoted, since all of them look like numbers:
  /// without quotes the table's reader would make them numbers.
  func needsQuotes(_ name: String) -> Bool {
    texts[Array(name.utf8)].map { $0.haveNumbers && !$0.haveOthers } ?? false
  }
}
