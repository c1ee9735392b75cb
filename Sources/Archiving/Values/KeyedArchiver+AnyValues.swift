import PropertyLists

// Writing values of Foundation's classes, and objects whose class is known at run time only.
extension KeyedArchiver {
  /// The node of an object of any class.
  func node(ofAny object: Cocoa.Object) throws -> UInt32 {
    switch object {
    case .string(let text): try node(ofString: text)
    case .data(let bytes): addNode(body: writer.addData(bytes))
    case .unknown(let kept): try node(ofKept: kept)
    default: try node(ofFoundation: object.foundationValue)
    }
  }

  /// The node of a value, under the class that it names.
  func node(ofFoundation value: any FoundationValue) throws -> UInt32 {
    switch value.bareValue {
    case .string(let text): return try node(ofString: text)
    case .data(let bytes): return addNode(body: writer.addData(bytes))
    case .date(let seconds): return addNode(body: writer.addDate(seconds))
    case .number(let number): return addNode(body: body(of: number))
    case nil: break
    }
    let archived = value.archivedClass(isKeyed: true)
    let index = classIndex(of: archived)
    let number = addNode(body: writer.reserve())
    try checkRoom(number)
    try encodeFields(of: number, classIndex: index) { try value.encode(with: self) }
    return number
  }

  private func body(of number: Cocoa.Number) -> PropertyListReference {
    switch number.value {
    case .bool(let value): writer.addBool(value)
    case .integer(let value): writer.addInteger(value)
    case .unsigned(let value): writer.addUnsigned(value)
    case .float(let value): writer.addFloat(value)
    case .double(let value): writer.addDouble(value)
    }
  }

  /// Adds the elements of a collection to its object.
  func encodeRow<Element: Coding>(_ elements: [Element]) throws {
    try encodeRow(ofNodes: elementNodes(elements))
  }

  func encodeRow(ofNodes elements: [UInt32]) throws {
    try addField("NS.objects", inlineArray(ofNodes: elements.lazy.filter { $0 != 0 }))
  }

  /// Adds the keys and the values of a dictionary to its object.
  func encodeRows<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws {
    let keys = try elementNodes(keys)
    try encodeRows(ofNodes: keys, elementNodes(values))
  }

  func encodeRows(ofNodes keys: [UInt32], _ values: [UInt32]) throws {
    var (keys, values) = (keys, values)
    if keys.contains(0) || values.contains(0) {
      let places = keys.indices.filter { keys[$0] != 0 && values[$0] != 0 }
      (keys, values) = (places.map { keys[$0] }, places.map { values[$0] })
    }
    try addField("NS.keys", inlineArray(ofNodes: keys))
    try addField("NS.objects", inlineArray(ofNodes: values))
  }

  /// The nodes of elements; 0 for one that is replaced by nothing.
  private func elementNodes<Element: Coding>(_ elements: [Element]) throws -> [UInt32] {
    if !asksFirst, Element.self == Cocoa.Object.self, let values = elements as? [Cocoa.Object] {
      return try values.map { try node(ofAny: $0) }
    }
    return try elements.map { try node(of: $0) }
  }

  private func inlineArray(ofNodes numbers: some Sequence<UInt32>) -> PropertyListReference {
    inlineArray(numbers.map { nodes[Int($0)].uid })
  }

  /// Adds a text inside the object that is being encoded.
  func encodeInlineText(_ text: String, forKey key: String) throws {
    try addField(key, writer.addString(text))
  }
}
