package import Rendering
package import Terminals

/// Something that a pane can show of a document.
///
/// To add one: a file in `Screens/`, and a line in `PaneKinds.all`.
package protocol PaneKind: SendableMetatype {
  /// The word for it.
  static var name: String { get }
  /// Whether it can have the keys.
  static var takesKeys: Bool { get }

  /// Draws it.
  static func draw(
    _ desk: Desk, in rect: CellRect, memory: inout RenderMemory, on frame: inout Frame)

  /// Takes a press of the first mouse button, where it does not take the keys.
  ///
  /// - Parameters:
  ///   - column: the cell, from the left of the pane's area.
  ///   - row: from its top.
  static func press(column: Int, row: Int, in desk: inout Desk)
}

extension PaneKind {
  package static var takesKeys: Bool { true }
  package static func press(column: Int, row: Int, in desk: inout Desk) {}
}

/// The list of pane kinds.
package enum PaneKinds {
  package static let all: [any PaneKind.Type] = [MapPane.self, OverviewPane.self]
}
