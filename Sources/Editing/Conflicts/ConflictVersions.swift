import PortolanComparing
import PortolanDocuments

/// The values of an attribute that two sides disagree about.
struct ConflictVersions: Hashable, Sendable {
  /// The name of the attribute.
  var name: String
  /// The value in the map that both sides began with.
  var base: AttributeValue
  /// The value of each side; missing in a removed feature, too.
  var ours: AttributeValue
  var theirs: AttributeValue
  /// The side that removed the feature.
  var removedBy: MergeSide?

  /// All versions in a line: `n: ours 55, theirs 5, before 10`.
  var words: String {
    let before = Self.text(base)
    return switch removedBy {
    case .ours: "\(name): \(before) → \(Self.text(theirs))"
    case .theirs: "\(name): \(before) → \(Self.text(ours))"
    case nil: "\(name): ours \(Self.text(ours)), theirs \(Self.text(theirs)), before \(before)"
    }
  }

  /// The versions beside that of the feature itself, as rows of its values.
  var rows: [(name: String, value: String)] {
    let other = removedBy == nil ? [("  theirs", Self.text(theirs))] : []
    return other + [("  before", Self.text(base))]
  }

  /// Whether two values are the same, byte for byte.
  fileprivate static func areSame(_ first: AttributeValue, _ second: AttributeValue) -> Bool {
    text(first).hasSameBytes(as: text(second))
  }

  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .missing: "none"
    case .null: "null"
    case .string(let text): "“\(text)”"
    default: value.text
    }
  }
}

extension ConflictPlace {
  /// The values of each attribute that the sides disagree about, in the order of the feature; those
  /// that a side changed where the other one removed the feature.
  func versions(in document: Document) -> [ConflictVersions] {
    guard let text, let reference, let present = document.feature(reference) else { return [] }
    let base = Self.feature(text.base)
    let (ours, theirs): (Feature?, Feature?) =
      switch text.removedBy {
      case .ours: (nil, present)
      case .theirs: (present, nil)
      case nil: (present, Self.feature(text.theirs))
      }
    var names: [String] = []
    for feature in [ours, theirs, base].compactMap({ $0 }) {
      for (name, _) in feature.attributes
      where !names.contains(where: { $0.hasSameBytes(as: name) }) {
        names.append(name)
      }
    }
    let disputed: [String]? =
      text.removedBy == nil
      ? (document.featureText(reference).flatMap { try? text.disagreements($0) } ?? []) : nil
    return names.compactMap { name in
      let versions = ConflictVersions(
        name: name, base: base.value(of: name), ours: ours.value(of: name),
        theirs: theirs.value(of: name), removedBy: text.removedBy)
      if let disputed {
        // An attribute may be called as another part is, such as the geometry.
        let isDisputed =
          disputed.contains { $0.hasSameBytes(as: name) }
          && !ConflictVersions.areSame(versions.ours, versions.theirs)
        return isDisputed ? versions : nil
      }
      let changed = (ours ?? theirs).value(of: name)
      return ConflictVersions.areSame(changed, versions.base) ? nil : versions
    }
  }

  /// A feature of a conflict as a value; `nil` without one.
  static func feature(_ text: String?) -> Feature? {
    guard let text, let block = try? FeatureWriter.blocks([Array(text.utf8)]).first,
      block.rowCount > 0
    else { return nil }
    return block.feature(row: 0)
  }
}

extension Feature? {
  fileprivate func value(of name: String) -> AttributeValue {
    self?.attributes.first { $0.name.hasSameBytes(as: name) }?.value ?? .missing
  }
}
