import PortolanGraphics

/// The places of the labels in the last frame, kept while the map is moved.
struct LabelMemory {
  let plane: MapPlane
  let zoom: Double
  /// The first dot of the window.
  let originX: Int
  let originY: Int
  let places: [LabelKey: Place]
  /// Whether all stand where a fresh drawing puts them.
  let isSettled: Bool

  init(_ places: [LabelKey: Place], in camera: Camera, isSettled: Bool) {
    (plane, zoom) = (camera.plane, camera.zoom)
    (originX, originY) = (camera.originX, camera.originY)
    (self.places, self.isSettled) = (places, isSettled)
  }

  enum Place {
    /// One of the places around a point, by its number, and which of the feature's points.
    case around(Int, point: Int)
    /// The first cell of the name of a line or an area, in dots of the world.
    ///
    /// `part` is the part of the area whose middle has the name.
    case fixed(x: Int, y: Int, columns: Int, isSpaced: Bool, part: AnchorPart)

    /// The first cell of a name in two lines, in dots of the world, and the width of the longer
    /// one.
    case wrapped(x: Int, y: Int, columns: Int, part: AnchorPart)

    var isInPart: Bool {
      switch self {
      case .around: false
      case .fixed(_, _, _, _, let part), .wrapped(_, _, _, let part): part == .visible
      }
    }
  }

  /// The places for a window that follows: none at another scale, nor where less than half of the
  /// window is the same, which is a jump and no gesture of panning. A settled map at rest has none
  /// either: a change of it shows at once where its names stand then.
  func places(for camera: Camera) -> [LabelKey: Place] {
    guard zoom == camera.zoom, plane == camera.plane,
      abs(camera.originX - originX) <= camera.dotWidth / 2 + 2,
      abs(camera.originY - originY) <= camera.dotHeight / 2 + 4
    else { return [:] }
    let isAtRest = camera.originX == originX && camera.originY == originY
    return isSettled && isAtRest ? [:] : places
  }
}
