/// The notices and questions of a keyed archiver at work.
///
/// It concerns objects and values that conform to `Coding`; plain strings, numbers and dates are
/// fields, and nobody is asked about them. All methods have a default that does nothing.
public protocol KeyedArchiverDelegate: AnyObject {
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
