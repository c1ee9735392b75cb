// Collections of objects of several types, as delegates see them. They are archived like all
// others, and decoded with a `ClassList`.

/// A collection without keys.
protocol MixedElements: StandardCollection {
  var elements: [any Coding] { get }
  init(_ elements: [any Coding])
}

/// Objects of several types in order, as Foundation's `NSArray`.
public struct MixedArray: MixedElements {
  /// The objects.
  public var elements: [any Coding]

  /// Makes an array.
  public init(_ elements: [any Coding]) { self.elements = elements }

  /// `NSArray`.
  public static var archivedClass: ArchivedClass { Cocoa.Array.archivedClass }

  /// Writes the objects in order.
  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeMixed(elements, ofType: "i")
  }

  /// Throws `.misuse`: a list of classes decodes an array.
  public init(coder: any DecodingCoder) throws { throw needsList }
}

/// Objects of several types, as Foundation's `NSSet`.
public struct MixedSet: MixedElements {
  /// The objects, in the order of the archive.
  public var elements: [any Coding]

  /// Makes a set.
  public init(_ elements: [any Coding]) { self.elements = elements }

  /// `NSSet`.
  public static var archivedClass: ArchivedClass { Cocoa.Set.archivedClass }

  /// Writes the objects in their order.
  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeMixed(elements, ofType: "I")
  }

  /// Throws `.misuse`: a list of classes decodes a set.
  public init(coder: any DecodingCoder) throws { throw needsList }
}

/// Objects of several types by strings, as Foundation's `NSDictionary`.
public struct MixedDictionary: StandardCollection {
  /// The objects by their keys, in the order of the archive; no key may be there twice.
  public var pairs: [(key: String, value: any Coding)]

  /// Makes a dictionary.
  public init(_ pairs: [(key: String, value: any Coding)]) { self.pairs = pairs }

  init(_ pairs: [(key: String, value: String)]) {
    self.pairs = pairs.map { (key: $0.key, value: $0.value) }
  }

  /// `NSDictionary`.
  public static var archivedClass: ArchivedClass { Cocoa.Dictionary.archivedClass }

  /// Writes the pairs in their order.
  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeMixed(pairs)
  }

  /// Throws `.misuse`: a list of classes decodes a dictionary.
  public init(coder: any DecodingCoder) throws { throw needsList }
}

extension EncodingCoder {
  /// Encodes elements inside their collection; those that are replaced by nothing are left out.
  fileprivate func encodeMixed(_ elements: [any Coding], ofType type: String) throws {
    if let keyed = self as? KeyedArchiver {
      let nodes = try elements.map { try keyed.node(of: $0) }
      try keyed.encodeRow(ofNodes: nodes, isSet: type == "I")
    } else if allowsKeyedCoding {
      try encodeObjects(elements, forKey: "NS.objects")
    } else if let archiver = self as? Archiver {
      let substitutes = try elements.compactMap { try archiver.standing(for: $0) }
      try encodeCount(substitutes.count, ofType: type)
      for substitute in substitutes { try archiver.encode(substitute) }
    } else {
      try encodeCount(elements.count, ofType: type)
      for element in elements { try encodeObject(element) }
    }
  }

  /// The same for the pairs of a dictionary.
  fileprivate func encodeMixed(_ pairs: [(key: String, value: any Coding)]) throws {
    let (keys, values) = (pairs.map(\.key), pairs.map(\.value))
    if let keyed = self as? KeyedArchiver {
      let keyNodes = try keys.map { try keyed.node(of: $0) }
      try keyed.encodeRows(ofNodes: keyNodes, values.map { try keyed.node(of: $0) })
    } else if allowsKeyedCoding {
      try encodeStrings(keys, forKey: "NS.keys")
      try encodeObjects(values, forKey: "NS.objects")
    } else if let archiver = self as? Archiver {
      let substitutes = try values.map { try archiver.standing(for: $0) }
      try encodeCount(substitutes.count { $0 != nil })
      for case (let key, let substitute?) in zip(keys, substitutes) {
        try encodeObject(key)
        try archiver.encode(substitute)
      }
    } else {
      try encodeCount(pairs.count)
      for pair in pairs {
        try encodeObject(pair.key)
        try encodeObject(pair.value)
      }
    }
  }
}

private var needsList: ArchiveError {
  ArchiveError(.misuse, "objects of several types are decoded with a list of classes")
}
