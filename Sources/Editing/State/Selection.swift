package import PortolanDocuments

/// One vertex of one feature, picked to be moved or removed.
package struct VertexReference: Hashable, Sendable {
  package var feature: FeatureReference
  /// The path within the geometry.
  package var path: Int
  /// The vertex within the path.
  package var vertex: Int

  package init(feature: FeatureReference, path: Int, vertex: Int) {
    self.feature = feature
    self.path = path
    self.vertex = vertex
  }
}

/// The selected features, in the order of choosing.
package struct Selection: Hashable, Sendable {
  package private(set) var features: [FeatureReference]
  private var members: Set<FeatureReference>
  /// The index in `features` of the one in the info panel.
  package var current: Int
  /// The picked vertex of a selected feature, if there is one.
  package var vertex: VertexReference?

  package init(_ features: [FeatureReference] = []) {
    var members = Set<FeatureReference>()
    self.features = features.filter { members.insert($0).inserted }
    self.members = members
    current = 0
  }

  package var isEmpty: Bool { features.isEmpty }
  package var count: Int { features.count }

  /// The feature in the info panel.
  package var currentFeature: FeatureReference? {
    features.indices.contains(current) ? features[current] : features.first
  }

  package func contains(_ feature: FeatureReference) -> Bool { members.contains(feature) }

  /// The selected features of a layer.
  package func ids(in layer: LayerID) -> Set<FeatureID> {
    Set(features.lazy.filter { $0.layer == layer }.map(\.feature))
  }

  package mutating func insert(_ feature: FeatureReference) {
    if members.insert(feature).inserted { features.append(feature) }
  }

  package mutating func remove(_ feature: FeatureReference) {
    guard members.remove(feature) != nil else { return }
    features.removeAll { $0 == feature }
    current = min(current, max(0, features.count - 1))
    if vertex?.feature == feature { vertex = nil }
  }

  /// Keeps only the features that pass.
  package mutating func filter(_ isKept: (FeatureReference) -> Bool) {
    let gone = features.filter { !isKept($0) }
    if gone.isEmpty { return }
    members.subtract(gone)
    features.removeAll { !members.contains($0) }
    current = min(current, max(0, features.count - 1))
    if let vertex, !members.contains(vertex.feature) { self.vertex = nil }
  }
}
