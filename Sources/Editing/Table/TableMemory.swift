import PortolanDocuments
import PortolanTerminals
import PortolanTexts
import Synchronization

/// What a table has found out about its layer, by the identity of the blocks: its order, its
/// columns and their widths, and the rows that were searched for.
///
/// Copies of a pane share it: an event costs nothing while the blocks stay the same.
final class TableMemory: Sendable {
  private struct Known {
    var rows: TableRows?
    var sort: [TableKey] = []
    var matches: Matches?
    /// The blocks of the layer with those that a filter hides.
    var all: [FeatureBlock] = []
    var sources: [TableColumn.Source]?
    var facts: [TableColumn.Source: ColumnFacts] = [:]
  }

  /// The rows of a layer with a text in some columns.
  private struct Matches {
    var text: String
    var sources: [TableColumn.Source]
    /// By the rows of the layer.
    var rows: [Bool]
  }

  private let known = Mutex(Known())

  // MARK: Rows

  /// The rows in an order. Values that were edited since stay in their places: a row that jumps
  /// away while it is edited is lost to the eye.
  func rows(of blocks: [FeatureBlock], by sort: [TableKey]) -> TableRows {
    known.withLock { known in
      if let rows = known.rows, known.sort == sort {
        if rows.hasBlocks(blocks) { return rows }
        known.matches = nil
        if rows.hasFeatures(of: blocks) {
          let made = TableRows(blocks, order: rows.order)
          known.rows = made
          return made
        }
      }
      let plain = TableRows(blocks)
      let rows =
        sort.isEmpty
        ? plain : TableRows(blocks, order: TableOrder.sorted(plain, by: sort) { _ in })
      (known.rows, known.sort, known.matches) = (rows, sort, nil)
      return rows
    }
  }

  /// Keeps rows that were sorted elsewhere, or forgets those that are known.
  func keep(_ rows: TableRows?, sort: [TableKey]) {
    known.withLock { ($0.rows, $0.sort, $0.matches) = (rows, sort, nil) }
  }

  /// The rows of the layer with a text in some columns, one truth a row.
  ///
  /// - Complexity: O(bytes of the columns), once.
  func matches(
    of text: String, in rows: TableRows, _ sources: [TableColumn.Source]
  ) -> [Bool] {
    known.withLock { known in
      if let matches = known.matches, matches.text == text, matches.sources == sources,
        known.rows?.hasBlocks(rows.blocks) == true
      {
        return matches.rows
      }
      let finder = TextFinder(text)
      var found = [Bool](repeating: false, count: rows.count)
      for (index, block) in rows.blocks.enumerated() {
        for source in sources {
          guard let column = source.column(of: block) else { continue }
          for row in finder.rows(of: column) where row < block.rowCount {
            found[rows.starts[index] + row] = true
          }
        }
      }
      known.matches = Matches(text: text, sources: sources, rows: found)
      return found
    }
  }

  // MARK: Columns

  /// The columns of a layer: its ids, if features have some, and its attributes.
  func sources(of layer: any FeatureHolding) -> [TableColumn.Source] {
    known.withLock { known in
      Self.renew(&known, layer)
      if let sources = known.sources { return sources }
      let hasIDs = layer.blocks.contains { !$0.identifiers.kinds.allSatisfy { $0 == 0 } }
      let sources =
        (hasIDs ? [TableColumn.Source.identifier] : [])
        + layer.fieldNames.map { .attribute($0) }
      known.sources = sources
      return sources
    }
  }

  /// What a column holds, by a sample of its values.
  func facts(of source: TableColumn.Source, in layer: any FeatureHolding) -> ColumnFacts {
    known.withLock { known in
      Self.renew(&known, layer)
      if let facts = known.facts[source] { return facts }
      let facts = ColumnFacts(source, layer.blocks)
      known.facts[source] = facts
      return facts
    }
  }

  private static func renew(_ known: inout Known, _ layer: any FeatureHolding) {
    let blocks = layer.blocks
    if known.all.count == blocks.count, zip(known.all, blocks).allSatisfy({ $0 === $1 }) { return }
    (known.all, known.sources, known.facts) = (blocks, nil, [:])
  }
}

/// The width and the type of a column's values, by a sample of them.
struct ColumnFacts: Sendable {
  /// The cells of the widest value.
  private(set) var width = 0
  private var hasNumbers = false
  private var hasTexts = false
  private var hasTruths = false
  private var hasJSON = false

  /// The blocks and the rows that are looked at.
  private static let (blocksMax, rowsMax) = (24, 1152)

  init(_ source: TableColumn.Source, _ blocks: [FeatureBlock]) {
    let step = max(1, blocks.count / Self.blocksMax)
    let rowsOfEach = Self.rowsMax / max(1, min(blocks.count, Self.blocksMax))
    for index in stride(from: 0, to: blocks.count, by: step) {
      guard let column = source.column(of: blocks[index]) else { continue }
      let rows = max(1, column.rowCount / rowsOfEach)
      for row in stride(from: 0, to: column.rowCount, by: rows) {
        switch column.kind(row) {
        case .missing: continue
        case .null: break
        case .no, .yes: hasTruths = true
        case .number: hasNumbers = true
        case .string: hasTexts = true
        case .json: hasJSON = true
        }
        width = max(width, DisplayWidth.of(CellText(column, row).text))
      }
    }
  }

  /// Whether its values are numbers, so that they end at the right.
  var isNumeric: Bool { hasNumbers && !hasTexts && !hasTruths && !hasJSON }

  /// The type in a word or two.
  var type: String {
    let types = [
      (hasNumbers, "number"), (hasTexts, "text"), (hasTruths, "true/false"), (hasJSON, "list"),
    ].filter(\.0).map(\.1)
    return types.isEmpty ? "no values" : types.joined(separator: "+")
  }
}
