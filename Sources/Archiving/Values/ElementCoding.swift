// The elements of collection objects. Those that are replaced by nothing are left out, in either
// direction, a value together with its key; none where an object belongs is an error.

extension EncodingCoder {
  /// Encodes the elements of an array or a set inside its object.
  ///
  /// `type` is the type of their number in sequential archives.
  func encodeElements<Element: Coding>(_ elements: [Element], ofType type: String) throws {
    if let keyed = self as? KeyedArchiver {
      return try keyed.encodeRow(elements, isSet: type == "I")
    }
    if allowsKeyedCoding { return try encodeObjects(elements, forKey: "NS.objects") }
    if let archiver = self as? Archiver, archiver.root != nil, !elements.isEmpty,
      let standard = Element.self as? any StandardElement.Type,
      try standard.write(elements, ofType: type, to: archiver)
    {
      return
    }
    if let archiver = self as? Archiver, archiver.mayReplace(elements) {
      let substitutes = try elements.compactMap { try archiver.standing(for: $0) }
      try encodeCount(substitutes.count, ofType: type)
      for substitute in substitutes { try archiver.encode(substitute) }
    } else if let archiver = self as? Archiver {
      try archiver.encodeCount(elements.count, ofType: type)
      for element in elements { try archiver.encodeObject(element) }
    } else {
      try encodeCount(elements.count, ofType: type)
      for element in elements { try encodeObject(element) }
    }
  }

  /// Encodes the keys and the values of a dictionary inside its object; there are as many of each.
  func encodePairs<Key: Coding, Value: Coding>(_ keys: [Key], _ values: [Value]) throws {
    if let keyed = self as? KeyedArchiver { return try keyed.encodeRows(keys, values) }
    if allowsKeyedCoding {
      try encodeObjects(keys, forKey: "NS.keys")
      return try encodeObjects(values, forKey: "NS.objects")
    }
    if let archiver = self as? Archiver, archiver.mayReplace(keys) || archiver.mayReplace(values) {
      var pairs: [(key: Archiver.Substitute, value: Archiver.Substitute)] = []
      for (key, value) in zip(keys, values) {
        let (key, value) = (try archiver.standing(for: key), try archiver.standing(for: value))
        guard let key, let value else { continue }
        pairs.append((key, value))
      }
      try encodeCount(pairs.count)
      for pair in pairs {
        try archiver.encode(pair.key)
        try archiver.encode(pair.value)
      }
    } else {
      try encodeCount(keys.count)
      for (key, value) in zip(keys, values) {
        try encodeObject(key)
        try encodeObject(value)
      }
    }
  }

  /// Encodes the elements of an ordered set inside its object: in keyed archives each has a key.
  func encodeNumbered<Element: Coding>(_ elements: [Element]) throws {
    guard allowsKeyedCoding else { return try encodeElements(elements, ofType: "i") }
    guard let keyed = self as? KeyedArchiver else {
      for (place, element) in elements.enumerated() {
        try encodeObject(element, forKey: "NS.object.\(place)")
      }
      return
    }
    try keyed.encodeNumbered(nodes: elements.map { try keyed.node(of: $0) })
  }

  /// Encodes the members of a counted set inside its object, each with how often it is there.
  func encodeMembers<Element: Coding>(_ elements: [Element], counts: [Int]) throws {
    if let keyed = self as? KeyedArchiver {
      try keyed.encodeMembers(nodes: elements.map { try keyed.node(of: $0) }, counts)
    } else if allowsKeyedCoding {
      try encodeInt(elements.count, forKey: "NS.count")
      for (place, member) in zip(elements, counts).enumerated() {
        try encodeObject(member.0, forKey: "NS.object\(place)")
        try encodeInt(member.1, forKey: "NS.count\(place)")
      }
    } else if let archiver = self as? Archiver, archiver.mayReplace(elements) {
      let members = try zip(elements, counts).compactMap { element, count in
        try archiver.standing(for: element).map { ($0, count) }
      }
      try encodeCount(members.count, ofType: "I")
      for (substitute, count) in members {
        try archiver.encode(substitute)
        try encodeCount(count, ofType: "I")
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
  /// Reads the elements of an array or a set inside its object.
  func decodeElements<Element: Coding>(
    _ type: Element.Type, ofType code: String
  ) throws -> [Element] {
    guard !allowsKeyedCoding else {
      if type == String.self,
        let strings = same(try decodeStrings(forKey: "NS.objects"), as: [Element].self)
      {
        return strings
      }
      return try decodeObjects(type, forKey: "NS.objects")
    }
    let count = try decodeCount(ofType: code)
    try chargeElements(count, MemoryLayout<Element>.stride)
    if let unarchiver = self as? Unarchiver, let standard = type as? any StandardElement.Type,
      let elements = try standard.elements(in: unarchiver, count: count) as? [Element]
    {
      return elements
    }
    let unarchiver = self as? Unarchiver
    var elements: [Element] = []
    reserveCharged(&elements, count)
    for _ in 0..<count {
      if let element = try decodeElement(type, from: unarchiver) { elements.append(element) }
    }
    return elements
  }

  /// Reads the keys and the values of a dictionary inside its object, as many of each.
  func decodePairs<Key: Coding, Value: Coding>(
    _ keyType: Key.Type, _ valueType: Value.Type
  ) throws -> [(Key, Value)] {
    guard allowsKeyedCoding else {
      var pairs: [(Key, Value)] = []
      let count = try decodeCount()
      try chargeElements(count, MemoryLayout<(Key, Value)>.stride)
      let unarchiver = self as? Unarchiver
      for _ in 0..<count {
        let key = try decodeElement(keyType, from: unarchiver)
        let value = try decodeElement(valueType, from: unarchiver)
        if let key, let value { pairs.append((key, value)) }
      }
      return pairs
    }
    let keys = try decodePlaces(keyType, forKey: "NS.keys")
    let values = try decodePlaces(valueType, forKey: "NS.objects")
    return try Array(self.pairs(keys, values))
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
    try decodeElement(type, from: self as? Unarchiver)
  }

  /// The same, with this coder as an unarchiver: for many elements it is asked for once.
  private func decodeElement<Object: Coding>(
    _ type: Object.Type, from unarchiver: Unarchiver?
  ) throws -> Object? {
    guard let unarchiver else { return try decodeObject(type) }
    return try unarchiver.elementInPlace(type)
  }

  /// Reads the object under a key; `nil` when it is replaced by nothing.
  func decodeElement<Object: Coding>(_ type: Object.Type, forKey key: String) throws -> Object? {
    guard let keyed = self as? KeyedUnarchiver else { return try decodeObject(type, forKey: key) }
    if let object = try keyed.decodeObjectIfPresent(type, forKey: key) { return object }
    guard try keyed.holdsObject(key) else { throw valueNotFound(forKey: key) }
    return nil
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
