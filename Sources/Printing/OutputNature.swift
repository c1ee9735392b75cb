/// What bytes are for a terminal.
package enum OutputNature: Sendable {
  /// Text in UTF-8, in which controls may be.
  case text
  /// Made for a terminal: its controls are our own.
  case screen
  /// No text.
  case binary
}
