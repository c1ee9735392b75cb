import Archiving
package import PortolanGraphics

/// A run of features: immutable, shared between versions of a document, identified by reference.
///
/// Everything is in columns, one row a feature; edits make a new block. The archive holds the same
/// arrays.
package final class FeatureBlock: Sendable {
  package let geometry: GeometryBlock
  /// One permanent number a row.
  package let featureIDs: [FeatureID]
  /// The `id` member: a string or a number, or any other JSON value of a file.
  package let identifiers: AttributeColumn
  /// The properties, one column a name, in order of first appearance.
  package let attributes: [AttributeColumn]
  /// Foreign members of the feature objects (RFC 7946 section 6.1), `bbox` among them, as JSON.
  package let foreignMembers: [AttributeColumn]
  /// Foreign members of the geometry objects, as JSON.
  package let geometryForeignMembers: [AttributeColumn]
  /// The geometry's own text for rows whose `numberStyle` is `.source`; `nil` if there are none.
  package let sourceGeometries: AttributeColumn?
  /// The feature's own text for rows that the columns alone do not reproduce (irregular white space
  /// or escapes, duplicate members); `nil` if there are none. Any edit of a row sets it to missing.
  package let sourceFeatures: AttributeColumn?
  /// The shapes of this block's features.
  package let shapes: [FeatureShape]
  /// One index into `shapes` a row.
  package let shapeIndices: [UInt16]
  /// Whether there are points (bit 0), lines (1), areas (2) or collections (3).
  package let dimensions: UInt8
  /// The smallest and the greatest number in `featureIDs`; 0 if there are none.
  package let idBounds: (first: UInt64, last: UInt64)
  /// Whether `featureIDs` rise, so that a binary search finds a number.
  let isSortedByID: Bool
  /// Fields of the block that a newer program wrote.
  let unread: UnreadFields
  /// What styles and drawings computed of it so far.
  let derived = Derived()

  /// Makes a block of columns that fit together; `nil` if they do not.
  package convenience init?(
    geometry: GeometryBlock, featureIDs: [FeatureID], identifiers: AttributeColumn,
    attributes: [AttributeColumn], foreignMembers: [AttributeColumn] = [],
    geometryForeignMembers: [AttributeColumn] = [], sourceGeometries: AttributeColumn? = nil,
    sourceFeatures: AttributeColumn? = nil, shapes: [FeatureShape], shapeIndices: [UInt16]
  ) {
    let parts = FeatureBlockParts(
      geometry: geometry, featureIDs: featureIDs, identifiers: identifiers,
      attributes: attributes, foreignMembers: foreignMembers,
      geometryForeignMembers: geometryForeignMembers, sourceGeometries: sourceGeometries,
      sourceFeatures: sourceFeatures, shapes: shapes, shapeIndices: shapeIndices)
    guard parts.fit else { return nil }
    self.init(parts)
  }

  /// Makes a block of parts from builders and edits, which are known to fit together.
  init(_ parts: FeatureBlockParts) {
    geometry = parts.geometry
    featureIDs = parts.featureIDs
    identifiers = parts.identifiers
    attributes = parts.attributes
    foreignMembers = parts.foreignMembers
    geometryForeignMembers = parts.geometryForeignMembers
    sourceGeometries = parts.sourceGeometries
    sourceFeatures = parts.sourceFeatures
    shapes = parts.shapes
    shapeIndices = parts.shapeIndices
    unread = parts.unread
    dimensions = Self.dimensions(of: parts.geometry.kinds)
    (idBounds, isSortedByID) = Self.bounds(of: parts.featureIDs)
  }

  package var rowCount: Int { featureIDs.count }

  /// The ranks of the rows by a channel; `nil` if no feature of this block has it.
  ///
  /// - Complexity: O(rows), once for a field and an order.
  package func ranks(by field: String, _ order: RankOrder) -> FeatureRanks? {
    derived.value(.ranks(ExactText(field), order)) {
      channel(field).map { column in
        let names = order == .given ? RankField.names(besides: field, attributes) : nil
        return FeatureRanks(
          (0..<rowCount).map { row in
            let rank = order.rank(of: column.value(row))
            return rank > 0 && names.map { RankField.isOfGreat($0.value(row)) } ?? false
              ? rank + 1 : rank
          })
      }
    }
  }

  /// The same, with capitals of countries before towns of the same size, and great capitals before
  /// many; only numbers of which the greatest counts first are changed.
  ///
  /// - Complexity: O(rows), once for a field and an order.
  package func placeRanks(by field: String, _ order: RankOrder) -> FeatureRanks? {
    guard order == .high, dimensions & 0b1 != 0, let isCapital = chiefCapitals() else {
      return ranks(by: field, order)
    }
    return derived.value(.placeRanks(ExactText(field), order)) {
      ranks(by: field, order).map { plain in
        let scale = RankField.isOfPeople(field) ? RankField.scale(attributes) : nil
        return FeatureRanks(
          (0..<rowCount).map { row in
            guard plain[row] > 0, isCapital(row) else { return plain[row] }
            let size = plain[row] * RankOrder.capitalFactor
            let isGreat = scale?.value(row).double.map { $0 <= RankOrder.greatScale } ?? false
            // Great capitals keep their order among each other.
            return isGreat ? max(size, RankOrder.greatCapital + size / 10) : size
          })
      }
    }
  }

  /// The ranks of the rows by the size of their areas.
  ///
  /// - Complexity: O(vertices), once.
  func sizeRanks(isGeographic: Bool) -> FeatureRanks {
    derived.value(.sizes(isGeographic: isGeographic)) {
      FeatureRanks(sizesOf: geometry, isGeographic: isGeographic)
    }
  }

  /// The names of its lines by a channel; `nil` without lines.
  ///
  /// - Complexity: O(rows), once for a field.
  func lineNames(_ field: String) -> FeatureNames? {
    guard dimensions & 0b10 != 0 else { return nil }
    return derived.value(.lineNames(ExactText(field))) {
      channel(field).map { column in
        FeatureNames(
          (0..<rowCount).map { row in
            let text = column.value(row).text
            return text.isEmpty ? 0 : FeatureNames.number(of: text.utf8)
          })
      }
    }
  }

  /// The groups of the rows by some classes.
  ///
  /// - Complexity: O(rows), once.
  package func groups(by classes: StyleClasses) -> FeatureGroups {
    derived.value(.groups(ObjectIdentifier(classes))) {
      (classes, classes.groups(of: channel(classes.field), count: rowCount))
    }.1
  }

  /// The groups of the rows by their signs.
  ///
  /// - Complexity: O(rows), once.
  func signGroups(by classes: SignClasses) -> FeatureGroups {
    derived.value(.signs(classes)) { signGroups(making: classes) }
  }

  /// An attribute of a row by its name; `.missing` where there is none.
  package func attribute(_ name: String, row: Int) -> AttributeValue {
    column(name)?.value(row) ?? .missing
  }

  /// The column of an attribute; `nil` if no feature of this block has it.
  package func column(_ name: String) -> AttributeColumn? {
    attributes.first { $0.name.hasSameBytes(as: name) }
  }

  /// The row of a feature; O(log rows) in blocks with rising numbers, as they are unless a document
  /// came from elsewhere.
  package func row(of id: FeatureID) -> Int? {
    guard id.rawValue >= idBounds.first, id.rawValue <= idBounds.last else { return nil }
    guard isSortedByID else { return featureIDs.firstIndex(of: id) }
    var low = 0
    var high = featureIDs.count
    while low < high {
      let middle = (low + high) / 2
      if featureIDs[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < featureIDs.count && featureIDs[low] == id ? low : nil
  }

  /// The rows of the given features that are in this block, rising.
  ///
  /// - Complexity: O(given features) for a few, O(rows) for many.
  package func rows(of ids: Set<FeatureID>) -> [Int] {
    if ids.count < 32 { return ids.compactMap { row(of: $0) }.sorted() }
    return featureIDs.indices.filter { ids.contains(featureIDs[$0]) }
  }

  /// The dimension of a row's geometry as a bit, as in ``dimensions``.
  func dimensions(row: Int) -> UInt8 { Self.bit(of: geometry.kinds[row]) }

  private static func dimensions(of kinds: [GeometryKind]) -> UInt8 {
    kinds.reduce(0) { $0 | bit(of: $1) }
  }

  private static func bit(of kind: GeometryKind) -> UInt8 {
    kind == .none ? 0 : 1 << UInt8(kind.dimension ?? 3)
  }

  private static func bounds(
    of ids: [FeatureID]
  ) -> (bounds: (first: UInt64, last: UInt64), isSorted: Bool) {
    guard var last = ids.first?.rawValue else { return ((0, 0), true) }
    var bounds = (first: last, last: last)
    var isSorted = true
    for id in ids.dropFirst() {
      if id.rawValue <= last { isSorted = false }
      last = id.rawValue
      bounds.first = min(bounds.first, last)
      bounds.last = max(bounds.last, last)
    }
    return (bounds, isSorted)
  }
}
