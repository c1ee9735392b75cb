// Arrays, dictionaries and sets of anything that can be archived, as Foundation's objects.
// They nest: `[[Station]]`, `[Int: Station]` and `[String: [Station]]` are archived too.
//
// Their methods are on the stack once for every level of a graph: what is done before the elements
// are coded, or behind, stands in functions of its own.

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
    try coder.encodeElements(archivedOrder, ofType: "I")
  }

  @inline(never)
  private var archivedOrder: [Element] {
    if let texts = same(self, as: Set<String>.self),
      let sorted = same(texts.sorted(), as: [Element].self)
    {
      return sorted
    }
    return Array(self).inArchivedOrder { $0 }
  }

  /// Reads the elements; throws when one is there twice.
  public init(coder: any DecodingCoder) throws {
    self = try Self.set(of: coder.decodeElements(Element.self, ofType: "I"), in: coder)
  }

  @inline(never)
  private static func set(of elements: [Element], in coder: any DecodingCoder) throws -> Self {
    let made: Self
    if let texts = same(elements, as: [String].self),
      let set = same(Set<String>(texts), as: Self.self)
    {
      made = set
    } else {
      made = Self(elements)
    }
    guard made.count == elements.count else {
      throw coder.invalidValue("an element of a set is there twice", forKey: "NS.objects")
    }
    return made
  }
}

extension Dictionary: Coding, SpecialCoding, ListedCollection, StandardCollection
where Key: Coding, Value: Coding {
  /// `NSDictionary`.
  public static var archivedClass: ArchivedClass { Cocoa.Dictionary.archivedClass }

  /// Writes the pairs: by strings and numbers in their order, by others in none.
  public func encode(with coder: any EncodingCoder) throws {
    if try encodeTexts(with: coder) { return }
    let pairs = archivedOrder
    try coder.encodePairs(pairs.keys, pairs.values)
  }

  @inline(never)
  private var archivedOrder: (keys: [Key], values: [Value]) {
    let pairs = [(key: Key, value: Value)](self).inArchivedOrder(\.key)
    return (pairs.map(\.key), pairs.map(\.value))
  }

  /// Writes a dictionary of strings; false for any other.
  @inline(never)
  private func encodeTexts(with coder: any EncodingCoder) throws -> Bool {
    guard let texts = same(self, as: [String: String].self) else { return false }
    let pairs = texts.sorted { $0.key < $1.key }
    if let archiver = coder as? Archiver, archiver.root != nil, !pairs.isEmpty,
      !archiver.mayReplaceStrings
    {
      try archiver.encodeTextPairs(pairs)
    } else {
      try coder.encodePairs(pairs.map { $0.key }, pairs.map { $0.value })
    }
    return true
  }

  /// Reads the pairs; throws when a key is there twice.
  public init(coder: any DecodingCoder) throws {
    self =
      try Self.texts(in: coder)
      ?? Self.dictionary(of: coder.decodePairs(Key.self, Value.self), in: coder)
  }

  /// Reads a dictionary of strings; `nil` for any other.
  @inline(never)
  private static func texts(in coder: any DecodingCoder) throws -> Self? {
    guard Self.self == [String: String].self else { return nil }
    return try textPairs(in: coder).flatMap { same($0, as: Self.self) }
  }

  @inline(never)
  private static func dictionary(
    of pairs: [(Key, Value)], in coder: any DecodingCoder
  ) throws -> Self {
    let made = Self(pairs, uniquingKeysWith: { first, _ in first })
    guard made.count == pairs.count else {
      throw coder.invalidValue("a key is there twice", forKey: "NS.keys")
    }
    return made
  }
}

/// A dictionary of strings inside its object; `nil` for a coder from outside.
private func textPairs(in coder: any DecodingCoder) throws -> [String: String]? {
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
    elements =
      try Self.isNumbered(in: coder)
      ? Self.numbered(in: coder) : coder.decodeElements(Element.self, ofType: "i")
  }

  private static func isNumbered(in coder: any DecodingCoder) throws -> Bool {
    try coder.allowsKeyedCoding && !coder.containsValue(forKey: "NS.objects")
  }

  private static func numbered(in coder: any DecodingCoder) throws -> [Element] {
    var elements: [Element] = []
    var place = 0
    while let key = try key(place, in: coder) {
      if let element = try coder.decodeElement(Element.self, forKey: key) {
        elements.append(element)
      }
      place &+= 1
    }
    return elements
  }

  @inline(never)
  private static func key(_ place: Int, in coder: any DecodingCoder) throws -> String? {
    let key = "NS.object.\(place)"
    return try coder.containsValue(forKey: key) ? key : nil
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
    // The count is not believed: the first member that is not there ends the reading.
    let count = try Self.count("NS.count", in: coder)
    var place = 0
    while place < count {
      try add(Self.element(place, in: coder), place, coder)
      place &+= 1
    }
  }

  @inline(never)
  private mutating func add(
    _ element: Element?, _ place: Int, _ coder: any DecodingCoder
  ) throws {
    let times = try Self.count("NS.count\(place)", in: coder)
    guard times > 0 else { throw coder.invalidValue("a count of \(times)", forKey: "NS.count") }
    if let element { members.append((element, times)) }
  }

  @inline(never)
  private static func count(_ key: String, in coder: any DecodingCoder) throws -> Int {
    try coder.allowsKeyedCoding ? coder.decodeInt(forKey: key) : coder.decodeCount(ofType: "I")
  }

  private static func element(_ place: Int, in coder: any DecodingCoder) throws -> Element? {
    try coder.allowsKeyedCoding
      ? coder.decodeElement(Element.self, forKey: "NS.object\(place)")
      : coder.decodeElement(Element.self)
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
