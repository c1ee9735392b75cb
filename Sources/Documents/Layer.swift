package import Archiving
package import PortolanGraphics

/// A layer of a document: a value that draws itself on a canvas and archives itself.
///
/// To add a kind: `Layers/<Kind>Layer.swift` with its fields, coding, bounds and drawing, and a
/// line in `LayerKinds.all`. Nothing else names a kind: a capability of some layers is a
/// requirement here with a default, or a protocol of its own such as `FeatureHolding`.
package protocol Layer: Coding, Sendable {
  var id: LayerID { get }
  var name: String { get set }
  /// The title that the user gave it, for legends and headings; empty for that of its name. Setting
  /// has no effect on kinds without titles.
  var title: String { get set }
  var isVisible: Bool { get set }
  /// A locked layer is drawn but not edited or selected.
  var isLocked: Bool { get set }
  /// The group that it belongs to.
  var parent: LayerID? { get set }
  /// The magnifications at which it is shown; setting has no effect on kinds without bounds.
  var zooms: ZoomBounds { get set }
  var style: Style { get set }
  /// Its code in the layers panel, at most four letters: `pt`, `ln`, `pg`, `mix`.
  var kindCode: String { get }
  /// The number of its elements.
  var count: Int { get }
  /// The box of all its marks; empty without any.
  var extent: Box { get }

  /// Draws the layer's marks, without those outside `canvas.visible` where skipping is cheap.
  ///
  /// - Parameters:
  ///   - canvas: the canvas to draw on.
  ///   - priority: of its labels; smaller is placed first.
  func draw(on canvas: inout some Canvas, labelPriority priority: Int)

  /// The lines of the legend.
  ///
  /// - Parameter visible: the box whose features are counted; `nil` counts none. The lines are
  ///   the same whatever is visible.
  func legend(in visible: Box?) -> [LegendEntry]

  /// The lines in a box that are drawn, and all; `nil` if none are left out.
  func lineCount(in visible: Box, at detail: MapDetail) -> (shown: Int, all: Int)?

  /// Whether it holds the layers below it that name it as their `parent`, and draws nothing itself.
  var isGroup: Bool { get }

  /// The objects whose identities are the cache key of the layer's look.
  ///
  /// Without content, just the style. All other input of drawing belongs in immutable objects
  /// listed here; an edit replaces them.
  var parts: [AnyObject] { get }

  /// The features of a block's rows, if the layer has drawn that block; `nil` if they cannot be
  /// picked.
  func featureIDs(of block: GeometryBlock) -> [FeatureID]?
  /// The ranks of a block's rows, by which crowded points show their signs; `nil` if all are equal.
  func ranks(of block: GeometryBlock) -> FeatureRanks?

  /// The layer without the content that `change(from:)` records.
  func bare() -> Self
  /// The change from the former content of the same layer to this one; `nil` if there is none.
  ///
  /// A kind without changes of its own has no content either: its `bare()` is all of it, and is
  /// recorded whole at each edit.
  func change(from former: (any Layer)?) -> (any LayerChange)?
  /// This bare layer with the content of the former version of the same layer.
  func filled(from former: any Layer) -> Self
  /// Whether the fields beside those of every layer, and beside the content, are surely the same as
  /// in another version; `false` where that is not known: the layer is recorded whole then.
  func hasSameRest(as former: Self) -> Bool
  /// The types of the changes that `change(from:)` returns.
  static var changeTypes: [any LayerChange.Type] { get }

  /// This layer as a part of another document.
  func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> Self
}

extension Layer {
  package var title: String {
    get { "" }
    set {}
  }
  package var zooms: ZoomBounds {
    get { .all }
    set {}
  }
  package func lineCount(in visible: Box, at detail: MapDetail) -> (shown: Int, all: Int)? { nil }
  package var isGroup: Bool { false }
  package var parts: [AnyObject] { [style] }
  package func featureIDs(of block: GeometryBlock) -> [FeatureID]? { nil }
  package func ranks(of block: GeometryBlock) -> FeatureRanks? { nil }
  package func bare() -> Self { self }
  package func change(from former: (any Layer)?) -> (any LayerChange)? { nil }
  package func filled(from former: any Layer) -> Self { self }
  package func hasSameRest(as former: Self) -> Bool { false }
  package static var changeTypes: [any LayerChange.Type] { [] }
}

/// One line of a legend.
package struct LegendEntry: Hashable, Sendable {
  package var text: String
  package var mark: MarkStyle
  /// The dimension of the marks: 0 points, 1 lines, 2 areas.
  package var dimension: Int
  /// The order by which crowded points show their signs and labels, or a count.
  package var note: String
  /// The text where there is no room for all of it, such as `2.49M+` or `…rivers`; empty for none.
  package var short = ""
  /// Whether the note is a count, to which a long text gives way.
  package var isCounted = false
  /// Whether it is the name above the classes of a layer, without a mark.
  package var isHeading: Bool
  /// The sign on screens, where it stands for a size; empty for that of the mark.
  package var sign = ""
  /// The sign of the least important points; empty where all have one.
  package var smaller = ""
  /// The diameter of the sign on pages as a part of the greatest, 0 to 1; `nil` for the usual one.
  package var size: Double?
  /// The weight of the least important lines; `nil` where all have one.
  package var leastWeight: MarkStyle.Weight?
  /// The points that show their signs or the lines that are drawn, of those in view; empty if all.
  package var shown = ""
  /// The order by which lines and areas have their names, where that is not in the note.
  package var names = ""
  /// Whether no mark of its layer can be seen: it is hidden at this zoom, or elsewhere.
  package var isAbsent = false
  /// Whether it is the first of its layer.
  package var beginsLayer = false

  package init(
    text: String, mark: MarkStyle, dimension: Int, note: String = "", isHeading: Bool = false
  ) {
    self.isHeading = isHeading
    self.text = text
    self.mark = mark
    self.dimension = dimension
    self.note = note
  }
}
