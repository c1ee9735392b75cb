import Archiving

/// The kinds of layers that documents can hold.
package enum LayerKinds {
  /// To add a kind: its line here. Layers of other kinds are kept as they are.
  package static let all: [any Layer.Type] = [FeatureLayer.self, GroupLayer.self]

  /// The classes that an archive may name in the place of a layer.
  static let classes = ClassList<any Layer>(all, unknown: { UnknownLayer(kept: $0) })
}
