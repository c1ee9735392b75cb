import ArgumentParser

/// The flags and words in a command's own help, for completion.
enum CommandFlags {
  /// The long flags of a command.
  static func flags(of type: any Command.Type) -> [String] {
    lines(of: type).compactMap { line in
      line.split { $0 == " " || $0 == "," }.first { $0.hasPrefix("--") }.map(String.init)
    }
  }

  /// Whether a word is a flag that is followed by a value.
  static func takesValue(_ flag: String, _ type: any Command.Type) -> Bool {
    lines(of: type).contains { line in
      let form = line.dropFirst(2).split(separator: "  ", maxSplits: 1).first ?? ""
      return form.contains("<")
        && form.split { $0 == " " || $0 == "," }.contains(Substring(flag))
    }
  }

  /// The words that a flag takes, if they are a short list.
  static func values(of type: any Command.Type, flag: String) -> [String] {
    lines(of: type).first { line in
      line.split { $0 == " " || $0 == "," }.contains(Substring(flag))
    }.map { values(in: $0) } ?? []
  }

  /// The words that can come first, if they are a short list.
  static func firstValues(of type: any Command.Type) -> [String] {
    lines(of: type).first { $0.hasPrefix("  <") }.map { values(in: $0) } ?? []
  }

  private static func lines(of type: any Command.Type) -> [Substring] {
    type.helpMessage(includeHidden: false, columns: 10_000).split(separator: "\n")
      .filter { $0.hasPrefix("  ") && ($0.hasPrefix("  <") || $0.hasPrefix("  -")) }
  }

  /// The words after `values:`.
  private static func values(in line: Substring) -> [String] {
    guard let start = line.firstRange(of: "(values: ")?.upperBound else { return [] }
    let list = line[start...].prefix { $0 != ")" && $0 != ";" }
    return list.split { $0 == "," || $0 == " " }.map(String.init)
  }
}
