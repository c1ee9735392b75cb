/// The form of a feature in its source file, beyond its values.
///
/// Few exist per block: features of one file look alike. An edited feature keeps its shape; on
/// export members that it has lost are skipped, and new ones follow at the end.
package struct FeatureShape: Hashable, Sendable {
  /// The kind of the `properties` member.
  package enum Properties: UInt8, Hashable, Sendable {
    case object = 0
    case null = 1
    case absent = 2
  }

  /// The notation of all coordinates of a feature, so that they are reproduced.
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
  /// Whether export cuts the geometry at the antimeridian (RFC 7946 section 3.1.9): it was made in
  /// the editor, or an edit took it beyond 180 degrees.
  ///
  /// The geometry of other features is written as it was read or edited.
  package var isCutOnExport: Bool

  package init(
    members: [String], geometryMembers: [String], properties: Properties = .object,
    propertyOrder: [UInt16]? = nil, numberStyle: NumberStyle = .shortest,
    isCutOnExport: Bool = false
  ) {
    self.members = members
    self.geometryMembers = geometryMembers
    self.properties = properties
    self.propertyOrder = propertyOrder
    self.numberStyle = numberStyle
    self.isCutOnExport = isCutOnExport
  }

  /// The shape of features drawn in the editor.
  package static let plain = FeatureShape(
    members: ["type", "id", "properties", "geometry"], geometryMembers: ["type", "coordinates"],
    isCutOnExport: true)
}

extension FeatureShape {
  package static func == (left: FeatureShape, right: FeatureShape) -> Bool {
    left.properties == right.properties && left.propertyOrder == right.propertyOrder
      && left.numberStyle == right.numberStyle
      && left.isCutOnExport == right.isCutOnExport
      && left.members.hasSameTexts(as: right.members)
      && left.geometryMembers.hasSameTexts(as: right.geometryMembers)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(properties)
    hasher.combine(propertyOrder)
    hasher.combine(numberStyle)
    hasher.combine(isCutOnExport)
    hasher.combine(members.count)
    for member in members { ExactText(member).hash(into: &hasher) }
    for member in geometryMembers { ExactText(member).hash(into: &hasher) }
  }
}
