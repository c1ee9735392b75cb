import PortolanDocuments
import PortolanGraphics

extension Document {
  /// A document of one layer with two points.
  static let towns: Document = {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns",
      style: .standard(forDimension: 0, index: 0))
    for (name, x) in [("Basel", 7.6), ("Chur", 9.5)] {
      _ = layer.add(
        geometry: .point(Coordinate(x: x, y: 47)), attributes: [("name", .string(name))])
    }
    document.layers = [layer]
    return document
  }()

  func titled(_ title: String) -> Document {
    var document = self
    document.metadata.title = title
    return document
  }
}
