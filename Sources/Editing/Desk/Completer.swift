import ArgumentParser
import PortolanDocuments

/// The completions at the `:` prompt: commands, their flags and words, layers, attributes, files.
struct Completer {
  let desk: Desk

  /// The flags that take the name of a file.
  private static let fileFlags = ["-o", "--output", "--base", "--compare"]

  /// The words that complete the text before the cursor, and the start of the completed word.
  ///
  /// - Returns: with the beginning of a path where names of files fit as well; else with `nil`.
  func complete(_ head: String) -> (start: Int, words: [String], path: String?) {
    let start = Self.wordStart(head)
    let characters = Array(head)
    let typed = String(characters[start...])
    let before = String(characters[..<start])
    let words = (try? CommandWord.split(before)) ?? []
    let candidates: [String]
    if words.isEmpty {
      candidates = Commands.all.map { $0.name }
    } else {
      candidates = arguments(of: words, typed: typed)
    }
    var seen = Set<String>()
    let fitting = candidates.filter {
      ($0.hasPrefix(typed) || CommandWord.quoted($0).hasPrefix(typed)) && seen.insert($0).inserted
    }
    let path = takesFile(words, typed) ? Self.unquoted(typed) : nil
    return (start, fitting.sorted().map { CommandWord.quoted($0) }, path)
  }

  /// The text of a word whose quotes may still be open.
  private static func unquoted(_ typed: String) -> String {
    let ways = ["", "'", "\""].lazy.compactMap { try? CommandWord.split(typed + $0) }
    return ways.first?.first?.text ?? ""
  }

  /// Whether a word after others may be the name of a file.
  private func takesFile(_ words: [CommandWord], _ typed: String) -> Bool {
    guard let first = words.first, let last = words.last, let type = Commands.named(first.text),
      !typed.hasPrefix("-")
    else { return false }
    if words.count > 1, Self.fileFlags.contains(last.text) { return true }
    return type.takesFiles && !CommandFlags.takesValue(last.text, type)
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

  private func arguments(of words: [CommandWord], typed: String) -> [String] {
    guard let first = words.first, let type = Commands.named(first.text) else { return [] }
    if typed.hasPrefix("-") { return CommandFlags.flags(of: type) }
    if type.name == "help" { return Commands.all.map { $0.name } + ["keys", "commands"] }
    if type.name == OpenRecent.name, words.count == 1 {
      return OpenRecent.names(of: desk.session.recentFiles)
    }
    if words.count > 1, let flag = words.last?.text, CommandFlags.takesValue(flag, type) {
      if ["--layer", "--layers"].contains(flag) { return layerNames }
      if type.attributeFlags.contains(flag) { return fields(of: words[1].text) }
      return CommandFlags.values(of: type, flag: flag) + (type.completions[flag] ?? [])
    }
    if ["set", "unset", "rename-attribute"].contains(type.name) {
      return type.name == "set" ? fields.map { $0 + "=" } : fields
    }
    let values =
      words.count == 1
      ? CommandFlags.firstValues(of: type) + (type.completions[""] ?? []) : []
    return values + (type.takesLayers ? layerNames : [])
  }

  /// The attributes of a layer; without one of that name, those of the selection.
  private func fields(of layer: String) -> [String] {
    let named = desk.document.layers.first { $0.name == layer || $0.title == layer }
    return (named as? any FeatureHolding)?.fieldNames ?? fields
  }

  private var layerNames: [String] {
    let layers = desk.document.layers
    return layers.map(\.name) + layers.map(\.title).filter { !$0.isEmpty }
  }

  /// The attributes of the selection's layers, or else of the active layer.
  private var fields: [String] {
    let ids = Set(desk.selection.features.map(\.layer))
    let layers = desk.document.layers.filter {
      ids.isEmpty ? $0.id == desk.activeLayer : ids.contains($0.id)
    }
    return layers.flatMap { ($0 as? any FeatureHolding)?.fieldNames ?? [] }
  }
}
