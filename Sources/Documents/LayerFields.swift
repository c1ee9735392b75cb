package import Archiving

/// The fields of every layer: the keys of `PortolanLayer`, which its kinds write first.
package struct LayerFields {
  package var id: LayerID
  package var name: String
  package var title = ""
  package var isVisible: Bool
  package var isLocked: Bool
  package var parent: LayerID?
  package var zooms: ZoomBounds
  package var style: Style

  package static let archivedClass: ArchivedClass = "PortolanLayer"

  package init(
    id: LayerID, name: String, isVisible: Bool = true, isLocked: Bool = false,
    parent: LayerID? = nil, zooms: ZoomBounds = .all, style: Style
  ) {
    self.id = id
    self.name = name
    self.isVisible = isVisible
    self.isLocked = isLocked
    self.parent = parent
    self.zooms = zooms
    self.style = style
  }

  /// The fields of a layer as it is.
  init(of layer: some Layer) {
    id = layer.id
    name = layer.name
    title = layer.title
    isVisible = layer.isVisible
    isLocked = layer.isLocked
    parent = layer.parent
    zooms = layer.zooms
    style = layer.style
  }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(Int(clamping: id.rawValue), forKey: "id")
    try coder.encodeString(name, forKey: "name")
    if !title.isEmpty { try coder.encodeString(title, forKey: "title") }
    try coder.encodeBool(isVisible, forKey: "visible")
    try coder.encodeBool(isLocked, forKey: "locked")
    try coder.encodeInt(Int(clamping: parent?.rawValue ?? 0), forKey: "parent")
    try zooms.encode(with: coder)
    try coder.encodeObject(style, forKey: "style")
  }

  package init(coder: any DecodingCoder) throws {
    id = LayerID(try coder.decodeNumber(forKey: "id"))
    name = try coder.decodeStringIfPresent(forKey: "name") ?? ""
    title = try coder.decodeStringIfPresent(forKey: "title") ?? ""
    isVisible = try coder.decodeBoolIfPresent(forKey: "visible") ?? true
    isLocked = try coder.decodeBoolIfPresent(forKey: "locked") ?? false
    parent = try coder.decodeOptionalNumber(forKey: "parent").map { LayerID($0) }
    zooms = try ZoomBounds(coder: coder)
    style = try coder.decodeObject(in: Style.archivedClasses, forKey: "style")
  }
}

extension Layer {
  /// Takes over the decoded fields beside number and name.
  mutating func take(_ fields: LayerFields) {
    title = fields.title
    isVisible = fields.isVisible
    isLocked = fields.isLocked
    parent = fields.parent
    zooms = fields.zooms
    style = fields.style
  }
}

extension IdentifiedCoding where Self: Layer {
  package var archiveIdentity: LayerID { id }

  package static func decodeArchiveIdentity(with coder: any DecodingCoder) throws -> LayerID {
    LayerID(try coder.decodeNumber(forKey: "id"))
  }
}

extension LayerID: ArchiveIdentity {}
extension ViewID: ArchiveIdentity {}

extension DecodingCoder {
  /// Decodes a permanent number: 1 or more, and far below what arithmetic could overflow.
  func decodeNumber(forKey key: String) throws -> UInt64 {
    let number = try decodeInt(forKey: key)
    guard number >= 1, number <= 1 << 53 else {
      throw invalidValue("\(number) is no permanent number (1 to 2^53)", forKey: key)
    }
    return UInt64(number)
  }

  /// Decodes a permanent number, or none where there is 0 or nothing.
  func decodeOptionalNumber(forKey key: String) throws -> UInt64? {
    guard let number = try decodeIntIfPresent(forKey: key), number != 0 else { return nil }
    return try decodeNumber(forKey: key)
  }

  /// Decodes a word of a closed list; the first one if there is none.
  func decodeWord<Word: RawRepresentable & CaseIterable>(
    _ type: Word.Type, default word: Word, forKey key: String
  ) throws -> Word where Word.RawValue == String {
    try decodeOptionalWord(Word.self, forKey: key) ?? word
  }

  /// Decodes a word of a closed list, or none where there is nothing.
  func decodeOptionalWord<Word: RawRepresentable & CaseIterable>(
    _ type: Word.Type, forKey key: String
  ) throws -> Word? where Word.RawValue == String {
    guard let text = try decodeStringIfPresent(forKey: key) else { return nil }
    guard let word = Word(rawValue: text) else {
      throw invalidValue("\(text) is none of \(Word.listed)", forKey: key)
    }
    return word
  }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  fileprivate static var listed: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
