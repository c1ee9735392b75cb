/// A line of text with a cursor, edited by keys.
///
/// It is moved in and deleted by whole characters: a letter with its accents, an emoji with all
/// that is joined to it, whether they were typed at once or one after the other.
package struct LineEditor: Hashable, Sendable {
  package private(set) var characters: [Character]
  /// From 0 to the number of characters.
  package private(set) var cursor: Int
  /// Whether typed and pasted tabs stay, as parts of a value; elsewhere they become blanks.
  let keepsTabs: Bool

  package init(_ text: String = "", keepsTabs: Bool = false) {
    characters = Array(text)
    cursor = characters.count
    self.keepsTabs = keepsTabs
  }

  package var text: String { String(characters) }
  /// The text before the cursor.
  package var head: String { String(characters[..<cursor]) }

  /// Types a text; line ends become blanks, other control characters are left out.
  mutating func insert(_ text: String) {
    let room = max(0, 100_000 - characters.count)
    let clean = text.compactMap { character -> Character? in
      if character == "\t" { return keepsTabs ? character : " " }
      if character.isNewline { return " " }
      let isControl = character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
      return isControl ? nil : character
    }.prefix(room)
    take(head + String(clean), String(characters[cursor...]))
  }

  /// The texts before and after the cursor. What stands at its sides may be one character now: then
  /// the cursor is behind it.
  private mutating func take(_ head: String, _ tail: String) {
    characters = Array(head + tail)
    var scalars = head.unicodeScalars.count
    cursor = 0
    while scalars > 0, cursor < characters.count {
      scalars -= characters[cursor].unicodeScalars.count
      cursor += 1
    }
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
    take(String(characters[..<range.lowerBound]), String(characters[range.upperBound...]))
  }

  private var wordStart: Int {
    var index = cursor
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }
}
