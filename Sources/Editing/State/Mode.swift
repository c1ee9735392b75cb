/// The present mode of the keys; the raw value is the section of the key map.
package enum Mode: String, Hashable, Sendable, CaseIterable {
  case normal
  /// Drawing: putting vertices into the draft.
  case insert
  /// Choosing features with a box.
  case select
  /// Carrying features or a vertex with the cursor.
  case move
  /// The layers panel has the focus.
  case layers
  /// A line is being typed.
  case prompt
  /// The attribute form.
  case form
  /// The panel of classes.
  case classes
  /// The list of keys.
  case help
  /// A question is open.
  case question

  /// The word at the left of the status line.
  package var title: String { rawValue.uppercased() }
}
