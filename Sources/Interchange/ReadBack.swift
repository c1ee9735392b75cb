import PortolanDocuments
import PortolanGraphics

/// The losses of a layer in a file, found by reading it again: values, ids, heights, and the kind
/// and the number of paths of each shape. Coordinates are written exactly and not compared.
struct ReadBack {
  private var losses: [String] = []
  private var hasLostIdentifiers = false
  private var hasLostHeights = false
  private var lostShapes = 0
  /// The names of the table's position columns: of x and y, or of well-known text.
  private let positions: [String]

  private init(positions: [String]) { self.positions = positions }

  /// One phrase each; empty if the file has the whole layer.
  ///
  /// - Parameters:
  ///   - layer: the layer that was written.
  ///   - again: the layer read from the file.
  ///   - positions: the names of the position columns. Values in them become the shape of a feature
  ///     without one, which is no loss.
  static func losses(
    of layer: any FeatureHolding, in again: any FeatureHolding, positions: [String] = []
  ) -> [String] {
    if layer.count != again.count {
      return ["\(CountText.features(layer.count)), of which \(again.count) would be read again"]
    }
    var comparison = ReadBack(positions: positions)
    comparison.compare(layer, again)
    return comparison.losses
  }

  private mutating func compare(_ layer: any FeatureHolding, _ again: any FeatureHolding) {
    var (block, row) = (0, 0)
    for former in layer.blocks {
      var columns: [(AttributeColumn?, AttributeColumn?)] = []
      for formerRow in 0..<former.rowCount {
        while block < again.blocks.count, row == again.blocks[block].rowCount {
          (block, row) = (block + 1, 0)
        }
        if block == again.blocks.count { return }
        if formerRow == 0 || row == 0 { columns = Self.columns(former, again.blocks[block]) }
        let isPlaced = isPlaced(former, formerRow, again.blocks[block], row)
        if !isPlaced { compareShapes(former, formerRow, again.blocks[block], row) }
        compare(former.identifiers, formerRow, again.blocks[block].identifiers, row)
        for (old, new) in columns {
          if isPlaced, let old, positions.contains(where: old.name.hasSameBytes) { continue }
          compareValues(old, formerRow, new, row)
        }
        row += 1
      }
    }
    if lostShapes > 0 { note("the shape of \(CountText.features(lostShapes))") }
  }

  /// Whether a feature without a shape is read with one, from values in all position columns.
  private func isPlaced(
    _ block: FeatureBlock, _ row: Int, _ again: FeatureBlock, _ againRow: Int
  ) -> Bool {
    !positions.isEmpty && block.geometry.kinds[row] == .none
      && again.geometry.kinds[againRow] != .none
      && positions.allSatisfy { name in
        block.column(name).map { $0.kind(row) == .string || $0.kind(row) == .number } ?? false
      }
  }

  /// The columns of two blocks, paired by name.
  private static func columns(
    _ block: FeatureBlock, _ again: FeatureBlock
  ) -> [(AttributeColumn?, AttributeColumn?)] {
    var others: [[UInt8]: AttributeColumn] = [:]
    for column in again.attributes { others[Array(column.name.utf8)] = column }
    var pairs: [(AttributeColumn?, AttributeColumn?)] = block.attributes.map { column in
      (column, others.removeValue(forKey: Array(column.name.utf8)))
    }
    pairs += again.attributes.filter { others[Array($0.name.utf8)] != nil }.map { (nil, $0) }
    return pairs
  }

  private mutating func note(_ loss: String) {
    if !losses.contains(loss) { losses.append(loss) }
  }

  private mutating func compareShapes(
    _ block: FeatureBlock, _ row: Int, _ again: FeatureBlock, _ againRow: Int
  ) {
    let old = PathRun(block.geometry, row: row)
    let new = PathRun(again.geometry, row: againRow)
    if old.kind != new.kind || old.paths.count != new.paths.count {
      lostShapes += 1
    } else if !hasLostHeights, Self.hasHeights(old), !Self.hasHeights(new) {
      hasLostHeights = true
      note("heights, which become the attribute “ele”")
    }
  }

  private static func hasHeights(_ run: PathRun) -> Bool {
    !run.elevations.isEmpty
      && run.paths.contains { path in run.vertices(path).contains { !run.elevations[$0].isNaN } }
  }

  private mutating func compare(
    _ old: AttributeColumn, _ row: Int, _ new: AttributeColumn, _ newRow: Int
  ) {
    if hasLostIdentifiers || Self.isSame(old, row, new, newRow) { return }
    hasLostIdentifiers = true
    note("ids, which become the attribute “id”")
  }

  private static func isSame(
    _ old: AttributeColumn, _ row: Int, _ new: AttributeColumn, _ newRow: Int
  ) -> Bool {
    old.kind(row) == new.kind(newRow)
      && (old.kind(row) == .missing
        || old.bytes[old.textRange(row)] == new.bytes[new.textRange(newRow)])
  }

  private mutating func compareValues(
    _ old: AttributeColumn?, _ row: Int, _ new: AttributeColumn?, _ newRow: Int
  ) {
    let kind = old?.kind(row) ?? .missing
    let newKind = new?.kind(newRow) ?? .missing
    if kind == newKind {
      guard kind != .missing, let old, let new, !Self.isSame(old, row, new, newRow) else { return }
    }
    let name = old?.name ?? new?.name ?? ""
    if kind == .missing, name == "id" && hasLostIdentifiers || name == "ele" && hasLostHeights {
      return
    }
    switch (kind, newKind) {
    case (.null, .missing): note("null in “\(name)”, which becomes no value")
    case (.no, .string), (.yes, .string): note("true and false in “\(name)”, which become text")
    case (.json, .string): note("lists and objects in “\(name)”, which become text")
    case (.number, .string): note("numbers in “\(name)”, which become text")
    case (.string, .number): note("text in “\(name)”, which becomes numbers")
    default: note("some values of “\(name)”")
    }
  }
}
