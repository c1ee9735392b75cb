package import PortolanGraphics

extension BlockHolding {
  package mutating func add(
    geometry: Geometry, attributes: [(name: String, value: AttributeValue)], isExact: Bool
  ) -> FeatureID {
    let id = FeatureID(nextFeatureID)
    add([Feature(id: id, geometry: geometry, attributes: attributes)], isExact: isExact) { $0 }
    return id
  }

  package mutating func add(
    _ features: [Feature], isExact: Bool, _ placed: (Geometry) throws -> Geometry
  ) rethrows {
    let rounded = RoundedGeometry(decimals: source.decimalsOfNewCoordinates)
    var builder = FeatureBlockBuilder()
    var all = blocks
    if let last = all.last,
      FeatureBlockBuilder.hasRoom(rows: last.rowCount, vertices: last.geometry.vertexCount)
    {
      builder.append(last, rows: 0..<last.rowCount)
      all.removeLast()
    }
    var next = nextFeatureID
    for feature in features {
      let geometry = try placed(feature.geometry)
      builder.append(
        Feature(
          id: FeatureID(next),
          geometry: rounded.geometry(geometry, former: isExact ? geometry : .none),
          attributes: feature.attributes))
      next &+= 1
      guard !builder.hasRoom else { continue }
      all.append(builder.block())
      builder = FeatureBlockBuilder()
    }
    if builder.row > 0 { all.append(builder.block()) }
    blocks = all
    nextFeatureID = next
    updateCollectionBox()
  }

  package mutating func remove(_ ids: Set<FeatureID>) {
    guard !ids.isEmpty else { return }
    var kept: [FeatureBlock] = []
    kept.reserveCapacity(blocks.count)
    for block in blocks {
      let rows = Set(block.rows(of: ids))
      if rows.isEmpty {
        kept.append(block)
      } else if let rest = block.keeping({ !rows.contains($0) }) {
        kept.append(rest)
      }
    }
    blocks = kept
    updateCollectionBox()
  }

  /// Gives a feature another geometry.
  ///
  /// New coordinates get as many decimals as the layer's file has; its `bbox` member is recomputed.
  ///
  /// - Throws: `DocumentError` if there is no such feature.
  /// - Complexity: O(the feature's block), as copies of memory.
  package mutating func setGeometry(_ geometry: Geometry, of id: FeatureID) throws {
    guard let (index, row) = position(of: id) else {
      throw DocumentError(.notFound, path: name, "no feature \(id.rawValue)")
    }
    let edited = blocks[index].replacingGeometries(
      [(row, geometry)], decimals: source.decimalsOfNewCoordinates)
    blocks.replaceSubrange(index...index, with: edited.split())
    updateCollectionBox()
  }

  /// Changes the geometry of many features, block by block.
  ///
  /// New coordinates and `bbox` members are treated as by `setGeometry`.
  ///
  /// - Parameters:
  ///   - ids: the features; numbers that do not exist are ignored.
  ///   - change: called with each geometry in the order of the features.
  /// - Throws: the errors of `change`; then nothing has changed.
  /// - Complexity: O(features of the layer + vertices of the blocks with one of `ids`).
  package mutating func changeGeometries(
    of ids: Set<FeatureID>, _ change: (inout Geometry) throws -> Void
  ) throws {
    var edited: [FeatureBlock] = []
    edited.reserveCapacity(blocks.count)
    var isChanged = false
    for block in blocks {
      let rows = block.rows(of: ids)
      if rows.isEmpty {
        edited.append(block)
        continue
      }
      isChanged = true
      let changes = try rows.map { row in
        var geometry = block.geometry.geometry(ofFeature: row)
        try change(&geometry)
        return (row: row, geometry: geometry)
      }
      edited += block.replacingGeometries(changes, decimals: source.decimalsOfNewCoordinates)
        .split()
    }
    if !isChanged { return }
    blocks = edited
    updateCollectionBox()
  }

  /// Sets, adds or (with `.missing`) removes an attribute; a new one comes last.
  ///
  /// - Throws: `DocumentError` if a feature does not exist or the value is an invalid number; then
  ///   nothing has changed.
  package mutating func setAttribute(
    _ name: String, to value: AttributeValue, of ids: Set<FeatureID>
  ) throws {
    if case .number(let text) = value, !NumberText.isValid(text) {
      throw DocumentError(.invalidValue, path: name, "\(text) is not a number")
    }
    var found = 0
    var edited: [(Int, FeatureBlock)] = []
    for (index, block) in blocks.enumerated() {
      let rows = block.rows(of: ids)
      found += rows.count
      if !rows.isEmpty {
        edited.append((index, block.replacingAttribute(name, rows: rows, with: value)))
      }
    }
    guard found == ids.count else {
      throw DocumentError(
        .notFound, path: self.name,
        CountText.text(ids.count - found, "feature is", "features are") + " gone")
    }
    for (index, block) in edited { blocks[index] = block }
  }

  /// Sets an attribute of each feature to a value of its own.
  ///
  /// - Parameter values: called with each block and the rows of it that are meant, rising; returns
  ///   one value a row.
  /// - Throws: the errors of `values`, and `DocumentError` for an invalid number; then nothing has
  ///   changed.
  /// - Complexity: O(features of the layer).
  package mutating func setAttribute(
    _ name: String, of ids: Set<FeatureID>,
    by values: (FeatureBlock, _ rows: [Int]) throws -> [AttributeValue]
  ) throws {
    try setAttributes([name], of: ids) { [try values($0, $1)] }
  }

  /// The same of a choice, whose rows are found without a hash for each.
  package mutating func setAttribute(
    _ name: String, of choice: FeatureChoice,
    by values: (FeatureBlock, _ rows: [Int]) throws -> [AttributeValue]
  ) throws {
    let ids = choice.ids(of: id)
    try setAttributes([name], in: { $0.rows(ofRising: ids) }, by: { [try values($0, $1)] })
  }

  /// Sets some attributes of each feature to values of its own, in one pass.
  ///
  /// - Parameter values: as above; returns the values of each of the attributes.
  /// - Precondition: No name comes twice.
  package mutating func setAttributes(
    _ names: [String], of ids: Set<FeatureID>,
    by values: (FeatureBlock, _ rows: [Int]) throws -> [[AttributeValue]]
  ) throws {
    try setAttributes(names, in: { $0.rows(of: ids) }, by: values)
  }

  private mutating func setAttributes(
    _ names: [String], in chosen: (FeatureBlock) -> [Int],
    by values: (FeatureBlock, _ rows: [Int]) throws -> [[AttributeValue]]
  ) throws {
    var edited: [(Int, FeatureBlock)] = []
    for (index, block) in blocks.enumerated() {
      let rows = chosen(block)
      if rows.isEmpty { continue }
      var changes: [FeatureBlock.AttributeChange] = []
      for (name, list) in zip(names, try values(block, rows)) {
        let column = block.column(name)
        let pairs = zip(rows, list).filter { (column?.value($0) ?? .missing) != $1 }
        for case (_, .number(let text)) in pairs where !NumberText.isValid(text) {
          throw DocumentError(.invalidValue, path: name, "\(text) is not a number")
        }
        if pairs.isEmpty { continue }
        changes.append(
          FeatureBlock.AttributeChange(
            name: name, rows: pairs.map(\.0), values: pairs.map(\.1)))
      }
      if !changes.isEmpty { edited.append((index, block.replacingAttributes(changes))) }
    }
    for (index, block) in edited { blocks[index] = block }
  }

  /// Sets or (with `.missing`) removes the identifier of a feature.
  ///
  /// - Throws: `DocumentError` if there is no such feature, or the value is neither a string nor
  ///   a number.
  package mutating func setIdentifier(_ value: AttributeValue, of id: FeatureID) throws {
    guard let (index, row) = position(of: id) else {
      throw DocumentError(.notFound, path: name, "no feature \(id.rawValue)")
    }
    switch value {
    case .missing, .string: break
    case .number(let text) where NumberText.isValid(text): break
    default: throw DocumentError(.invalidValue, path: name, "an id is a string or a number")
    }
    blocks[index] = blocks[index].replacingIdentifier(row: row, with: value)
  }

  /// Recomputes the file's own `bbox` member, if there is one.
  package mutating func updateCollectionBox() {
    guard let place = source.members.firstIndex(where: { $0.name == "bbox" }) else { return }
    let intervals = blocks.lazy.flatMap { $0.geometry.boxes }
    if let text = BoundingBoxText.text(of: intervals, like: source.members[place].json) {
      source.members[place].json = text
    } else {
      source.members.remove(at: place)
    }
  }
}

// MARK: Names of attributes

extension BlockHolding {
  /// Renames an attribute of some features; it keeps its place among the others.
  ///
  /// - Throws: `DocumentError` if the new name is empty or one of the features has it already;
  ///   then nothing has changed.
  package mutating func renameAttribute(
    _ name: String, to newName: String, of ids: Set<FeatureID>
  ) throws {
    if newName.isEmpty {
      throw DocumentError(.invalidValue, path: self.name, "an attribute needs a name")
    }
    var edited = blocks
    for (index, block) in blocks.enumerated() {
      let rows =
        ids.count < 32
        ? ids.compactMap { block.row(of: $0) }.sorted()
        : block.featureIDs.indices.filter { ids.contains(block.featureIDs[$0]) }
      let has = rows.filter { block.attribute(name, row: $0).kind != .missing }
      if has.contains(where: { block.attribute(newName, row: $0).kind != .missing }) {
        throw DocumentError(
          .invalidValue, path: self.name, "there is an attribute “\(newName)” already")
      }
      if !has.isEmpty { edited[index] = block.renamingAttribute(name, to: newName, rows: has) }
    }
    blocks = edited
  }
}
