import PortolanDocuments

/// The features of one layer.
extension DocumentMerge {
  /// A feature that is not as ours has it.
  private enum Merged {
    /// That of theirs.
    case theirs(Int, Conflict?)
    /// One made of both: its number in the list of texts.
    case made(Int, Conflict?)
    /// Ours, with a conflict.
    case ours(Conflict)
  }

  /// The layer with the features of both.
  mutating func mergeFeatures(
    _ layer: any BlockHolding, _ former: any Layer, _ other: any Layer
  ) throws -> any Layer {
    let rows = LayerRows(former, layer, other)
    if rows.areTheirsUnchanged { return layer }
    let keys = rows.keys(options.key)
    let (toOurs, toTheirs) = (
      FeatureMatching(keys[0], keys[1]), FeatureMatching(keys[0], keys[2])
    )
    let three = ThreeWayList<Merged>(
      ours: toOurs, theirs: toTheirs, additions: rows.additions(toOurs, toTheirs, options.key))
    var texts: [[UInt8]] = []
    let pieces = try three.pieces { index, own, other in
      try known(index, own, other, rows, layer, &texts)
    } both: { own, other in
      if rows.isSame(.ours, own, .theirs, other) { return .ours }
      return try merge(nil, own, other, rows, layer, &texts)
    } added: { other in
      takenCount += 1
      return .theirs(other, nil)
    }
    return try assembled(
      layer, pieces, rows, made: FeatureWriter.blocks(texts),
      max(
        layer.nextFeatureID, (other as? any BlockHolding)?.nextFeatureID ?? 1))
  }

  private mutating func known(
    _ index: Int, _ own: Int?, _ other: Int?, _ rows: LayerRows, _ layer: any BlockHolding,
    _ texts: inout [[UInt8]]
  ) throws -> ThreeWayList<Merged>.Outcome {
    let name = layer.name
    switch (own, other) {
    case (nil, nil): return .gone
    case (let own?, nil):
      if rows.isSame(.base, index, .ours, own) {
        takenCount += 1
        return .gone
      }
      conflicts.append(
        MergeConflict(subject: rows.label(.ours, own, in: name), parts: [], removedBy: .theirs))
      return .changed(
        .ours(
          Conflict(
            .feature, layer: layer.id, base: rows.string(.base, index), removedBy: .theirs)))
    case (nil, let other?):
      if rows.isSame(.base, index, .theirs, other) { return .gone }
      conflicts.append(
        MergeConflict(subject: rows.label(.theirs, other, in: name), parts: [], removedBy: .ours))
      return .theirs(
        .theirs(
          other,
          Conflict(.feature, layer: layer.id, base: rows.string(.base, index), removedBy: .ours)))
    case (let own?, let other?):
      if rows.isSame(.base, index, .theirs, other) || rows.isSame(.ours, own, .theirs, other) {
        return .ours
      }
      if rows.isSame(.base, index, .ours, own) {
        takenCount += 1
        return .changed(.theirs(other, nil))
      }
      return try merge(index, own, other, rows, layer, &texts)
    }
  }

  private mutating func merge(
    _ index: Int?, _ own: Int, _ other: Int, _ rows: LayerRows, _ layer: any BlockHolding,
    _ texts: inout [[UInt8]]
  ) throws -> ThreeWayList<Merged>.Outcome {
    let merged = try FeatureMerge(
      base: index.map { try rows.text(.base, $0) }, ours: rows.text(.ours, own),
      theirs: rows.text(.theirs, other), rule: options.geometry
    ).merged()
    texts.append(merged.text)
    guard !merged.conflicts.isEmpty else {
      takenCount += 1
      return .changed(.made(texts.count - 1, nil))
    }
    conflicts.append(
      MergeConflict(subject: rows.label(.ours, own, in: layer.name), parts: merged.conflicts))
    let conflict = Conflict(
      .feature, layer: layer.id, base: index.map { rows.string(.base, $0) },
      theirs: rows.string(.theirs, other))
    return .changed(.made(texts.count - 1, conflict))
  }

  /// The layer of the merged list; blocks of which nothing changed are shared.
  private mutating func assembled(
    _ layer: any BlockHolding, _ pieces: [MergedPiece<Merged>], _ rows: LayerRows,
    made: [FeatureBlock], _ nextID: UInt64
  ) throws -> any Layer {
    let made = made.flatMap { block in (0..<block.rowCount).map { (block: block, row: $0) } }
    let ours = rows.rows[.ours] ?? []
    let theirs = rows.rows[.theirs] ?? []
    let numbers = Set(ours.map(\.id))
    var collector = RowCollector(nextID: nextID)
    func append(_ merged: Merged, id: FeatureID?) {
      var conflict: Conflict?
      let number = id ?? FeatureID(collector.nextID)
      switch merged {
      case .theirs(let index, let found):
        collector.append(theirs[index].block, row: theirs[index].row, id: number)
        conflict = found
      case .made(let index, let found):
        if made.indices.contains(index) {
          collector.append(made[index].block, row: made[index].row, id: number)
        }
        conflict = found
      case .ours(let found): conflict = found
      }
      guard var conflict else { return }
      conflict.feature = number
      result.conflicts.append(conflict)
    }
    var place = 0
    while place < pieces.count {
      if let block = wholeBlock(at: place, in: pieces, ours) {
        collector.append(block)
        place += block.rowCount
        continue
      }
      switch pieces[place] {
      case .own(let index, nil):
        collector.append(ours[index].block, row: ours[index].row, id: ours[index].id)
      case .own(let index, .ours(let conflict)?):
        collector.append(ours[index].block, row: ours[index].row, id: ours[index].id)
        append(.ours(conflict), id: ours[index].id)
      case .own(let index, let merged?): append(merged, id: ours[index].id)
      case .added(let merged):
        var id: FeatureID?
        // A feature that only ours removed keeps its number, and so does a number above ours.
        if case .theirs(let index, let conflict) = merged {
          let number = theirs[index].id
          let isFree =
            conflict == nil
            ? number.rawValue >= layer.nextFeatureID : !numbers.contains(number)
          if isFree { id = number }
        }
        append(merged, id: id)
      }
      place += 1
    }
    var merged = layer
    merged.blocks = collector.finish()
    merged.nextFeatureID = collector.nextID
    return merged
  }

  /// The block of ours that begins at a place, if all of it follows unchanged.
  private func wholeBlock(
    at place: Int, in pieces: [MergedPiece<Merged>], _ ours: [ComparedRow]
  ) -> FeatureBlock? {
    guard case .own(let first, nil) = pieces[place], ours[first].row == 0 else { return nil }
    let block = ours[first].block
    guard place + block.rowCount <= pieces.count else { return nil }
    for offset in 0..<block.rowCount {
      guard case .own(let index, nil) = pieces[place + offset], index == first + offset else {
        return nil
      }
    }
    return block
  }
}

/// The features of three versions of a layer.
private struct LayerRows {
  enum Version: Hashable {
    case base, ours, theirs
  }

  let rows: [Version: [ComparedRow]]

  init(_ base: any Layer, _ ours: any Layer, _ theirs: any Layer) {
    func of(_ layer: any Layer) -> [ComparedRow] {
      ComparedRow.rows(of: layer as? any FeatureHolding)
    }
    rows = [.base: of(base), .ours: of(ours), .theirs: of(theirs)]
  }

  func row(_ version: Version, _ index: Int) -> ComparedRow { (rows[version] ?? [])[index] }

  /// Whether theirs has the rows of the base in their order.
  var areTheirsUnchanged: Bool {
    let (former, other) = (rows[.base] ?? [], rows[.theirs] ?? [])
    guard former.count == other.count else { return false }
    return former.indices.allSatisfy {
      former[$0].id == other[$0].id && isSame(.base, $0, .theirs, $0)
    }
  }

  func isSame(_ version: Version, _ index: Int, _ other: Version, _ otherIndex: Int) -> Bool {
    MapDifference.areSame(row(version, index), row(other, otherIndex))
  }

  /// The features known by the numbers that the base has; by their ids where those contradict.
  func keys(_ key: String?) -> [NumberedRows] {
    let isNumbered = key == nil && hasSameNumbers(.ours) && hasSameNumbers(.theirs)
    let known = isNumbered ? Set((rows[.base] ?? []).map(\.id)) : nil
    return [Version.base, .ours, .theirs].map { version in
      NumberedRows(MatchedRows(rows: rows[version] ?? [], key: key, hasNumbers: false), known)
    }
  }

  /// Whether features of one number have one `id` mostly: documents that were made of other files
  /// each time have numbers of their own.
  private func hasSameNumbers(_ version: Version) -> Bool {
    let former = Dictionary((rows[.base] ?? []).map { ($0.id, $0) }) { first, _ in first }
    var (same, others) = (0, 0)
    for row in rows[version] ?? [] {
      guard let old = former[row.id], row.identifier.kind != .missing else { continue }
      if old.identifier.isSame(as: row.identifier) { same += 1 } else { others += 1 }
    }
    return others <= same
  }

  /// The additions of theirs that are additions of ours, too.
  func additions(
    _ toOurs: FeatureMatching, _ toTheirs: FeatureMatching, _ key: String?
  ) -> [Int: Int] {
    let own = toOurs.first.indices.filter { toOurs.first[$0] == nil }
    let other = toTheirs.first.indices.filter { toTheirs.first[$0] == nil }
    func matched(_ version: Version, _ chosen: [Int]) -> MatchedRows {
      MatchedRows(rows: chosen.map { row(version, $0) }, key: key, hasNumbers: false)
    }
    let matching = FeatureMatching(
      matched(.ours, own), matched(.theirs, other), isInOrder: false)
    var found: [Int: Int] = [:]
    for (index, match) in matching.first.enumerated() {
      if let match { found[other[index]] = own[match] }
    }
    return found
  }

  private func bytes(_ version: Version, _ index: Int) -> [UInt8] {
    let row = row(version, index)
    return FeatureWriter.text(row.block, row: row.row)
  }

  func text(_ version: Version, _ index: Int) throws -> FeatureText {
    let bytes = bytes(version, index)
    return try FeatureText(JSONSpans(bytes), 0..<bytes.count)
  }

  func string(_ version: Version, _ index: Int) -> String {
    String(decoding: bytes(version, index), as: UTF8.self)
  }

  func label(_ version: Version, _ index: Int, in layer: String) -> String {
    "\(layer), \(row(version, index).label)"
  }
}

/// Rows that are known by their numbers as far as the base has them.
private struct NumberedRows: MatchedFeatures {
  let rows: MatchedRows
  /// The numbers that the base has; `nil` where numbers say nothing.
  let known: Set<FeatureID>?

  init(_ rows: MatchedRows, _ known: Set<FeatureID>?) { (self.rows, self.known) = (rows, known) }

  var count: Int { rows.count }
  func identity(_ index: Int) -> Int? {
    guard let known else { return rows.identity(index) }
    let id = rows.rows[index].id
    return known.contains(id) ? Int(truncatingIfNeeded: id.rawValue) : nil
  }
  func whole(_ index: Int) -> Int { rows.whole(index) }
  func content(_ index: Int) -> Int { rows.content(index) }
  // Another number is another feature, unless both are equal.
  func geometry(_ index: Int) -> Int? { known == nil ? rows.geometry(index) : nil }
  func attributes(_ index: Int) -> Int? { known == nil ? rows.attributes(index) : nil }
}
