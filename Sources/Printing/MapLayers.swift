package import PortolanDocuments
package import PortolanGraphics

/// The layers of a map on a canvas.
package enum MapLayers {
  /// Draws layers from the bottom up; labels of upper layers are placed first.
  package static func draw(_ layers: [any Layer], on canvas: inout some Canvas) {
    for (index, layer) in layers.enumerated() {
      canvas.beginLayer(index)
      layer.draw(on: &canvas, labelPriority: layers.count - index)
    }
  }
}
