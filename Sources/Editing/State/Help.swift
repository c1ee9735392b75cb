/// The list of keys or commands as it is viewed.
package struct Help: Hashable, Sendable {
  package var title: String
  /// All lines.
  package var lines: [String]
  /// Only lines that contain this text are shown.
  package var filter = LineEditor()
  /// Whether the filter is being typed.
  package var isFiltering = false
  /// The first line shown, among the filtered ones.
  package var top = 0
  /// The width of the names at the start of the lines; `nil` for lists of keys, where two blanks
  /// end a key.
  package var keyColumns: Int?

  package init(title: String, lines: [String], keyColumns: Int? = nil) {
    self.title = title
    self.lines = lines
    self.keyColumns = keyColumns
  }

  /// The lines that pass the filter.
  package var shownLines: [String] {
    let wanted = filter.text.lowercased()
    return wanted.isEmpty ? lines : lines.filter { $0.lowercased().contains(wanted) }
  }
}
