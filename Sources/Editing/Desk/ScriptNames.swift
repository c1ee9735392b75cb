import PortolanDocuments

/// Named values of a script: `let LEAST=1e6` names one, `{{LEAST}}` stands for it in later lines.
///
/// A value is put in after a line was split into words, and is not looked at again: it is part of
/// one word, or one value of an expression, and can add neither words nor options nor signs of the
/// language.
struct ScriptNames: Hashable, Sendable {
  /// By name, as bytes: a value may be the name of a file that is not UTF-8.
  private var values: [String: [UInt8]] = [:]

  /// Names a value.
  mutating func set(_ name: String, to value: [UInt8]) { values[name] = value }

  /// These names, and the others that are not among them.
  func over(_ others: ScriptNames) -> ScriptNames {
    var all = self
    all.values.merge(others.values) { own, _ in own }
    return all
  }

  /// The names that a text puts in nowhere, sorted.
  func unused(in text: String) -> [String] {
    values.keys.filter { !text.contains("{{\($0)}}") }.sorted()
  }

  /// Reads `NAME=VALUE`; `nil` if it is something else.
  static func assignment(_ bytes: [UInt8]) -> (name: String, value: [UInt8])? {
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")),
      let end = nameEnd(bytes, from: 0), end == equals
    else { return nil }
    return (String(decoding: bytes[..<equals], as: UTF8.self), Array(bytes[(equals + 1)...]))
  }

  /// The end of the name that begins at a place: letters, digits and `_`, no digit first.
  private static func nameEnd(_ bytes: [UInt8], from start: Int) -> Int? {
    var end = start
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9") where end > start: break
      default: return end > start ? end : nil
      }
      end += 1
    }
    return end > start ? end : nil
  }

  // MARK: Putting in

  /// How a value is written where it is put in.
  private enum Place {
    /// In a word of the command language, which needs no quotes any more.
    case word
    /// In an expression: between its parts, in a text `'…'`, in a name `"…"`.
    case expression, text, name
  }

  /// Words with the values for their names.
  ///
  /// - Parameters:
  ///   - hasCommand: whether the first word is that of a command, which no value can be.
  ///   - hasExpression: whether the last word is the rest of the line, an expression.
  ///   - line: the line, for the columns of errors.
  func replaced(
    _ words: [CommandWord], hasCommand: Bool = true, hasExpression: Bool = false, in line: String
  ) throws -> [CommandWord] {
    var replaced = words
    for index in words.indices {
      let isCondition = index > 0 && words[index - 1].bytes.elementsEqual("--where".utf8)
      let isExpression = isCondition || hasExpression && index == words.count - 1
      replaced[index].bytes = try put(into: words[index].bytes, isExpression: isExpression, line)
      guard replaced[index].bytes != words[index].bytes, words[index].bytes.starts(with: "{{".utf8)
      else { continue }
      let bytes = replaced[index].bytes
      if index == 0, hasCommand {
        throw EditingError(.usage, "a value cannot be a command", column: words[0].column)
      }
      if !isExpression, bytes.first == UInt8(ascii: "-"), !Self.isNegative(bytes) {
        throw EditingError(
          .usage, "“\(replaced[index].text)” begins as an option, which a value cannot be",
          column: words[index].column)
      }
    }
    return replaced
  }

  private static func isNegative(_ bytes: [UInt8]) -> Bool {
    bytes.count > 1 && (bytes[1] == UInt8(ascii: ".") || (0x30...0x39).contains(bytes[1]))
  }

  private func put(
    into bytes: [UInt8], isExpression: Bool, _ line: String
  ) throws -> [UInt8] {
    var made: [UInt8] = []
    var place = isExpression ? Place.expression : .word
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if let end = Self.markEnd(bytes, at: index) {
        let name = String(decoding: bytes[(index + 2)..<(end - 2)], as: UTF8.self)
        made += try Self.written(value(of: name, in: line), at: place, name)
        index = end
        continue
      }
      switch (place, byte) {
      case (.expression, UInt8(ascii: "'")): place = .text
      case (.expression, UInt8(ascii: "\"")): place = .name
      case (.text, UInt8(ascii: "'")), (.name, UInt8(ascii: "\"")): place = .expression
      default: break
      }
      made.append(byte)
      index += 1
    }
    return made
  }

  /// The end of the `{{NAME}}` that begins at a place.
  private static func markEnd(_ bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start...].starts(with: "{{".utf8), let end = nameEnd(bytes, from: start + 2),
      bytes[end...].starts(with: "}}".utf8)
    else { return nil }
    return end + 2
  }

  private func value(of name: String, in line: String) throws -> [UInt8] {
    if let value = values[name] { return value }
    let near = Spelling.question(Spelling.nearest(to: name, among: values.keys.sorted()))
    let column = line.firstRange(of: "{{" + name + "}}").map {
      line.distance(from: line.startIndex, to: $0.lowerBound) + 1
    }
    throw EditingError(
      .notFound, "no value is named “\(name)”: \(near)let \(name)=VALUE names one", column: column)
  }

  private static func written(
    _ value: [UInt8], at place: Place, _ name: String
  ) throws -> [UInt8] {
    if place == .word { return value }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw EditingError(.usage, "the value of “\(name)” is not UTF-8 text")
    }
    func doubled(_ quote: Character) -> String {
      String(text.flatMap { $0 == quote ? [$0, $0] : [$0] })
    }
    switch place {
    case .word: return value
    case .text: return Array(doubled("'").utf8)
    case .name: return Array(doubled("\"").utf8)
    case .expression:
      // A number stands for itself; a negative one in brackets, so that `1 -2` is no difference.
      if NumberText.isValid(text) { return Array("(\(text))".utf8) }
      if ["true", "false", "null"].contains(text) { return value }
      return Array("'\(doubled("'"))'".utf8)
    }
  }
}
