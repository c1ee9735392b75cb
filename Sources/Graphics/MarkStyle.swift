/// How a mark looks; a canvas shows as much of it as it can.
package struct MarkStyle: Hashable, Sendable {
  /// How a line is drawn.
  package enum Dash: String, Hashable, Sendable, CaseIterable {
    case solid, dashed, dotted
  }

  /// A colour-free stand-in for a fill, for mono terminals and for meaning beyond hue.
  package enum Pattern: String, Hashable, Sendable, CaseIterable {
    case none, sparse, medium, dense, hatched
  }

  /// Lines, outlines and symbols; `nil` draws none.
  package var stroke: Colour?
  /// Areas; `nil` fills none.
  package var fill: Colour?
  package var dash: Dash
  package var pattern: Pattern
  /// What stands for a point: one grapheme cluster; empty for a plain dot.
  package var symbol: String
  /// Drawn brighter and above the rest: selections, drafts.
  package var isEmphasized: Bool

  package init(
    stroke: Colour? = nil, fill: Colour? = nil, dash: Dash = .solid, pattern: Pattern = .none,
    symbol: String = "", isEmphasized: Bool = false
  ) {
    self.stroke = stroke
    self.fill = fill
    self.dash = dash
    self.pattern = pattern
    self.symbol = symbol
    self.isEmphasized = isEmphasized
  }
}
