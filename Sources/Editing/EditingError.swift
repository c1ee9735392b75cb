/// Why a command did nothing, in a sentence with advice.
package struct EditingError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The line is not a command.
    case usage
    /// A named thing does not exist.
    case notFound
    /// The present state forbids it: locked, read-only, nothing selected.
    case refused
    /// Portolan cannot do that, such as converting coordinates.
    case unsupported
  }

  package var code: Code
  package var message: String
  /// The column in the line, from 1; `nil` if there is none.
  package var column: Int?

  package init(_ code: Code, _ message: String, column: Int? = nil) {
    self.code = code
    self.message = message
    self.column = column
  }

  package var description: String { message }
}
