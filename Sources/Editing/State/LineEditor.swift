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
  /// The text before the cursor.
  package var head: String { String(characters[..<cursor]) }

  /// Types a text; line ends become blanks, other control characters are left out.
  mutating func insert(_ text: String) {
    let room = max(0, 100_000 - characters.count)
    let clean = text.compactMap { character -> Character? in
      if character.isNewline || character == "\t" { return " " }
      let isControl = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      return isControl ? nil : character
    }.prefix(room)
    characters.insert(contentsOf: clean, at: cursor)
    cursor += clean.count
  }

  /// Replaces the text between an index and the cursor.
  mutating func replace(from start: Int, with text: String) {
    let start = min(max(0, start), cursor)
    characters.removeSubrange(start..<cursor)
    cursor = start
    insert(text)
  }

  /// Applies a key's action; actions that need more than the line do nothing.
  mutating func edit(_ action: LineAction) {
    switch action {
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .start: cursor = 0
    case .end: cursor = characters.count
    case .backspace: remove((cursor - 1)..<cursor)
    case .delete: remove(cursor..<(cursor + 1))
    case .killWord: remove(wordStart..<cursor)
    case .killStart: remove(0..<cursor)
    case .killEnd: remove(cursor..<characters.count)
    case .accept, .complete, .completeBack, .older, .newer: break
    }
  }

  private mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<characters.count)
    characters.removeSubrange(range)
    cursor = min(range.lowerBound, characters.count)
  }

  private var wordStart: Int {
    var index = cursor
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }
}
