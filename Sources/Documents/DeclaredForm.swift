package import PortolanGraphics

/// What the file of a layer declares of its shapes and columns. It is written where there are no
/// shapes and values that tell it, and is no part of documents.
package struct DeclaredForm: Hashable, Sendable {
  /// The kinds that shapes can be of, none in a table without shapes; `nil` if the file says
  /// nothing.
  package var kinds: Set<GeometryKind>?
  /// The types of columns by their names, in the words of SQL: `INTEGER`.
  package var types: [String: String] = [:]

  package init() {}

  /// The only kind that shapes can be of.
  package var kind: GeometryKind? { kinds?.count == 1 ? kinds?.first : nil }
}
