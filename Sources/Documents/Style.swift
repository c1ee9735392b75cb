package import Graphics

/// How a layer looks: an object with identity, so that layers can share one.
///
/// It is immutable; changing a shared style puts a new object in the place of the old one in every
/// layer that holds it (`Document.replaceStyle`). An archive keeps a shared style once, and it is
/// shared again after decoding.
package final class Style: Sendable {
  package let name: String
  package let mark: MarkStyle
  /// The attribute whose text labels a feature; `nil` for no labels.
  package let labelField: String?
  /// The attribute whose number ranks labels, high first; `nil` ranks by size.
  package let rankField: String?

  package init(
    name: String, mark: MarkStyle, labelField: String? = nil, rankField: String? = nil
  ) {
    self.name = name
    self.mark = mark
    self.labelField = labelField
    self.rankField = rankField
  }
}
