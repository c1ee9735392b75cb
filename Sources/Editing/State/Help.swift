/// The list of keys as it is looked at.
package struct Help: Hashable, Sendable {
  /// The mode whose keys are listed.
  package var mode: Mode
  /// Only lines that hold this text are shown.
  package var filter: LineEditor
  /// The first line shown.
  package var top: Int

  package init(mode: Mode) {
    self.mode = mode
    filter = LineEditor()
    top = 0
  }
}
