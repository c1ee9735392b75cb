package import PortolanDocuments
package import PortolanRendering
package import PortolanTerminals

/// A kind of pane that shows a document; a value of it is the state of one pane.
///
/// To add one: a file in `Screens/`, and a line in `PaneKinds.all`.
package protocol PaneKind: Sendable {
  /// Its name.
  static var name: String { get }
  /// Whether it can have the focus.
  static var takesKeys: Bool { get }
  /// The section of the key map that its keys are in.
  static var mode: Mode { get }
  /// That section with its keys; empty if the section is another kind's.
  static var keys: String { get }
  /// Whether each pane is saved as a view of its own; else it keeps the view it was opened from.
  static var makesViews: Bool { get }

  /// Whether it lists features and marks the selected ones: there the commands on features act.
  static var listsFeatures: Bool { get }

  /// How a feature is selected there: in a refusal, and where the selected one is shown.
  static var selecting: (advice: String, hint: String) { get }

  /// Whether it shows views like this one; the first such kind of the list is taken.
  static func shows(_ view: any View) -> Bool

  init()

  /// The map that it shows, with a cursor and a selection; only there the commands of maps act.
  /// Setting it has no effect on a kind that shows none.
  var map: MapState? { get set }

  /// The layer whose features it lists, which is the active layer there; `nil` for none.
  func listedLayer(_ desk: Desk) -> LayerID?

  /// Takes over the saved state.
  mutating func show(_ view: any View)

  /// The view to save the pane as; `nil` for a pane that is not saved.
  ///
  /// - Parameters:
  ///   - desk: the desk at the pane.
  ///   - id: the number of the view, which may be there already.
  func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)?

  /// Its part of a heading beside other panes.
  func title(_ desk: Desk) -> String

  /// Its part of the status line.
  func status(_ desk: Desk) -> PaneStatus

  /// Draws the pane.
  func draw(_ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame)

  /// Handles a press, a double click or the wheel in a pane without a map, which has gestures.
  ///
  /// - Parameters:
  ///   - column: the cell, from the left of the pane's area.
  ///   - row: from its top.
  func press(_ event: MouseEvent, column: Int, row: Int, in desk: inout Desk)

  /// Handles pasted text; returns whether it takes any.
  func paste(_ text: String, in desk: inout Desk) -> Bool
}

extension PaneKind {
  package static var takesKeys: Bool { true }
  package static var mode: Mode { .normal }
  package static var keys: String { "" }
  package static var makesViews: Bool { true }
  package static var listsFeatures: Bool { false }
  package static var selecting: (advice: String, hint: String) {
    ("Enter selects the feature under the cursor", "Enter picks a feature")
  }
  package var map: MapState? {
    get { nil }
    set {}
  }
  package func listedLayer(_ desk: Desk) -> LayerID? { nil }
  package mutating func show(_ view: any View) {}
  package func view(of desk: Desk, as id: ViewID, in document: Document) -> (any View)? { nil }
  package func title(_ desk: Desk) -> String { Self.name }
  package func status(_ desk: Desk) -> PaneStatus { PaneStatus(place: "\(Self.name) view") }
  package func press(_ event: MouseEvent, column: Int, row: Int, in desk: inout Desk) {}
  package func paste(_ text: String, in desk: inout Desk) -> Bool { false }
}

/// What a pane tells on the status line.
package struct PaneStatus: Sendable {
  /// Where its cursor is.
  package var place: String
  /// More, if there is room; the texts of the highest ranks are left out first.
  package var details: [(text: String, rank: Int)] = []

  package init(place: String, details: [(text: String, rank: Int)] = []) {
    (self.place, self.details) = (place, details)
  }
}

/// The list of pane kinds.
package enum PaneKinds {
  package static let all: [any PaneKind.Type] = [
    MapPane.self, OverviewPane.self, TablePane.self, UnknownPane.self,
  ]
}
