import ArgumentParser
import PortolanDocuments

/// The completions at the `:` prompt: commands, their flags and words, layers, attributes, files.
struct Completer {
  let desk: Desk

  var commands: CommandList { desk.session.kinds.commands }

  /// The words that complete the text before the cursor, and the start of the completed word.
  ///
  /// - Returns: with the beginning of a path where names of files fit as well; else with `nil`.
  func complete(_ head: String) -> (start: Int, words: [String], path: String?) {
    if let start = Commands.expressionStart(in: head, among: commands) {
      let (place, words) = expressionWords(String(head.dropFirst(start)))
      return (start + place, words, nil)
    }
    let start = Self.wordStart(head)
    let characters = Array(head)
    let typed = String(characters[start...])
    let words = ((try? CommandWord.split(String(characters[..<start]))) ?? []).map(\.text)
    if let (place, words) = expressionWords(after: words, typed) {
      return (start + place, words, nil)
    }
    let (candidates, isFile) = candidates(after: words, isFlag: typed.hasPrefix("-"))
    var seen = Set<String>()
    let fitting = candidates.filter {
      ($0.hasPrefix(typed) || CommandWord.quoted($0).hasPrefix(typed)) && seen.insert($0).inserted
    }
    return (
      start, fitting.sorted().map { CommandWord.quoted($0) }, isFile ? Self.unquoted(typed) : nil
    )
  }

  /// Those of a value that is an expression; `nil` for others.
  private func expressionWords(
    after words: [String], _ typed: String
  ) -> (start: Int, words: [String])? {
    guard let first = words.first, let type = Commands.named(first, among: commands),
      let argument = CommandUsage(type).argument(after: Array(words.dropFirst())),
      argument.kind == .option, Self.expressionValues.contains(argument.value)
    else { return nil }
    return expressionWords(inWord: typed)
  }

  /// The words that can follow others, and whether a name of a file can.
  private func candidates(
    after words: [String], isFlag: Bool
  ) -> (words: [String], isFile: Bool) {
    guard let first = words.first else { return (commands.map { $0.name }, false) }
    guard let type = Commands.named(first, among: commands) else { return ([], false) }
    let usage = CommandUsage(type)
    if isFlag { return (usage.flags, false) }
    let before = Array(words.dropFirst())
    guard let argument = usage.argument(after: before) else { return ([], false) }
    // A command that completes its words itself knows which of the choices can follow.
    if let own = type.completions[argument.value], argument.isRepeating {
      return (own.words(desk, before), argument.isFile)
    }
    let completion = type.completions[argument.value] ?? Completion.usual[argument.value]
    return (argument.choices + (completion?.words(desk, before) ?? []), argument.isFile)
  }

  /// The text of a word whose quotes may still be open.
  private static func unquoted(_ typed: String) -> String {
    let ways = ["", "'", "\""].lazy.compactMap { try? CommandWord.split(typed + $0) }
    return ways.first?.first?.text ?? ""
  }

  private static func wordStart(_ head: String) -> Int {
    var start = 0
    var quote: Character?
    for (index, character) in head.enumerated() {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character.isWhitespace {
        start = index + 1
      }
    }
    return start
  }
}
