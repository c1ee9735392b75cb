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

  package init(
    center: Coordinate = Coordinate(x: 0, y: 0), zoom: Double = 0,
    projection: Projection = .webMercator
  ) {
    self.center = center
    self.zoom = zoom
    self.projection = projection
  }

  /// The viewpoint of a view.
  init(_ view: any MapShowing) {
    self.init(
      center: view.center, zoom: Camera.zoom(forMagnification: view.magnification),
      projection: view.projection)
  }
}
