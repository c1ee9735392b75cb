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

  /// Adds an array of references inside the object that is being encoded.
  func encodeRow(_ elements: [Cocoa.Object], forKey key: String) throws {
    var row: [PropertyListReference] = []
    row.reserveCapacity(elements.count)
    for element in elements {
      let node = try asksFirst ? node(of: element) : node(ofAny: element)
      row.append(nodes[Int(node)].uid)
    }
    try addField(key, inlineArray(row))
  }

  /// Adds an array of references inside the object that is being encoded.
  func encodeRow<Element: Coding>(_ elements: [Element], forKey key: String) throws {
    var row: [PropertyListReference] = []
    row.reserveCapacity(elements.count)
    for element in elements {
      let node = try node(of: element)
      // What is replaced by nothing is left out.
      if node != 0 { row.append(nodes[Int(node)].uid) }
    }
    try addField(key, inlineArray(row))
  }

  /// Adds a text inside the object that is being encoded.
  func encodeInlineText(_ text: String, forKey key: String) throws {
    try addField(key, writer.addString(text))
  }
}
