import PortolanMemory
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
    let isFurther = try checkRoom(number)
    try encodeFields(of: number, classIndex: index) {
      try isFurther
        ? onFurtherStack { try value.encode(with: self) } : value.encode(with: self)
    }
    return number
  }

  func body(of number: Cocoa.Number) -> PropertyListReference {
    switch number.value {
    case .bool(let value): writer.addBool(value)
    case .integer(let value): writer.addInteger(value)
    case .unsigned(let value): writer.addUnsigned(value)
    case .float(let value): writer.addFloat(value)
    case .double(let value): writer.addDouble(value)
    }
  }

  /// Adds the elements of a collection to its object.
  func encodeRow(ofNodes elements: [UInt32], isSet: Bool) throws {
    let row = references(to: elements)
    try addField("NS.objects", inlineArray(isSet ? eachOnce(row) : row))
  }

  /// Adds the keys and the values of a dictionary to its object.
  func encodeRows(ofNodes keys: [UInt32], _ values: [UInt32]) throws {
    var (keys, values) = (keys, values)
    if keys.contains(0) || values.contains(0) {
      let places = keys.indices.filter { keys[$0] != 0 && values[$0] != 0 }
      (keys, values) = (places.map { keys[$0] }, places.map { values[$0] })
    }
    try addField("NS.keys", inlineArray(references(to: keys)))
    try addField("NS.objects", inlineArray(references(to: values)))
  }

  /// Adds the elements of an ordered set to its object.
  func encodeNumbered(nodes: [UInt32]) throws {
    for (place, node) in nodes.filter({ $0 != 0 }).enumerated() {
      try addReference(node, "NS.object.\(place)")
    }
  }

  /// Adds the members of a counted set to its object; their number comes first.
  func encodeMembers(nodes: [UInt32], _ counts: [Int]) throws {
    let members = zip(nodes, counts).filter { $0.0 != 0 }
    try encodeInt(members.count, forKey: "NS.count")
    for (place, member) in members.enumerated() {
      try addReference(member.0, "NS.object\(place)")
      try encodeInt(member.1, forKey: "NS.count\(place)")
    }
  }

  /// The nodes of elements; 0 for one that is replaced by nothing.
  func elementNodes<Element: Coding>(_ elements: [Element]) throws -> [UInt32] {
    var place = try beginRow(elements)
    do {
      while place < elements.count {
        let element = elements[place]
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
    return endRow()
  }

  /// Begins a row of elements; returns how many have nodes already: strings, numbers and values of
  /// Foundation.
  ///
  /// The nodes lie with the archiver, not on the stack, where they would be at every level.
  @inline(never)
  func beginRow<Element: Coding>(_ elements: [Element]) throws -> Int {
    let nodes = try standardNodes(elements)
    rows.append(nodes ?? [])
    if nodes == nil { rows[rows.count - 1].reserveCapacity(elements.count) }
    return nodes?.count ?? 0
  }

  /// Adds the node of the element that was encoded last; returns how many there are.
  @inline(never)
  func addToRow() -> Int {
    rows[rows.count - 1].append(placeNode)
    return rows[rows.count - 1].count
  }

  /// Ends the innermost row, whose elements could not all be encoded.
  @inline(never)
  func abandonRow(_ error: any Error) -> any Error {
    rows.removeLast()
    return failed(error)
  }

  /// Ends the innermost row and gives its nodes.
  func endRow() -> [UInt32] { rows.removeLast() }

  /// The nodes of strings, numbers and values of Foundation; `nil` for other elements.
  @inline(never)
  private func standardNodes<Element: Coding>(_ elements: [Element]) throws -> [UInt32]? {
    guard !asksFirst, !elements.isEmpty else { return nil }
    if let standard = Element.self as? any StandardElement.Type,
      let nodes = try standard.nodes(of: elements, in: self)
    {
      return nodes
    }
    guard Element.self == Cocoa.Object.self,
      let values = same(elements, as: [Cocoa.Object].self)
    else { return nil }
    return try values.map { try node(ofAny: $0) }
  }

  /// The elements of a set; a delegate may have replaced several by one.
  func eachOnce(_ row: [PropertyListReference]) -> [PropertyListReference] {
    guard asksFirst else { return row }
    var seen: Set<PropertyListReference> = []
    return row.filter { seen.insert($0).inserted }
  }

  /// The references to nodes; what is replaced by nothing (0) is left out.
  func references(to numbers: [UInt32]) -> [PropertyListReference] {
    row(numbers.count) { numbers[$0] }
  }

  /// Adds a text inside the object that is being encoded.
  func encodeInlineText(_ text: String, forKey key: String) throws {
    try addField(key, writer.addString(text))
  }
}
