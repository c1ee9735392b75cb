/// A word of a command line, without its quotes.
package struct CommandWord: Hashable, Sendable {
  package var text: String
  /// Where it begins, from 1.
  package var column: Int

  /// Splits a line as a shell does: blanks part words; `'…'` is taken as it is; in `"…"` and
  /// outside of quotes `\` takes the next character as it is. A comment begins with `#` at the
  /// start of the line, or with `#` and a blank anywhere: colours can be written `#ff0000`.
  package static func split(_ line: String) throws -> [CommandWord] {
    var words: [CommandWord] = []
    var word: CommandWord?
    var quote: (mark: Character, column: Int)?
    var isEscaped = false
    for (index, character) in line.enumerated() {
      let column = index + 1
      if isEscaped {
        word?.text.append(character)
        isEscaped = false
      } else if let open = quote {
        if character == open.mark {
          quote = nil
        } else if character == "\\" && open.mark == "\"" {
          isEscaped = true
        } else {
          word?.text.append(character)
        }
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else if character == "#" && word == nil
        && (words.isEmpty || isBlank(line, after: index))
      {
        return words
      } else {
        if word == nil { word = CommandWord(text: "", column: column) }
        switch character {
        case "'", "\"": quote = (character, column)
        case "\\": isEscaped = true
        default: word?.text.append(character)
        }
      }
    }
    if let quote {
      throw EditingError(
        .usage, "no closing \(quote.mark) for the one in column \(quote.column)",
        column: quote.column)
    }
    if isEscaped { word?.text.append("\\") }
    if let word { words.append(word) }
    return words
  }

  private static func isBlank(_ line: String, after index: Int) -> Bool {
    line.dropFirst(index + 1).first?.isWhitespace ?? true
  }

  /// A text as one word of a line, in quotes where it needs them.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy { character in
      !character.isWhitespace && character != "'" && character != "\"" && character != "\\"
    }
    if isPlain && !text.isEmpty && !text.hasPrefix("#") { return text }
    var quoted = "\""
    for character in text {
      if character == "\"" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return quoted + "\""
  }
}
