extension Cocoa {
  /// Objects in order: Foundation's `NSArray` and `NSMutableArray`.
  public struct Array: Coding, FoundationValue, ExpressibleByArrayLiteral {
    /// The objects.
    public var elements: [Object]
    /// Whether it is archived as `NSMutableArray`.
    public var isMutable: Bool

    /// Makes an array.
    public init(_ elements: [Object], isMutable: Bool = false) {
      self.elements = elements
      self.isMutable = isMutable
    }

    public init(arrayLiteral elements: Object...) { self.init(elements) }
  }

  /// Objects without order, each once: Foundation's `NSSet` and `NSMutableSet`.
  public struct Set: Coding, FoundationValue {
    /// The objects in the order of the archive, each once; the order is not compared.
    public let elements: [Object]
    /// Whether it is archived as `NSMutableSet`.
    public let isMutable: Bool

    /// Makes a set; of equal objects the first is kept.
    public init(_ elements: [Object], isMutable: Bool = false) {
      self.elements = elements.eachOnce
      self.isMutable = isMutable
    }
  }

  /// Objects in order, each once: Foundation's `NSOrderedSet` and `NSMutableOrderedSet`.
  public struct OrderedSet: Coding, FoundationValue {
    /// The objects, each once.
    public let elements: [Object]
    /// Whether it is archived as `NSMutableOrderedSet`.
    public let isMutable: Bool

    /// Makes an ordered set; of equal objects the first is kept.
    public init(_ elements: [Object], isMutable: Bool = false) {
      self.elements = elements.eachOnce
      self.isMutable = isMutable
    }
  }
}

extension [Cocoa.Object] {
  /// The first of each group of equal objects.
  fileprivate var eachOnce: [Cocoa.Object] {
    var seen: Swift.Set<Cocoa.Object> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Cocoa.Array {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSArray", formerNames: ["NSMutableArray"])
  }

  var asObject: Cocoa.Object { .array(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isMutable ? ArchivedClass("NSMutableArray", superclass: "NSArray") : "NSArray"
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeElements(elements, ofType: "i")
  }

  public init(coder: any DecodingCoder) throws {
    let isMutable = coder.isCurrentClass("NSMutableArray")
    if coder.allowsKeyedCoding {
      self.init(try coder.decodeAnyValues(forKey: "NS.objects"), isMutable: isMutable)
    } else {
      self.init(try coder.decodeSequence(ofType: "i"), isMutable: isMutable)
    }
  }
}

extension Cocoa.Set {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSSet", formerNames: ["NSMutableSet"])
  }

  public static func == (first: Cocoa.Set, second: Cocoa.Set) -> Bool {
    guard first.isMutable == second.isMutable, first.elements.count == second.elements.count else {
      return false
    }
    // Most often they come from one archive, or one from the other.
    if first.elements == second.elements { return true }
    return Swift.Set(first.elements) == Swift.Set(second.elements)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(Cocoa.Object.hash(ofAll: elements, levels: 8))
    hasher.combine(isMutable)
  }

  var asObject: Cocoa.Object { .set(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isMutable ? ArchivedClass("NSMutableSet", superclass: "NSSet") : "NSSet"
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeElements(elements, ofType: "I")
  }

  public init(coder: any DecodingCoder) throws {
    let isMutable = coder.isCurrentClass("NSMutableSet")
    let elements = try coder.decodeHashed {
      coder.allowsKeyedCoding
        ? try coder.decodeAnyValues(forKey: "NS.objects") : try coder.decodeSequence(ofType: "I")
    }
    self.init(elements, isMutable: isMutable)
  }
}

extension Cocoa.OrderedSet {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSOrderedSet", formerNames: ["NSMutableOrderedSet"])
  }

  var asObject: Cocoa.Object { .orderedSet(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isMutable ? ArchivedClass("NSMutableOrderedSet", superclass: "NSOrderedSet") : "NSOrderedSet"
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeNumbered(elements)
  }

  public init(coder: any DecodingCoder) throws {
    let isMutable = coder.isCurrentClass("NSMutableOrderedSet")
    let elements = try coder.decodeHashed { try Self.elements(coder) }
    self.init(elements, isMutable: isMutable)
  }

  private static func elements(_ coder: any DecodingCoder) throws -> [Cocoa.Object] {
    if !coder.allowsKeyedCoding { return try coder.decodeSequence(ofType: "i") }
    // As GNUstep writes it.
    if try coder.containsValue(forKey: "NS.objects") {
      return try coder.decodeAnyValues(forKey: "NS.objects")
    }
    var elements: [Cocoa.Object] = []
    var place = 0
    while try coder.containsValue(forKey: "NS.object.\(place)") {
      let element = try coder.decodeElement(Cocoa.Object.self, forKey: "NS.object.\(place)")
      if let element { elements.append(element) }
      place += 1
    }
    return elements
  }
}

extension DecodingCoder {
  /// Objects in groups of their own, as sequential archives have them after their number.
  func decodeSequence(ofType type: String) throws -> [Cocoa.Object] {
    let count = try decodeCount(ofType: type)
    var elements: [Cocoa.Object] = []
    try chargeElements(count, MemoryLayout<Cocoa.Object>.stride)
    reserveCharged(&elements, count)
    for _ in 0..<count { elements.append(try decodeObject(Cocoa.Object.self)) }
    return elements
  }
}
