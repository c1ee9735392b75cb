package import PortolanDocuments
package import PortolanRendering
package import PortolanTerminals

/// A kind of pane that shows a document.
///
/// To add one: a file in `Screens/`, and a line in `PaneKinds.all`.
package protocol PaneKind: SendableMetatype {
  /// Its name.
  static var name: String { get }
  /// Whether it can have the focus.
  static var takesKeys: Bool { get }
  /// Whether it shows a map, with a cursor and a selection: only there the commands of maps act.
  static var showsMap: Bool { get }
  /// Whether each pane is saved as a view of its own; else it keeps the view it was opened from.
  static var makesViews: Bool { get }

  /// Whether it shows views like this one; the first such kind of the list is taken.
  static func shows(_ view: any View) -> Bool

  /// The view to save the pane as; `nil` for a pane that is not saved.
  ///
  /// - Parameters:
  ///   - desk: the desk at the pane.
  ///   - id: the number of the view, which may be there already.
  static func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)?

  /// Draws the pane.
  static func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame)

  /// Handles a press of the first mouse button, if the pane cannot have the focus.
  ///
  /// - Parameters:
  ///   - column: the cell, from the left of the pane's area.
  ///   - row: from its top.
  static func press(column: Int, row: Int, in desk: inout Desk)
}

extension PaneKind {
  package static var takesKeys: Bool { true }
  package static var showsMap: Bool { false }
  package static var makesViews: Bool { true }
  package static func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)? {
    nil
  }
  package static func press(column: Int, row: Int, in desk: inout Desk) {}
}

/// The list of pane kinds.
package enum PaneKinds {
  package static let all: [any PaneKind.Type] = [
    MapPane.self, OverviewPane.self, UnknownPane.self,
  ]

  /// The kind that shows a view.
  static func kind(of view: any View) -> any PaneKind.Type {
    all.first { $0.shows(view) } ?? UnknownPane.self
  }
}
