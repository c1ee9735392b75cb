/// The name of a class in archives, with the chain of its superclasses and its former names.
///
///     class View: Coding {
///       class var archivedClass: ArchivedClass { "View" }
///     }
///     class MapView: View {
///       override class var archivedClass: ArchivedClass {
///         ArchivedClass("MapView", superclass: super.archivedClass, formerNames: ["OldMapView"])
///       }
///     }
public struct ArchivedClass: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name that is written.
  public let name: String

  /// The names of the superclasses, nearest first, ending with `NSObject`.
  public let ancestors: [String]

  /// Names under which older files have it; they are read and never written.
  public let formerNames: [String]

  /// Describes a class that inherits from another archived class, or from none.
  public init(
    _ name: String, superclass: ArchivedClass? = nil, formerNames: [String] = []
  ) {
    self.name = name
    ancestors = superclass.map { [$0.name] + $0.ancestors } ?? ["NSObject"]
    self.formerNames = formerNames
  }

  /// Describes a class without superclass and former names.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The whole chain as `$classes` has it: the class first, `NSObject` last.
  public var chain: [String] { [name] + ancestors }
}
