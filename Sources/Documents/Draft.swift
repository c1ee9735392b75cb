package import PortolanGraphics

/// A geometry that is being drawn; it outlives leaving INSERT, so Esc loses nothing.
package struct Draft: Hashable, Sendable {
  /// What the draft becomes.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case point, line, polygon
  }

  /// What happens to the draft when it is finished.
  package enum Purpose: Hashable, Sendable {
    /// A new feature of the layer.
    case feature(LayerID)
    /// A further part or hole of a feature.
    case part(FeatureReference)
    /// More vertices at the end of a feature's path.
    case append(FeatureReference, path: Int)
  }

  package var kind: Kind
  package var purpose: Purpose
  /// Finished parts or rings of this draft, then the one being drawn.
  package var parts: [[Coordinate]]

  /// The number of the steps of this draft: what they make is one step when it is finished.
  package var stroke = 0

  /// How many vertices were put so far.
  package var vertexCount: Int { parts.reduce(0) { $0 + $1.count } }

  package init(kind: Kind, purpose: Purpose) {
    self.kind = kind
    self.purpose = purpose
    parts = [[]]
  }

  /// The vertices of the part being drawn.
  package var vertices: [Coordinate] { parts.last ?? [] }

  /// Whether nothing was put yet.
  package var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }
}
