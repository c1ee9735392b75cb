package import Graphics

extension FeatureLayer {
  package mutating func add(
    geometry: Geometry, attributes: [(name: String, value: AttributeValue)]
  ) -> FeatureID {
    let id = FeatureID(nextFeatureID)
    nextFeatureID &+= 1
    let rounded = RoundedGeometry(decimals: source.decimalsOfNewCoordinates)
    let feature = Feature(
      id: id, geometry: rounded.geometry(geometry, former: .none), attributes: attributes)
    var builder = FeatureBlockBuilder()
    let last = blocks.last
    let room = last.map { last in
      last.rowCount < FeatureLayerBuilder.Target.rows
        && last.geometry.vertexCount < FeatureLayerBuilder.Target.vertices
    }
    if let last, room == true {
      builder.append(last, rows: 0..<last.rowCount)
      builder.append(feature)
      blocks[blocks.count - 1] = builder.block()
    } else {
      builder.append(feature)
      blocks.append(builder.block())
    }
    updateCollectionBox()
    return id
  }

  package mutating func remove(_ ids: Set<FeatureID>) {
    guard !ids.isEmpty else { return }
    var kept: [FeatureBlock] = []
    kept.reserveCapacity(blocks.count)
    for block in blocks {
      let rows = Set(Self.rows(of: ids, in: block))
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
  /// Coordinates that it did not have before get as many decimals as the layer's file has; its
  /// `bbox` member is made anew.
  ///
  /// - Throws: `DocumentError` if there is no such feature.
  /// - Complexity: O(the feature's block), as copies of memory.
  package mutating func setGeometry(_ geometry: Geometry, of id: FeatureID) throws {
    guard let (index, row) = position(of: id) else {
      throw DocumentError(.notFound, path: name, "no feature \(id.rawValue)")
    }
    let edited = blocks[index].replacingGeometry(
      row: row, with: geometry, decimals: source.decimalsOfNewCoordinates)
    blocks.replaceSubrange(index...index, with: edited.split())
    updateCollectionBox()
  }

  /// Sets, adds or (with `.missing`) removes an attribute; a new one stands last.
  ///
  /// - Throws: `DocumentError` if a feature is not there or the value's number is none; then
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
      let rows = Self.rows(of: ids, in: block)
      found += rows.count
      if !rows.isEmpty {
        edited.append((index, block.replacingAttribute(name, rows: rows, with: value)))
      }
    }
    guard found == ids.count else {
      throw DocumentError(.notFound, path: self.name, "\(ids.count - found) features are gone")
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

  /// The rows of a block whose numbers are in a set, rising.
  private static func rows(of ids: Set<FeatureID>, in block: FeatureBlock) -> [Int] {
    if ids.count < 32 { return ids.compactMap { block.row(of: $0) }.sorted() }
    return block.featureIDs.indices.filter { ids.contains(block.featureIDs[$0]) }
  }

  /// Makes the file's own `bbox` member anew, where it has one.
  private mutating func updateCollectionBox() {
    guard let place = source.members.firstIndex(where: { $0.name == "bbox" }) else { return }
    let intervals = blocks.lazy.flatMap { $0.geometry.boxes }
    if let text = BoundingBoxText.text(of: intervals, like: source.members[place].json) {
      source.members[place].json = text
    } else {
      source.members.remove(at: place)
    }
  }
}
