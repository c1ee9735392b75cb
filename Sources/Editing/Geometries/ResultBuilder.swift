import PortolanDocuments
import PortolanGraphics

/// Collects the features that an operation makes of others.
struct ResultBuilder {
  private var builder: FeatureBlockBuilder
  /// Whether features keep their numbers: they replace those that they are made of.
  private let isInPlace: Bool
  private(set) var count = 0

  /// - Parameter nextID: the next number of the layer, in place.
  init(inPlaceAfter nextID: UInt64?) {
    isInPlace = nextID != nil
    builder = FeatureBlockBuilder(nextFeatureID: nextID ?? 1)
  }

  /// Appends rows as they are.
  mutating func append(_ block: FeatureBlock, rows: Range<Int>) {
    builder.append(block, rows: rows)
    if !isInPlace { builder.renumber(last: rows.count) }
    count += rows.count
    builder.closeIfFull()
  }

  /// Appends a row with another shape.
  ///
  /// - Parameter isFurther: whether it is not the first one that is made of the row: it gets a new
  ///   number then, and has no `id`.
  mutating func append(
    _ block: FeatureBlock, row: Int, _ flat: FlatGeometry, isFurther: Bool = false
  ) {
    builder.append(block, row: row, hasIdentifier: !isFurther) { geometry in
      geometry.appendPaths(of: flat)
      return flat.kind
    }
    if !isInPlace || isFurther { builder.renumber(last: 1) }
    count += 1
    builder.closeIfFull()
  }

  /// Appends a feature with the attributes of rows.
  mutating func append(
    attributesOf sources: [(columns: [AttributeColumn], row: Int)], _ flat: FlatGeometry
  ) {
    builder.append(attributesOf: sources) { geometry in
      geometry.appendPaths(of: flat)
      return flat.kind
    }
    count += 1
  }

  /// Appends a feature with attributes of its own.
  mutating func append(
    attributes: [(name: String, value: AttributeValue)], _ flat: FlatGeometry
  ) {
    for (name, value) in attributes where value.kind != .missing {
      builder.setAttribute(name, to: value)
    }
    append(attributesOf: [], flat)
  }

  /// The blocks, and the next number.
  mutating func finish() -> (blocks: [FeatureBlock], nextID: UInt64) {
    let blocks = builder.finish()
    return (blocks, builder.nextFeatureID)
  }
}
