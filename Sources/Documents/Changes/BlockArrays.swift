import PortolanGraphics

/// A feature block as arrays in which an edit changes only the edited places.
///
/// Ends are counts here: an inserted vertex changes one count and not all ends after it. Shapes are
/// in the order in which rows first use them, so that a block in memory and the same block read
/// from a file are the same arrays.
struct BlockArrays {
  /// A column with the lengths of its texts.
  struct Column {
    /// The part of the block that the column belongs to; the raw value is written.
    enum Table: UInt8, CaseIterable {
      case identifier, attribute, member, geometryMember, sourceGeometry, sourceFeature
    }

    var table: Table
    var name: String
    var kinds: [UInt8] = []
    var lengths: [UInt32] = []
    var bytes: [UInt8] = []
  }

  var coordinates: [Double] = []
  var elevations: [Double] = []
  var pathCounts: [UInt32] = []
  var pathRoles: [UInt8] = []
  var featureCounts: [UInt32] = []
  var kinds: [UInt8] = []
  var featureIDs: [UInt64] = []
  var shapeIndices: [UInt16] = []
  var shapes: [FeatureShape] = []
  var columns: [Column] = []

  init(_ block: FeatureBlock) {
    let geometry = block.geometry
    coordinates = geometry.coordinates
    elevations = geometry.elevations
    pathCounts = Self.counts(geometry.pathEnds)
    pathRoles = geometry.pathRoles.map(\.rawValue)
    featureCounts = Self.counts(geometry.featureEnds)
    kinds = geometry.kinds.map(\.rawValue)
    featureIDs = block.featureIDs.map(\.rawValue)
    (shapes, shapeIndices) = Self.ordered(block.shapes, block.shapeIndices)
    columns = [Column(block.identifiers, .identifier)]
    columns += block.attributes.map { Column($0, .attribute) }
    columns += block.foreignMembers.map { Column($0, .member) }
    columns += block.geometryForeignMembers.map { Column($0, .geometryMember) }
    columns += [block.sourceGeometries].compactMap { $0 }.map { Column($0, .sourceGeometry) }
    columns += [block.sourceFeatures].compactMap { $0 }.map { Column($0, .sourceFeature) }
  }

  var rowCount: Int { featureIDs.count }

  /// The counts for ends.
  static func counts(_ ends: [UInt32]) -> [UInt32] {
    var last: UInt32 = 0
    return ends.map { end in
      defer { last = end }
      return end &- last
    }
  }

  /// The ends for counts; `nil` if they grow too large.
  static func ends(_ counts: [UInt32]) -> [UInt32]? {
    var last: UInt32 = 0
    var ends: [UInt32] = []
    ends.reserveCapacity(counts.count)
    for count in counts {
      let (sum, overflows) = last.addingReportingOverflow(count)
      if overflows { return nil }
      ends.append(sum)
      last = sum
    }
    return ends
  }

  /// Shapes, each once, in the order in which rows first use them.
  private static func ordered(
    _ shapes: [FeatureShape], _ indices: [UInt16]
  ) -> (shapes: [FeatureShape], indices: [UInt16]) {
    var places = [UInt16?](repeating: nil, count: shapes.count)
    var known: [FeatureShape: UInt16] = [:]
    var kept: [FeatureShape] = []
    let renumbered = indices.map { index in
      if let place = places[Int(index)] { return place }
      let shape = shapes[Int(index)]
      let place = known[shape] ?? UInt16(truncatingIfNeeded: kept.count)
      if known[shape] == nil {
        known[shape] = place
        kept.append(shape)
      }
      places[Int(index)] = place
      return place
    }
    return (kept, renumbered)
  }
}

extension BlockArrays.Column {
  init(_ column: AttributeColumn, _ table: Table) {
    self.init(
      table: table, name: column.name, kinds: column.kinds,
      lengths: BlockArrays.counts(column.ends), bytes: column.bytes)
  }
}

/// A run of rows of a block: its start and its length.
typealias RowRun = (start: Int, count: Int)

extension BlockArrays {
  /// The arrays with some rows only; `nil` if the runs do not rise or are out of range.
  func keeping(_ runs: [RowRun]) -> BlockArrays? {
    var done = 0
    for run in runs {
      guard run.start >= done, run.count >= 0, run.start <= rowCount - run.count else { return nil }
      done = run.start + run.count
    }
    guard let featureEnds = Self.ends(featureCounts), let pathEnds = Self.ends(pathCounts) else {
      return nil
    }
    let paths = Self.runs(runs, ends: featureEnds)
    let vertices = Self.runs(paths, ends: pathEnds)
    var kept = self
    kept.coordinates = Self.picked(coordinates, vertices.map { (2 * $0.start, 2 * $0.count) })
    kept.elevations = elevations.isEmpty ? [] : Self.picked(elevations, vertices)
    kept.pathCounts = Self.picked(pathCounts, paths)
    kept.pathRoles = Self.picked(pathRoles, paths)
    kept.featureCounts = Self.picked(featureCounts, runs)
    kept.kinds = Self.picked(kinds, runs)
    kept.featureIDs = Self.picked(featureIDs, runs)
    (kept.shapes, kept.shapeIndices) = Self.ordered(shapes, Self.picked(shapeIndices, runs))
    for index in columns.indices {
      guard let ends = Self.ends(columns[index].lengths) else { return nil }
      kept.columns[index].kinds = Self.picked(columns[index].kinds, runs)
      kept.columns[index].lengths = Self.picked(columns[index].lengths, runs)
      kept.columns[index].bytes = Self.picked(columns[index].bytes, Self.runs(runs, ends: ends))
    }
    return kept
  }

  /// The runs of the rows' contents, given where each row ends.
  private static func runs(_ rows: [RowRun], ends: [UInt32]) -> [RowRun] {
    rows.map { run in
      let start = run.start == 0 ? 0 : Int(ends[run.start - 1])
      let end = run.start + run.count == 0 ? 0 : Int(ends[run.start + run.count - 1])
      return (start, end - start)
    }
  }

  private static func picked<Element>(_ elements: [Element], _ runs: [RowRun]) -> [Element] {
    var picked: [Element] = []
    picked.reserveCapacity(runs.reduce(0) { $0 + $1.count })
    for run in runs { picked.append(contentsOf: elements[run.start..<run.start + run.count]) }
    return picked
  }

  /// The block of these arrays.
  ///
  /// - Throws: `DocumentError` if they do not fit together.
  func block() throws -> FeatureBlock {
    guard let pathEnds = Self.ends(pathCounts), let featureEnds = Self.ends(featureCounts),
      kinds.allSatisfy({ $0 <= GeometryKind.geometryCollection.rawValue }),
      pathRoles.count == pathEnds.count, kinds.count == featureEnds.count,
      Int(featureEnds.last ?? 0) == pathRoles.count,
      GeometryBlock.belong(pathRoles, featureEnds, kinds),
      let geometry = GeometryBlock(
        coordinates: coordinates, elevations: elevations, pathEnds: pathEnds,
        pathRoles: pathRoles.map { PathRole(rawValue: $0) }, featureEnds: featureEnds,
        kinds: kinds.map { GeometryKind(rawValue: $0) ?? .none })
    else { throw Self.misfit("geometry") }
    guard featureIDs.allSatisfy({ $0 >= 1 && $0 <= 1 << 53 }) else {
      throw Self.misfit("numbers of features")
    }
    func columns(_ table: Column.Table) throws -> [AttributeColumn] {
      let columns = try self.columns.filter { $0.table == table }.map { try $0.column() }
      guard Set(columns.map { ExactText($0.name) }).count == columns.count else {
        throw Self.misfit("names of columns")
      }
      return columns
    }
    let identifiers = try columns(.identifier).first
    let block = FeatureBlock(
      geometry: geometry, featureIDs: featureIDs.map { FeatureID($0) },
      identifiers: identifiers ?? .missing(name: "id", rows: rowCount),
      attributes: try columns(.attribute), foreignMembers: try columns(.member),
      geometryForeignMembers: try columns(.geometryMember),
      sourceGeometries: try columns(.sourceGeometry).first,
      sourceFeatures: try columns(.sourceFeature).first, shapes: shapes,
      shapeIndices: shapeIndices)
    guard let block else { throw Self.misfit("columns") }
    return block
  }

  static func misfit(_ what: String) -> DocumentError {
    DocumentError(.corrupt, path: "change", "\(what) do not fit together")
  }
}

extension BlockArrays.Column {
  /// The kinds of values allowed in a table.
  private var admitted: Set<UInt8> {
    let kinds: [AttributeKind] =
      switch table {
      case .identifier, .attribute: AttributeKind.allCases
      case .member, .geometryMember, .sourceGeometry, .sourceFeature: [.missing, .json]
      }
    return Set(kinds.map(\.rawValue))
  }

  fileprivate func column() throws -> AttributeColumn {
    let admitted = self.admitted
    guard kinds.allSatisfy({ admitted.contains($0) }), let ends = BlockArrays.ends(lengths),
      let column = AttributeColumn(name: name, kinds: kinds, ends: ends, bytes: bytes)
    else { throw BlockArrays.misfit("values of “\(name)”") }
    return column
  }
}
