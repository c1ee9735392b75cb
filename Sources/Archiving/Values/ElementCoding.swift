import PropertyLists

// The elements of collection objects. Those that are replaced by nothing are left out, in either
// direction, a value together with its key; none where an object belongs is an error.
//
// These methods are on the stack once for every level of a graph: each has one loop, few variables
// and no closures, and leaves all else to functions of its own.

// MARK: Coders from outside

extension EncodingCoder {
  /// Encodes each element as an object.
  public func encodeElements<Element: Coding>(
    _ elements: [Element], ofType type: String
  ) throws {
    if allowsKeyedCoding { return try encodeObjects(elements, forKey: "NS.objects") }
    try encodeCount(elements.count, ofType: type)
    for element in elements { try encodeObject(element) }
  }

  /// Encodes each key and each value as an object.
  public func encodePairs<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws {
    if allowsKeyedCoding {
      try encodeObjects(keys, forKey: "NS.keys")
      return try encodeObjects(values, forKey: "NS.objects")
    }
    try encodeCount(keys.count)
    for (key, value) in zip(keys, values) {
      try encodeObject(key)
      try encodeObject(value)
    }
  }

  /// Encodes each element as an object.
  public func encodeNumbered<Element: Coding>(_ elements: [Element]) throws {
    guard allowsKeyedCoding else { return try encodeElements(elements, ofType: "i") }
    for (place, element) in elements.enumerated() {
      try encodeObject(element, forKey: "NS.object.\(place)")
    }
  }

  /// Encodes each member as an object.
  public func encodeMembers<Element: Coding>(_ elements: [Element], counts: [Int]) throws {
    if allowsKeyedCoding {
      try encodeInt(elements.count, forKey: "NS.count")
      for (place, member) in zip(elements, counts).enumerated() {
        try encodeObject(member.0, forKey: "NS.object\(place)")
        try encodeInt(member.1, forKey: "NS.count\(place)")
      }
    } else {
      try encodeCount(elements.count, ofType: "I")
      for (element, count) in zip(elements, counts) {
        try encodeObject(element)
        try encodeCount(count, ofType: "I")
      }
    }
  }
}

extension DecodingCoder {
  /// Decodes each element as an object.
  public func decodeElements<Element: Coding>(
    _ type: Element.Type, ofType code: String
  ) throws -> [Element] {
    if allowsKeyedCoding {
      let strings = try type == String.self ? decodeStrings(forKey: "NS.objects") : nil
      return try same(strings, as: [Element].self) ?? decodeObjects(type, forKey: "NS.objects")
    }
    var elements: [Element] = []
    // The count is not believed: the first element that is not there ends the reading.
    for _ in 0..<(try decodeCount(ofType: code)) { elements.append(try decodeObject(type)) }
    return elements
  }

  /// Decodes each key and each value as an object.
  public func decodePairs<Key: Coding, Value: Coding>(
    _ keyType: Key.Type, _ valueType: Value.Type
  ) throws -> [(Key, Value)] {
    guard allowsKeyedCoding else {
      var pairs: [(Key, Value)] = []
      for _ in 0..<(try decodeCount()) {
        pairs.append((try decodeObject(keyType), try decodeObject(valueType)))
      }
      return pairs
    }
    let keys = try decodePlaces(keyType, forKey: "NS.keys")
    return try pairs(keys, decodePlaces(valueType, forKey: "NS.objects")).map { $0 }
  }

  /// Decodes an object, which must be there.
  public func decodeElement<Object: Coding>(_ type: Object.Type) throws -> Object? {
    try decodeObject(type)
  }

  /// Decodes an object, which must be there.
  public func decodeElement<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    try decodeObject(type, forKey: key)
  }

  /// The pairs of keys and values, as many of each.
  func pairs<Key, Value>(
    _ keys: KeyedUnarchiver.Elements<Key>, _ values: KeyedUnarchiver.Elements<Value>
  ) throws -> Zip2Sequence<[Key], [Value]> {
    guard keys.count == values.count else {
      throw invalidValue(
        "\(counted(keys.count, "key")) for \(counted(values.count, "value"))", forKey: "NS.keys")
    }
    let gaps = Set(keys.gaps + values.gaps)
    return zip(keys.values(outside: gaps), values.values(outside: gaps))
  }

  /// Reads the objects of an array.
  func decodePlaces<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> KeyedUnarchiver.Elements<Object> {
    guard let keyed = self as? KeyedUnarchiver else {
      return KeyedUnarchiver.Elements(values: try decodeObjects(type, forKey: key))
    }
    return try keyed.decodePlaces(type, forKey: key)
  }
}

// MARK: Keyed archives

extension KeyedArchiver {
  public func encodeElements<Element: Coding>(
    _ elements: [Element], ofType type: String
  ) throws {
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
    try encodeRow(ofNodes: endRow(), isSet: type == "I")
  }

  public func encodePairs<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws {
    let keys = try elementNodes(keys)
    try encodeRows(ofNodes: keys, elementNodes(values))
  }

  public func encodeNumbered<Element: Coding>(_ elements: [Element]) throws {
    try encodeNumbered(nodes: elementNodes(elements))
  }

  public func encodeMembers<Element: Coding>(_ elements: [Element], counts: [Int]) throws {
    try encodeMembers(nodes: elementNodes(elements), counts)
  }
}

extension KeyedUnarchiver {
  public func decodePairs<Key: Coding, Value: Coding>(
    _ keyType: Key.Type, _ valueType: Value.Type
  ) throws -> [(Key, Value)] {
    let keys = try decodePlaces(keyType, forKey: "NS.keys")
    return try zipped(keys, decodePlaces(valueType, forKey: "NS.objects"))
  }

  @inline(never)
  private func zipped<Key, Value>(
    _ keys: Elements<Key>, _ values: Elements<Value>
  ) throws -> [(Key, Value)] {
    try pairs(keys, values).map { $0 }
  }

  public func decodeElement<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Object? {
    if let object = try decodeObjectIfPresent(type, forKey: key) { return object }
    if try !holdsObject(key) { throw valueNotFound(forKey: key) }
    return nil
  }

  /// Reads the keys and the values of a dictionary of strings inside its object.
  func decodeTextPairs() throws -> Zip2Sequence<[String], [String]> {
    let keys = try decodePlaces(String.self, forKey: "NS.keys")
    return try pairs(keys, decodePlaces(String.self, forKey: "NS.objects"))
  }
}

// MARK: Sequential archives

extension Archiver {
  public func encodeElements<Element: Coding>(
    _ elements: [Element], ofType type: String
  ) throws {
    guard try beginElements(elements, ofType: type) else { return }
    var place = 0
    while place < elements.count {
      beginObjectGroup()
      let element = elements[place]
      switch try start(element) {
      case .written: break
      case .replaced: try writeReplaced(element)
      case .further: try writeFurther(element)
      case .new:
        do {
          try element.encode(with: self)
        } catch {
          throw failed(error)
        }
        end()
      }
      place &+= 1
    }
  }

  public func encodePairs<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws {
    if mayReplace(keys) || mayReplace(values) { return try encodeSubstitutes(keys, values) }
    try encodeCount(keys.count)
    for place in keys.indices {
      try encodeElement(keys[place])
      try encodeElement(values[place])
    }
  }

  public func encodeNumbered<Element: Coding>(_ elements: [Element]) throws {
    try encodeElements(elements, ofType: "i")
  }

  public func encodeMembers<Element: Coding>(_ elements: [Element], counts: [Int]) throws {
    if mayReplace(elements) { return try encodeMemberSubstitutes(elements, counts) }
    try encodeCount(elements.count, ofType: "I")
    for place in elements.indices {
      try encodeElement(elements[place])
      try encodeCount(counts[place], ofType: "I")
    }
  }

  /// Writes the number of elements, and those that are not written one by one; false then.
  @inline(never)
  private func beginElements<Element: Coding>(
    _ elements: [Element], ofType type: String
  ) throws -> Bool {
    if root != nil, !elements.isEmpty, let standard = Element.self as? any StandardElement.Type,
      try standard.write(elements, ofType: type, to: self)
    {
      return false
    }
    if isOutsideGraphs {
      try encodeCount(elements.count, ofType: type)
      for element in elements { try encodeElement(element) }
      return false
    }
    guard mayReplace(elements) else {
      try encodeCount(elements.count, ofType: type)
      return true
    }
    let substitutes = try elements.compactMap { try standing(for: $0) }
    try encodeCount(substitutes.count, ofType: type)
    for place in substitutes.indices { try encode(substitutes[place]) }
    return false
  }

  private func encodeSubstitutes<Key: Coding, Value: Coding>(
    _ keys: [Key], _ values: [Value]
  ) throws {
    let parts = try substitutes(keys, values)
    try encodeCount(parts.count / 2)
    for place in parts.indices { try encode(parts[place]) }
  }

  /// What stands for each key and its value, in turn; nothing if either is replaced by nothing.
  private func substitutes<Key: Coding, Value: Coding>(
    _ keys: [Key], _ values: [Value]
  ) throws -> [Substitute] {
    var parts: [Substitute] = []
    for (key, value) in zip(keys, values) {
      let (key, value) = (try standing(for: key), try standing(for: value))
      if let key, let value { parts += [key, value] }
    }
    return parts
  }

  private func encodeMemberSubstitutes<Element: Coding>(
    _ elements: [Element], _ counts: [Int]
  ) throws {
    let members = try zip(elements, counts).compactMap { element, count in
      try standing(for: element).map { ($0, count) }
    }
    try encodeCount(members.count, ofType: "I")
    for place in members.indices {
      try encode(members[place].0)
      try encodeCount(members[place].1, ofType: "I")
    }
  }

  /// Encodes a dictionary of strings inside its object: code for any type takes twice the time.
  func encodeTextPairs(_ pairs: [(key: String, value: String)]) throws {
    try encodeCount(pairs.count)
    for pair in pairs {
      writer.beginGroup(code: UInt8(ascii: "@"))
      write(string: pair.key)
      writer.beginGroup(code: UInt8(ascii: "@"))
      write(string: pair.value)
    }
  }
}

extension Unarchiver {
  public func decodeElements<Element: Coding>(
    _ type: Element.Type, ofType code: String
  ) throws -> [Element] {
    guard try beginsElements(type, code) else { return try standardElements(type, code) }
    var elements: [Element] = []
    do {
      while true {
        let beginning = try beginElement(&elements)
        if beginning == .none { return elements }
        if beginning == .plain {
          try endElement(Element(coder: self), in: &elements)
        } else {
          try addOther(&elements)
        }
      }
    } catch {
      throw abandonRow(error)
    }
  }

  /// Begins the elements of a collection, if they can be made one by one.
  @inline(never)
  private func beginsElements<Element: Coding>(
    _ type: Element.Type, _ code: String
  ) throws -> Bool {
    if type is any StandardElement.Type { return false }
    try beginRow(ofType: code)
    return true
  }

  @inline(never)
  private func standardElements<Element: Coding>(
    _ type: Element.Type, _ code: String
  ) throws -> [Element] {
    let count = try chargedCount(type, code)
    let elements = try (type as? any StandardElement.Type)?.elements(in: self, count: count)
    guard let elements = elements as? [Element] else { throw valueNotFound() }
    return elements
  }

  public func decodePairs<Key: Coding, Value: Coding>(
    _ keyType: Key.Type, _ valueType: Value.Type
  ) throws -> [(Key, Value)] {
    var pairs: [(Key, Value)] = []
    for _ in 0..<(try chargedCount((Key, Value).self, "i")) {
      let key = try elementInPlace(keyType)
      let value = try elementInPlace(valueType)
      if let key, let value { pairs.append((key, value)) }
    }
    return pairs
  }

  public func decodeElement<Object: Coding>(_ type: Object.Type) throws -> Object? {
    try elementInPlace(type)
  }

  /// The number of elements that follow, whose memory is counted.
  private func chargedCount<Element>(_ type: Element.Type, _ code: String) throws -> Int {
    let count = try decodeCount(ofType: code)
    try chargeElements(count, MemoryLayout<Element>.stride)
    return count
  }
}
