package import ArgumentParser
import PortolanChecking

/// Moves in the panel of findings.
package struct FindingStep: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case up, down, first, last, go
  }

  package static let configuration = CommandConfiguration(
    commandName: "finding-step", abstract: "Move in the panel of findings, go to one.")

  package static let isForKeys = true

  @Argument(help: "up, down, first, last or go.")
  var action: Action

  @Argument(help: "How many lines; page for as many as are shown.")
  var lines = "1"

  package init() {}

  package var summary: String {
    switch action {
    case .up: "Previous finding."
    case .down: "Next finding."
    case .first: "First finding."
    case .last: "Last finding."
    case .go: "Go to the place of the finding."
    }
  }

  package func run(in desk: inout Desk) throws {
    guard var panel = desk.findings, let found = desk.work.findings else {
      throw EditingError(.refused, "no findings are shown: check")
    }
    let all = found.list.findings.count
    let count =
      lines == "page" ? panel.cursor.room(in: desk.layout.map, among: all) : Int(lines) ?? 1
    switch action {
    case .up: panel.move(by: -min(max(count, 0), 1_000_000), among: all)
    case .down: panel.move(by: min(max(count, 0), 1_000_000), among: all)
    case .first: panel.move(by: -panel.index, among: all)
    case .last: panel.move(by: all, among: all)
    case .go:
      desk.findings = nil
      return try desk.goToFinding(panel.index)
    }
    desk.findings = panel
  }
}
