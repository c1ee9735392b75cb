// Collections of objects of several types. They are archived like all others, and decoded with a
// `ClassList` that has them.

/// A collection without keys.
protocol MixedElements: StandardCollection {
  var elements: [any Coding] { get }
  init(_ elements: [any Coding])
}

extension MixedElements {
  static var partTypes: [any Coding.Type] { [] }
  static var isPlain: Bool { false }

  init?(_ parts: CollectionParts, in table: ClassTable) {
    self.init(parts.elements)
  }
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
    try parts.encode(with: coder)
  }

  /// Throws `.misuse`: a list of classes decodes an array.
  public init(coder: any DecodingCoder) throws { throw needsList }

  static var form: CollectionForm? { .array }
  var parts: CollectionParts { CollectionParts(.array, elements) }
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
    try parts.encode(with: coder)
  }

  /// Throws `.misuse`: a list of classes decodes a set.
  public init(coder: any DecodingCoder) throws { throw needsList }

  static var form: CollectionForm? { .set }
  var parts: CollectionParts { CollectionParts(.set, elements) }
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
    try parts.encode(with: coder)
  }

  /// Throws `.misuse`: a list of classes decodes a dictionary.
  public init(coder: any DecodingCoder) throws { throw needsList }

  static var form: CollectionForm? { .dictionary }
  static var partTypes: [any Coding.Type] { [String.self] }
  static var isPlain: Bool { false }
  var parts: CollectionParts {
    CollectionParts(.dictionary, pairs.map(\.value), keys: pairs.map(\.key))
  }

  init?(_ parts: CollectionParts, in table: ClassTable) {
    guard let keys = table.parts(parts.keys, as: String.self), Set(keys).count == keys.count
    else { return nil }
    pairs = zip(keys, parts.elements).map { (key: $0, value: $1) }
  }
}

/// A collection of Foundation's of any form, which holds objects of a program's own classes.
package struct MixedCollection: StandardCollection, ClassSubstitutingCoding {
  package var parts: CollectionParts

  package init(_ parts: CollectionParts) { self.parts = parts }

  /// The names of all collections.
  package static var archivedClass: ArchivedClass {
    ArchivedClass(
      "NSArray",
      formerNames: [
        "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
        "NSCountedSet", "NSDictionary", "NSMutableDictionary",
      ])
  }

  package var classForCoder: ArchivedClass { parts.archivedClass }

  package func encode(with coder: any EncodingCoder) throws { try parts.encode(with: coder) }

  package init(coder: any DecodingCoder) throws { throw needsList }

  static var form: CollectionForm? { nil }
  static var partTypes: [any Coding.Type] { [] }
  static var isPlain: Bool { false }

  init?(_ parts: CollectionParts, in table: ClassTable) { self.parts = parts }
}

private var needsList: ArchiveError {
  ArchiveError(.misuse, "objects of several types are decoded with a list of classes")
}
