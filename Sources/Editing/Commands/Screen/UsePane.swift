package import ArgumentParser

/// Focuses, closes and arranges panes.
package struct UsePane: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case next, previous, left, right, up, down, close, only, equal, link
  }

  package static let configuration = CommandConfiguration(
    commandName: "pane", abstract: "Go to another pane, close or arrange panes.",
    discussion: """
      next, previous, left, right, up and down give another pane the keys; close and only take \
      panes away; equal gives all the same room; link lets a pane follow the centre of the other \
      linked panes of its document. A save of a document keeps its own panes.
      """)

  @Argument(help: "next, previous, left, right, up, down, close, only, equal or link.")
  var action: Action

  @Flag(name: .shortAndLong, help: "Discard unsaved edits of closed documents.")
  var force = false

  package init() {}

  package var summary: String {
    switch action {
    case .next, .previous: "Go to the \(action.rawValue) pane."
    case .left, .right: "Go to the pane at the \(action.rawValue)."
    case .up: "Go to the pane above."
    case .down: "Go to the pane below."
    case .close: "Close this pane."
    case .only: "Close all other panes."
    case .equal: "Give all panes the same room."
    case .link: "Link the centre with other panes, or unlink it."
    }
  }

  package func run(in desk: inout Desk) throws {
    switch action {
    case .next: try desk.showPane(by: 1)
    case .previous: try desk.showPane(by: -1)
    case .left: try desk.showPane(dx: -1, dy: 0)
    case .right: try desk.showPane(dx: 1, dy: 0)
    case .up: try desk.showPane(dx: 0, dy: -1)
    case .down: try desk.showPane(dx: 0, dy: 1)
    case .close: try desk.closePane(force: force)
    case .only: try desk.closeOtherPanes(force: force)
    case .equal: desk.session.arrangement.tab.tree = desk.session.arrangement.tab.tree.equalized
    case .link: try desk.linkPane()
    }
  }
}
