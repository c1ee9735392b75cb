/// The notices and questions of a keyed archiver at work.
///
/// It concerns what is encoded as an object or value that conforms to `Coding`; a delegate that
/// says so (`seesEncodedValues`) sees strings, dates, data and collections under keys as well. All
/// methods have a default that does nothing.
public protocol KeyedArchiverDelegate: AnyObject {
  /// Whether it sees everything that is an object in the archive: strings, dates, data, collections
  /// and all that these hold, numbers among them; false unless the delegate says otherwise.
  ///
  /// They come as the values that the typed calls take: `String`, `[Int]`, `[String: Station]`,
  /// `Set<String>`; dates as `Cocoa.Date`, data as `Cocoa.Object.data`, collections without one
  /// standard type as `MixedArray`, `MixedSet` and `MixedDictionary`. A value is asked about at
  /// each place. Numbers under a key are no objects, as in Cocoa. It is read once, when the
  /// delegate is set.
  var seesEncodedValues: Bool { get }

  /// An object is about to be encoded; returns its replacement, or `nil` for none.
  ///
  /// It comes after the object's own replacement. An instance of a class is asked about once,
  /// however often it is referred to; a reference that is conditional counts too.
  func archiver(
    _ archiver: KeyedArchiver, willEncode object: any Coding
  ) throws -> (any Coding)?

  /// An object was encoded; called once for each that is, not for further references to it.
  func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding)

  /// Another object, or none, takes the place of one, by its own wish or by the delegate's.
  func archiver(
    _ archiver: KeyedArchiver, willReplace object: any Coding, with newObject: (any Coding)?)

  /// The archive is about to be written; the last moment to encode something.
  func archiverWillFinish(_ archiver: KeyedArchiver) throws

  /// The archive was written.
  func archiverDidFinish(_ archiver: KeyedArchiver)
}

extension KeyedArchiverDelegate {
  /// It sees objects only.
  public var seesEncodedValues: Bool { false }

  /// Encodes the object itself.
  public func archiver(
    _ archiver: KeyedArchiver, willEncode object: any Coding
  ) throws -> (any Coding)? { object }

  /// Does nothing.
  public func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) {}

  /// Does nothing.
  public func archiver(
    _ archiver: KeyedArchiver, willReplace object: any Coding, with newObject: (any Coding)?
  ) {}

  /// Does nothing.
  public func archiverWillFinish(_ archiver: KeyedArchiver) throws {}

  /// Does nothing.
  public func archiverDidFinish(_ archiver: KeyedArchiver) {}
}
