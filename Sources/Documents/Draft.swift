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

  /// The layer that the finished draft goes to.
  package var layer: LayerID {
    switch purpose {
    case .feature(let layer): layer
    case .part(let feature), .append(let feature, path: _): feature.layer
    }
  }

  /// The draft for people: its kind and size, its layer, its last vertex as lon lat or x y.
  package func summary(in document: Document) -> String {
    var text = "a \(kind.rawValue) of \(CountText.vertices(vertexCount))"
    if let name = document[layer: layer]?.name { text += " in layer “\(name)”" }
    if let last = parts.last(where: { !$0.isEmpty })?.last {
      let rounded = [last.x, last.y].map { ($0 * 10_000).rounded() / 10_000 }
      text += ", the last at \(rounded[0]) \(rounded[1])"
    }
    return text
  }
}
