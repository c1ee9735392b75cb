import Archiving
import PortolanGraphics

/// The kinds of layers that documents can hold.
///
/// Only a kind's own files, this list and the importers that make layers name a kind.
package enum LayerKinds {
  /// To add a kind: its line here. Layers of other kinds are kept unchanged.
  package static let all: [any Layer.Type] = [
    FeatureLayer.self, AnnotationLayer.self, GroupLayer.self,
  ]

  /// The classes allowed for a layer in an archive.
  static let classes = ClassList<any Layer>(all.map { $0 }, unknown: { UnknownLayer(kept: $0) })

  /// The changes allowed in a journal.
  static let changes = ClassList<any LayerChange>(
    all.flatMap { $0.changeTypes } + [LayerFieldsChange.self])

  /// A new layer without features, for drawing.
  package static func features(_ id: LayerID, name: String) -> any FeatureHolding {
    FeatureLayer(id: id, name: name, style: Style(name: "", mark: MarkStyle()))
  }

  /// A new layer of notes, without any.
  package static func notes(_ id: LayerID, name: String) -> any NoteHolding {
    AnnotationLayer(id: id, name: name)
  }

  /// A new layer without features, of the kind, the name and the looks of another one.
  package static func features(_ id: LayerID, like model: any FeatureHolding) -> any FeatureHolding
  {
    var layer: any FeatureHolding =
      model is any NoteHolding ? notes(id, name: model.name) : features(id, name: model.name)
    (layer.style, layer.zooms) = (model.style, model.zooms)
    return layer
  }

  /// A new group without layers.
  static func group(_ id: LayerID, name: String, parent: LayerID?) -> any Layer {
    GroupLayer(id: id, name: name, parent: parent)
  }
}
