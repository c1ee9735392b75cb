// Arrays, dictionaries and sets of anything that can be archived, as Foundation's objects.
// They nest: `[[Station]]`, `[Int: Station]` and `[String: [Station]]` are archived too.

/// A collection that is archived under a name of Foundation's, whatever its elements are.
protocol StandardCollection: SpecialCoding {}

extension Array: Coding, SpecialCoding, StandardCollection where Element: Coding {
  /// `NSArray`.
  public static var archivedClass: ArchivedClass { Cocoa.Array.archivedClass }

  /// Writes the elements in order.
  public func encode(with coder: any EncodingCoder) throws {
    guard coder.allowsKeyedCoding else { return try coder.encodeSequence(self, ofType: "i") }
    try coder.encodeElements(self, forKey: "NS.objects")
  }

  /// Reads the elements; each must be of the element's type.
  public init(coder: any DecodingCoder) throws {
    self = try coder.decodeElements(Element.self, forKey: "NS.objects", ofType: "i")
  }
}

extension Set: Coding, SpecialCoding, StandardCollection where Element: Coding {
  /// `NSSet`.
  public static var archivedClass: ArchivedClass { Cocoa.Set.archivedClass }

  /// Writes the elements: strings and numbers in their order, others in none.
  public func encode(with coder: any EncodingCoder) throws {
    let elements = Array(self).inArchivedOrder { $0 }
    guard coder.allowsKeyedCoding else { return try coder.encodeSequence(elements, ofType: "I") }
    try coder.encodeElements(elements, forKey: "NS.objects")
  }

  /// Reads the elements; throws when one is there twice.
  public init(coder: any DecodingCoder) throws {
    let elements = try coder.decodeElements(Element.self, forKey: "NS.objects", ofType: "I")
    self.init(elements)
    guard count == elements.count else {
      throw coder.invalidValue("an element of a set is there twice", forKey: "NS.objects")
    }
  }
}

extension Dictionary: Coding, SpecialCoding, StandardCollection where Key: Coding, Value: Coding {
  /// `NSDictionary`.
  public static var archivedClass: ArchivedClass { Cocoa.Dictionary.archivedClass }

  /// Writes the pairs: by strings and numbers in their order, by others in none.
  public func encode(with coder: any EncodingCoder) throws {
    let pairs = [(key: Key, value: Value)](self).inArchivedOrder(\.key)
    guard !coder.allowsKeyedCoding else {
      try coder.encodeElements(pairs.map(\.key), forKey: "NS.keys")
      return try coder.encodeElements(pairs.map(\.value), forKey: "NS.objects")
    }
    try coder.encodeCount(pairs.count)
    for pair in pairs {
      try coder.encodeObject(pair.key)
      try coder.encodeObject(pair.value)
    }
  }

  /// Reads the pairs; throws when a key is there twice.
  public init(coder: any DecodingCoder) throws {
    var pairs: [(Key, Value)] = []
    if coder.allowsKeyedCoding {
      let keys = try coder.decodeElements(Key.self, forKey: "NS.keys", ofType: "i")
      let values = try coder.decodeElements(Value.self, forKey: "NS.objects", ofType: "i")
      guard keys.count == values.count else {
        throw coder.invalidValue("\(keys.count) keys for \(values.count) values", forKey: "NS.keys")
      }
      pairs = [(Key, Value)](zip(keys, values))
    } else {
      let count = try coder.decodeCount()
      try coder.chargeElements(count, MemoryLayout<(Key, Value)>.stride)
      for _ in 0..<count {
        pairs.append((try coder.decodeObject(Key.self), try coder.decodeObject(Value.self)))
      }
    }
    self.init(pairs, uniquingKeysWith: { first, _ in first })
    guard count == pairs.count else {
      throw coder.invalidValue("a key is there twice", forKey: "NS.keys")
    }
  }
}

/// Objects in order, each once, as Foundation's `NSOrderedSet`.
public struct ArchivedOrderedSet<Element: Coding>: StandardCollection {
  /// The elements in order; the caller sees to it that each is there once.
  public var elements: [Element]

  /// Makes an ordered set.
  public init(_ elements: [Element]) { self.elements = elements }

  /// `NSOrderedSet`.
  public static var archivedClass: ArchivedClass { Cocoa.OrderedSet.archivedClass }

  /// Writes the elements in order.
  public func encode(with coder: any EncodingCoder) throws {
    guard coder.allowsKeyedCoding else { return try coder.encodeSequence(elements, ofType: "i") }
    for (place, element) in elements.enumerated() {
      try coder.encodeObject(element, forKey: "NS.object.\(place)")
    }
  }

  /// Reads the elements.
  public init(coder: any DecodingCoder) throws {
    guard try coder.allowsKeyedCoding && !coder.containsValue(forKey: "NS.objects") else {
      elements = try coder.decodeElements(Element.self, forKey: "NS.objects", ofType: "i")
      return
    }
    elements = []
    while try coder.containsValue(forKey: "NS.object.\(elements.count)") {
      elements.append(
        try coder.decodeObject(Element.self, forKey: "NS.object.\(elements.count)"))
    }
  }
}

/// Objects, each with how often it is there, as Foundation's `NSCountedSet`.
public struct ArchivedCountedSet<Element: Coding>: StandardCollection {
  /// An object and how often it is there.
  public typealias Member = (element: Element, count: Int)

  /// The members in the order of the archive.
  public var members: [Member]

  /// Makes a counted set; each count is at least one.
  public init(_ members: [Member]) { self.members = members }

  /// `NSCountedSet`.
  public static var archivedClass: ArchivedClass { Cocoa.CountedSet.archivedClass }

  /// Writes the members and their counts.
  public func encode(with coder: any EncodingCoder) throws {
    guard coder.allowsKeyedCoding else {
      try coder.encodeCount(members.count, ofType: "I")
      for member in members {
        try coder.encodeObject(member.element)
        try coder.encodeCount(member.count, ofType: "I")
      }
      return
    }
    try coder.encodeInt(members.count, forKey: "NS.count")
    for (place, member) in members.enumerated() {
      try coder.encodeObject(member.element, forKey: "NS.object\(place)")
      try coder.encodeInt(member.count, forKey: "NS.count\(place)")
    }
  }

  /// Reads the members; throws when a count is below one.
  public init(coder: any DecodingCoder) throws {
    members = []
    let isKeyed = coder.allowsKeyedCoding
    let count =
      try isKeyed ? coder.decodeInt(forKey: "NS.count") : coder.decodeCount(ofType: "I")
    // The count is not believed: the first member that is not there ends the reading.
    for place in 0..<max(0, count) {
      let element =
        try isKeyed
        ? coder.decodeObject(Element.self, forKey: "NS.object\(place)")
        : coder.decodeObject(Element.self)
      let times =
        try isKeyed
        ? coder.decodeInt(forKey: "NS.count\(place)") : coder.decodeCount(ofType: "I")
      guard times > 0 else { throw coder.invalidValue("a count of \(times)", forKey: "NS.count") }
      members.append((element, times))
    }
  }
}

extension EncodingCoder {
  /// Encodes the elements of a collection inside its object.
  func encodeElements<Element: Coding>(_ elements: [Element], forKey key: String) throws {
    guard let keyed = self as? KeyedArchiver else {
      return try encodeObjects(elements, forKey: key)
    }
    try keyed.encodeRow(elements, forKey: key)
  }

  /// Encodes how many elements there are, then each in a group of its own.
  func encodeSequence<Element: Coding>(_ elements: [Element], ofType type: String) throws {
    try encodeCount(elements.count, ofType: type)
    for element in elements { try encodeObject(element) }
  }
}

extension DecodingCoder {
  /// Reads the elements of a collection inside its object.
  func decodeElements<Element: Coding>(
    _ type: Element.Type, forKey key: String, ofType code: String
  ) throws -> [Element] {
    guard !allowsKeyedCoding else {
      if type == String.self, let strings = try decodeStrings(forKey: key) as? [Element] {
        return strings
      }
      return try decodeObjects(type, forKey: key)
    }
    let count = try decodeCount(ofType: code)
    try chargeElements(count, MemoryLayout<Element>.stride)
    return try (0..<count).map { _ in try decodeObject(type) }
  }
}

extension Array {
  /// The elements by their strings or numbers, so that equal collections give equal archives.
  fileprivate func inArchivedOrder<Key>(_ key: (Element) -> Key) -> [Element] {
    if Key.self == String.self {
      return sorted { (key($0) as? String ?? "") < (key($1) as? String ?? "") }
    }
    if Key.self is any StandardNumber.Type {
      return sorted { number(key($0)) < number(key($1)) }
    }
    return self
  }

  private func number<Key>(_ key: Key) -> Double {
    (key as? any StandardNumber)?.asNumber.asDouble ?? 0
  }
}
