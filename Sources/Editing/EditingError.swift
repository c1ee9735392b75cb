/// Why a command did nothing, in a sentence that says how to go on.
package struct EditingError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The line is not a command.
    case usage
    /// What it names is not there.
    case notFound
    /// It cannot be done as things are: locked, read-only, nothing selected.
    case refused
    /// Portolan does not do that, such as converting coordinates.
    case unsupported
  }

  package var code: Code
  package var message: String
  /// Where in the line, from 1; `nil` if nowhere in particular.
  package var column: Int?

  package init(_ code: Code, _ message: String, column: Int? = nil) {
    self.code = code
    self.message = message
    self.column = column
  }

  package var description: String { message }
}
