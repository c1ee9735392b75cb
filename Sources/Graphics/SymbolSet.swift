/// The signs of a layer's points, of which a canvas shows the most important.
///
/// A point shows its sign unless a higher one of the layer lies within `spacing` cells, on the
/// screen or beside it; so the choice does not depend on the window, and a nearer look shows more.
/// Points without a sign are dots, drawn as parts of their blocks.
package struct SymbolSet: Sendable {
  /// The blocks of the layer, in its order.
  package var parts: [Part]
  package var style: MarkStyle
  /// The least distance of two signs, in cells; 0 shows all.
  package var spacing: Int
  /// The priority of the layer's labels: a label may cover signs of a greater number.
  package var priority: Int

  package init(parts: [Part], style: MarkStyle, spacing: Int = 1, priority: Int) {
    self.parts = parts
    self.style = style
    self.spacing = spacing
    self.priority = priority
  }

  /// The parts by their numbers.
  package var partsByNumber: [Int: Part] {
    Dictionary(parts.map { ($0.number, $0) }) { first, _ in first }
  }

  /// One block of the layer.
  package struct Part: Sendable {
    package var block: GeometryBlock
    /// The number of the block in its layer: of equal ranks the first one in the layer is higher.
    package var number: Int
    /// The ranks of its rows; `nil` if all are equal.
    package var ranks: FeatureRanks?
    /// The styles of its rows' groups; `nil` where all have the set's.
    package var groupStyles: GroupStyles?
    /// The signs of its rows; `nil` where all have those of their styles.
    package var signs: GroupSigns?
    /// The sizes of its rows' signs on pages; `nil` where all have that of their sign.
    package var sizes: RowSizes?

    package init(
      block: GeometryBlock, number: Int, ranks: FeatureRanks?, groupStyles: GroupStyles? = nil,
      signs: GroupSigns? = nil, sizes: RowSizes? = nil
    ) {
      self.groupStyles = groupStyles
      self.signs = signs
      self.sizes = sizes
      self.block = block
      self.number = number
      self.ranks = ranks
    }

    /// The number of the look of a row among those of the part.
    package func lookNumber(ofRow row: Int) -> Int {
      func number(_ groups: FeatureGroups?) -> Int {
        groups.flatMap { $0.numbers.indices.contains(row) ? Int($0.numbers[row]) : nil } ?? 256
      }
      return number(groupStyles?.groups) << 9 | number(signs?.groups)
    }

    /// The style of a row, with its sign.
    package func style(ofRow row: Int, in set: SymbolSet) -> MarkStyle {
      (groupStyles?[row] ?? set.style).with(sign: signs?[row])
    }
  }
}

/// The rank of each row of a block, the greatest first.
package final class FeatureRanks: Sendable {
  package let values: [Double]
  /// The least and the greatest finite rank; `nil` without one.
  package let bounds: ClosedRange<Double>?

  package init(_ values: [Double]) {
    self.values = values.map { $0.isNaN ? -.infinity : $0 }
    let finite = values.lazy.filter(\.isFinite)
    bounds = finite.min().flatMap { least in finite.max().map { least...$0 } }
  }

  /// The rank of a row; -∞ outside of the block.
  @inline(__always)
  package subscript(row: Int) -> Double {
    values.indices.contains(row) ? values[row] : -.infinity
  }
}
