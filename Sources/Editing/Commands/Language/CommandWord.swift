import PortolanFiles

/// A word of a command line, without its quotes.
package struct CommandWord: Hashable, Sendable {
  /// Its bytes; only names of files may be bytes that are not UTF-8.
  package var bytes: [UInt8]
  /// Where it begins, from 1.
  package var column: Int

  /// The word as text; bytes that are not UTF-8 are shown as `\xE9`.
  package var text: String {
    String(validating: bytes, as: UTF8.self) ?? FilePath.shown(path)
  }

  /// The word as the name of a file.
  package var path: String { FilePath.text(of: bytes) }

  /// Splits a line as a shell does: blanks part words; `'…'` is taken as it is; in `"…"` and
  /// outside of quotes `\` takes the next character as it is; `$'…'` takes bytes, such as `\xE9`,
  /// for names of files that are not UTF-8. A comment begins with `#` at the start of the line, or
  /// with `#` and a blank anywhere: colours can be written `#ff0000`.
  ///
  /// - Parameter isRaw: whether all that follows some words is one word as it stands, quotes and
  ///   all; asked before each word with those before it, and whether it begins as a flag.
  package static func split(
    _ line: String,
    isRaw: @escaping (_ words: [CommandWord], _ isFlag: Bool) -> Bool = { _, _ in false }
  ) throws -> [CommandWord] {
    var scanner = Scanner(line, isRaw: isRaw)
    return try scanner.words()
  }

  /// A text as one word of a line, in quotes where it needs them.
  package static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let isPlain = scalars.allSatisfy { scalar in
      !scalar.properties.isWhitespace && scalar != "'" && scalar != "\"" && scalar != "\\"
    }
    if isPlain && !scalars.isEmpty && scalars.first != "#" { return text }
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in scalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}

extension CommandWord {
  /// Scans a line scalar by scalar: a combining mark after a quote is no part of the quote.
  private struct Scanner {
    /// Each scalar with the column of its character.
    private let scalars: [(scalar: Unicode.Scalar, column: Int)]
    private var place = 0
    private var word: CommandWord?
    private var found: [CommandWord] = []
    private let isRaw: ([CommandWord], _ isFlag: Bool) -> Bool

    init(_ line: String, isRaw: @escaping ([CommandWord], _ isFlag: Bool) -> Bool) {
      self.isRaw = isRaw
      scalars = line.enumerated().flatMap { index, character in
        character.unicodeScalars.map { ($0, index + 1) }
      }
    }

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place].scalar : nil }

    mutating func words() throws -> [CommandWord] {
      while place < scalars.count {
        let (scalar, column) = scalars[place]
        place += 1
        if scalar.properties.isWhitespace {
          if let word { found.append(word) }
          word = nil
        } else if scalar == "#", word == nil,
          found.isEmpty || next?.properties.isWhitespace ?? true
        {
          return found
        } else if word == nil, isRaw(found, scalar == "-" && next == "-") {
          found.append(rest(from: place - 1))
          return found
        } else {
          if word == nil { word = CommandWord(bytes: [], column: column) }
          switch scalar {
          case "'", "\"": try takeQuoted(until: scalar, column)
          case "$" where next == "'":
            place += 1
            try takeBytes(column)
          case "\\": if !takeNext() { append("\\") }
          default:
            append(scalar)
            endAssignment()
          }
        }
      }
      if let word { found.append(word) }
      return found
    }

    /// Ends a word at `:=` if what follows is raw.
    private mutating func endAssignment() {
      guard let word, word.bytes.last == 0x3D, word.bytes.dropLast().last == 0x3A,
        isRaw(found + [word], false)
      else { return }
      found.append(word)
      self.word = nil
    }

    /// The rest of the line as a word, without blanks at its end.
    private func rest(from start: Int) -> CommandWord {
      let rest = scalars[start...].map(\.scalar)
      let end = rest.lastIndex { !$0.properties.isWhitespace }.map { $0 + 1 } ?? 0
      var text = String.UnicodeScalarView()
      text.append(contentsOf: rest[..<end])
      return CommandWord(bytes: Array(String(text).utf8), column: scalars[start].column)
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
      word?.bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }

    /// Takes the next scalar unchanged; `false` at the end of the line.
    private mutating func takeNext() -> Bool {
      guard let next else { return false }
      place += 1
      append(next)
      return true
    }

    private mutating func takeQuoted(until end: Unicode.Scalar, _ column: Int) throws {
      while let scalar = next {
        place += 1
        if scalar == end { return }
        if scalar != "\\" || end == "'" {
          append(scalar)
        } else {
          _ = takeNext()
        }
      }
      throw unclosed(end, column)
    }

    /// Takes the bytes in `$'…'`.
    private mutating func takeBytes(_ column: Int) throws {
      while let scalar = next {
        place += 1
        if scalar == "'" { return }
        if scalar == "\\" { try takeEscape() } else { append(scalar) }
      }
      throw unclosed("'", column)
    }

    private func unclosed(_ mark: Unicode.Scalar, _ column: Int) -> EditingError {
      EditingError(
        .usage, "no closing \(mark) for the one in column \(column)", column: column)
    }

    /// Takes the escape after a `\` in `$'…'`, as shells have it: `\xE9`, `\351`, `\n` …
    private mutating func takeEscape() throws {
      guard let scalar = next else { return }
      let column = scalars[place].column
      if let byte = Self.controls[scalar] {
        place += 1
        word?.bytes.append(byte)
        return
      }
      let radix = scalar == "x" ? 16 : 8
      if radix == 16 { place += 1 }
      let digits = scalars[place...].prefix(radix == 16 ? 2 : 3).prefix {
        $0.scalar.isASCII && Int(String($0.scalar), radix: radix) != nil
      }
      place += digits.count
      if radix == 8, digits.isEmpty {
        _ = takeNext()
      } else if let byte = UInt8(
        String(String.UnicodeScalarView(digits.map(\.scalar))), radix: radix),
        byte > 0
      {
        word?.bytes.append(byte)
      } else {
        throw EditingError(
          .usage, "\\\(scalar) takes the digits of a byte, as in \\xE9 or \\351", column: column)
      }
    }

    private static let controls: [Unicode.Scalar: UInt8] = [
      "a": 7, "b": 8, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11,
    ]
  }
}
