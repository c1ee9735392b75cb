package import PortolanGraphics

/// One feature as a value, for identify and edits.
package struct Feature: Sendable {
  package var id: FeatureID
  /// The `id` member of GeoJSON: missing, string or number.
  package var identifier: AttributeValue
  package var geometry: Geometry
  /// The attributes of the feature, in its own order.
  package var attributes: [(name: String, value: AttributeValue)]

  package init(
    id: FeatureID, identifier: AttributeValue = .missing, geometry: Geometry,
    attributes: [(name: String, value: AttributeValue)] = []
  ) {
    self.id = id
    self.identifier = identifier
    self.geometry = geometry
    self.attributes = attributes
  }
}
