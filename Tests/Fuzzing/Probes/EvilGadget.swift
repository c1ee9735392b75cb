package import Archiving
import Synchronization

/// A class of the program that no place of a document admits; it counts how often it was made.
///
/// Hostile files name it wherever they can.
package final class EvilGadget: Coding {
  private static let counter = Atomic<Int>(0)

  /// How many there have been.
  package static var count: Int { counter.load(ordering: .relaxed) }

  package static var archivedClass: ArchivedClass {
    ArchivedClass("EvilGadget", formerNames: ["NSTask", "NSThread", "NSFunctionExpression"])
  }

  package func encode(with coder: any EncodingCoder) throws {}

  package init(coder: any DecodingCoder) throws {
    Self.counter.add(1, ordering: .relaxed)
  }
}
