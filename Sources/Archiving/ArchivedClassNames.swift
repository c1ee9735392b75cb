/// Other names for classes in archives, for both directions, as a value that many coders are given.
///
/// The counterpart of `setClassName(_:for:)` and `setClass(_:forClassName:)` in Cocoa. There is no
/// list for the whole program: keep one value, and give it to the coders that shall know it.
///
///     var names = ArchivedClassNames()
///     names.setName("RichLink", for: Link.self)      // written
///     names.setType(Link.self, forName: "RichLink")  // read
///     archiver.classNames = names
///
/// A class that has another name for good declares that name, and its former ones, itself.
public struct ArchivedClassNames: Sendable {
  private var names = [String: String]()
  private var types = [String: any Coding.Type]()

  /// No other names.
  public init() {}

  /// Writes the instances of a class under another name; `nil` for its own again.
  ///
  /// The names of its superclasses are not written then, because they say nothing about the name.
  public mutating func setName(_ name: String?, for type: any Coding.Type) {
    names[type.archivedClass.name] = name
  }

  /// The other name under which the instances of a class are written.
  public func name(for type: any Coding.Type) -> String? {
    names[type.archivedClass.name]
  }

  /// Reads objects of a name as instances of a type; `nil` to take the name back.
  ///
  /// It goes before the types' own names. The type must still be admitted at the object's place.
  public mutating func setType(_ type: (any Coding.Type)?, forName name: String) {
    types[name] = type
  }

  /// The type as which objects of a name are read.
  public func type(forName name: String) -> (any Coding.Type)? { types[name] }

  /// The other name of a class that is known by its own.
  func name(forClassNamed name: String) -> String? { names.isEmpty ? nil : names[name] }
}
