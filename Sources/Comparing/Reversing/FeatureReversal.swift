import PortolanDocuments

/// The features of one layer without an edit, where later edits changed the layer, too.
struct FeatureReversal {
  private struct Row {
    var block: FeatureBlock
    var row: Int

    var compared: ComparedRow { ComparedRow(block: block, row: row, number: row + 1) }
  }

  /// What becomes of a feature of the present layer.
  private enum Outcome {
    case gone
    case replaced(Row)
  }

  private let old: any BlockHolding
  private let new: any BlockHolding
  private let own: any BlockHolding
  private var outcomes: [FeatureID: Outcome] = [:]
  /// The features that come back, by the present one that they follow; `nil` is the beginning.
  private var restored: [FeatureID?: [Row]] = [:]

  init(old: any BlockHolding, new: any BlockHolding, own: any BlockHolding) {
    (self.old, self.new, self.own) = (old, new, own)
  }

  /// The blocks without the edit; those without a changed feature are shared.
  ///
  /// - Throws: `ChangedPart`, the first feature that was changed since.
  func blocks() throws -> [FeatureBlock] {
    var work = self
    try work.decide()
    return work.assembled()
  }

  // MARK: Decisions

  private mutating func decide() throws {
    let olds = Self.rows(old.blocks, besides: new.blocks)
    let news = Self.rows(new.blocks, besides: old.blocks)
    for block in Self.blocks(new.blocks, besides: old.blocks) {
      for (row, id) in block.featureIDs.enumerated() {
        try decide(id, olds[id], Row(block: block, row: row))
      }
    }
    try restore(olds.keys.filter { news[$0] == nil })
    try checkOrder(olds, news)
  }

  private mutating func decide(_ id: FeatureID, _ old: Row?, _ new: Row) throws {
    if let old, Self.areEqual(old, new) { return }
    guard let own = ownRow(id) else {
      // Somebody has removed it since, as the reversal of its addition does.
      if let old { throw changed(id, old) }
      return
    }
    let isUntouched = ChangedPart.areSame(own.compared, new.compared)
    guard let old else {
      guard isUntouched else { throw changed(id, own) }
      outcomes[id] = .gone
      return
    }
    if isUntouched {
      outcomes[id] = .replaced(old)
    } else if !MapDifference.areSame(own.compared, old.compared) {
      outcomes[id] = .replaced(try merged(id, old, new, own))
    }
  }

  /// Whether two versions of a feature are equal, their numbers as they are written, too.
  private static func areEqual(_ first: Row, _ second: Row) -> Bool {
    guard MapDifference.areSame(first.compared, second.compared) else { return false }
    let places = first.block.attributeOrder(row: first.row)
    let others = second.block.attributeOrder(row: second.row)
    return places.count == others.count
      && zip(places, others).allSatisfy { place, other in
        let (column, another) = (first.block.attributes[place], second.block.attributes[other])
        return column.name.utf8.elementsEqual(another.name.utf8)
          && column.value(first.row) == another.value(second.row)
      }
  }

  /// A feature that the edit and later ones changed, merged as those of files are.
  private func merged(_ id: FeatureID, _ old: Row, _ new: Row, _ own: Row) throws -> Row {
    func text(_ row: Row) throws -> FeatureText {
      let bytes = FeatureWriter.text(row.block, row: row.row)
      return try FeatureText(JSONSpans(bytes), 0..<bytes.count)
    }
    let merged = try FeatureMerge(
      base: text(new), ours: text(own), theirs: text(old), rule: .rings
    ).merged()
    guard merged.conflicts.isEmpty,
      let block = try FeatureWriter.blocks([merged.text]).first, block.rowCount == 1
    else { throw changed(id, own) }
    return Row(block: block, row: 0)
  }

  /// Finds the places of features that the edit removed: each follows its predecessor.
  private mutating func restore(_ ids: [FeatureID]) throws {
    if ids.isEmpty { return }
    let wanted = Set(ids)
    let kept = Set(new.blocks.map { ObjectIdentifier($0) })
    for (index, block) in old.blocks.enumerated() where !kept.contains(ObjectIdentifier(block)) {
      var anchor = anchor(before: index)
      for (row, id) in block.featureIDs.enumerated() {
        let isHere = own.position(of: id) != nil
        if wanted.contains(id) {
          let row = Row(block: block, row: row)
          if isHere { throw changed(id, row) }
          restored[anchor, default: []].append(row)
        } else if isHere {
          anchor = id
        }
      }
    }
  }

  /// The last feature of the blocks below one that the present layer has.
  private func anchor(before index: Int) -> FeatureID? {
    for block in old.blocks[..<index].reversed() {
      if let id = block.featureIDs.last(where: { own.position(of: $0) != nil }) { return id }
    }
    return nil
  }

  /// An edit that put features into another order is not taken back beside others.
  private func checkOrder(_ olds: [FeatureID: Row], _ news: [FeatureID: Row]) throws {
    let former = Self.blocks(old.blocks, besides: new.blocks).flatMap(\.featureIDs)
      .filter { news[$0] != nil }
    let later = Self.blocks(new.blocks, besides: old.blocks).flatMap(\.featureIDs)
      .filter { olds[$0] != nil }
    if former != later {
      throw ChangedPart(.layer(own.id), "the features of layer \(own.name), which it rearranged,")
    }
  }

  private func ownRow(_ id: FeatureID) -> Row? {
    own.position(of: id).map { Row(block: own.blocks[$0.block], row: $0.row) }
  }

  private func changed(_ id: FeatureID, _ row: Row) -> ChangedPart {
    let layer: any BlockHolding = own.position(of: id) == nil ? old : own
    var number = row.row + 1
    for block in layer.blocks {
      if block === row.block { break }
      number += block.rowCount
    }
    return ChangedPart(
      .feature(FeatureReference(layer: own.id, feature: id)),
      "\(own.name), \(ComparedRow(block: row.block, row: row.row, number: number).label)")
  }

  // MARK: Blocks

  private static func blocks(
    _ blocks: [FeatureBlock], besides others: [FeatureBlock]
  ) -> [FeatureBlock] {
    let known = Set(others.map { ObjectIdentifier($0) })
    return blocks.filter { !known.contains(ObjectIdentifier($0)) }
  }

  /// The number of features in blocks that others lack.
  static func count(_ blocks: [FeatureBlock], besides others: [FeatureBlock]) -> Int {
    self.blocks(blocks, besides: others).reduce(0) { $0 + $1.rowCount }
  }

  private static func rows(
    _ blocks: [FeatureBlock], besides others: [FeatureBlock]
  ) -> [FeatureID: Row] {
    var rows: [FeatureID: Row] = [:]
    for block in self.blocks(blocks, besides: others) {
      for (row, id) in block.featureIDs.enumerated() { rows[id] = Row(block: block, row: row) }
    }
    return rows
  }

  private func assembled() -> [FeatureBlock] {
    var collector = RowCollector(nextID: own.nextFeatureID)
    func append(_ rows: [Row]?) {
      for row in rows ?? [] {
        collector.append(row.block, row: row.row, id: row.block.featureIDs[row.row])
      }
    }
    var affected = Set<Int>()
    for id in Array(outcomes.keys) + restored.keys.compactMap({ $0 }) {
      if let place = own.position(of: id) { affected.insert(place.block) }
    }
    append(restored[nil])
    for (index, block) in own.blocks.enumerated() {
      guard affected.contains(index) else {
        collector.append(block)
        continue
      }
      for (row, id) in block.featureIDs.enumerated() {
        switch outcomes[id] {
        case .gone: break
        case .replaced(let other): collector.append(other.block, row: other.row, id: id)
        case nil: collector.append(block, row: row, id: id)
        }
        append(restored[id])
      }
    }
    return collector.finish()
  }
}
