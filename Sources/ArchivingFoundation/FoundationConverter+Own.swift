import Archiving
import Foundation

/// What a collection of Foundation's or of the standard library's holds.
struct FoundationParts {
  let form: CollectionForm
  /// The elements, or the values of a dictionary.
  let elements: [Any]
  /// The keys of a dictionary, one for each element.
  var keys: [Any] = []
  /// How often each element of a counted set is there.
  var counts: [Int] = []
  var isMutable = false
}

extension FoundationParts {
  /// `nil` for a value that is no collection.
  init?(_ value: Any) {
    if type(of: value) is AnyObject.Type {
      self.init(object: value as AnyObject)
      return
    }
    switch value {
    case let key as AnyHashable where type(of: value) == AnyHashable.self: self.init(key.base)
    case let array as [Any]: self.init(form: .array, elements: array)
    case let dictionary as [AnyHashable: Any]:
      self.init(
        form: .dictionary, elements: dictionary.map(\.value), keys: dictionary.map(\.key.base))
    case let set as Set<AnyHashable>: self.init(form: .set, elements: set.map(\.base))
    default: return nil
    }
  }

  private init?(object: AnyObject) {
    switch object {
    case let array as NSArray:
      self.init(
        form: .array, elements: array.map { $0 }, isMutable: array is NSMutableArray)
    case let set as NSCountedSet:
      let elements = set.map { $0 }
      self.init(
        form: .countedSet, elements: elements, counts: elements.map { set.count(for: $0) })
    case let set as NSSet:
      self.init(form: .set, elements: set.map { $0 }, isMutable: set is NSMutableSet)
    case let set as NSOrderedSet:
      self.init(
        form: .orderedSet, elements: set.map { $0 }, isMutable: set is NSMutableOrderedSet)
    case let dictionary as NSDictionary:
      self.init(
        form: .dictionary, elements: dictionary.map(\.value), keys: dictionary.map(\.key),
        isMutable: dictionary is NSMutableDictionary)
    default: return nil
    }
  }
}

// Collections of Foundation's that hold objects of a program's own classes.
extension FoundationConverter {
  // MARK: From Foundation

  /// What archives have for a value in which objects of own classes may be.
  func coding(_ value: Any) throws -> any Coding {
    try holdsOwn(value) ? mixed(value) : object(value)
  }

  private func holdsOwn(_ value: Any) throws -> Bool {
    guard let parts = FoundationParts(value) else { return own(value) != nil }
    let inner = try inner()
    return try (parts.keys + parts.elements).contains { try inner.holdsOwn($0) }
  }

  private func mixed(_ value: Any) throws -> any Coding {
    guard let parts = FoundationParts(value) else { return try own(value) ?? object(value) }
    let inner = try inner()
    var (keys, elements) = (parts.keys, parts.elements)
    if parts.form == .dictionary, let texts = keys as? [String] {
      let order = texts.indices.sorted { texts[$0] < texts[$1] }
      (keys, elements) = (order.map { keys[$0] }, order.map { elements[$0] })
    }
    return MixedCollection(
      CollectionParts(
        parts.form, try elements.map { try inner.mixed($0) },
        keys: try keys.map { try inner.mixed($0) }, counts: parts.counts,
        isMutable: parts.isMutable))
  }

  /// An object of a program's own class.
  private func own(_ value: Any) -> (any Coding)? {
    guard let coding = value as? any Coding, !(coding is any FoundationCoding),
      Cocoa.Object(value: coding) == nil
    else { return nil }
    return coding
  }

  // MARK: To Foundation

  /// An object of a program's own class as it is, anything else as Foundation has it.
  func any(_ made: any Coding) throws -> Any {
    if let value = Cocoa.Object(value: made) { return try foundation(value) }
    guard let mixed = made as? MixedCollection else { return made }
    return try admitted(collection(mixed.parts))
  }

  /// A collection as Foundation has it.
  func collection(_ parts: CollectionParts) throws -> NSObject {
    let inner = try inner()
    try charge(parts.keys.count + parts.elements.count)
    let elements = try parts.elements.map { try inner.any($0) }
    switch parts.form {
    case .array:
      return parts.isMutable ? NSMutableArray(array: elements) : NSArray(array: elements)
    case .set:
      let made = parts.isMutable ? NSMutableSet(array: elements) : NSSet(array: elements)
      return try counted(made, made.count, elements.count)
    case .orderedSet:
      let made =
        parts.isMutable ? NSMutableOrderedSet(array: elements) : NSOrderedSet(array: elements)
      return try counted(made, made.count, elements.count)
    case .countedSet: return try countedSet(elements, parts.counts)
    case .dictionary:
      return try dictionary(
        parts.keys.map { try inner.any($0) }, elements, isMutable: parts.isMutable)
    }
  }

  private func dictionary(_ keys: [Any], _ values: [Any], isMutable: Bool) throws -> NSObject {
    let made = NSMutableDictionary()
    for (key, value) in zip(keys, values) {
      guard let key = key as? AnyHashable else {
        throw ArchiveError.noCounterpart("a key that is not hashable: \(type(of: key))")
      }
      made.setObject(value, forKey: key)
    }
    _ = try counted(made, made.count, keys.count)
    return isMutable ? made : made.copy() as? NSDictionary ?? made
  }

  /// How often Foundation may be asked to add to a counted set, which it does one at a time.
  private static let addedMax = 1 << 20

  private func countedSet(_ objects: [Any], _ counts: [Int]) throws -> NSObject {
    let made = NSCountedSet()
    var rest = Self.addedMax
    for (object, count) in zip(objects, counts) {
      rest -= min(rest + 1, count)
      guard rest >= 0 else {
        throw ArchiveError(.tooLarge, "a counted set of more than \(Self.addedMax) objects")
      }
      for _ in 0..<count { made.add(object) }
    }
    return try counted(made, made.count, objects.count)
  }

  private func counted<Made>(_ made: Made, _ count: Int, _ expected: Int) throws -> Made {
    guard count == expected else {
      throw ArchiveError.noCounterpart("two elements or keys that are equal in Foundation")
    }
    return made
  }
}
