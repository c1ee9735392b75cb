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

  /// `nil` for a class that has no superclass and no other name, so that it costs no more than its
  /// name.
  private let lineage: Lineage?

  /// The superclasses and the other names of a class.
  private final class Lineage: Hashable, Sendable {
    let ancestors: [String]
    let ancestorVersions: [Int]
    let formerNames: [String]
    let fallbackNames: [String]

    init(
      ancestors: [String], ancestorVersions: [Int], formerNames: [String], fallbackNames: [String]
    ) {
      self.ancestors = ancestors
      self.ancestorVersions = ancestorVersions
      self.formerNames = formerNames
      self.fallbackNames = fallbackNames
    }

    static func == (first: Lineage, second: Lineage) -> Bool {
      first.ancestors == second.ancestors && first.ancestorVersions == second.ancestorVersions
        && first.formerNames == second.formerNames && first.fallbackNames == second.fallbackNames
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ancestors)
      hasher.combine(formerNames)
    }
  }

  /// The names of the superclasses, nearest first, ending with `NSObject`.
  public var ancestors: [String] { lineage?.ancestors ?? ["NSObject"] }

  /// The versions of the superclasses, in the order of `ancestors`.
  public var ancestorVersions: [Int] { lineage?.ancestorVersions ?? [0] }

  /// Names under which older files have it; they are read and never written.
  public var formerNames: [String] { lineage?.formerNames ?? [] }

  /// Names of classes that a reader may take instead when it does not know the class.
  ///
  /// Keyed archives have them as `$classhints`; see `KeyedUnarchiver.followsClassHints`.
  public var fallbackNames: [String] { lineage?.fallbackNames ?? [] }

  /// Describes a class that inherits from another archived class, or from none.
  public init(
    _ name: String, version: Int = 0, superclass: ArchivedClass? = nil, formerNames: [String] = [],
    fallbackNames: [String] = []
  ) {
    self.name = name
    self.version = version
    let isPlain = superclass == nil && formerNames.isEmpty && fallbackNames.isEmpty
    lineage =
      isPlain
      ? nil
      : Lineage(
        ancestors: superclass.map { [$0.name] + $0.ancestors } ?? ["NSObject"],
        ancestorVersions: superclass.map { [$0.version] + $0.ancestorVersions } ?? [0],
        formerNames: formerNames, fallbackNames: fallbackNames)
  }

  /// Whether an archive may have the class under a name.
  func isNamed(_ wanted: String) -> Bool {
    name == wanted || lineage?.formerNames.contains(wanted) ?? false
  }

  /// Describes a class without superclass and former names.
  public init(stringLiteral name: String) {
    self.name = name
    version = 0
    lineage = nil
  }

  /// The whole chain as `$classes` has it: the class first, `NSObject` last.
  public var chain: [String] { [name] + ancestors }

  /// The version of the class or of one of its superclasses, by the name.
  public func version(ofName wanted: String) -> Int? {
    if isNamed(wanted) { return version }
    return ancestors.firstIndex(of: wanted).map { ancestorVersions[$0] }
  }
}
