// Arrays, dictionaries and sets of anything that can be archived, as Foundation's objects.
// They nest: `[[Station]]`, `[Int: Station]` and `[String: [Station]]` are archived too.

/// A collection that is archived under a name of Foundation's, whatever its elements are.
protocol StandardCollection: ListedCollection {}

extension Array: Coding, SpecialCoding, ListedCollection, StandardCollection, UniformCollection
where Element: Coding {
  /// `NSArray`.
  public static var archivedClass: ArchivedClass { Cocoa.Array.archivedClass }

  /// Writes the elements in order.
  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeElements(self, ofType: "i")
  }

  /// Reads the elements; each must be of the element's type.
  public init(coder: any DecodingCoder) throws {
    self = try coder.decodeElements(Element.self, ofType: "i")
  }
}

extension Set: Coding, SpecialCoding, ListedCollection, StandardCollection, UniformCollection
where Element: Coding {
  /// `NSSet`.
  public static var archivedClass: ArchivedClass { Cocoa.Set.archivedClass }

  /// Writes the elements: strings and numbers in their order, others in none.
  public func encode(with coder: any EncodingCoder) throws {
    if let texts = same(self, as: Set<String>.self) {
      return try coder.encodeElements(texts.sorted(), ofType: "I")
    }
    try coder.encodeElements(Array(self).inArchivedOrder { $0 }, ofType: "I")
  }

  /// Reads the elements; throws when one is there twice.
  public init(coder: any DecodingCoder) throws {
    let elements = try coder.decodeElements(Element.self, ofType: "I")
    if let texts = same(elements, as: [String].self),
      let set = same(Set<String>(texts), as: Self.self)
    {
      self = set
    } else {
      self.init(elements)
    }
    guard count == elements.count else {
      throw coder.invalidValue("an element of a set is there twice", forKey: "NS.objects")
    }
  }
}

extension Dictionary: Coding, SpecialCoding, ListedCollection, StandardCollection
where Key: Coding, Value: Coding {
  /// `NSDictionary`.
  public static var archivedClass: ArchivedClass { Cocoa.Dictionary.archivedClass }

  /// Writes the pairs: by strings and numbers in their order, by others in none.
  public func encode(with coder: any EncodingCoder) throws {
    if let texts = same(self, as: [String: String].self) {
      let pairs = texts.sorted { $0.key < $1.key }
      if let archiver = coder as? Archiver, archiver.root != nil, !pairs.isEmpty,
        !archiver.mayReplaceStrings
      {
        return try archiver.encodeTextPairs(pairs)
      }
      return try coder.encodePairs(pairs.map { $0.key }, pairs.map { $0.value })
    }
    let pairs = [(key: Key, value: Value)](self).inArchivedOrder(\.key)
    try coder.encodePairs(pairs.map(\.key), pairs.map(\.value))
  }

  /// Reads the pairs; throws when a key is there twice.
  public init(coder: any DecodingCoder) throws {
    if Self.self == [String: String].self,
      let own = try texts(in: coder).flatMap({ same($0, as: Self.self) })
    {
      self = own
      return
    }
    let pairs = try coder.decodePairs(Key.self, Value.self)
    self.init(pairs, uniquingKeysWith: { first, _ in first })
    guard count == pairs.count else {
      throw coder.invalidValue("a key is there twice", forKey: "NS.keys")
    }
  }
}

/// A dictionary of strings inside its object; `nil` for a coder from outside.
private func texts(in coder: any DecodingCoder) throws -> [String: String]? {
  var texts: [String: String] = [:]
  func add(_ key: String, _ value: String) throws {
    guard texts.updateValue(value, forKey: key) == nil else {
      throw coder.invalidValue("a key is there twice", forKey: "NS.keys")
    }
  }
  if let keyed = coder as? KeyedUnarchiver {
    let pairs = try keyed.decodeTextPairs()
    texts.reserveCapacity(pairs.underestimatedCount)
    for (key, value) in pairs { try add(key, value) }
  } else if let unarchiver = coder as? Unarchiver {
    let pairs = try unarchiver.stringPairsInside()
    texts.reserveCapacity(pairs.count)
    for (key, value) in pairs { try add(key, value) }
  } else {
    return nil
  }
  return texts
}

/// Objects in order, each once, as Foundation's `NSOrderedSet`.
public struct ArchivedOrderedSet<Element: Coding>: StandardCollection, UniformCollection {
  /// The elements in order; the caller sees to it that each is there once.
  public var elements: [Element]

  /// Makes an ordered set.
  public init(_ elements: [Element]) { self.elements = elements }

  /// `NSOrderedSet`.
  public static var archivedClass: ArchivedClass { Cocoa.OrderedSet.archivedClass }

  /// Writes the elements in order.
  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeNumbered(elements)
  }

  /// Reads the elements.
  public init(coder: any DecodingCoder) throws {
    guard try coder.allowsKeyedCoding && !coder.containsValue(forKey: "NS.objects") else {
      elements = try coder.decodeElements(Element.self, ofType: "i")
      return
    }
    elements = []
    var place = 0
    while try coder.containsValue(forKey: "NS.object.\(place)") {
      if let element = try coder.decodeElement(Element.self, forKey: "NS.object.\(place)") {
        elements.append(element)
      }
      place += 1
    }
  }
}

/// Objects, each with how often it is there, as Foundation's `NSCountedSet`.
public struct ArchivedCountedSet<Element: Coding>: StandardCollection, UniformCollection {
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
    try coder.encodeMembers(members.map(\.element), counts: members.map(\.count))
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
        ? coder.decodeElement(Element.self, forKey: "NS.object\(place)")
        : coder.decodeElement(Element.self)
      let times =
        try isKeyed
        ? coder.decodeInt(forKey: "NS.count\(place)") : coder.decodeCount(ofType: "I")
      guard times > 0 else { throw coder.invalidValue("a count of \(times)", forKey: "NS.count") }
      if let element { members.append((element, times)) }
    }
  }
}

extension Dictionary where Key == String {
  /// The pairs in the order of their keys, which are sorted alone: values may be of any type.
  var inKeyOrder: [(key: String, value: Value)] {
    keys.sorted().compactMap { key in self[key].map { (key: key, value: $0) } }
  }
}

extension Array {
  /// The elements by their strings or numbers, so that equal collections give equal archives.
  fileprivate func inArchivedOrder<Key>(_ key: (Element) -> Key) -> [Element] {
    guard let standard = Key.self as? any StandardElement.Type,
      let order = standard.order(of: map(key))
    else { return self }
    return order.map { self[$0] }
  }
}

/// A value as a type that is its own under another name; `nil` for any other.
///
/// Unlike a cast from an array to an array, it looks at no element.
func same<Value, Other>(_ value: Value, as type: Other.Type) -> Other? { value as? Other }
