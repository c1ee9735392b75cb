package import Archiving
package import PortolanGraphics

/// The look of a layer: an object with identity, so that layers can share one.
///
/// It is immutable; changing a shared style replaces the object in every layer that holds it
/// (`Document.replaceStyle`). An archive keeps a shared style once, and it is shared again after
/// decoding.
package final class Style: Sendable {
  /// All that a style says.
  package struct Content: Hashable, Sendable {
    package var name: String
    package var mark: MarkStyle
    /// The attribute with the text of a feature's label; `nil` for no labels.
    package var labelField: String?
    /// The attribute with the rank of a feature; `nil` ranks points by their order, other features
    /// by their size.
    package var rankField: String?
    package var rankOrder: RankOrder
    /// The attribute to whose numbers the areas of points' signs are proportional; `nil` for signs
    /// of one size.
    package var sizeField: String?
    /// Whether the user chose the sign of points: it stands for all of them, whatever their rank.
    package var isSymbolChosen = false
    /// Whether the user chose the weight of lines: it stands for all of them, whatever their rank.
    package var isWeightChosen = false
    /// Whether lines of low rank are left out where they crowd.
    package var isThinned = true
    /// The classes of features with looks of their own; `nil` gives all features one look.
    package var classes: StyleClasses?
  }

  package let content: Content
  /// Fields that a newer program wrote.
  private let unread: UnreadFields
  /// The style as it was read, if its class is unknown: written back in place of this one.
  let kept: UnknownObject?

  package convenience init(
    name: String, mark: MarkStyle, labelField: String? = nil, rankField: String? = nil,
    rankOrder: RankOrder = .high, classes: StyleClasses? = nil
  ) {
    self.init(
      Content(
        name: name, mark: mark, labelField: labelField, rankField: rankField,
        rankOrder: rankOrder, isSymbolChosen: !SignClasses.isStandard(mark.symbol),
        classes: classes))
  }

  private init(
    _ content: Content, unread: UnreadFields = UnreadFields(), kept: UnknownObject? = nil
  ) {
    self.content = content
    self.unread = unread
    self.kept = kept
  }

  package var name: String { content.name }
  package var mark: MarkStyle { content.mark }
  package var labelField: String? { content.labelField }
  package var rankField: String? { content.rankField }
  package var rankOrder: RankOrder { content.rankOrder }
  package var sizeField: String? { content.sizeField }
  package var isSymbolChosen: Bool { content.isSymbolChosen }
  package var isWeightChosen: Bool { content.isWeightChosen }
  package var isThinned: Bool { content.isThinned }
  package var classes: StyleClasses? { content.classes }

  /// This style with some changes; one of an unknown class becomes a known one.
  package func changed(_ change: (inout Content) throws -> Void) rethrows -> Style {
    var content = content
    try change(&content)
    return Style(content, unread: unread)
  }

  /// A style of an unknown class, with the look of its inherited keys.
  convenience init(kept: UnknownObject) {
    var mark = MarkStyle(
      stroke: kept.text(forKey: "stroke").flatMap { Colour(hex: $0) },
      fill: kept.text(forKey: "fill").flatMap { Colour(hex: $0) })
    mark.dash = kept.text(forKey: "dash").flatMap { MarkStyle.Dash(rawValue: $0) } ?? .solid
    mark.pattern = kept.text(forKey: "pattern").flatMap { MarkStyle.Pattern(rawValue: $0) } ?? .none
    mark.symbol = kept.text(forKey: "symbol") ?? ""
    var content = Content(
      name: kept.text(forKey: "name") ?? "", mark: mark,
      labelField: kept.text(forKey: "labelField"), rankField: kept.text(forKey: "rankField"),
      rankOrder: kept.text(forKey: "rankOrder").flatMap { RankOrder(rawValue: $0) } ?? .high)
    content.isSymbolChosen = !SignClasses.isStandard(mark.symbol)
    self.init(content, kept: kept)
  }
}

extension Style: SubstitutingCoding, ClassSubstitutingCoding {
  package static let archivedClass: ArchivedClass = "PortolanStyle"

  /// The classes allowed for a style in an archive.
  static let archivedClasses = ClassList<Style>(
    [Style.self, ClassBreakStyle.self, ValueStyle.self], unknown: { Style(kept: $0) })

  /// Styles with classes are of classes of their own, so that programs without them keep all of it.
  package var classForCoder: ArchivedClass {
    switch classes?.scheme {
    case nil: Self.archivedClass
    case .breaks: ClassBreakStyle.archivedClass
    case .values: ValueStyle.archivedClass
    }
  }

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
    if let sizeField { try coder.encodeString(sizeField, forKey: "sizeField") }
    if isSymbolChosen == SignClasses.isStandard(mark.symbol) {
      try coder.encodeBool(isSymbolChosen, forKey: "symbolChosen")
    }
    if isWeightChosen { try coder.encodeString(mark.weight.rawValue, forKey: "weight") }
    if !isThinned { try coder.encodeBool(isThinned, forKey: "thinned") }
    try classes?.encode(with: coder)
    try coder.encodeUnreadFields(unread)
  }

  package convenience init(coder: any DecodingCoder) throws {
    try self.init(coder: coder, classes: nil)
  }

  fileprivate convenience init(coder: any DecodingCoder, classes: StyleClasses?) throws {
    let name = try coder.decodeStringIfPresent(forKey: "name") ?? ""
    var mark = MarkStyle(
      stroke: try Self.colour(coder, "stroke"), fill: try Self.colour(coder, "fill"))
    mark.dash = try coder.decodeWord(MarkStyle.Dash.self, default: .solid, forKey: "dash")
    mark.pattern = try coder.decodeWord(
      MarkStyle.Pattern.self, default: .none, forKey: "pattern")
    mark.symbol = try coder.decodeStringIfPresent(forKey: "symbol") ?? ""
    mark.isEmphasized = try coder.decodeBoolIfPresent(forKey: "emphasized") ?? false
    let weight = try coder.decodeOptionalWord(MarkStyle.Weight.self, forKey: "weight")
    mark.weight = weight ?? .normal
    let content = Content(
      name: name, mark: mark,
      labelField: try coder.decodeStringIfPresent(forKey: "labelField"),
      rankField: try coder.decodeStringIfPresent(forKey: "rankField"),
      rankOrder: try coder.decodeWord(RankOrder.self, default: .high, forKey: "rankOrder"),
      sizeField: try coder.decodeStringIfPresent(forKey: "sizeField"),
      isSymbolChosen: try coder.decodeBoolIfPresent(forKey: "symbolChosen")
        ?? !SignClasses.isStandard(mark.symbol),
      isWeightChosen: weight != nil,
      isThinned: try coder.decodeBoolIfPresent(forKey: "thinned") ?? true, classes: classes)
    self.init(content, unread: try coder.unreadFields())
  }

  static func colour(_ coder: any DecodingCoder, _ key: String) throws -> Colour? {
    guard let text = try coder.decodeStringIfPresent(forKey: key) else { return nil }
    guard let colour = Colour(hex: text) else {
      throw coder.invalidValue("a colour is written #rrggbb", forKey: key)
    }
    return colour
  }
}

/// The archived form of a style with classes of numbers; it awakes as a style.
private struct ClassBreakStyle: AwakingCoding {
  static let archivedClass = ArchivedClass(
    "PortolanClassBreakStyle", superclass: Style.archivedClass)
  let style: Style

  init(coder: any DecodingCoder) throws {
    style = try Style(coder: coder, classes: .decode(with: coder, isCategories: false))
  }

  func encode(with coder: any EncodingCoder) throws { try style.encode(with: coder) }

  static func awake(_ decoded: Self, after coder: any DecodingCoder) -> (any Coding)? {
    decoded.style
  }
}

/// The archived form of a style with a class for each value; it awakes as a style.
private struct ValueStyle: AwakingCoding {
  static let archivedClass = ArchivedClass("PortolanValueStyle", superclass: Style.archivedClass)
  let style: Style

  init(coder: any DecodingCoder) throws {
    style = try Style(coder: coder, classes: .decode(with: coder, isCategories: true))
  }

  func encode(with coder: any EncodingCoder) throws { try style.encode(with: coder) }

  static func awake(_ decoded: Self, after coder: any DecodingCoder) -> (any Coding)? {
    decoded.style
  }
}
