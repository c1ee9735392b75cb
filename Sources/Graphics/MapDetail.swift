/// The plane and the zoom of a picture, by which a layer chooses the lines to draw.
package struct MapDetail: Hashable, Sendable {
  package var plane: MapPlane
  /// The zoom in half steps, rounded down: 7 from zoom 3.5 up to 4.
  package var step: Int

  package init(plane: MapPlane, step: Int) {
    self.plane = plane
    self.step = step
  }
}
