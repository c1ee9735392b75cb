/// The notices and questions of a keyed unarchiver at work.
///
/// It concerns what is decoded as an object or value that conforms to `Coding`; a delegate that
/// says so (`seesDecodedValues`) sees strings, dates, data and collections under keys as well. All
/// methods have a default that does nothing.
public protocol KeyedUnarchiverDelegate: AnyObject {
  /// Whether it sees everything that is an object in the archive: strings, dates, data, collections
  /// and all that these hold, numbers among them; false unless the delegate says otherwise.
  ///
  /// They come as the values that the typed calls give: `String`, `[Int]`, `[String: Station]`,
  /// `Set<String>`; dates as `Cocoa.Date`, data as `Cocoa.Object.data`, collections without one
  /// standard type as `MixedArray`, `MixedSet` and `MixedDictionary`. Each object is shown once as
  /// each type that it is read as; what is handed out must be of that type. Values inside an
  /// object, such as numbers under a key, are no objects. It is read once, when the delegate is
  /// set.
  var seesDecodedValues: Bool { get }

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
  /// It sees objects only.
  public var seesDecodedValues: Bool { false }

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
