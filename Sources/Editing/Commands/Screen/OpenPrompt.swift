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
    case .command: text.isEmpty ? "Type a command." : "Type: \(text)…"
    case .search: "Type a text to find."
    case .position: "Type a position."
    }
  }

  /// The beginning of a command's line; `nil` where nothing is typed yet.
  var begun: String? { kind == .command && !text.isEmpty ? text : nil }

  package func run(in desk: inout Desk) {
    desk.openPrompt(kind.kind, text: text)
  }
}
