import PortolanDocuments
import PortolanExpressions
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
    var kept: KeptRow?
    var matches: Matches?
    /// The blocks of the layer with those that a filter hides.
    var all: [FeatureBlock] = []
    var sources: [TableColumn.Source]?
    var facts: [TableColumn.Source: ColumnFacts] = [:]
    var types: [TableColumn.Source: String] = [:]
  }

  /// The rows of a layer with a text in some columns.
  private struct Matches {
    var text: String
    var sources: [TableColumn.Source]
    /// By the rows of the layer.
    var rows: [Bool]
  }

  /// The block that a filter has left of another, and the same with a hidden feature.
  private struct KeptRow {
    var feature: FeatureID
    var whole: FeatureBlock
    var rest: FeatureBlock?
    var made: FeatureBlock?
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

  /// The blocks that a filter has left of a layer, with a feature that it hides in its place.
  func blocks(
    _ shown: [FeatureBlock], keeping feature: FeatureID, of layer: any FeatureHolding
  ) -> [FeatureBlock] {
    guard let place = layer.position(of: feature),
      !shown.contains(where: { $0.row(of: feature) != nil })
    else { return shown }
    let whole = layer.blocks[place.block]
    let index =
      shown.firstIndex { block in
        guard block.rowCount > 0, let first = layer.position(of: block.featureIDs[0])
        else { return false }
        return first.block >= place.block
      } ?? shown.count
    let isOfWhole = index < shown.count && whole.row(of: shown[index].featureIDs[0]) != nil
    let rest = isOfWhole ? shown[index] : nil
    let made = known.withLock { known in
      if let kept = known.kept, kept.feature == feature, kept.whole === whole, kept.rest === rest {
        return kept.made
      }
      let ids = Set(rest.map { Array($0.featureIDs) } ?? [])
      let made = whole.keeping { $0 == place.row || ids.contains(whole.featureIDs[$0]) }
      known.kept = KeptRow(feature: feature, whole: whole, rest: rest, made: made)
      return made
    }
    guard let made else { return shown }
    var blocks = shown
    blocks.replaceSubrange(index..<index + (isOfWhole ? 1 : 0), with: [made])
    return blocks
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

  /// The type of a column's values in a word; that they are dates by a sample of them.
  ///
  /// - Complexity: O(bytes of the column), once.
  func type(of source: TableColumn.Source, in layer: any FeatureHolding) -> String {
    let facts = facts(of: source, in: layer)
    return known.withLock { known in
      if let type = known.types[source] { return type }
      var kinds: Set<AttributeKind> = []
      var areWhole = true
      for column in layer.blocks.lazy.compactMap({ source.column(of: $0) }) {
        let found = column.valueKinds
        kinds.formUnion(found)
        if areWhole, found == [.number] { areWhole = ColumnStatistics.isWhole(column.bytes) }
      }
      let type = ColumnStatistics.type(kinds, areWhole: areWhole, areDates: facts.areDates)
      known.types[source] = type
      return type
    }
  }

  private static func renew(_ known: inout Known, _ layer: any FeatureHolding) {
    let blocks = layer.blocks
    if known.all.count == blocks.count, zip(known.all, blocks).allSatisfy({ $0 === $1 }) { return }
    (known.all, known.sources, known.facts, known.types) = (blocks, nil, [:], [:])
  }
}

extension AttributeColumn {
  /// The kinds that occur, besides null and missing.
  fileprivate var valueKinds: Set<AttributeKind> {
    var bits: UInt8 = 0
    for kind in kinds { bits |= 1 << (kind & 7) }
    let kinds = AttributeKind.allCases.filter { bits & 1 << $0.rawValue != 0 }
    return Set(kinds).subtracting([.missing, .null])
  }
}

/// The width of a column's values and what they are, by a sample of them.
struct ColumnFacts: Sendable {
  /// The cells of the widest value.
  private(set) var width = 0
  private var hasNumbers = false
  private var hasTexts = false
  private var hasTruths = false
  private var hasJSON = false
  private var hasOnlyDates = true

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
        case .string:
          hasTexts = true
          if hasOnlyDates { hasOnlyDates = ISODate.normalised(column.value(row).text) != nil }
        case .json: hasJSON = true
        }
        width = max(width, DisplayWidth.of(CellText(column, row).text))
      }
    }
  }

  /// Whether its texts are dates.
  var areDates: Bool { hasTexts && hasOnlyDates }

  /// Whether its values are numbers, so that they end at the right.
  var isNumeric: Bool { hasNumbers && !hasTexts && !hasTruths && !hasJSON }
}
