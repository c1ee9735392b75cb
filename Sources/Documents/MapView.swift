package import Graphics

/// A map at a magnification, with its legend and, conditionally, its overview.
package struct MapView: View, Hashable {
  package let id: ViewID
  package var name: String
  /// The name of the map that is shown: the document's title unless set.
  package var mapName: String
  /// m = 2^z; at 1 the whole world is 256 dots wide.
  package var magnification: Double
  package var center: Coordinate
  package var projection: Projection
  package var legend: LegendView?
  /// The overview. The reference is conditional: it is archived only if the document holds that
  /// view anyway, and decodes as none otherwise.
  package var auxiliaryView: ViewID?

  package init(
    id: ViewID, name: String, mapName: String, magnification: Double = 1,
    center: Coordinate = Coordinate(x: 0, y: 0), projection: Projection = .webMercator,
    legend: LegendView? = nil, auxiliaryView: ViewID? = nil
  ) {
    self.id = id
    self.name = name
    self.mapName = mapName
    self.magnification = magnification
    self.center = center
    self.projection = projection
    self.legend = legend
    self.auxiliaryView = auxiliaryView
  }
}
