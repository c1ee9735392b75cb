package import PortolanGraphics

/// A geometry being drawn; it is kept when INSERT is left, so Esc loses nothing.
package struct Draft: Hashable, Sendable {
  /// The kind of geometry that the draft becomes.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case point, line, polygon
  }

  /// The destination of the finished draft.
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

  /// The number of this draft's steps, which become one step when it is finished.
  package var stroke = 0

  /// The number of vertices so far.
  package var vertexCount: Int { parts.reduce(0) { $0 + $1.count } }

  package init(kind: Kind, purpose: Purpose) {
    self.kind = kind
    self.purpose = purpose
    parts = [[]]
  }

  /// The vertices of the part being drawn.
  package var vertices: [Coordinate] { parts.last ?? [] }

  /// Whether there is no vertex yet.
  package var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }
}
