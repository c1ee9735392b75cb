import ArgumentParser
import Editing
import Files

/// The verbs of the program as people write them.
enum VerbSpelling {
  /// What is wrong if the first word is neither a file nor a verb, but nearly a verb.
  static func failure(of arguments: [String]) -> Failure? {
    guard let word = arguments.first, word.count > 2, !word.hasPrefix("-"),
      word.allSatisfy(\.isLetter), !RealFileSystem().exists(word)
    else { return nil }
    let names = Portolan.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !names.contains(word), word != "help" else { return nil }
    let distances = (names + ["help"]).map { (name: $0, count: distance(word, $0)) }
    guard let near = distances.min(by: { $0.count < $1.count }),
      near.count <= (word.count > 4 ? 2 : 1)
    else { return nil }
    return Failure(
      .usage, what: "no file and no verb “\(word)”: portolan \(near.name)? See portolan help")
  }

  /// How a verb is written, without the options that can be left out.
  static func form(of verb: any ParsableCommand.Type) -> String {
    let name = verb.configuration.commandName ?? ""
    let words = verb.usageString().split(separator: " ")
    let operands = words.compactMap { word -> String? in
      if word.hasPrefix("[<") { return word.hasSuffix("]") ? String(word) : word + " ...]" }
      // Options that must be given stand without brackets.
      return word.hasPrefix("--") || word.hasPrefix("<") && word.hasSuffix(">")
        ? String(word) : nil
    }
    let form = (["portolan", name] + operands).joined(separator: " ")
    return "write \(form), or see portolan help \(name)"
  }

  /// How many letters have to be changed, put in, taken out or swapped.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard !a.isEmpty, !b.isEmpty, a.count < 32 else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let cost = a[i - 1] == b[j - 1] ? 0 : 1
        var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + cost)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, rows[i - 2][j - 2] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
