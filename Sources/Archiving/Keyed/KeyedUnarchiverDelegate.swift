/// The notices and questions of a keyed unarchiver at work.
///
/// It concerns objects and values that conform to `Coding`; plain strings, numbers and dates are
/// fields, and nobody is asked about them. All methods have a default that does nothing.
public protocol KeyedUnarchiverDelegate: AnyObject {
  /// An object is of a class that is not known at its place; returns the type to make, if any.
  ///
  /// `originalClasses` are the names of the class and its superclasses. The type must be admitted
  /// at the place, be it as the one asked for or a subclass of it, be it as one of the list.
  func unarchiver(
    _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String,
    originalClasses: [String]
  ) -> (any Coding.Type)?

  /// An object was decoded; returns what is handed out in its place, or `nil` for nothing.
  ///
  /// Called once for each object, after `AwakingCoding`; every reference gets what it returns. The
  /// place is checked afterwards: it must admit what is handed out, not what was decoded.
  func unarchiver(
    _ unarchiver: KeyedUnarchiver, didDecode object: any Coding
  ) throws -> (any Coding)?

  /// Another object, or none, takes the place of one, by its class's wish or by the delegate's.
  func unarchiver(
    _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with newObject: (any Coding)?)

  /// `finishDecoding()` was called.
  func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver)

  /// Nothing can be decoded any more.
  func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver)
}

extension KeyedUnarchiverDelegate {
  /// Knows no other type.
  public func unarchiver(
    _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String,
    originalClasses: [String]
  ) -> (any Coding.Type)? { nil }

  /// Hands out the object itself.
  public func unarchiver(
    _ unarchiver: KeyedUnarchiver, didDecode object: any Coding
  ) throws -> (any Coding)? { object }

  /// Does nothing.
  public func unarchiver(
    _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with newObject: (any Coding)?
  ) {}

  /// Does nothing.
  public func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {}

  /// Does nothing.
  public func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) {}
}
