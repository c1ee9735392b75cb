import Archiving
import PortolanGraphics

/// The kinds of layers that documents can hold.
///
/// Nothing but a kind's own files, this list and the importers that make layers names a kind.
package enum LayerKinds {
  /// To add a kind: its line here. Layers of other kinds are kept as they are.
  package static let all: [any Layer.Type] = [FeatureLayer.self, GroupLayer.self]

  /// The classes that an archive may name in the place of a layer.
  static let classes = ClassList<any Layer>(all, unknown: { UnknownLayer(kept: $0) })

  /// The changes that a journal may name.
  static let changes = ClassList<any LayerChange>(all.flatMap { $0.changeTypes })

  /// A new layer without features: what is drawn goes into.
  package static func features(_ id: LayerID, name: String) -> any FeatureHolding {
    FeatureLayer(id: id, name: name, style: Style(name: "", mark: MarkStyle()))
  }

  /// A new group without layers.
  static func group(_ id: LayerID, name: String, parent: LayerID?) -> any Layer {
    GroupLayer(id: id, name: name, parent: parent)
  }
}
