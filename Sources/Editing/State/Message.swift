/// The last message of the editor.
package struct Message: Hashable, Sendable {
  package enum Severity: Hashable, Sendable {
    case note, warning, error
  }

  package var text: String
  package var severity: Severity

  package init(_ text: String, _ severity: Severity = .note) {
    self.text = text
    self.severity = severity
  }
}
