package import Archiving
package import Graphics

/// A layer of a document: a value that draws itself on a canvas and archives itself.
///
/// To add a kind: `Layers/<Kind>Layer.swift` with its fields, coding, bounds, drawing and hit
/// test, and a line in `LayerKinds.all`.
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

/// A layer of features with attributes: it can be selected from, edited, drawn into, exported.
package protocol FeatureHolding: Layer {
  /// The features in order, in blocks.
  var blocks: [FeatureBlock] { get }
  /// The names of all attributes in order of first appearance.
  var fieldNames: [String] { get }

  /// A feature by its number, or `nil`; O(blocks).
  func feature(_ id: FeatureID) -> Feature?
  /// Where a feature stands.
  func position(of id: FeatureID) -> (block: Int, row: Int)?

  /// Adds a feature at the end and gives it a new number.
  mutating func add(
    geometry: Geometry, attributes: [(name: String, value: AttributeValue)]
  ) -> FeatureID
  /// Removes features; numbers that are not there are passed over.
  mutating func remove(_ ids: Set<FeatureID>)
  mutating func setGeometry(_ geometry: Geometry, of id: FeatureID) throws
  /// Changes the geometry of many features; numbers that are not there are passed over.
  mutating func changeGeometries(
    of ids: Set<FeatureID>, _ change: (inout Geometry) throws -> Void) throws
  /// Sets, adds or (with `.missing`) removes an attribute.
  mutating func setAttribute(
    _ name: String, to value: AttributeValue, of ids: Set<FeatureID>) throws
  /// Renames an attribute of those features that have it; it keeps its place among the others.
  mutating func renameAttribute(_ name: String, to newName: String, of ids: Set<FeatureID>) throws
}
