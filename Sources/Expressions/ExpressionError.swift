/// An expression that cannot be read, or that does not suit the layers it is asked of.
package struct ExpressionError: Error, Hashable, Sendable {
  package var message: String
  /// The character of the expression that is meant, from 1.
  package var column: Int

  package init(_ message: String, column: Int) {
    self.message = message
    self.column = column
  }
}
