package import Archiving
package import PortolanGraphics

/// The look of a layer: an object with identity, so that layers can share one.
///
/// It is immutable; changing a shared style replaces the object in every layer that holds it
/// (`Document.replaceStyle`). An archive keeps a shared style once, and it is shared again after
/// decoding.
package final class Style: Sendable {
  package let name: String
  package let mark: MarkStyle
  /// The attribute with the text of a feature's label; `nil` for no labels.
  package let labelField: String?
  /// The attribute with the rank of a feature; `nil` ranks points by their order, other features by
  /// their size.
  package let rankField: String?
  package let rankOrder: RankOrder
  /// Fields that a newer program wrote.
  private let unread: UnreadFields
  /// The style as it was read, if its class is unknown: written back in place of this one.
  let kept: UnknownObject?

  package convenience init(
    name: String, mark: MarkStyle, labelField: String? = nil, rankField: String? = nil,
    rankOrder: RankOrder = .high
  ) {
    self.init(
      name: name, mark: mark, labelField: labelField, rankField: rankField, rankOrder: rankOrder,
      unread: UnreadFields(), kept: nil)
  }

  private init(
    name: String, mark: MarkStyle, labelField: String?, rankField: String?, rankOrder: RankOrder,
    unread: UnreadFields, kept: UnknownObject?
  ) {
    self.name = name
    self.mark = mark
    self.labelField = labelField
    self.rankField = rankField
    self.rankOrder = rankOrder
    self.unread = unread
    self.kept = kept
  }

  /// A style of an unknown class, with the look of its inherited keys.
  convenience init(kept: UnknownObject) {
    var mark = MarkStyle(
      stroke: kept.text(forKey: "stroke").flatMap { Colour(hex: $0) },
      fill: kept.text(forKey: "fill").flatMap { Colour(hex: $0) })
    mark.dash = kept.text(forKey: "dash").flatMap { MarkStyle.Dash(rawValue: $0) } ?? .solid
    mark.pattern = kept.text(forKey: "pattern").flatMap { MarkStyle.Pattern(rawValue: $0) } ?? .none
    mark.symbol = kept.text(forKey: "symbol") ?? ""
    self.init(
      name: kept.text(forKey: "name") ?? "", mark: mark,
      labelField: kept.text(forKey: "labelField"), rankField: kept.text(forKey: "rankField"),
      rankOrder: kept.text(forKey: "rankOrder").flatMap { RankOrder(rawValue: $0) } ?? .high,
      unread: UnreadFields(), kept: kept)
  }
}

extension Style: SubstitutingCoding {
  package static var archivedClass: ArchivedClass { "PortolanStyle" }

  /// The classes allowed for a style in an archive.
  static let classes = ClassList<Style>([Style.self], unknown: { Style(kept: $0) })

  package func replacementObject(for coder: any EncodingCoder) -> (any Coding)? { kept ?? self }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeString(mark.stroke?.hex, forKey: "stroke")
    try coder.encodeString(mark.fill?.hex, forKey: "fill")
    try coder.encodeString(mark.dash.rawValue, forKey: "dash")
    try coder.encodeString(mark.pattern.rawValue, forKey: "pattern")
    try coder.encodeString(mark.symbol, forKey: "symbol")
    try coder.encodeBool(mark.isEmphasized, forKey: "emphasized")
    try coder.encodeString(labelField, forKey: "labelField")
    try coder.encodeString(rankField, forKey: "rankField")
    if rankOrder != .high { try coder.encodeString(rankOrder.rawValue, forKey: "rankOrder") }
    try coder.encodeUnreadFields(unread)
  }

  package convenience init(coder: any DecodingCoder) throws {
    let name = try coder.decodeStringIfPresent(forKey: "name") ?? ""
    var mark = MarkStyle(
      stroke: try Self.colour(coder, "stroke"), fill: try Self.colour(coder, "fill"))
    mark.dash = try coder.decodeWord(MarkStyle.Dash.self, default: .solid, forKey: "dash")
    mark.pattern = try coder.decodeWord(
      MarkStyle.Pattern.self, default: .none, forKey: "pattern")
    mark.symbol = try coder.decodeStringIfPresent(forKey: "symbol") ?? ""
    mark.isEmphasized = try coder.decodeBoolIfPresent(forKey: "emphasized") ?? false
    self.init(
      name: name, mark: mark,
      labelField: try coder.decodeStringIfPresent(forKey: "labelField"),
      rankField: try coder.decodeStringIfPresent(forKey: "rankField"),
      rankOrder: try coder.decodeWord(RankOrder.self, default: .high, forKey: "rankOrder"),
      unread: try coder.unreadFields(), kept: nil)
  }

  private static func colour(_ coder: any DecodingCoder, _ key: String) throws -> Colour? {
    guard let text = try coder.decodeStringIfPresent(forKey: key) else { return nil }
    guard let colour = Colour(hex: text) else {
      throw coder.invalidValue("a colour is written #rrggbb", forKey: key)
    }
    return colour
  }
}
