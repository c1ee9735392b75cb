package import ArgumentParser

/// Opens a line to type in.
package struct OpenPrompt: Command {
  package enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable {
    case command, search, position

    var kind: Prompt.Kind {
      switch self {
      case .command: .command
      case .search: .search
      case .position: .position
      }
    }
  }

  package static let configuration = CommandConfiguration(
    commandName: "prompt", abstract: "Type a command, a text to find, or a position.")

  package static let isForKeys = true

  @Argument(help: "command, search or position.")
  var kind: Kind

  @Argument(help: "The text to begin with.")
  var text = ""

  package init() {}

  package var summary: String {
    switch kind {
    case .command: text.isEmpty ? "Type a command." : Self.summary(ofBegun: text)
    case .search: "Type a text to find."
    case .position: "Type a position."
    }
  }

  /// What a line does that still needs words.
  private static func summary(ofBegun text: String) -> String {
    let lines = [text + "…", text]
    let command = lines.lazy.compactMap { (try? Commands.parse($0)).flatMap { $0 } }.first
    let type = Commands.named(String(text.prefix { $0 != " " }))
    guard let words = command?.summary ?? type?.configuration.abstract else {
      return "Type: \(text)…"
    }
    return (words.hasSuffix(".") ? String(words.dropLast()) : words) + "…"
  }

  package func run(in desk: inout Desk) {
    desk.openPrompt(kind.kind, text: text)
  }
}
