package import Archiving

extension FeatureLayer: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanFeatureLayer", superclass: LayerFields.archivedClass)

  /// - Throws: `DocumentError` if the numbers for features are used up: no reader would accept it.
  package func encode(with coder: any EncodingCoder) throws {
    let layer = LayerFields(
      id: id, name: name, isVisible: isVisible, isLocked: isLocked, parent: parent,
      zooms: zooms, style: style)
    try layer.encode(with: coder)
    try encodeFeatures(with: coder)
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let layer = try LayerFields(coder: coder)
    self.init(id: layer.id, name: layer.name, style: layer.style)
    isVisible = layer.isVisible
    isLocked = layer.isLocked
    parent = layer.parent
    zooms = layer.zooms
    try decodeFeatures(with: coder)
    unread = try coder.unreadFields()
  }
}
