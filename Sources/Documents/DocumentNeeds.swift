package import PortolanExpressions
package import PortolanGraphics
import Synchronization

/// The parts of a document that a question needs; the others are left in its file.
///
/// A document that was opened for less than `all` answers that question and no other: its blocks
/// may be outlines (`GeometryBlock.isOutline`). Metadata, styles, counts, numbers and names of
/// attributes are always there.
package enum DocumentNeeds: Hashable, Sendable {
  case all
  /// All, but the coordinates of large blocks are read when they are first asked for, or by
  /// `Document.readCoordinates`.
  case allLater
  /// What a picture in cells shows: all, but the coordinates of large layers stay in the file, and
  /// are read where they are drawn (`GeometryBlock.drawable`).
  case picture
  /// No coordinates: counts, boxes and attributes.
  case attributes
  /// The same, and the coordinates of shapes that may cross the antimeridian, which tell how far
  /// they reach there.
  case reaches
  /// Neither coordinates nor boxes, and of the attributes only these; all of them if `nil`. The
  /// other columns have their names and no values.
  case columns(ColumnNames?)
  /// The same, but of all features of a layer except the first ones only what chooses them.
  case first(FirstRows)
  /// The coordinates of features that may touch a box; `minX > maxX` spans the antimeridian.
  case touching(Box)
  /// The coordinates of features for which a condition may hold; the others have neither boxes nor,
  /// in a block with features for which it may hold, a shape.
  case holding(BlockCondition)

  /// The needs of the opening under way.
  static let current = TaskLocal<DocumentNeeds>(wrappedValue: .all)

  /// Whether the coordinates of a block are needed, as far as its geometry decides that.
  ///
  /// Exports also ask features outside of the box: for jumps across the antimeridian, whether any
  /// has elevations, and whether all are points.
  func includes(_ block: GeometryBlock, hasElevations: Bool) -> Bool {
    switch self {
    case .all, .allLater, .picture: return true
    case .reaches: return block.boxes.contains(where: \.mayJump)
    case .attributes, .columns, .first, .holding: return false
    case .touching(let box):
      if hasElevations || block.kinds.allSatisfy({ $0 == .point || $0 == .none }) { return true }
      // Whether the coordinates are degrees is not known to the block.
      let tests = [true, false].map { BoxTouch(box, isGeographic: $0) }
      return block.boxes.contains { bounds in
        if bounds.mayJump { return true }
        // Most features are too far to the north or to the south.
        if bounds.isOnGlobe, bounds.minY > box.maxY || bounds.maxY < box.minY { return false }
        return tests.contains { $0.mayTouch(bounds) }
      }
    }
  }

  /// Whether all blocks have coordinates, now or when they are asked for.
  var haveShapes: Bool { self == .all || self == .allLater || self == .picture }

  /// Whether outlines have the boxes of their features.
  var includesBoxes: Bool {
    switch self {
    case .all, .allLater, .picture, .attributes, .reaches, .touching: true
    case .columns, .first, .holding: false
    }
  }

  /// Whether the values of a column are left in the file.
  func leavesOut(column name: String) -> Bool {
    guard case .columns(let names?) = self else { return false }
    return !names.contains(name)
  }
}

/// The first features of each layer for which a condition holds, and what to read of them.
package struct FirstRows: Hashable, Sendable {
  private let count: Int
  private let shown: ColumnNames?
  private let condition: BlockCondition?
  /// How many are still to come in the layer that is read.
  private var left = RowsLeft(0)

  /// - Parameters:
  ///   - shown: the attributes; `nil` for all of them.
  ///   - condition: chooses the features; `nil` for all of them.
  package init(_ count: Int, of shown: [String]?, where condition: BlockCondition?) {
    self.count = count
    self.shown = shown.map { ColumnNames($0 + (condition?.attributes ?? [])) }
    self.condition = condition
  }

  /// The same at the beginning of a layer.
  fileprivate var begun: FirstRows {
    var begun = self
    begun.left = RowsLeft(count)
    return begun
  }

  /// What the next block needs.
  fileprivate var ofBlock: DocumentNeeds {
    .columns(left.isEmpty ? ColumnNames(condition?.attributes ?? []) : shown)
  }

  fileprivate func count(_ rows: Int, among columns: [AttributeColumn]) {
    if left.isEmpty { return }
    let chosen = condition.map { $0.held(among: columns)?.rows.count ?? 0 }
    left.take(chosen ?? rows)
  }
}

/// A count of rows that goes down while blocks are read.
private final class RowsLeft: Hashable, Sendable {
  private let count: Mutex<Int>

  init(_ count: Int) { self.count = Mutex(count) }

  var isEmpty: Bool { count.withLock { $0 <= 0 } }
  func take(_ rows: Int) { count.withLock { $0 -= rows } }

  static func == (left: RowsLeft, right: RowsLeft) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension DocumentNeeds {
  /// Reads the blocks of a layer, from the first one on.
  static func readingLayer<Blocks>(_ body: () throws -> Blocks) rethrows -> Blocks {
    guard case .first(let rows) = current.get() else { return try body() }
    return try current.withValue(.first(rows.begun)) { try body() }
  }

  /// Reads a block of the layer.
  static func readingBlock(_ body: () throws -> FeatureBlockParts) rethrows -> FeatureBlockParts {
    guard case .first(let rows) = current.get() else { return try body() }
    let parts = try current.withValue(rows.ofBlock) { try body() }
    rows.count(parts.featureIDs.count, among: parts.attributes)
    return parts
  }
}

/// The names of some columns, byte by byte.
package struct ColumnNames: Hashable, Sendable {
  private let names: Set<ExactText>

  package init(_ names: some Sequence<String>) { self.names = Set(names.map { ExactText($0) }) }

  func contains(_ name: String) -> Bool { names.contains(ExactText(name)) }
}

/// A condition on attributes alone, asked of each feature before its coordinates are read.
package struct BlockCondition: Hashable, Sendable {
  private let expression: Expression

  /// - Returns: `nil` if it asks for figures, relations or qualities: they need more than the
  ///   attributes of one block.
  package init?(_ expression: Expression) {
    guard expression.qualities.isEmpty, !expression.hasAggregates, !expression.hasRelations else {
      return nil
    }
    self.expression = expression
  }

  /// The names of the attributes that it reads.
  var attributes: [String] { expression.attributes }

  /// Where blocks keep the rows that it holds for.
  var key: Derived.Key { .held(ExactText(expression.text)) }

  /// The rows for which it holds; `nil` if the columns do not fit together.
  func held(among columns: [AttributeColumn]) -> HeldRows? {
    guard let rows = columns.first?.rowCount, columns.allSatisfy({ $0.rowCount == rows }) else {
      return nil
    }
    var tally = Tally()
    let held = expression.bound(to: FeatureSet([]), &tally)
      .matches(in: ColumnRows(columns: columns, rowCount: rows), &tally)
    return HeldRows(rows: held, tally: tally)
  }

  package static func == (left: BlockCondition, right: BlockCondition) -> Bool {
    left.expression.text == right.expression.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(expression.text) }
}

/// The rows of a block for which a condition holds.
struct HeldRows: Hashable, Sendable {
  /// Rising.
  let rows: [Int]
  /// What the condition left out.
  let tally: Tally

  /// The rows as runs.
  var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    for row in rows {
      if let last = runs.last, last.upperBound == row {
        runs[runs.count - 1] = last.lowerBound..<row + 1
      } else {
        runs.append(row..<row + 1)
      }
    }
    return runs
  }
}

/// Columns of attributes as expressions see them.
private struct ColumnRows: ExpressionRows {
  let columns: [AttributeColumn]
  let rowCount: Int

  func packedColumn(_ name: String) -> PackedColumn? {
    columns.first { $0.name.hasSameBytes(as: name) }
      .map { PackedColumn(kinds: $0.kinds, ends: $0.ends, bytes: $0.bytes) }
  }

  func quality(_ quality: Quality, of row: Int) -> Value { .null }
}
