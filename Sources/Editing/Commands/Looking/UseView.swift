package import ArgumentParser
import PortolanDocuments

/// Saves, shows, renames and deletes the views of the document.
package struct UseView: MapCommand {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case save, show, rename, delete
  }

  package static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Save what the map shows as a named view, or show one.",
    discussion: """
      A view is a centre, a magnification and a projection under a name; render --view NAME draws \
      it, views lists all. view rename NEW renames the view that this pane is saved as, view \
      rename NAME NEW another one. Each pane is saved as a view of its own; these change with \
      their panes, and are deleted only after the pane is closed.
      """)

  package static let completions = [
    "name": Completion { desk, _ in
      desk.document.views.filter { $0 is any MapShowing }.map(\.name)
    }
  ]

  @Argument(help: "save, show, rename or delete.")
  var action: Action

  @Argument(help: "The name of the view; of rename, the new one if no other follows.")
  var name: String

  @Argument(help: "The new name.")
  var newName: String?

  package init() {}

  package func validate() throws {
    for name in [name, newName].compactMap({ $0 })
    where name.isEmpty || name.count > 100 || name.contains(where: \.isNewline) {
      throw ValidationError("a name has 1 to 100 characters, in one line")
    }
    if newName != nil, action != .rename {
      throw ValidationError("view \(action.rawValue) takes one name: quote one with spaces")
    }
  }

  package var summary: String {
    switch action {
    case .save: "Save what the map shows as a view."
    case .show: "Show a view of the document."
    case .rename: "Rename a view."
    case .delete: "Delete a view."
    }
  }

  package func run(in desk: inout Desk) throws {
    switch action {
    case .save: try desk.saveView(name)
    case .show: try desk.showView(name)
    case .rename:
      if let newName {
        try desk.renameView(name, to: newName)
      } else {
        try desk.renameView(nil, to: name)
      }
    case .delete: try desk.deleteView(name)
    }
  }
}
