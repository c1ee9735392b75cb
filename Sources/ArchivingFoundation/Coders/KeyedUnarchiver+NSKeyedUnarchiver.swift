public import Archiving
public import Foundation

// The methods of `NSKeyedUnarchiver` under their names.

extension KeyedUnarchiver {
  /// Opens an archive; `classes` are the subclasses that may stand for a class a call asks for.
  public convenience init(forReadingFrom data: Data, classes: [any Coding.Type] = []) throws {
    try self.init([UInt8](data), classes: classes)
  }

  /// The object under the key `root`, of a class or of a listed subclass; `nil` when it is absent.
  public static func unarchivedObject<Root: Coding>(
    ofClass type: Root.Type, from data: Data, classes: [any Coding.Type] = []
  ) throws -> Root? {
    try KeyedUnarchiver(forReadingFrom: data, classes: classes)
      .decodeObjectIfPresent(type, forKey: "root")
  }

  /// The object of a class of Foundation's under the key `root`; `nil` when it is absent.
  @_disfavoredOverload
  public static func unarchivedObject<Root: NSObject>(
    ofClass type: Root.Type, from data: Data
  ) throws -> Root? {
    try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: type, forKey: "root")
  }

  /// The object of one of the classes under the key `root`; `nil` when it is absent.
  ///
  /// See `decodeObject(of:forKey:)` for what may be listed.
  public static func unarchivedObject(
    ofClasses classes: [AnyClass], from data: Data
  ) throws -> Any? {
    try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: classes, forKey: "root")
  }

  /// The array of objects of a class under the key `root`; `nil` when it is absent.
  public static func unarchivedArrayOfObjects<Element: Coding>(
    ofClass type: Element.Type, from data: Data
  ) throws -> [Element]? {
    try KeyedUnarchiver(forReadingFrom: data).decodeObjectsIfPresent(type, forKey: "root")
  }

  /// The array of objects of the classes, Foundation's and your own, under the key `root`; `nil`
  /// when it is absent.
  public static func unarchivedArrayOfObjects(
    ofClasses classes: [AnyClass], from data: Data
  ) throws -> [Any]? {
    try KeyedUnarchiver(forReadingFrom: data)
      .decodeArrayOfObjects(ofClasses: classes, forKey: "root")
  }

  /// The dictionary of keys and objects of two types under the key `root`; `nil` when it is absent.
  public static func unarchivedDictionary<Key: Coding & Hashable, Object: Coding>(
    ofKeysClass keyType: Key.Type, objectsOfClass type: Object.Type, from data: Data
  ) throws -> [Key: Object]? {
    try KeyedUnarchiver(forReadingFrom: data).decodeIfPresent([Key: Object].self, forKey: "root")
  }

  /// Reads objects of a name as instances of a type; `nil` to take the name back.
  ///
  /// The type must still be admitted at the object's place.
  public func setClass(_ type: (any Coding.Type)?, forClassName name: String) {
    classNames.setType(type, forName: name)
  }

  /// The type as which objects of a name are read.
  public func `class`(forClassName name: String) -> (any Coding.Type)? {
    classNames.type(forName: name)
  }
}
