package import Archiving
package import PortolanGraphics

/// A layer of a document: a value that draws itself on a canvas and archives itself.
///
/// To add a kind: `Layers/<Kind>Layer.swift` with its fields, coding, bounds and drawing, and a
/// line in `LayerKinds.all`. Nothing else names a kind: what some layers can and others cannot is a
/// requirement here with a default, or a protocol of its own such as `FeatureHolding`.
package protocol Layer: Coding, Sendable {
  var id: LayerID { get }
  var name: String { get set }
  var isVisible: Bool { get set }
  /// A locked layer is drawn but not edited or selected.
  var isLocked: Bool { get set }
  /// The group that it belongs to.
  var parent: LayerID? { get set }
  var style: Style { get set }
  /// What the layers panel says of it, at most four letters: `pt`, `ln`, `pg`, `mix`.
  var kindCode: String { get }
  /// How many things it holds.
  var count: Int { get }
  /// The box of all it draws; empty if nothing.
  var extent: Box { get }

  /// Draws the layer's marks, those outside `canvas.visible` left out where that is cheap.
  ///
  /// - Parameters:
  ///   - canvas: what to draw on.
  ///   - priority: of its labels; smaller is placed first.
  func draw(on canvas: inout some Canvas, labelPriority priority: Int)

  /// What the legend says of it.
  var legend: [LegendEntry] { get }

  /// Whether it holds the layers below it that name it as their `parent`, and draws nothing itself.
  var isGroup: Bool { get }

  /// The objects whose identities tell whether the layer looks as before: what caches go by.
  ///
  /// Without content, just the style. What else the layer draws belongs into immutable objects that
  /// are listed here; an edit puts new ones in their places.
  var parts: [AnyObject] { get }

  /// The features that the rows of a block stand for, where the layer has drawn that block; `nil`
  /// if they cannot be picked.
  func featureIDs(of block: GeometryBlock) -> [FeatureID]?

  /// The layer without its content, which `change(from:)` tells.
  func bare() -> Self
  /// What turns the content of the same layer before into this one's; `nil` if nothing does.
  ///
  /// A kind that has no changes of its own has no content either: its `bare()` is all of it, and is
  /// told whole at each edit.
  func change(from former: (any Layer)?) -> (any LayerChange)?
  /// A bare layer with the content of the same layer before.
  func filled(from former: any Layer) -> Self
  /// The changes that `change(from:)` returns.
  static var changeTypes: [any LayerChange.Type] { get }

  /// The same layer as a part of another document.
  func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> Self
}

extension Layer {
  package var isGroup: Bool { false }
  package var parts: [AnyObject] { [style] }
  package func featureIDs(of block: GeometryBlock) -> [FeatureID]? { nil }
  package func bare() -> Self { self }
  package func change(from former: (any Layer)?) -> (any LayerChange)? { nil }
  package func filled(from former: any Layer) -> Self { self }
  package static var changeTypes: [any LayerChange.Type] { [] }
}

/// One line of a legend.
package struct LegendEntry: Hashable, Sendable {
  package var text: String
  package var mark: MarkStyle
  /// What the mark is drawn on: 0 points, 1 lines, 2 areas.
  package var dimension: Int

  package init(text: String, mark: MarkStyle, dimension: Int) {
    self.text = text
    self.mark = mark
    self.dimension = dimension
  }
}
