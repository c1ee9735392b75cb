import PropertyLists

extension KeyedUnarchiver {
  public func decodeObjectsIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    let made = try elements(key, of: Object.self) { try object(type, $0) }
    try settleReferences()
    return made
  }

  public func decodeObjectsIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]? {
    let made = try elements(key, of: Slot.self) { try object(in: classes, $0) }
    try settleReferences()
    return made
  }

  public func decodeStringsIfPresent(forKey key: String) throws -> [String]? {
    try elements(key, of: String.self) { try string(ofNode: $0) }
  }

  public func decodeIntsIfPresent(forKey key: String) throws -> [Int]? {
    try elements(key, of: Int.self) { node in
      try number(body(of: node)) { Int(exactly: $0) }
    }
  }

  public func decodeDoublesIfPresent(forKey key: String) throws -> [Double]? {
    try elements(key, of: Double.self) { node in
      try number(body(of: node)) { $0.realValue }
    }
  }

  public func decodeDictionaryIfPresent<Object: Coding>(
    of type: Object.Type, forKey key: String
  ) throws -> [String: Object]? {
    let made = try pairs(key) { try object(type, $0) }
    try settleReferences()
    return made
  }

  public func decodeStringDictionaryIfPresent(forKey key: String) throws -> [String: String]? {
    try pairs(key) { try string(ofNode: $0) }
  }

  // MARK: Steps

  /// The elements of an array object.
  private func elements<Element>(
    _ key: String, of type: Element.Type, _ element: (UInt32) throws -> Element
  ) throws -> [Element]? {
    try located {
      guard let reference = find(key) else { return nil }
      if case .array(let row) = try list.object(reference) {
        return try elements(row, at: reference, element)
      }
      guard let node = try nodeNumber(reference) else { return nil }
      return try collection(node, key, ["NSArray", "NSMutableArray"]) { rows in
        try elements(rows[0].row, at: rows[0].reference, element)
      } rowKeys: {
        ["NS.objects"]
      }
    }
  }

  private func elements<Element>(
    _ row: PropertyListReferences, at reference: PropertyListReference,
    _ element: (UInt32) throws -> Element
  ) throws -> [Element] {
    try charge(row.count * MemoryLayout<Element>.stride)
    let top = frames.count - 1
    var elements: [Element] = []
    elements.reserveCapacity(row.count)
    for index in 0..<row.count {
      frames[top].element = index
      let value = try list.reference(index, of: row)
      guard let node = try nodeNumber(value) else {
        throw fault(.valueNotFound, reference, "an array holds none where an object belongs")
      }
      elements.append(try element(node))
    }
    frames[top].element = -1
    return elements
  }

  /// The pairs of a dictionary object whose keys are strings.
  private func pairs<Value>(
    _ key: String, _ value: (UInt32) throws -> Value
  ) throws -> [String: Value]? {
    try located {
      guard let reference = find(key), let node = try nodeNumber(reference) else { return nil }
      return try collection(node, key, ["NSDictionary", "NSMutableDictionary"]) { rows in
        guard rows[0].row.count == rows[1].row.count else {
          throw fault(
            .corrupt, rows[1].reference,
            "\(rows[0].row.count) keys for \(rows[1].row.count) values")
        }
        let names = try elements(rows[0].row, at: rows[0].reference) { try string(ofNode: $0) }
        let values = try elements(rows[1].row, at: rows[1].reference, value)
        var pairs: [String: Value] = [:]
        pairs.reserveCapacity(names.count)
        for (name, value) in zip(names, values) {
          guard pairs.updateValue(value, forKey: name) == nil else {
            throw fault(.corrupt, rows[0].reference, "the key \(name) is there twice")
          }
        }
        return pairs
      } rowKeys: {
        ["NS.keys", "NS.objects"]
      }
    }
  }

  private typealias Row = (row: PropertyListReferences, reference: PropertyListReference)

  /// Reads the rows of references that a collection object holds, and its elements by `read`.
  ///
  /// The elements belong to the field of the owner, so that paths read `layers[3]`, not
  /// `layers.NS.objects[3]`; the collection is "being made" meanwhile, so that it cannot hold
  /// itself.
  private func collection<Result>(
    _ node: UInt32, _ key: String, _ names: [String], _ read: ([Row]) throws -> Result,
    rowKeys: () -> [String]
  ) throws -> Result {
    if case .underConstruction = Memo(memos[Int(node)]) {
      throw fault(.cycle, try? body(of: node), "a collection that holds itself")
    }
    let rows = try foundationObject(node, named: names) {
      try rowKeys().map { key -> Row in
        guard let reference = find(key) else { throw valueNotFound(forKey: key) }
        let object = try list.object(reference)
        guard case .array(let row) = object else {
          throw fault(.typeMismatch, reference, "expected an array, found \(object.kindName)")
        }
        return (row, reference)
      }
    }
    let former = memos[Int(node)]
    memos[Int(node)] = Memo.underConstruction.word
    defer { memos[Int(node)] = former }
    return try read(rows)
  }
}
