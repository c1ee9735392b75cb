import PortolanDocuments
import PortolanTerminals

/// Maps at rest, whose lines and areas are pixels.
extension Desk {
  /// The key of the pane's map if it may be shown as pixels: on a screen that takes pictures, with
  /// nothing above it.
  var stillKey: MapKey? {
    guard session.capabilities.pictureCellSize != nil, pane.state.map != nil,
      !document.layers.isEmpty, !mapArea.isEmpty, !isMapCovered
    else { return nil }
    return MapKey(self, camera: mapCamera, base: base)
  }

  /// The picture of a map; `nil` if there is none, or something stands above it.
  func still(of key: MapKey) -> StillMap? {
    guard let still = session.stills[pane.id], still.key == key, still.image != nil, !isMapCovered
    else { return nil }
    return still
  }

  /// Whether an overlay or a long message stands above the map.
  private var isMapCovered: Bool {
    hasOverlay || layout.kind == .tooSmall
      || HintLine.rowCount(self, columns: layout.hint.columns) > 1
  }
}
