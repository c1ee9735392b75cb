package import Graphics

/// How a feature stood in its source, where that is not told by its values.
///
/// Few exist per block: features of one file look alike. A feature that was edited keeps its
/// shape; members it has lost are passed over on export, new ones follow at the end.
package struct FeatureShape: Hashable, Sendable {
  /// What the `properties` member was.
  package enum Properties: UInt8, Hashable, Sendable {
    case object = 0
    case null = 1
    case absent = 2
  }

  /// How all coordinates of a feature were written, so that they come back as they were.
  package enum NumberStyle: Hashable, Sendable {
    /// The shortest decimal that reads back as the same double, whole numbers without a point.
    case shortest
    /// The same, whole numbers with `.0`.
    case shortestWithPoint
    /// This many decimals, trailing zeros included.
    case decimals(Int)
    /// None of these: the geometry's own text is kept in `sourceGeometries`.
    case source
  }

  /// The members of the feature object in order, `type` among them.
  package var members: [String]
  /// The members of the geometry object in order.
  package var geometryMembers: [String]
  package var properties: Properties
  /// Columns of `attributes` in the order of this feature; `nil` is the order of the columns.
  package var propertyOrder: [UInt16]?
  package var numberStyle: NumberStyle
  /// Whether the geometry was made or changed in the editor.
  ///
  /// Export then follows RFC 7946 (winding, cuts at the antimeridian) and rounds to the decimals of
  /// the file; the geometry of other features is written as it was read.
  package var isGeometryEdited: Bool

  package init(
    members: [String], geometryMembers: [String], properties: Properties = .object,
    propertyOrder: [UInt16]? = nil, numberStyle: NumberStyle = .shortest,
    isGeometryEdited: Bool = false
  ) {
    self.members = members
    self.geometryMembers = geometryMembers
    self.properties = properties
    self.propertyOrder = propertyOrder
    self.numberStyle = numberStyle
    self.isGeometryEdited = isGeometryEdited
  }

  /// What features drawn in the editor get.
  package static let plain = FeatureShape(
    members: ["type", "id", "properties", "geometry"], geometryMembers: ["type", "coordinates"],
    isGeometryEdited: true)
}

/// A run of features: immutable, shared between versions of a document, its own identity.
///
/// Everything stands in columns, one row a feature; edits make a new block. The same arrays are
/// what the archive holds.
package final class FeatureBlock: Sendable {
  package let geometry: GeometryBlock
  /// One permanent number a row.
  package let featureIDs: [FeatureID]
  /// The `id` member: missing, string or number.
  package let identifiers: AttributeColumn
  /// The properties, one column a name, in order of first appearance.
  package let attributes: [AttributeColumn]
  /// Foreign members of the feature objects (RFC 7946 section 6.1), `bbox` among them, as JSON.
  package let foreignMembers: [AttributeColumn]
  /// Foreign members of the geometry objects, as JSON.
  package let geometryForeignMembers: [AttributeColumn]
  /// The geometry's own text for rows whose `numberStyle` is `.source`; `nil` if there are none.
  package let sourceGeometries: AttributeColumn?
  /// The feature's own text for rows that the columns alone do not give back (odd white space or
  /// escapes, a member twice); `nil` if there are none. Any edit of a row sets it to missing.
  package let sourceFeatures: AttributeColumn?
  /// The shapes of this block's features.
  package let shapes: [FeatureShape]
  /// One index into `shapes` a row.
  package let shapeIndices: [UInt16]

  /// Makes a block of columns that fit together; `nil` if they do not.
  package init?(
    geometry: GeometryBlock, featureIDs: [FeatureID], identifiers: AttributeColumn,
    attributes: [AttributeColumn], foreignMembers: [AttributeColumn] = [],
    geometryForeignMembers: [AttributeColumn] = [], sourceGeometries: AttributeColumn? = nil,
    sourceFeatures: AttributeColumn? = nil, shapes: [FeatureShape], shapeIndices: [UInt16]
  ) {
    let rows = geometry.featureCount
    guard featureIDs.count == rows, identifiers.rowCount == rows, shapeIndices.count == rows,
      attributes.allSatisfy({ $0.rowCount == rows }),
      foreignMembers.allSatisfy({ $0.rowCount == rows }),
      geometryForeignMembers.allSatisfy({ $0.rowCount == rows }),
      sourceGeometries.map({ $0.rowCount == rows }) ?? true,
      sourceFeatures.map({ $0.rowCount == rows }) ?? true,
      shapeIndices.allSatisfy({ Int($0) < shapes.count }),
      shapes.allSatisfy({ shape in
        shape.propertyOrder.map { $0.allSatisfy { Int($0) < attributes.count } } ?? true
      })
    else { return nil }
    self.geometry = geometry
    self.featureIDs = featureIDs
    self.identifiers = identifiers
    self.attributes = attributes
    self.foreignMembers = foreignMembers
    self.geometryForeignMembers = geometryForeignMembers
    self.sourceGeometries = sourceGeometries
    self.sourceFeatures = sourceFeatures
    self.shapes = shapes
    self.shapeIndices = shapeIndices
  }

  package var rowCount: Int { featureIDs.count }

  /// An attribute of a row by its name; `.missing` where there is none.
  package func attribute(_ name: String, row: Int) -> AttributeValue {
    attributes.first { $0.name == name }?.value(row) ?? .missing
  }
}
