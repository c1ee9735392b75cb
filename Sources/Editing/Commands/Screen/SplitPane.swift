package import ArgumentParser

/// Divides a pane.
package struct SplitPane: Command {
  package enum Side: String, ExpressibleByArgument, CaseIterable, Sendable {
    case right, below

    var axis: PaneTree.Axis { self == .right ? .columns : .rows }
  }

  package static let configuration = CommandConfiguration(
    commandName: "split", abstract: "Divide the pane: two views of the document, or of another.",
    discussion: """
      Saving a document keeps its panes, tabs and viewpoints. Panes of other documents beside it \
      are kept when those are saved; files of map data keep none.
      """)

  @Argument(help: "right or below.")
  var side = Side.right

  @Argument(help: "A file to open in the new pane.", completion: .file())
  var file: String?

  package init() {}

  package var summary: String { "Divide the pane: a new one \(side.rawValue)." }

  package func run(in desk: inout Desk) throws {
    try desk.split(side.axis)
    if let file { desk.openBeside(file) }
  }
}
