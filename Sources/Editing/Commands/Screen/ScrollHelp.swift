package import ArgumentParser
import PortolanTerminals

/// Moves through the help.
package struct ScrollHelp: Command {
  package enum Way: String, ExpressibleByArgument, CaseIterable, Sendable {
    case up, down, first, last, filter
  }

  package static let configuration = CommandConfiguration(
    commandName: "scroll", abstract: "Move through the help, or search in it.")

  package static let isForKeys = true

  @Argument(help: "up, down, first, last or filter.")
  var way: Way

  @Argument(help: "How many lines, or page.")
  var lines = "1"

  package init() {}

  package var summary: String {
    switch way {
    case .up, .down: "Scroll \(way.rawValue)."
    case .first, .last: "To the \(way.rawValue) line."
    case .filter: "Show only lines with a text."
    }
  }

  package func run(in desk: inout Desk) throws {
    let page = HelpOverlay.room(desk.layout, desk.screenSize).rows
    guard let count = lines == "page" ? page : Int(lines) else {
      throw EditingError(.usage, "“\(lines)” is not a number of lines")
    }
    desk.scrollHelp(way, by: min(max(0, count), 100_000))
  }
}

extension Desk {
  mutating func scrollHelp(_ way: ScrollHelp.Way, by lines: Int) {
    guard var help else { return }
    let room = HelpOverlay.room(layout, screenSize)
    let last = max(0, help.rows(columns: room.columns).count - room.rows)
    switch way {
    case .up: help.top = max(0, min(last, help.top) - lines)
    case .down: help.top = min(last, help.top + lines)
    case .first: help.top = 0
    case .last: help.top = last
    case .filter: help.isFiltering = true
    }
    self.help = help
  }
}
