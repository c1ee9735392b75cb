package import Archiving

/// A shape in the archive: the order of its properties is stored in the block.
extension FeatureShape: Coding {
  package static var archivedClass: ArchivedClass { "PortolanFeatureShape" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeStrings(members, forKey: "members")
    try coder.encodeStrings(geometryMembers, forKey: "geometryMembers")
    try coder.encodeInt(Int(properties.rawValue), forKey: "properties")
    let (style, decimals) =
      switch numberStyle {
      case .shortest: (0, 0)
      case .shortestWithPoint: (1, 0)
      case .source: (2, 0)
      case .decimals(let count): (3, min(max(count, 0), 30))
      }
    try coder.encodeInt(style, forKey: "numberStyle")
    try coder.encodeInt(decimals, forKey: "decimals")
    try coder.encodeBool(isCutOnExport, forKey: "geometryEdited")
  }

  package init(coder: any DecodingCoder) throws {
    let members = try coder.decodeStrings(forKey: "members")
    let geometryMembers = try coder.decodeStrings(forKey: "geometryMembers")
    let properties = try coder.decodeIntIfPresent(forKey: "properties") ?? 0
    guard let kind = UInt8(exactly: properties).flatMap({ Properties(rawValue: $0) }) else {
      throw coder.invalidValue("\(properties) is not 0, 1 or 2", forKey: "properties")
    }
    let style = try coder.decodeIntIfPresent(forKey: "numberStyle") ?? 0
    let decimals = try coder.decodeIntIfPresent(forKey: "decimals") ?? 0
    guard CollectionSource.decimalsRange.contains(decimals) else {
      throw coder.invalidValue("\(decimals) decimals", forKey: "decimals")
    }
    let styles: [NumberStyle] = [.shortest, .shortestWithPoint, .source, .decimals(decimals)]
    guard styles.indices.contains(style) else {
      throw coder.invalidValue("\(style) is no number style", forKey: "numberStyle")
    }
    self.init(
      members: members, geometryMembers: geometryMembers, properties: kind,
      numberStyle: styles[style],
      isCutOnExport: try coder.decodeBoolIfPresent(forKey: "geometryEdited") ?? false)
  }
}
