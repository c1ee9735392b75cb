package import Archiving

extension FeatureLayer: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanFeatureLayer", superclass: LayerFields.archivedClass)

  /// - Throws: `DocumentError` if the numbers for features are used up: no reader would accept it.
  package func encode(with coder: any EncodingCoder) throws {
    try LayerFields(of: self).encode(with: coder)
    try encodeFeatures(with: coder)
    try encodeOrigin(with: coder)
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let fields = try LayerFields(coder: coder)
    self.init(id: fields.id, name: fields.name, style: fields.style)
    take(fields)
    try decodeFeatures(with: coder)
    try decodeOrigin(with: coder)
    unread = try coder.unreadFields()
  }
}
