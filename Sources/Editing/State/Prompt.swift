/// A line being typed at the bottom of the screen.
package struct Prompt: Hashable, Sendable {
  /// The purpose of the line; the raw value is printed before it.
  package enum Kind: String, Hashable, Sendable {
    case command = ":"
    case search = "/"
    /// A position; the mark says in which order.
    case position = "lon lat: "
  }

  package var kind: Kind
  package var line: LineEditor
  /// The completions, and the index of the one in the line.
  package var completions: [String] = []
  package var completionIndex: Int?
  /// The start of the completed word in the line.
  var completionStart = 0
  /// The index of the shown line of the history, from the newest; `nil` for none.
  var historyIndex: Int?
  /// The typed text before the history was shown.
  var typed = ""

  package init(kind: Kind, text: String = "") {
    self.kind = kind
    line = LineEditor(text)
  }
}
