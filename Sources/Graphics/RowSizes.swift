/// The sizes of a block's points: their areas are proportional to the values of an attribute.
package struct RowSizes: Sendable {
  private let values: FeatureRanks
  private let greatest: Double

  /// - Parameter greatest: the value of the greatest size; positive and finite.
  package init(_ values: FeatureRanks, greatest: Double) {
    self.values = values
    self.greatest = greatest
  }

  /// The diameter of a row's sign as a part of the greatest, 0 to 1; 0 without a positive value.
  package subscript(row: Int) -> Double { Self.size(of: values[row], greatest: greatest) }

  /// The diameter for a value as a part of the greatest.
  package static func size(of value: Double, greatest: Double) -> Double {
    guard value > 0, greatest > 0 else { return 0 }
    return min(1, (value / greatest).squareRoot())
  }
}
