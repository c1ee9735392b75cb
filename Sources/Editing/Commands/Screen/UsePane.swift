package import ArgumentParser
import PortolanDocuments

/// Focuses, closes and arranges panes.
package struct UsePane: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case next, previous, left, right, up, down, close, only
    case wider, narrower, taller, shorter, equal, whole, swap, rotate, tab, link

    /// What a target names: `nil` where there is none.
    var target: String? {
      switch self {
      case .wider, .narrower, .taller, .shorter: "a number of cells from 1 to 999"
      case .swap: "next, previous, left, right, up or down"
      case .tab: "new, the number of a tab or its name"
      case .link: "centre, zoom, both or off"
      default: nil
      }
    }
  }

  package static let configuration = CommandConfiguration(
    commandName: "pane", abstract: "Go to another pane, close or arrange panes.",
    discussion: """
      next, previous, left, right, up and down give another pane the keys; close removes this \
      pane, only all others. wider, narrower, taller and shorter move the border to the next pane, \
      by a number of cells if one is given; equal gives all the same room, whole gives this one \
      all of it, and again shows the others. swap exchanges two panes, rotate moves each to the \
      place of the next one, tab moves the pane into another tab: new, a number or a name. link \
      centre, zoom or both lets the linked panes of a document have the same; link off ends that. \
      The mouse drags the border between panes. A save of a document keeps its own panes.
      """)

  package static let completions = [
    "target": Completion.list([
      "next", "previous", "left", "right", "up", "down", "new", "centre", "zoom", "both", "off",
    ])
  ]

  @Argument(
    help: """
      next, previous, left, right, up, down, close, only, wider, narrower, taller, shorter, equal, \
      whole, swap, rotate, tab or link.
      """)
  var action: Action

  @Argument(help: "The cells of wider and its like; the partner of swap; a tab; what link links.")
  var target: String?

  @Flag(name: .shortAndLong, help: "Discard unsaved edits of closed documents.")
  var force = false

  package init() {}

  package func validate() throws {
    guard let target else {
      if action == .tab { throw ValidationError("pane tab new, or the number or name of a tab") }
      return
    }
    guard let wanted = action.target else {
      throw ValidationError("pane \(action.rawValue) takes nothing more")
    }
    let isKnown =
      switch action {
      case .wider, .narrower, .taller, .shorter: cells != nil
      case .swap: Step(rawValue: target) != nil
      case .link: Link(rawValue: target) != nil
      default: !target.isEmpty
      }
    if !isKnown { throw ValidationError("pane \(action.rawValue) takes \(wanted)") }
  }

  package var summary: String {
    switch action {
    case .next, .previous: "Go to the \(action.rawValue) pane."
    case .left, .right: "Go to the pane at the \(action.rawValue)."
    case .up: "Go to the pane above."
    case .down: "Go to the pane below."
    case .close: "Close this pane."
    case .only: "Close all other panes."
    case .wider, .narrower, .taller, .shorter: "Make this pane \(action.rawValue)."
    case .equal: "Give all panes the same room."
    case .whole: "Show this pane alone, or all."
    case .swap: "Exchange this pane and the \(target ?? "next") one."
    case .rotate: "Move all panes one place on."
    case .tab: target == "new" ? "Move this pane to a new tab." : "Move this pane to a tab."
    case .link:
      switch target {
      case "both": "Link centre and zoom of panes."
      case "zoom": "Link the zoom of panes."
      case "off": "Unlink this pane."
      default: "Link the centre of panes, or unlink."
      }
    }
  }

  package func run(in desk: inout Desk) throws {
    switch action {
    case .next, .previous, .left, .right, .up, .down:
      guard let step = Step(rawValue: action.rawValue) else { return }
      desk.session.arrangement.show(try step.pane(desk))
    case .close: try desk.closePane(force: force)
    case .only: try desk.closeOtherPanes(force: force)
    case .wider: try desk.growPane(.columns, by: cells ?? 4)
    case .narrower: try desk.growPane(.columns, by: -(cells ?? 4))
    case .taller: try desk.growPane(.rows, by: cells ?? 2)
    case .shorter: try desk.growPane(.rows, by: -(cells ?? 2))
    case .equal: desk.session.arrangement.tab.tree = desk.session.arrangement.tab.tree.equalized
    case .whole: try desk.zoomPane()
    case .swap:
      desk.swapPane(with: try (target.flatMap(Step.init(rawValue:)) ?? .next).pane(desk))
    case .rotate: try desk.rotatePanes()
    case .tab: try desk.movePane(toTab: target ?? "")
    case .link: try desk.linkPane(target.flatMap(Link.init(rawValue:))?.links)
    }
  }

  private var cells: Int? {
    target.flatMap(Int.init).flatMap { (1...999).contains($0) ? $0 : nil }
  }

  /// The way to another pane.
  private enum Step: String {
    case next, previous, left, right, up, down

    func pane(_ desk: Desk) throws -> PaneID {
      switch self {
      case .next: try desk.pane(by: 1)
      case .previous: try desk.pane(by: -1)
      case .left: try desk.paneBeside(dx: -1, dy: 0)
      case .right: try desk.paneBeside(dx: 1, dy: 0)
      case .up: try desk.paneBeside(dx: 0, dy: -1)
      case .down: try desk.paneBeside(dx: 0, dy: 1)
      }
    }
  }

  /// What linked panes have in common.
  private enum Link: String {
    case centre, zoom, both, off

    var links: PaneLayout.Links {
      switch self {
      case .centre: .center
      case .zoom: .magnification
      case .both: [.center, .magnification]
      case .off: []
      }
    }
  }
}
