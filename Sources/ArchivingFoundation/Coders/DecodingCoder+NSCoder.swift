public import Archiving
public import Foundation

// The methods of `NSCoder` that the coders do not have under the same name. An absent object is
// `nil`, as in Foundation; an absent number throws, as everywhere in this library.

extension DecodingCoder {
  /// Decodes an object or value of a class, or of a listed subclass of it; `nil` when it is absent.
  public func decodeObject<Object: Coding>(
    of type: Object.Type, forKey key: String
  ) throws -> Object? {
    try decodeObjectIfPresent(type, forKey: key)
  }

  /// Decodes an object of a class of Foundation's, such as `NSArray`; `nil` when it is absent.
  ///
  /// Throws when Foundation has no counterpart for it, and `.classNotAllowed` for another class.
  @_disfavoredOverload
  public func decodeObject<Object: NSObject>(
    of type: Object.Type, forKey key: String
  ) throws -> Object? {
    guard let made = try decodeFoundationIfPresent(forKey: key) else { return nil }
    guard let object = made as? Object else {
      throw ArchiveError.refusal(of: made, by: [type]).located(by: self, forKey: key)
    }
    return object
  }

  /// Decodes an object of one of the classes; `nil` when it is absent.
  ///
  /// Classes of Foundation's and classes that adopt `Coding` may be mixed, and are admitted at
  /// every depth of collections. Throws `.classNotAllowed` for any other class.
  ///
  ///     let staff = try coder.decodeObject(of: [NSArray.self, Employee.self], forKey: "staff")
  ///       as? [Employee]
  public func decodeObject(of classes: [AnyClass], forKey key: String) throws -> Any? {
    let list = Self.list(of: classes)
    guard let made = try decodeObjectIfPresent(in: list, forKey: key) else { return nil }
    return try located(forKey: key) { () -> Any in
      try converter(classes).any(made)
    }
  }

  /// Decodes an array of objects of a class, or of listed subclasses; `nil` when it is absent.
  public func decodeArrayOfObjects<Object: Coding>(
    ofClass type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    try decodeObjectsIfPresent(type, forKey: key)
  }

  /// Decodes an array of objects of the classes; `nil` when it is absent.
  public func decodeArrayOfObjects(
    ofClasses classes: [any Coding.Type], forKey key: String
  ) throws -> [any Coding]? {
    try decodeObjectsIfPresent(in: ClassList<any Coding>(classes), forKey: key)
  }

  /// Decodes an array of objects of the classes, Foundation's and your own; `nil` when it is
  /// absent.
  @_disfavoredOverload
  public func decodeArrayOfObjects(
    ofClasses classes: [AnyClass], forKey key: String
  ) throws -> [Any]? {
    let converter = converter(classes)
    return try decodeObjectsIfPresent(in: Self.list(of: classes), forKey: key).map { made in
      try located(forKey: key) { try made.map { try converter.any($0) } }
    }
  }

  /// Decodes a dictionary of keys and objects of two types; `nil` when it is absent.
  public func decodeDictionary<Key: Coding & Hashable, Object: Coding>(
    withKeysOfClass keyType: Key.Type, objectsOfClass type: Object.Type, forKey key: String
  ) throws -> [Key: Object]? {
    try decodeIfPresent([Key: Object].self, forKey: key)
  }

  /// Decodes any value that Foundation has a counterpart for; `nil` when it is absent.
  ///
  /// Throws `.invalidValue` when Foundation has none for it or for a part, such as an object of an
  /// unknown class; `decodeAnyValueIfPresent(forKey:)` keeps these.
  public func decodeFoundationIfPresent(forKey key: String) throws -> NSObject? {
    try decodeFoundationIfPresent(of: nil, forKey: key)
  }

  /// Decodes a property list: arrays, dictionaries by strings, strings, data, dates and numbers;
  /// `nil` when it is absent.
  ///
  /// Throws `.classNotAllowed` for anything else.
  public func decodePropertyList(forKey key: String) throws -> Any? {
    try decodeObject(
      of: [
        NSArray.self, NSDictionary.self, NSString.self, NSData.self, NSDate.self, NSNumber.self,
      ], forKey: key)
  }

  /// Decodes a whole number; a real number must be whole; throws when it is absent.
  ///
  /// Foundation gives 0 for one that is absent: `decodeIntIfPresent(forKey:) ?? 0`.
  public func decodeInteger(forKey key: String) throws -> Int {
    try decodeInt(forKey: key)
  }

  /// Reads bytes where they lie, without a copy; the pointer is good within `body` only.
  ///
  /// There is no pointer when the bytes are absent.
  public func withDecodedUnsafeBytes<Result>(
    forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
  ) throws -> Result {
    guard let data = try archivedDataIfPresent(forKey: key) else { return try body(nil) }
    return try data.withUnsafeBytes { try body($0) }
  }

  // MARK: Classes

  /// A program's own classes, and all of Foundation's: which of these are admitted is looked at
  /// when they are made.
  private static func list(of classes: [AnyClass]) -> ClassList<any Coding> {
    ClassList(
      classes.compactMap { $0 as? any Coding.Type } + [MixedCollection.self, Cocoa.Object.self])
  }

  private func converter(_ classes: [AnyClass]) -> FoundationConverter {
    FoundationConverter(classes: classes) { [self] in try chargeElements($0, 8) }
  }

  private func decodeFoundationIfPresent(
    of classes: [AnyClass]?, forKey key: String
  ) throws -> NSObject? {
    guard let value = try decodeAnyValueIfPresent(forKey: key) else { return nil }
    return try foundation(value, of: classes, forKey: key)
  }

  /// The value as Foundation has it, all of it of the classes; `nil` admits any class.
  private func foundation(
    _ value: Cocoa.Object, of classes: [AnyClass]?, forKey key: String
  ) throws -> NSObject {
    try located(forKey: key) { try FoundationConverter(classes: classes).foundation(value) }
  }

  private func located<Value>(forKey key: String, _ convert: () throws -> Value) throws -> Value {
    do {
      return try convert()
    } catch let error as ArchiveError {
      throw error.located(by: self, forKey: key)
    }
  }
}
