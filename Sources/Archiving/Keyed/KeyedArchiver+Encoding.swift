import PortolanMemory
public import PropertyLists

extension KeyedArchiver {
  public func encodeBool(_ value: Bool, forKey key: String) throws {
    try addField(key, writer.addBool(value))
  }

  public func encodeInt(_ value: Int, forKey key: String) throws {
    try addField(key, writer.addInteger(Int64(value)))
  }

  public func encodeInt32(_ value: Int32, forKey key: String) throws {
    try addField(key, writer.addInteger(Int64(value)))
  }

  public func encodeInt64(_ value: Int64, forKey key: String) throws {
    try addField(key, writer.addInteger(value))
  }

  public func encodeFloat(_ value: Float, forKey key: String) throws {
    try addField(key, writer.addFloat(value))
  }

  public func encodeDouble(_ value: Double, forKey key: String) throws {
    try addField(key, writer.addDouble(value))
  }

  public func encodeString(_ value: String?, forKey key: String) throws {
    guard let value else { return try addReference(0, key) }
    if showsValues { return try encodeObject(value, forKey: key) }
    try addReference(node(ofString: value), key)
  }

  public func encodeBytes(_ value: [UInt8]?, forKey key: String) throws {
    try addField(key, inlineBytes(value))
  }

  public func encodeData(_ value: [UInt8]?, forKey key: String) throws {
    guard let value else { return try addReference(0, key) }
    if showsValues { return try encodeObject(Cocoa.Object.data(value), forKey: key) }
    try addReference(addNode(body: writer.addData(value)), key)
  }

  public func encodePacked<Element: PackedElement>(_ elements: [Element], forKey key: String) throws
  {
    if showsValues {
      return try encodeObject(Cocoa.Object.data(bytes(of: elements)), forKey: key)
    }
    try addReference(addNode(body: writer.addData(elements)), key)
  }

  public func encodeDate(_ secondsSinceReferenceDate: Double?, forKey key: String) throws {
    if showsValues {
      let date = secondsSinceReferenceDate.map { Cocoa.Date(secondsSinceReferenceDate: $0) }
      return try encodeObject(date, forKey: key)
    }
    try addReference(node(ofDate: secondsSinceReferenceDate), key)
  }

  private func bytes(of elements: some ByteSource) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: elements.byteCount) { buffer, count in
      elements.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
      count = elements.byteCount
    }
  }

  /// The node of a date object; 0 for none.
  func node(ofDate seconds: Double?) throws -> UInt32 {
    guard let seconds else { return 0 }
    return try collection("NSDate") { try addField("NS.time", writer.addDouble(seconds)) }
  }

  public func encodeNil(forKey key: String) throws {
    try addReference(0, key)
  }

  public func encodeObjects<Object: Coding>(_ objects: [Object], forKey key: String) throws {
    if showsValues { return try encodeObject(objects, forKey: key) }
    let number = reserveArray()
    var place = try beginRow(objects)
    do {
      while place < objects.count {
        let element = objects[place]
        switch try start(element) {
        case .known: break
        case .replaced: try writeReplaced(element)
        case .further: try writeFurther(element)
        case .new:
          try element.encode(with: self)
          end(element)
        }
        place = addToRow()
      }
    } catch {
      throw abandonRow(error)
    }
    try encodeArray(key, number, nodes: endRow())
  }

  public func encodeObjects(_ objects: [any Coding], forKey key: String) throws {
    if showsValues { return try encodeObject(MixedArray(objects), forKey: key) }
    try encodeArray(key, objects.count) { try node(of: objects[$0]) }
  }

  public func encodeObjectSet<Object: Coding>(_ objects: [Object], forKey key: String) throws {
    if showsValues { return try encodeObject(MixedSet(objects), forKey: key) }
    let number = reserveArray()
    try encodeArray(key, number, nodes: elementNodes(objects), as: "NSSet")
  }

  public func encodeStringSet(_ strings: Set<String>, forKey key: String) throws {
    if showsValues { return try encodeObject(strings, forKey: key) }
    let strings = strings.sorted()
    try encodeArray(key, strings.count, as: "NSSet") { try node(ofString: strings[$0]) }
  }

  public func encodeDictionary(_ dictionary: [String: any Coding], forKey key: String) throws {
    let pairs = dictionary.sorted { $0.key < $1.key }
    if showsValues { return try encodeObject(MixedDictionary(pairs), forKey: key) }
    try encodeDictionary(key, pairs.map(\.key)) { try node(of: pairs[$0].value) }
  }

  public func encodeStrings(_ strings: [String], forKey key: String) throws {
    if showsValues { return try encodeObject(strings, forKey: key) }
    try encodeArray(key, strings.count) { try node(ofString: strings[$0]) }
  }

  public func encodeInts(_ numbers: [Int], forKey key: String) throws {
    if showsValues { return try encodeObject(numbers, forKey: key) }
    try encodeArray(key, numbers.count) { addNode(body: writer.addInteger(Int64(numbers[$0]))) }
  }

  public func encodeDoubles(_ numbers: [Double], forKey key: String) throws {
    if showsValues { return try encodeObject(numbers, forKey: key) }
    try encodeArray(key, numbers.count) { addNode(body: writer.addDouble(numbers[$0])) }
  }

  public func encodeDictionary<Object: Coding>(
    _ dictionary: [String: Object], forKey key: String
  ) throws {
    if showsValues { return try encodeObject(dictionary, forKey: key) }
    let pairs = dictionary.inKeyOrder
    try encodeDictionary(key, pairs.map(\.key)) { try node(of: pairs[$0].value) }
  }

  public func encodeStringDictionary(_ dictionary: [String: String], forKey key: String) throws {
    if showsValues { return try encodeObject(dictionary, forKey: key) }
    let pairs = dictionary.sorted { $0.key < $1.key }
    try encodeDictionary(key, pairs.map(\.key)) { try node(ofString: pairs[$0].value) }
  }

  public func encodeStringPairs(
    _ pairs: [(key: String, value: String)], forKey key: String
  ) throws {
    if let twice = firstDuplicate(pairs) {
      throw failed(
        ArchiveError(.duplicateKey, path: path(key), "the key \(twice) is there twice"))
    }
    if showsValues { return try encodeObject(MixedDictionary(pairs), forKey: key) }
    try encodeDictionary(key, pairs.map(\.key)) { try node(ofString: pairs[$0].value) }
  }

  // MARK: Helpers

  /// Adds a field that refers to a node.
  func addReference(_ node: UInt32, _ key: String) throws {
    try addField(key, nodes[Int(node)].uid)
  }

  /// Encodes an array object; its number comes before those of its elements, as Apple's does.
  private func encodeArray(
    _ key: String, _ count: Int, as className: String = "NSArray",
    _ element: (Int) throws -> UInt32
  ) throws {
    let number = addNode(body: writer.reserve())
    try encodeArray(key, number, row(count, element), as: className)
  }

  /// Takes the number of an array object, whose elements follow.
  private func reserveArray() -> UInt32 { addNode(body: writer.reserve()) }

  private func encodeArray(
    _ key: String, _ number: UInt32, nodes: [UInt32], as className: String = "NSArray"
  ) throws {
    try encodeArray(key, number, references(to: nodes), as: className)
  }

  private func encodeArray(
    _ key: String, _ number: UInt32, _ row: [PropertyListReference],
    as className: String = "NSArray"
  ) throws {
    try encodeFields(
      of: number, classIndex: classIndex(named: className, ancestors: Self.rootClass)
    ) { try addField("NS.objects", inlineArray(className == "NSSet" ? eachOnce(row) : row)) }
    try addReference(number, key)
  }

  private func encodeDictionary(
    _ key: String, _ keys: [String], _ value: (Int) throws -> UInt32
  ) throws {
    let number = addNode(body: writer.reserve())
    var keyRow = try row(keys.count) { try node(ofString: keys[$0]) }
    var valueRow: [PropertyListReference] = []
    valueRow.reserveCapacity(keys.count)
    for place in keys.indices {
      let node = try value(place)
      // A value that is replaced by nothing goes with its key.
      if node == 0 {
        keyRow.remove(at: valueRow.count)
      } else {
        valueRow.append(nodes[Int(node)].uid)
      }
    }
    try encodeFields(
      of: number, classIndex: classIndex(named: "NSDictionary", ancestors: Self.rootClass)
    ) {
      try addField("NS.keys", inlineArray(keyRow))
      try addField("NS.objects", inlineArray(valueRow))
    }
    try addReference(number, key)
  }

  func row(
    _ count: Int, _ node: (Int) throws -> UInt32
  ) rethrows -> [PropertyListReference] {
    var row: [PropertyListReference] = []
    row.reserveCapacity(count)
    for index in 0..<count {
      let node = try node(index)
      // What is replaced by nothing is left out.
      if node != 0 { row.append(nodes[Int(node)].uid) }
    }
    return row
  }

  func inlineArray(_ uids: [PropertyListReference]) -> PropertyListReference {
    let reference = writer.reserve()
    writer.setArray(reference, uids)
    return reference
  }
}
