package import PortolanPrinting

/// A section of the key map, and the word at the left of the status line.
///
/// Each kind of pane and of overlay names its own.
package struct Mode: Hashable, Sendable {
  /// The name of the section.
  package let name: String
  package let tint: ScreenTheme.Tint

  package init(_ name: String, _ tint: ScreenTheme.Tint = .looking) {
    (self.name, self.tint) = (name, tint)
  }

  package var title: String { name.uppercased() }
}

extension Mode {
  package static let normal = Mode("normal")
  /// Drawing: putting vertices into the draft.
  package static let insert = Mode("insert", .changing)
  /// Choosing features with a box.
  package static let select = Mode("select", .choosing)
  /// Carrying features or a vertex with the cursor.
  package static let move = Mode("move", .choosing)
  /// Measuring a path.
  package static let measure = Mode("measure", .choosing)
  /// The layers panel has the focus.
  package static let layers = Mode("layers")
  /// A line is being typed.
  package static let prompt = Mode("prompt", .reading)
  /// The attribute form.
  package static let form = Mode("form", .changing)
  /// The panel of classes.
  package static let classes = Mode("classes", .changing)
  /// The list of keys.
  package static let help = Mode("help", .reading)
  /// A question is open.
  package static let question = Mode("question", .choosing)
}
