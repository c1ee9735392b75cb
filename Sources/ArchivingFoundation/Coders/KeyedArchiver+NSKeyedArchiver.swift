public import Archiving
public import Foundation

// The methods of `NSKeyedArchiver` under their names.

extension KeyedArchiver {
  /// Makes an archiver; every archive of this library can be read with secure coding.
  public convenience init(requiringSecureCoding: Bool) { self.init() }

  /// The archive of one object or value under the key `root`.
  ///
  /// `requiringSecureCoding` makes no difference: readers always name the classes.
  public static func archivedData<Root: Coding>(
    withRootObject root: Root, requiringSecureCoding: Bool = true
  ) throws -> Data {
    Data(try archive(root))
  }

  /// The archive of one object of a class of Foundation's under the key `root`.
  ///
  /// A collection may hold objects of your own classes. Throws when archives have no counterpart
  /// for it.
  @_disfavoredOverload
  public static func archivedData(
    withRootObject root: NSObject, requiringSecureCoding: Bool = true
  ) throws -> Data {
    Data(try archive(FoundationConverter().coding(root)))
  }

  /// Ends the archive; nothing can be encoded afterwards. Calling it again does nothing.
  public func finishEncoding() throws {
    if keptArchive == nil { keptArchive = try finish() }
  }

  /// The archive, which is ended if it was not.
  public var encodedData: Data {
    get throws {
      try finishEncoding()
      return Data(keptArchive ?? [])
    }
  }

  /// Writes the instances of a class under another name; `nil` for its own again.
  public func setClassName(_ name: String?, for type: any Coding.Type) {
    classNames.setName(name, for: type)
  }

  /// The other name under which the instances of a class are written.
  public func className(for type: any Coding.Type) -> String? { classNames.name(for: type) }
}
