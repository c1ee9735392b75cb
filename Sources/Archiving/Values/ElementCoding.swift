// The elements of collection objects. Those that are replaced by nothing are left out, in either
// direction, a value together with its key; none where an object belongs is an error.
//
// These methods are on the stack once for every level of a graph: each has one loop, few variables
// and no closures, and leaves all else to functions of its own.

extension EncodingCoder {
  /// Encodes the elements of an array or a set inside its object.
  ///
  /// `type` is the type of their number in sequential archives.
  func encodeElements<Element: Coding>(_ elements: [Element], ofType type: String) throws {
    if let keyed = self as? KeyedArchiver {
      return try keyed.encodeRow(elements, isSet: type == "I")
    }
    if let archiver = self as? Archiver {
      return try archiver.encodeRow(elements, ofType: type)
    }
    try encodeEach(elements, ofType: type)
  }

  private func encodeEach<Element: Coding>(_ elements: [Element], ofType type: String) throws {
    if allowsKeyedCoding { return try encodeObjects(elements, forKey: "NS.objects") }
    try encodeCount(elements.count, ofType: type)
    for element in elements { try encodeObject(element) }
  }

  /// Encodes the keys and the values of a dictionary inside its object; there are as many of each.
  func encodePairs<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws {
    if let keyed = self as? KeyedArchiver { return try keyed.encodeRows(keys, values) }
    if let archiver = self as? Archiver { return try archiver.encodeRows(keys, values) }
    try encodeEach(keys, values)
  }

  private func encodeEach<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws {
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

  /// Encodes the elements of an ordered set inside its object: in keyed archives each has a key.
  func encodeNumbered<Element: Coding>(_ elements: [Element]) throws {
    guard allowsKeyedCoding else { return try encodeElements(elements, ofType: "i") }
    if let keyed = self as? KeyedArchiver { return try keyed.encodeNumberedRow(elements) }
    try encodeEachNumbered(elements)
  }

  private func encodeEachNumbered<Element: Coding>(_ elements: [Element]) throws {
    for (place, element) in elements.enumerated() {
      try encodeObject(element, forKey: "NS.object.\(place)")
    }
  }

  /// Encodes the members of a counted set inside its object, each with how often it is there.
  func encodeMembers<Element: Coding>(_ elements: [Element], counts: [Int]) throws {
    if let keyed = self as? KeyedArchiver { return try keyed.encodeMemberRow(elements, counts) }
    if let archiver = self as? Archiver { return try archiver.encodeMemberRow(elements, counts) }
    try encodeEachMember(elements, counts)
  }

  private func encodeEachMember<Element: Coding>(_ elements: [Element], _ counts: [Int]) throws {
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

extension KeyedArchiver {
  fileprivate func encodeNumberedRow<Element: Coding>(_ elements: [Element]) throws {
    try encodeNumbered(nodes: elementNodes(elements))
  }

  fileprivate func encodeMemberRow<Element: Coding>(_ elements: [Element], _ counts: [Int]) throws {
    try encodeMembers(nodes: elementNodes(elements), counts)
  }
}

extension Archiver {
  fileprivate func encodeRow<Element: Coding>(_ elements: [Element], ofType type: String) throws {
    if try writeStandard(elements, ofType: type) { return }
    if mayReplace(elements) { return try encodeSubstitutes(elements, ofType: type) }
    try encodeCount(elements.count, ofType: type)
    for place in elements.indices { try encodeElement(elements[place]) }
  }

  @inline(never)
  private func writeStandard<Element: Coding>(
    _ elements: [Element], ofType type: String
  ) throws -> Bool {
    guard root != nil, !elements.isEmpty,
      let standard = Element.self as? any StandardElement.Type
    else { return false }
    return try standard.write(elements, ofType: type, to: self)
  }

  private func encodeSubstitutes<Element: Coding>(
    _ elements: [Element], ofType type: String
  ) throws {
    let substitutes = try elements.compactMap { try standing(for: $0) }
    try encodeCount(substitutes.count, ofType: type)
    for place in substitutes.indices { try encode(substitutes[place]) }
  }

  fileprivate func encodeRows<Key: Coding, Value: Coding>(
    _ keys: [Key], _ values: [Value]
  ) throws {
    if mayReplace(keys) || mayReplace(values) { return try encodeSubstitutes(keys, values) }
    try encodeCount(keys.count)
    for place in keys.indices {
      try encodeElement(keys[place])
      try encodeElement(values[place])
    }
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

  fileprivate func encodeMemberRow<Element: Coding>(
    _ elements: [Element], _ counts: [Int]
  ) throws {
    if mayReplace(elements) { return try encodeMemberSubstitutes(elements, counts) }
    try encodeCount(elements.count, ofType: "I")
    for place in elements.indices {
      try encodeElement(elements[place])
      try encodeCount(counts[place], ofType: "I")
    }
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
}

extension DecodingCoder {
  /// Reads the elements of an array or a set inside its object.
  func decodeElements<Element: Coding>(
    _ type: Element.Type, ofType code: String
  ) throws -> [Element] {
    if let keyed = self as? KeyedUnarchiver { return try keyed.decodeRow(type) }
    if let unarchiver = self as? Unarchiver { return try unarchiver.decodeRow(type, code) }
    return try decodeEach(type, ofType: code)
  }

  private func decodeEach<Element: Coding>(
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

  /// Reads the keys and the values of a dictionary inside its object, as many of each.
  func decodePairs<Key: Coding, Value: Coding>(
    _ keyType: Key.Type, _ valueType: Value.Type
  ) throws -> [(Key, Value)] {
    if let keyed = self as? KeyedUnarchiver { return try keyed.decodeRows(keyType, valueType) }
    if let unarchiver = self as? Unarchiver { return try unarchiver.decodeRows(keyType, valueType) }
    return try decodeEachPair(keyType, valueType)
  }

  private func decodeEachPair<Key: Coding, Value: Coding>(
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

  /// The pairs of keys and values, as many of each.
  func pairs<Key, Value>(
    _ keys: KeyedUnarchiver.Elements<Key>, _ values: KeyedUnarchiver.Elements<Value>
  ) throws -> Zip2Sequence<[Key], [Value]> {
    guard keys.count == values.count else {
      throw invalidValue("\(keys.count) keys for \(values.count) values", forKey: "NS.keys")
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

  /// Reads the next object; `nil` when it is replaced by nothing.
  func decodeElement<Object: Coding>(_ type: Object.Type) throws -> Object? {
    guard let unarchiver = self as? Unarchiver else { return try decodeObject(type) }
    return try unarchiver.elementInPlace(type)
  }

  /// Reads the object under a key; `nil` when it is replaced by nothing.
  func decodeElement<Object: Coding>(_ type: Object.Type, forKey key: String) throws -> Object? {
    guard let keyed = self as? KeyedUnarchiver else { return try decodeObject(type, forKey: key) }
    let object = try keyed.decodeObjectIfPresent(type, forKey: key)
    if object == nil, try !keyed.holdsObject(key) { throw valueNotFound(forKey: key) }
    return object
  }
}

extension KeyedUnarchiver {
  fileprivate func decodeRow<Element: Coding>(_ type: Element.Type) throws -> [Element] {
    if let texts = try textPlaces(type, forKey: "NS.objects") { return texts.values }
    return try present(objects(type, "NS.objects"), "NS.objects").values
  }

  fileprivate func decodeRows<Key: Coding, Value: Coding>(
    _ keyType: Key.Type, _ valueType: Value.Type
  ) throws -> [(Key, Value)] {
    let keys = try decodePlaces(keyType, forKey: "NS.keys")
    return try pairs(keys, decodePlaces(valueType, forKey: "NS.objects")).map { $0 }
  }
}

extension Unarchiver {
  fileprivate func decodeRow<Element: Coding>(
    _ type: Element.Type, _ code: String
  ) throws -> [Element] {
    let count = try chargedCount(type, code)
    if let elements = try standardElements(type, count) { return elements }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for _ in 0..<count {
      do {
        elements.append(try nextObject(type))
      } catch {
        try passNothing(error)
      }
    }
    return elements
  }

  fileprivate func decodeRows<Key: Coding, Value: Coding>(
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

  /// The number of elements that follow, whose memory is counted.
  private func chargedCount<Element>(_ type: Element.Type, _ code: String) throws -> Int {
    let count = try decodeCount(ofType: code)
    try chargeElements(count, MemoryLayout<Element>.stride)
    return count
  }

  @inline(never)
  private func standardElements<Element: Coding>(
    _ type: Element.Type, _ count: Int
  ) throws -> [Element]? {
    guard let standard = type as? any StandardElement.Type else { return nil }
    return try standard.elements(in: self, count: count) as? [Element]
  }
}

// Code for strings alone, in each of the coders: code for any type takes twice the time.
extension Archiver {
  /// Encodes a dictionary of strings inside its object.
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

extension KeyedUnarchiver {
  /// Reads the keys and the values of a dictionary of strings inside its object.
  func decodeTextPairs() throws -> Zip2Sequence<[String], [String]> {
    let keys = try decodePlaces(String.self, forKey: "NS.keys")
    return try pairs(keys, decodePlaces(String.self, forKey: "NS.objects"))
  }
}
