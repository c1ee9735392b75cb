/// Why another program or a library could not do its part.
package struct ToolError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// It is not installed, or knows no such format.
    case missing
    /// It refused the file.
    case refused
  }

  package var kind: Kind
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
