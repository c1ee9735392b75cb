// Collections whose parts are of several types: read with a list of classes, and then made into the
// listed collection that they fit.

/// The forms of collection objects.
package enum CollectionForm: String, Sendable {
  case array, set
  case orderedSet = "ordered set"
  case countedSet = "counted set"
  case dictionary

  /// The form of a class of Foundation's.
  init?(className: String) {
    switch className {
    case "NSArray", "NSMutableArray": self = .array
    case "NSSet", "NSMutableSet": self = .set
    case "NSOrderedSet", "NSMutableOrderedSet": self = .orderedSet
    case "NSCountedSet": self = .countedSet
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    default: return nil
    }
  }
}

/// What a collection object holds.
package struct CollectionParts {
  package var form: CollectionForm
  /// The elements, or the values of a dictionary.
  package var elements: [any Coding]
  /// The keys of a dictionary, one for each element.
  package var keys: [any Coding]
  /// How often each element of a counted set is there.
  package var counts: [Int]
  /// Whether it is archived as a class that can change.
  package var isMutable: Bool

  package init(
    _ form: CollectionForm, _ elements: [any Coding], keys: [any Coding] = [], counts: [Int] = [],
    isMutable: Bool = false
  ) {
    (self.form, self.elements, self.keys, self.counts) = (form, elements, keys, counts)
    self.isMutable = isMutable
  }

  /// The types of the parts, for messages.
  var typeNames: String {
    var names: [String] = []
    for part in keys + elements {
      let name = "\(type(of: part))"
      if !names.contains(name) { names.append(name) }
      if names.count == 4 { return names.joined(separator: ", ") + "…" }
    }
    return names.joined(separator: ", ")
  }
}

extension Cocoa.Object {
  /// What it holds, if it is a collection.
  package var collectionParts: CollectionParts? {
    (foundationValue as? any ListedCollection)?.parts
  }
}

/// A type of collections that a list of classes can hold.
protocol ListedCollection: SpecialCoding {
  /// The form of the objects that it stands for; `nil` for every form.
  static var form: CollectionForm? { get }
  /// The types that its parts are of, besides those of a list.
  static var partTypes: [any Coding.Type] { get }
  /// Makes a collection of parts read with a list; `nil` when one of them is of another type.
  init?(_ parts: CollectionParts, in table: ClassTable)
  /// Whether it reads the same by itself as with a list: its parts are values of Foundation's.
  static var isPlain: Bool { get }
  /// What it holds.
  var parts: CollectionParts { get }
}

extension ListedCollection {
  static var isPlain: Bool {
    partTypes.allSatisfy { $0 is any StandardElement.Type || $0 == Cocoa.Object.self }
  }
}

extension ClassTable {
  /// A part of a collection as an element of a type; `nil` when it is of another type.
  ///
  /// A number may become one of another type, and a collection one of other elements.
  func part<Element: Coding>(_ part: any Coding, as type: Element.Type) -> Element? {
    if let element = part as? Element { return element }
    if let type = type as? any ListedNumber.Type {
      guard case .number(let number)? = (part as? any FoundationValue)?.bareValue else {
        return nil
      }
      return type.init(exactly: number) as? Element
    }
    if let type = type as? any ListedCollection.Type,
      let parts = (part as? any ListedCollection)?.parts,
      type.form == nil || type.form == parts.form
    {
      return type.init(parts, in: self) as? Element
    }
    return type == Cocoa.Object.self ? Cocoa.Object(value: part) as? Element : nil
  }

  /// Parts as elements of a type; `nil` when one of them is of another type.
  func parts<Element: Coding>(_ parts: [any Coding], as type: Element.Type) -> [Element]? {
    var elements: [Element] = []
    elements.reserveCapacity(parts.count)
    for part in parts {
      guard let element = self.part(part, as: type) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

// MARK: The collections

/// A collection whose elements are of one type.
protocol UniformCollection: ListedCollection {
  associatedtype Part: Coding
  /// Makes a collection of elements with what else it holds; `nil` when it cannot hold them.
  init?(_ elements: [Part], with parts: CollectionParts)
}

extension UniformCollection {
  static var partTypes: [any Coding.Type] { [Part.self] }

  init?(_ parts: CollectionParts, in table: ClassTable) {
    guard let elements = table.parts(parts.elements, as: Part.self) else { return nil }
    self.init(elements, with: parts)
  }
}

extension Array where Element: Coding {
  static var form: CollectionForm? { .array }
  var parts: CollectionParts { CollectionParts(.array, self) }
  init?(_ elements: [Element], with parts: CollectionParts) { self = elements }
}

extension Set where Element: Coding {
  static var form: CollectionForm? { .set }
  var parts: CollectionParts { CollectionParts(.set, [Element](self)) }

  init?(_ elements: [Element], with parts: CollectionParts) {
    self.init(elements)
    guard count == elements.count else { return nil }
  }
}

extension ArchivedOrderedSet {
  static var form: CollectionForm? { .orderedSet }
  var parts: CollectionParts { CollectionParts(.orderedSet, elements) }
  init?(_ elements: [Element], with parts: CollectionParts) { self.init(elements) }
}

extension ArchivedCountedSet {
  static var form: CollectionForm? { .countedSet }
  var parts: CollectionParts {
    CollectionParts(.countedSet, members.map(\.element), counts: members.map(\.count))
  }

  init?(_ elements: [Element], with parts: CollectionParts) {
    self.init(zip(elements, parts.counts).map { (element: $0, count: $1) })
  }
}

extension Dictionary where Key: Coding, Value: Coding {
  static var form: CollectionForm? { .dictionary }
  static var partTypes: [any Coding.Type] { [Key.self, Value.self] }
  var parts: CollectionParts { CollectionParts(.dictionary, map(\.value), keys: map(\.key)) }

  init?(_ parts: CollectionParts, in table: ClassTable) {
    guard let keys = table.parts(parts.keys, as: Key.self),
      let values = table.parts(parts.elements, as: Value.self)
    else { return nil }
    self.init(zip(keys, values), uniquingKeysWith: { first, _ in first })
    guard count == keys.count else { return nil }
  }
}

extension Cocoa.Array: UniformCollection {
  static var form: CollectionForm? { .array }
  var parts: CollectionParts { CollectionParts(.array, elements, isMutable: isMutable) }

  init?(_ elements: [Cocoa.Object], with parts: CollectionParts) {
    self.init(elements, isMutable: parts.isMutable)
  }
}

extension Cocoa.Set: UniformCollection {
  static var form: CollectionForm? { .set }
  var parts: CollectionParts { CollectionParts(.set, elements, isMutable: isMutable) }

  init?(_ elements: [Cocoa.Object], with parts: CollectionParts) {
    self.init(elements, isMutable: parts.isMutable)
  }
}

extension Cocoa.OrderedSet: UniformCollection {
  static var form: CollectionForm? { .orderedSet }
  var parts: CollectionParts { CollectionParts(.orderedSet, elements, isMutable: isMutable) }

  init?(_ elements: [Cocoa.Object], with parts: CollectionParts) {
    self.init(elements, isMutable: parts.isMutable)
  }
}

extension Cocoa.CountedSet: UniformCollection {
  static var form: CollectionForm? { .countedSet }
  var parts: CollectionParts {
    CollectionParts(.countedSet, members.map(\.object), counts: members.map(\.count))
  }

  init?(_ elements: [Cocoa.Object], with parts: CollectionParts) {
    self.init(zip(elements, parts.counts).map { Member($0, count: $1) })
  }
}

extension Cocoa.Dictionary: ListedCollection {
  static var form: CollectionForm? { .dictionary }
  static var partTypes: [any Coding.Type] { [Cocoa.Object.self] }
  var parts: CollectionParts {
    CollectionParts(
      .dictionary, pairs.map(\.value), keys: pairs.map(\.key), isMutable: isMutable)
  }

  init?(_ parts: CollectionParts, in table: ClassTable) {
    guard let keys = table.parts(parts.keys, as: Cocoa.Object.self),
      let values = table.parts(parts.elements, as: Cocoa.Object.self)
    else { return nil }
    self.init(zip(keys, values).map { Pair(key: $0, value: $1) }, isMutable: parts.isMutable)
    guard pairs.count == keys.count else { return nil }
  }
}
