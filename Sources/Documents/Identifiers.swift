/// The permanent number of a feature within its layer; never used again after a deletion.
package struct FeatureID: Hashable, Sendable, Comparable {
  package let rawValue: UInt64

  package init(_ rawValue: UInt64) { self.rawValue = rawValue }

  package static func < (left: FeatureID, right: FeatureID) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The permanent number of a layer within its document.
package struct LayerID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The permanent number of a view within its document.
package struct ViewID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// One feature of one layer, as selections and messages refer to it.
package struct FeatureReference: Hashable, Sendable {
  package var layer: LayerID
  package var feature: FeatureID

  package init(layer: LayerID, feature: FeatureID) {
    self.layer = layer
    self.feature = feature
  }
}
