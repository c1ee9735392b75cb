/// The look of a mark; a canvas shows as much of it as it can.
package struct MarkStyle: Hashable, Sendable {
  /// The dash pattern of a line.
  package enum Dash: String, Hashable, Sendable, CaseIterable {
    case solid, dashed, dotted
  }

  /// A fill without colour, for mono terminals and for meaning beyond hue.
  package enum Pattern: String, Hashable, Sendable, CaseIterable {
    case none, sparse, medium, dense, hatched, heavy, full
  }

  /// The weight of a line: the importance or the size of its feature.
  package enum Weight: String, Hashable, Sendable, CaseIterable {
    case light, normal, bold
  }

  /// The colour of lines, outlines and symbols; `nil` draws none.
  package var stroke: Colour?
  /// The colour of areas; `nil` fills none.
  package var fill: Colour?
  package var dash: Dash
  package var weight = Weight.normal
  package var pattern: Pattern
  /// The symbol of a point: one grapheme cluster; empty for a plain dot.
  package var symbol: String
  /// The symbol of a point on screens with few colours, where its colour does not tell it apart;
  /// empty for the same.
  package var plainSymbol: String = ""
  /// The colour of a class on screens of 256 colours, where the nearest ones would not tell it from
  /// the other classes; `nil` for the same.
  package var indexedColour: Colour?
  /// Whether to draw brighter and above the rest: selections, drafts.
  package var isEmphasized: Bool
  /// Whether its colour stands for a value: an area keeps it on every ground.
  package var showsValue: Bool = false
  /// Whether texts are in italics.
  package var isSlanted: Bool = false
  /// Whether dots are paler than the signs of the same layer, which stand among them.
  package var isPale: Bool = false
  /// Whether lines end in an arrowhead.
  package var endsInArrow: Bool = false

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

extension MarkStyle {
  /// The same with plain dots for points.
  package var withoutSymbol: MarkStyle {
    var mark = self
    mark.symbol = ""
    return mark
  }

  /// The same with another sign; one without a sign gets none.
  package func with(sign: String?) -> MarkStyle {
    guard let sign, !symbol.isEmpty else { return self }
    var mark = self
    mark.symbol = sign
    return mark
  }

  /// The same with another weight.
  package func with(weight: Weight) -> MarkStyle {
    var mark = self
    mark.weight = weight
    return mark
  }

  /// The same with the symbol for screens of few colours.
  package var plain: MarkStyle {
    if plainSymbol.isEmpty { return self }
    var mark = self
    mark.symbol = plainSymbol
    return mark
  }
}
