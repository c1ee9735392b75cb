import PortolanComparing
import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// The picture of a difference.
extension World {
  /// Draws a difference as a map with a legend.
  func renderDifference(
    _ difference: MapDifference, _ new: Document, _ picture: DifferencePicture, _ work: Progress
  ) throws(Failure) {
    let document = ComparisonMap.document(of: difference, like: new, hasSame: true)
    var parts = PictureParts()
    parts.title = DifferenceText.summary(difference)
    parts.legend = PictureRequest.legend(of: document)
    parts.hasScaleBar = true
    parts.legendLetters = picture.format.legendLetters(of: parts)
    let extent = Self.changedExtent(of: document)
    let plane = MapPlane(
      projection: document.metadata.isGeographic ? .webMercator : .planar, reference: extent,
      isMetric: document.metadata.isMetric)
    let camera = Camera.fitting(
      extent.forFitting(on: plane), plane: plane,
      size: picture.format.mapSize(in: picture.size, parts), margin: 0.1)
    let request = RenderRequest(
      path: picture.path,
      picture: PictureRequest(
        format: picture.format, document: document, camera: camera, size: picture.size,
        glyphs: .braille, colour: .auto, hasLabels: true, parts: parts),
      overwrites: picture.overwrites)
    _ = try render(request, work)
  }

  /// The box of what differs; of all where nothing does.
  private static func changedExtent(of document: Document) -> Box {
    let changed = document.layers.filter { $0.name != "same" }
    let box = changed.reduce(Box.empty) { $0.union($1.extent) }
    return box.isEmpty ? document.extent : box
  }
}
