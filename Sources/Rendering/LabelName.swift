import PortolanTerminals
import PortolanTexts

/// The name of a feature as it is shown.
struct LabelName {
  /// The longest name in columns; longer ones end with an ellipsis.
  static let columnsMax = 32
  /// The least columns of a name that is cut to the room of its area.
  static let columnsLeast = 8
  /// What follows in a longer text is beyond every place; no text is read further each frame.
  private static let bytesMax = 4000

  let text: String
  let columns: Int
  /// The text of spaced capitals without the blanks; `nil` for other texts.
  var capitals: String?
  /// The columns without the blanks between spaced capitals.
  var letters: Int { capitals.map(DisplayWidth.of) ?? columns }

  /// - Parameter room: the columns of its area; a long name is cut to them, unless they are few.
  init(_ name: String, room: Int = columnsMax) {
    let name = name.utf8.count > Self.bytesMax ? String(name.unicodeScalars.prefix(200)) : name
    let columns = DisplayWidth.of(name)
    if columns <= Self.columnsMax {
      (text, self.columns) = (name, columns)
    } else {
      let most = room < Self.columnsLeast ? Self.columnsMax : min(room, Self.columnsMax)
      let start = DisplayWidth.prefix(of: name, columns: most - 1)
      (text, self.columns) = (start.text + "\u{2026}", start.columns + 1)
    }
  }

  /// A name in spaced capitals; `nil` if it cannot have them.
  init?(spaced name: String) {
    guard name.utf8.count <= Self.bytesMax,
      let capitals = SpacedCapitals.capitals(of: name)
    else { return nil }
    text = SpacedCapitals.spaced(capitals)
    columns = DisplayWidth.of(text)
    self.capitals = capitals
  }

  /// A name with blanks in place of the ends of lines and of tabs, which some files have in names.
  static func inOneLine(_ name: String) -> String {
    guard name.utf8.count <= bytesMax, name.utf8.contains(where: { (9...13).contains($0) }) else {
      return name
    }
    return name.unicodeScalars.split { $0.value == 32 || (9...13).contains($0.value) }
      .map { String($0) }.joined(separator: " ")
  }

  /// A name in two lines of about the same length: United / Kingdom; `nil` for one word.
  static func wrapped(_ name: String) -> [LabelName]? {
    guard name.utf8.count <= wrappedMax else { return nil }
    let words = name.split(separator: " ").map(String.init)
    guard words.count > 1 else { return nil }
    // An abbreviation belongs to what follows: "S." alone is no line of S. Sudan.
    let lines = (1..<words.count).filter { $0 > 1 || words[0].last != "." }.map { count in
      [words[..<count], words[count...]].map { LabelName($0.joined(separator: " ")) }
    }
    return lines.min { longest($0) < longest($1) }
  }

  /// The longest name that may have two lines, in bytes.
  private static let wrappedMax = 64

  private static func longest(_ lines: [LabelName]) -> Int { lines.map(\.columns).max() ?? 0 }
}
