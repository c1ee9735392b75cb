extension Cocoa {
  /// Objects by objects: Foundation's `NSDictionary` and `NSMutableDictionary`.
  public struct Dictionary: Coding, FoundationValue, ExpressibleByDictionaryLiteral {
    /// A key and its value.
    public struct Pair: Hashable, Sendable {
      /// The key, most often a string.
      public var key: Object
      /// The value of the key.
      public var value: Object

      /// Makes a pair.
      public init(key: Object, value: Object) {
        self.key = key
        self.value = value
      }
    }

    /// The pairs in the order of the archive, each key once; the order is not compared.
    public let pairs: [Pair]
    /// Whether it is archived as `NSMutableDictionary`.
    public let isMutable: Bool

    /// Makes a dictionary; of pairs with equal keys the first is kept.
    public init(_ pairs: [Pair], isMutable: Bool = false) {
      var seen: Swift.Set<Object> = []
      self.pairs = pairs.filter { seen.insert($0.key).inserted }
      self.isMutable = isMutable
    }

    public init(dictionaryLiteral elements: (Object, Object)...) {
      self.init(elements.map { Pair(key: $0.0, value: $0.1) })
    }

    /// The value under a key; each question looks through the pairs.
    public subscript(key: Object) -> Object? {
      pairs.first { $0.key == key }?.value
    }
  }

  /// Objects without order, each with how often it is there: Foundation's `NSCountedSet`.
  public struct CountedSet: Coding, FoundationValue {
    /// An object and how often it is there.
    public struct Member: Hashable, Sendable {
      /// The object.
      public var object: Object
      /// How often it is there, at least once.
      public var count: Int

      /// Makes a member.
      public init(_ object: Object, count: Int) {
        self.object = object
        self.count = count
      }
    }

    /// The members in the order of the archive, each once; the order is not compared.
    public let members: [Member]

    /// Makes a counted set; `nil` when an object is there twice or a count is below one.
    public init?(_ members: [Member]) {
      var seen: Swift.Set<Object> = []
      for member in members {
        guard member.count > 0, seen.insert(member.object).inserted else { return nil }
      }
      self.members = members
    }
  }
}

extension Cocoa.Dictionary {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSDictionary", formerNames: ["NSMutableDictionary"])
  }

  public static func == (first: Cocoa.Dictionary, second: Cocoa.Dictionary) -> Bool {
    guard first.isMutable == second.isMutable, first.pairs.count == second.pairs.count else {
      return false
    }
    if first.pairs == second.pairs { return true }
    return Swift.Set(first.pairs) == Swift.Set(second.pairs)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(hash(levels: 8))
    hasher.combine(isMutable)
  }

  var asObject: Cocoa.Object { .dictionary(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isMutable ? ArchivedClass("NSMutableDictionary", superclass: "NSDictionary") : "NSDictionary"
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodePairs(pairs.map(\.key), pairs.map(\.value))
  }

  public init(coder: any DecodingCoder) throws {
    let isMutable = coder.isCurrentClass("NSMutableDictionary")
    var pairs: [Pair] = []
    // Keys are hashed, values are not.
    if coder.allowsKeyedCoding {
      let keys = try coder.decodeHashed {
        try coder.decodePlaces(Cocoa.Object.self, forKey: "NS.keys")
      }
      let values = try coder.decodePlaces(Cocoa.Object.self, forKey: "NS.objects")
      pairs = try coder.pairs(keys, values).map { Pair(key: $0.0, value: $0.1) }
    } else {
      let count = try coder.decodeCount()
      try coder.chargeElements(count, MemoryLayout<Pair>.stride)
      coder.reserveCharged(&pairs, count)
      for _ in 0..<count {
        let key = try coder.decodeHashed { try coder.decodeObject(Cocoa.Object.self) }
        pairs.append(Pair(key: key, value: try coder.decodeObject(Cocoa.Object.self)))
      }
    }
    self.init(pairs, isMutable: isMutable)
    guard self.pairs.count == pairs.count else {
      throw coder.invalidValue("a key is there twice", forKey: "NS.keys")
    }
  }
}

extension Cocoa.CountedSet {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSCountedSet", superclass: ArchivedClass("NSMutableSet", superclass: "NSSet"))
  }

  public static func == (first: Cocoa.CountedSet, second: Cocoa.CountedSet) -> Bool {
    first.members == second.members || Swift.Set(first.members) == Swift.Set(second.members)
  }

  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for member in members { sum &+= member.hashValue }
    hasher.combine(sum)
  }

  var asObject: Cocoa.Object { .countedSet(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeMembers(members.map(\.object), counts: members.map(\.count))
  }

  public init(coder: any DecodingCoder) throws {
    // GNUstep writes the groups of a sequential archive into keyed ones too.
    let isPositional =
      try !coder.allowsKeyedCoding || !coder.containsValue(forKey: "NS.count")
    let members = try coder.decodeHashed {
      try isPositional ? Self.members(inOrderFrom: coder) : Self.members(from: coder)
    }
    guard let set = Cocoa.CountedSet(members) else {
      throw coder.invalidValue("a member is there twice, or not once", forKey: "NS.count")
    }
    self = set
  }

  private static func members(inOrderFrom coder: any DecodingCoder) throws -> [Member] {
    var members: [Member] = []
    let count = try coder.decodeCount(ofType: "I")
    try coder.chargeElements(count, MemoryLayout<Member>.stride)
    coder.reserveCharged(&members, count)
    for _ in 0..<count {
      let object = try coder.decodeObject(Cocoa.Object.self)
      members.append(Member(object, count: try coder.decodeCount(ofType: "I")))
    }
    return members
  }

  private static func members(from coder: any DecodingCoder) throws -> [Member] {
    let count = try coder.decodeInt(forKey: "NS.count")
    guard count >= 0 else { throw coder.invalidValue("a count of \(count)", forKey: "NS.count") }
    var members: [Member] = []
    // The count is not believed: the first member that is not there ends the reading.
    for place in 0..<count {
      let object = try coder.decodeElement(Cocoa.Object.self, forKey: "NS.object\(place)")
      let times = try coder.decodeInt(forKey: "NS.count\(place)")
      if let object { members.append(Member(object, count: times)) }
    }
    return members
  }
}
