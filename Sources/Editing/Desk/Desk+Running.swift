import Documents

/// Running lines of the command language.
extension Desk {
  /// Runs a line: nothing of the desk has changed if it throws.
  ///
  /// - Throws: `EditingError` with the column where there is one.
  package mutating func run(line: String) throws {
    guard let command = try session.parsedLines.command(for: line) else { return }
    try run(command, line: line)
  }

  /// Runs a command that was parsed from a line.
  package mutating func run(_ command: any Command, line: String) throws {
    var desk = self
    let revision = history.present.revision
    do {
      try command.run(in: &desk)
    } catch {
      // What a search did not find has no hits: those of the one before are not meant any more.
      if command is Search {
        work.searchText = ""
        matches = nil
      }
      throw error
    }
    if Swift.type(of: command).isRepeatable, desk.history.present.revision != revision {
      desk.session.lastEditLine = line
    }
    self = desk
  }

  /// Runs a line that a key or a person gave: an error becomes the message.
  package mutating func attempt(line: String) {
    do {
      try run(line: line)
    } catch let error as EditingError {
      fail(error.column.map { "column \($0): \(error.message)" } ?? error.message)
    } catch {
      fail("\(error)")
    }
  }
}

/// A line of a script with the number of its first line.
package struct ScriptLine: Hashable, Sendable {
  package var number: Int
  package var text: String

  /// The lines of a script; one that ends in `\` goes on in the next; comments and empty lines are
  /// left out.
  package static func lines(of text: String) -> [ScriptLine] {
    var lines: [ScriptLine] = []
    var open: ScriptLine?
    var number = 0
    // A byte order mark is no part of the first line.
    let text =
      text.unicodeScalars.first == "\u{FEFF}"
      ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    for part in Substring(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      number += 1
      var line = open ?? ScriptLine(number: number, text: "")
      line.text += part
      if line.text.hasSuffix("\\") {
        line.text.removeLast()
        open = line
        continue
      }
      open = nil
      lines.append(line)
    }
    if let open { lines.append(open) }
    return lines.filter { line in
      guard let first = line.text.first(where: { !$0.isWhitespace }) else { return false }
      return first != "#"
    }
  }
}
