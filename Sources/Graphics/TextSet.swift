/// Texts that stand at the features of a block: notes upon the map, which nothing moves.
///
/// A text begins at its point, stands before the first vertex of its line, and in the middle of its
/// area. The labels of layers keep off it. Of texts that would overlap the first is shown.
package struct TextSet: Sendable {
  package var block: GeometryBlock
  /// The text of a row, its lines separated by line feeds, or `nil` for none.
  package var text: @Sendable (Int) -> String?
  package var style: MarkStyle
  /// The styles of the rows' groups; `nil` where all have the set's.
  package var groupStyles: GroupStyles?

  package init(
    block: GeometryBlock, style: MarkStyle, groupStyles: GroupStyles? = nil,
    text: @escaping @Sendable (Int) -> String?
  ) {
    self.block = block
    self.style = style
    self.groupStyles = groupStyles
    self.text = text
  }
}

extension TextSet {
  /// The style of a row: its group's, else the set's.
  package func style(ofRow row: Int) -> MarkStyle { groupStyles?[row] ?? style }
}
