/// A line of text with a cursor, edited by keys.
package struct LineEditor: Hashable, Sendable {
  package private(set) var characters: [Character]
  /// From 0 to the number of characters.
  package private(set) var cursor: Int

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  package var text: String { String(characters) }
}
