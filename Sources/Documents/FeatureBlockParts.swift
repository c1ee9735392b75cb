import Archiving
import PortolanGraphics

/// The columns of a block, to be changed and made into another block.
struct FeatureBlockParts {
  var geometry: GeometryBlock
  var featureIDs: [FeatureID]
  var identifiers: AttributeColumn
  var attributes: [AttributeColumn]
  var foreignMembers: [AttributeColumn]
  var geometryForeignMembers: [AttributeColumn]
  var sourceGeometries: AttributeColumn?
  var sourceFeatures: AttributeColumn?
  var shapes: [FeatureShape]
  var shapeIndices: [UInt16]
  /// Fields of the block that a newer program wrote; an edit drops them, since rows may have moved.
  var unread = UnreadFields()
  /// The rows for which a condition held while the block was read; an edit drops them.
  var held: HeldRows?

  /// Whether all columns have a row for each feature and all indices are valid.
  var fit: Bool {
    let rows = geometry.featureCount
    let columns =
      [identifiers] + attributes + foreignMembers + geometryForeignMembers
      + [sourceGeometries, sourceFeatures].compactMap { $0 }
    return featureIDs.count == rows && shapeIndices.count == rows
      && columns.allSatisfy { $0.rowCount == rows }
      && shapeIndices.allSatisfy { Int($0) < shapes.count }
      && shapes.allSatisfy { shape in
        shape.propertyOrder.map { $0.allSatisfy { Int($0) < attributes.count } } ?? true
      }
  }
}

extension FeatureBlock {
  var parts: FeatureBlockParts {
    FeatureBlockParts(
      geometry: geometry, featureIDs: featureIDs, identifiers: identifiers,
      attributes: attributes, foreignMembers: foreignMembers,
      geometryForeignMembers: geometryForeignMembers, sourceGeometries: sourceGeometries,
      sourceFeatures: sourceFeatures, shapes: shapes, shapeIndices: shapeIndices)
  }
}
