import PortolanDocuments
package import PortolanGraphics
import PortolanRendering

/// The viewpoint of a map pane: centre, zoom and projection.
///
/// It belongs to the desk, not to the document, so that looking around is never an edit.
package struct Viewpoint: Hashable, Sendable {
  package var center: Coordinate
  /// 2^zoom is the magnification; at 0 the whole world is 256 dots wide.
  package var zoom: Double
  package var projection: Projection
  /// The side of the planar map that the zoom counts from; `nil` on the globe, and for that of the
  /// document when it was opened.
  private(set) var side: Double?

  package init(
    center: Coordinate = Coordinate(x: 0, y: 0), zoom: Double = 0,
    projection: Projection = .webMercator
  ) {
    self.center = center
    self.zoom = zoom
    self.projection = projection
  }

  /// The same scale on a map of another side: where a document grows, its zooms count from more.
  ///
  /// - Parameters:
  ///   - side: `nil` on the globe, whose zooms always mean the same.
  ///   - former: the side for a viewpoint without one.
  func counted(from side: Double?, formerly former: Double?) -> Viewpoint {
    var viewpoint = self
    viewpoint.side = side
    if let side, let own = self.side ?? former, own != side {
      viewpoint.zoom += Mathematics.binaryLogarithm(side) - Mathematics.binaryLogarithm(own)
    }
    return viewpoint
  }

  /// The viewpoint of a view.
  init(_ view: any MapShowing) {
    self.init(
      center: view.center, zoom: Camera.zoom(forMagnification: view.magnification),
      projection: view.projection)
  }
}
