/// How two versions of a map are merged.
package struct MergeOptions: Sendable {
  /// The rule for a geometry that both changed.
  package enum GeometryRule: String, Sendable, CaseIterable {
    /// Parts and rings that one side changed are taken; a ring that both changed is a conflict.
    case rings
    /// The same, and within a ring or a line the vertices that one side changed are taken if the
    /// result is valid.
    case auto
    /// That of ours, without a conflict.
    case ours
    case theirs
  }

  /// The attribute that features are known by; `nil` for their `id`.
  package var key: String?
  package var geometry: GeometryRule

  package init(key: String? = nil, geometry: GeometryRule = .rings) {
    (self.key, self.geometry) = (key, geometry)
  }
}

/// A part that two sides changed differently.
package struct MergeConflict: Hashable, Sendable {
  /// The feature, or what it is of the map, in words.
  package var subject: String
  /// The parts that both changed, such as `name` and `geometry`; empty where one side removed
  /// what the other changed.
  package var parts: [String]
  /// The side that removed the feature.
  package var removedBy: MergeSide?

  /// The subject of conflicts beside the features.
  package static let collection = "the collection"

  /// One line for people.
  package var text: String {
    if let removedBy {
      let other: MergeSide = removedBy == .ours ? .theirs : .ours
      return "\(subject): removed by \(removedBy.rawValue), changed by \(other.rawValue)"
    }
    return "\(subject): \(parts.joined(separator: ", "))"
  }
}

package enum MergeSide: String, Hashable, Sendable {
  case ours, theirs
}
