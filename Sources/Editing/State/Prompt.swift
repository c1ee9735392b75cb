/// A line being typed at the bottom of the screen.
package struct Prompt: Hashable, Sendable {
  /// What the line is for; the raw value stands before it.
  package enum Kind: String, Hashable, Sendable {
    case command = ":"
    case search = "/"
    /// A position for the draft or the cursor; the prompt says in which order.
    case position = "lon lat: "
    /// A question to be answered with y or n.
    case confirm = ""
  }

  package var kind: Kind
  package var line: LineEditor
  /// What Tab has found, and which of it is in the line.
  package var completions: [String]
  package var completionIndex: Int?

  package init(kind: Kind, text: String = "") {
    self.kind = kind
    line = LineEditor(text)
    completions = []
  }
}
