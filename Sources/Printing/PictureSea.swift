import PortolanDocuments
import PortolanGraphics
import PortolanRendering

/// The sea of a picture: the ground around the areas of land.
extension PictureRequest {
  /// The shown layers of land that fill the map, by their numbers: there is no other land in view,
  /// so all else is sea.
  var lands: Set<Int> {
    let visible = camera.visible
    return Set(
      document.shownLayers.enumerated().filter { _, layer in
        layer.isOfLand && layer.extent.reachesAround(visible)
      }.map(\.offset))
  }

  /// Whether the ground of the map is the sea: as wanted, else upon a base map, and around layers
  /// of land that fill the map.
  var hasSea: Bool {
    guard camera.plane.isGeographic else { return false }
    return sea ?? (hasBase || !lands.isEmpty)
  }
}

extension Box {
  /// Whether it contains a box, or goes around the world.
  fileprivate func reachesAround(_ box: Box) -> Bool {
    if isEmpty { return false }
    if width >= Self.aroundWorld { return true }
    return minX <= box.minX && maxX >= box.maxX && minY <= box.minY && maxY >= box.maxY
  }

  /// Countries and land of the whole world are this wide.
  private static var aroundWorld: Double { 350 }
}
