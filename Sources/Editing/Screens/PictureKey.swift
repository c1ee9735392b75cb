import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// The cache key of a picture of layers: the identities of the layers' parts.
struct LayersKey: Hashable {
  /// The visible properties of one layer.
  private struct LayerKey: Hashable {
    var id: LayerID
    var count: Int
    var parts: [ObjectIdentifier]
  }

  private var layers: [LayerKey]
  private var camera: Camera
  private var capabilities: ScreenCapabilities

  init(_ layers: [any Layer], camera: Camera, capabilities: ScreenCapabilities) {
    self.layers = layers.map { layer in
      LayerKey(
        id: layer.id, count: layer.count, parts: layer.parts.map { ObjectIdentifier($0) })
    }
    self.camera = camera
    self.capabilities = capabilities
  }

  /// The objects whose identities are in the key of a document.
  static func owners(_ document: Document) -> [AnyObject] {
    document.layers.flatMap(\.parts)
  }
}

/// The cache key of the map on the screen.
struct ShownMap: Hashable {
  var key: MapKey
  /// Whether its lines and areas are pixels.
  var isStill: Bool
}

/// The cache key of the map's picture.
struct MapKey: Hashable {
  var layers: LayersKey
  var base: ObjectIdentifier?
  var comparison: ObjectIdentifier?
  var ghost: ObjectIdentifier?
  var selection: Selection
  var draft: Draft?
  var carry: Carry?
  var measured: MeasuredPath?
  var boxAnchor: Coordinate?
  /// The cursors of other people.
  var others: [Coordinate]
  /// The cursor's place, if something is drawn to it.
  var cursor: Coordinate?

  init(_ desk: Desk, camera: Camera, base: BaseMap?) {
    self.base = base.map { ObjectIdentifier($0) }
    layers = LayersKey(
      desk.shownDocument.shownLayers(at: camera.magnification), camera: camera,
      capabilities: desk.session.capabilities)
    comparison = desk.comparison.map { ObjectIdentifier($0) }
    ghost = desk.ghost.map { ObjectIdentifier($0.drawing) }
    selection = desk.selection
    draft = desk.draft
    carry = desk.carry
    measured = desk.measuring?.path
    boxAnchor = desk.map.box?.anchor
    others = desk.othersCursors
    guard desk.isFocused else { return }
    let isDrawnTo = desk.mode == .insert || desk.carry != nil || boxAnchor != nil
    cursor = isDrawnTo ? desk.snappedCursor : desk.measuredEnd
  }
}
