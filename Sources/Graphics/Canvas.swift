/// The target of drawing a document: it takes a closed set of marks, in drawing order.
///
/// A canvas knows its camera and drops marks outside; the caller may check `visible` first.
package protocol Canvas {
  /// The visible box, in the document's own coordinates; may reach past ±180 when the view
  /// straddles the antimeridian.
  var visible: Box { get }

  /// Whether labels are drawn; layers make none for a canvas without them.
  var hasLabels: Bool { get }

  /// The plane and the zoom of the picture; `nil` for a canvas that takes all features, however
  /// they crowd.
  var detail: MapDetail? { get }

  /// Tells that the marks to come belong to a layer; canvases without groups ignore it.
  ///
  /// - Parameter number: the place of the layer among those that are shown, from the bottom up.
  mutating func beginLayer(_ number: Int)

  /// Draws a mark above all former ones.
  mutating func draw(_ mark: Mark)

  /// Draws all features of a block: the mark `.block` with nothing hidden, for canvases to which
  /// making it costs more than drawing.
  mutating func draw(_ block: GeometryBlock, style: MarkStyle)
}

extension Canvas {
  package var hasLabels: Bool { true }

  package var detail: MapDetail? { nil }

  package mutating func beginLayer(_ number: Int) {}

  package mutating func draw(_ block: GeometryBlock, style: MarkStyle) {
    draw(.block(block, style: style, hidden: []))
  }
}

/// One thing to draw.
package enum Mark: Sendable {
  /// All features of a block in one style; rows in `hidden` are left out.
  case block(GeometryBlock, style: MarkStyle, hidden: Set<Int>)
  /// Some features of a block.
  case features(GeometryBlock, rows: [Int], style: MarkStyle)
  /// The features of a group of a block.
  case group(GeometryBlock, FeatureGroups, number: Int, style: MarkStyle)
  /// A geometry of its own: a draft, a measure, a highlight.
  case geometry(Geometry, style: MarkStyle)
  /// The signs of points, the most important where they crowd.
  case symbols(SymbolSet)
  /// Texts at the features of a block, placed where they do not overlap.
  case labels(LabelSet)
  /// Texts that stand at the features of a block.
  case texts(TextSet)
  /// A grid of characters.
  case grid(CellGrid)
}

extension Mark {
  /// The box of all that it may draw.
  package var box: Box {
    switch self {
    case .block(let block, _, _), .features(let block, _, _), .group(let block, _, _, _): block.box
    case .geometry(let geometry, _): geometry.box
    case .symbols(let set): set.parts.reduce(.empty) { $0.union($1.block.box) }
    case .labels(let set): set.block.box
    case .texts(let set): set.block.box
    case .grid(let grid): grid.box
    }
  }
}

/// The labels of a block's features.
package struct LabelSet: Sendable {
  package var block: GeometryBlock
  /// The text of a row, or `nil` for none; called only for rows in view.
  package var text: @Sendable (Int) -> String?
  /// The rank of a row, higher first; called only for rows in view.
  package var rank: @Sendable (Int) -> Double
  package var style: MarkStyle
  /// The styles of the rows' groups; `nil` where all have the set's.
  package var groupStyles: GroupStyles?
  /// The signs of the rows' points; `nil` where all have those of their styles.
  package var signs: GroupSigns?
  /// Labels of a set with a smaller number are placed first.
  package var priority: Int
  /// The number of the block in its layer: of equal ranks the first is placed first.
  package var part: Int
  /// The names of lines: those of a layer with one name count as one; `nil` keeps all apart.
  package var lineNames: FeatureNames?
  /// Whether the names are in italics, as those of waters are.
  package var isSlanted = false

  package init(
    block: GeometryBlock, style: MarkStyle, groupStyles: GroupStyles? = nil, priority: Int,
    part: Int = 0,
    text: @escaping @Sendable (Int) -> String?, rank: @escaping @Sendable (Int) -> Double
  ) {
    self.block = block
    self.style = style
    self.groupStyles = groupStyles
    self.priority = priority
    self.part = part
    self.text = text
    self.rank = rank
  }
}

extension LabelSet {
  /// The same with the signs of its points.
  package func with(signs: GroupSigns?) -> LabelSet {
    var set = self
    set.signs = signs
    return set
  }

  /// The style of a row: its group's, else the set's.
  package func style(ofRow row: Int) -> MarkStyle {
    var mark = (groupStyles?[row] ?? style).with(sign: signs?[row])
    mark.isSlanted = isSlanted && block.dimension(ofFeature: row) > 0
    return mark
  }
}

/// A canvas that records its marks, for tests of drawing.
package struct RecordingCanvas: Canvas {
  package let visible: Box
  package let detail: MapDetail?
  package private(set) var marks: [Mark] = []

  package init(visible: Box, detail: MapDetail? = nil) {
    self.visible = visible
    self.detail = detail
  }

  package mutating func draw(_ mark: Mark) { marks.append(mark) }
}
