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
    try addReference(node(ofString: value), key)
  }

  public func encodeBytes(_ value: [UInt8], forKey key: String) throws {
    try addField(key, writer.addData(value))
  }

  public func encodeData(_ value: [UInt8]?, forKey key: String) throws {
    guard let value else { return try addReference(0, key) }
    try addReference(addNode(body: writer.addData(value)), key)
  }

  public func encodePacked<Element: PackedElement>(_ elements: [Element], forKey key: String) throws
  {
    try addReference(addNode(body: writer.addData(elements)), key)
  }

  public func encodeDate(_ secondsSinceReferenceDate: Double?, forKey key: String) throws {
    guard let seconds = secondsSinceReferenceDate else { return try addReference(0, key) }
    let node = try collection(chain: ["NSDate", "NSObject"]) {
      try addField("NS.time", writer.addDouble(seconds))
    }
    try addReference(node, key)
  }

  public func encodeNil(forKey key: String) throws {
    try addReference(0, key)
  }

  public func encodeObjects<Object: Coding>(_ objects: [Object], forKey key: String) throws {
    let uids = try objects.map { nodes[Int(try node(of: $0))].uid }
    try encodeArray(uids, key)
  }

  public func encodeObjects(_ objects: [any Coding], forKey key: String) throws {
    let uids = try objects.map { nodes[Int(try node(of: $0))].uid }
    try encodeArray(uids, key)
  }

  public func encodeStrings(_ strings: [String], forKey key: String) throws {
    try encodeArray(strings.map { nodes[Int(try node(ofString: $0))].uid }, key)
  }

  public func encodeInts(_ numbers: [Int], forKey key: String) throws {
    let uids = numbers.map { nodes[Int(addNode(body: writer.addInteger(Int64($0))))].uid }
    try encodeArray(uids, key)
  }

  public func encodeDoubles(_ numbers: [Double], forKey key: String) throws {
    let uids = numbers.map { nodes[Int(addNode(body: writer.addDouble($0)))].uid }
    try encodeArray(uids, key)
  }

  public func encodeDictionary<Object: Coding>(
    _ dictionary: [String: Object], forKey key: String
  ) throws {
    let pairs = dictionary.sorted { $0.key < $1.key }
    try encodeDictionary(
      keys: pairs.map { nodes[Int(try node(ofString: $0.key))].uid },
      values: pairs.map { nodes[Int(try node(of: $0.value))].uid }, key)
  }

  public func encodeStringDictionary(_ dictionary: [String: String], forKey key: String) throws {
    let pairs = dictionary.sorted { $0.key < $1.key }
    try encodeDictionary(
      keys: pairs.map { nodes[Int(try node(ofString: $0.key))].uid },
      values: pairs.map { nodes[Int(try node(ofString: $0.value))].uid }, key)
  }

  // MARK: Helpers

  /// Adds a field that refers to a node.
  func addReference(_ node: UInt32, _ key: String) throws {
    try addField(key, nodes[Int(node)].uid)
  }

  private func encodeArray(_ uids: [PropertyListReference], _ key: String) throws {
    let node = try collection(chain: ["NSArray", "NSObject"]) {
      try addField("NS.objects", inlineArray(uids))
    }
    try addReference(node, key)
  }

  private func encodeDictionary(
    keys: [PropertyListReference], values: [PropertyListReference], _ key: String
  ) throws {
    let node = try collection(chain: ["NSDictionary", "NSObject"]) {
      try addField("NS.keys", inlineArray(keys))
      try addField("NS.objects", inlineArray(values))
    }
    try addReference(node, key)
  }

  private func inlineArray(_ uids: [PropertyListReference]) -> PropertyListReference {
    let reference = writer.reserve()
    writer.setArray(reference, uids)
    return reference
  }
}
