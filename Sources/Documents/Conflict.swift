package import Archiving

/// A part of a document that two edits changed differently, until somebody decides.
///
/// A conflict about a feature or a layer that is gone since is decided.
package struct Conflict: Sendable {
  /// The part of the document that both changed.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case feature
    /// The layer itself: one side removed it.
    case layer
    case name, title, visible, locked, style, zooms
    case documentTitle, author, licence
    /// The order and the groups of layers.
    case order
  }

  /// The side that removed what the other changed.
  package enum Side: String, Hashable, Sendable, CaseIterable {
    case ours, theirs
  }

  package var part: Part
  /// The layer; `nil` for a property of the document.
  package var layer: LayerID?
  /// The feature of that layer.
  package var feature: FeatureID?
  /// The part before both edits: a feature as JSON, else its value as a text; `nil` for none.
  package var base: String?
  /// That of the other side.
  package var theirs: String?
  package var removedBy: Side?
  /// The style of the other side, where that is the part.
  package var style: Style?
  /// Fields that a newer program wrote.
  private var unread = UnreadFields()

  package init(
    _ part: Part, layer: LayerID? = nil, feature: FeatureID? = nil, base: String? = nil,
    theirs: String? = nil, removedBy: Side? = nil, style: Style? = nil
  ) {
    (self.part, self.layer, self.feature) = (part, layer, feature)
    (self.base, self.theirs, self.removedBy, self.style) = (base, theirs, removedBy, style)
  }
}

extension Conflict {
  /// The member of a feature of GeoJSON, or of a collection, that holds a conflict.
  package static let member = "portolan:conflict"
}

extension Conflict: Coding {
  package static let archivedClass: ArchivedClass = "PortolanConflict"

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(part.rawValue, forKey: "part")
    if let layer { try coder.encodeInt(Int(clamping: layer.rawValue), forKey: "layer") }
    if let feature { try coder.encodeInt(Int(clamping: feature.rawValue), forKey: "feature") }
    if let base { try coder.encodeString(base, forKey: "base") }
    if let theirs { try coder.encodeString(theirs, forKey: "theirs") }
    if let removedBy { try coder.encodeString(removedBy.rawValue, forKey: "removedBy") }
    if let style { try coder.encodeObject(style, forKey: "style") }
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    part = try coder.decodeWord(Part.self, default: .feature, forKey: "part")
    layer = try Self.number(coder, "layer").map { LayerID($0) }
    feature = try Self.number(coder, "feature").map { FeatureID($0) }
    base = try coder.decodeStringIfPresent(forKey: "base")
    theirs = try coder.decodeStringIfPresent(forKey: "theirs")
    if try coder.decodeStringIfPresent(forKey: "removedBy") != nil {
      removedBy = try coder.decodeWord(Side.self, default: .theirs, forKey: "removedBy")
    }
    style = try coder.decodeObjectIfPresent(in: Style.archivedClasses, forKey: "style")
    unread = try coder.unreadFields()
  }

  private static func number(_ coder: any DecodingCoder, _ key: String) throws -> UInt64? {
    guard try coder.decodeIntIfPresent(forKey: key) != nil else { return nil }
    return try coder.decodeNumber(forKey: key)
  }
}

extension Document {
  /// The conflicts about parts that the document still has.
  package var openConflicts: [Conflict] {
    conflicts.filter { conflict in
      guard let id = conflict.layer else { return true }
      guard let layer = self[layer: id] else { return false }
      guard let feature = conflict.feature else { return true }
      return (layer as? any FeatureHolding)?.position(of: feature) != nil
    }
  }
}
