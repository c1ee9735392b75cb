/// A line being typed at the bottom of the screen.
package struct Prompt: Hashable, Sendable {
  /// What the line is for; the raw value stands before it.
  package enum Kind: String, Hashable, Sendable {
    case command = ":"
    case search = "/"
    /// A position; the mark says in which order.
    case position = "lon lat: "
  }

  package var kind: Kind
  package var line: LineEditor
  /// What Tab has found, and which of it is in the line.
  package var completions: [String] = []
  package var completionIndex: Int?
  /// Where in the line the completed word begins.
  var completionStart = 0
  /// Which of the lines typed before is shown, from the newest; `nil` for none.
  var historyIndex: Int?
  /// What was typed before the history was looked at.
  var typed = ""

  package init(kind: Kind, text: String = "") {
    self.kind = kind
    line = LineEditor(text)
  }
}
