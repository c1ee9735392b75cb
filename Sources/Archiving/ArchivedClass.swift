/// The name of a class in archives, with the chain of its superclasses and its former names.
///
///     class View: Coding {
///       class var archivedClass: ArchivedClass { "View" }
///     }
///     class MapView: View {
///       override class var archivedClass: ArchivedClass {
///         ArchivedClass(
///           "MapView", version: 2, superclass: super.archivedClass, formerNames: ["OldMapView"])
///       }
///     }
public struct ArchivedClass: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name that is written.
  public let name: String

  /// The version of the class's own encoding; sequential archives carry it, keyed ones do not.
  ///
  /// Raise it when the values that `encode(with:)` writes without keys change.
  public let version: Int

  /// The names of the superclasses, nearest first, ending with `NSObject`.
  public let ancestors: [String]

  /// The versions of the superclasses, in the order of `ancestors`.
  public let ancestorVersions: [Int]

  /// Names under which older files have it; they are read and never written.
  public let formerNames: [String]

  /// Names of classes that a reader may take instead when it does not know the class.
  ///
  /// Keyed archives have them as `$classhints`; see `KeyedUnarchiver.followsClassHints`.
  public let fallbackNames: [String]

  /// Describes a class that inherits from another archived class, or from none.
  public init(
    _ name: String, version: Int = 0, superclass: ArchivedClass? = nil, formerNames: [String] = [],
    fallbackNames: [String] = []
  ) {
    self.name = name
    self.version = version
    ancestors = superclass.map { [$0.name] + $0.ancestors } ?? ["NSObject"]
    ancestorVersions = superclass.map { [$0.version] + $0.ancestorVersions } ?? [0]
    self.formerNames = formerNames
    self.fallbackNames = fallbackNames
  }

  /// Describes a class without superclass and former names.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The whole chain as `$classes` has it: the class first, `NSObject` last.
  public var chain: [String] { [name] + ancestors }

  /// The version of the class or of one of its superclasses, by the name.
  public func version(ofName wanted: String) -> Int? {
    if wanted == name || formerNames.contains(wanted) { return version }
    return ancestors.firstIndex(of: wanted).map { ancestorVersions[$0] }
  }
}
