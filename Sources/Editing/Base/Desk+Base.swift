import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals

/// The base map behind the data.
extension Desk {
  /// The base map of the pane; `nil` where none is drawn.
  package var base: BaseMap? {
    baseAbsence == nil ? session.base.map(at: viewpoint.zoom) : nil
  }

  /// Whether a finer base map would be drawn if it is installed.
  package var wantsFinerBase: Bool {
    let base = session.base
    guard base.mayHaveFiner, viewpoint.zoom > BaseMaps.finerZoom, baseAbsence == nil else {
      return false
    }
    if case .file = base.choice { return false }
    return true
  }

  /// Takes the finer base maps, or the reason why there are none.
  mutating func take(_ found: FinerBase) {
    session.base.mayHaveFiner = false
    session.base.finer = found.maps
    if let fault = found.fault { say(fault, .warning) }
  }

  /// The base map of the overview; `nil` where none is drawn.
  func overviewBase(at zoom: Double) -> BaseMap? {
    guard let map = session.base.smallMap, zoom <= map.zoomMax, baseAbsence == nil else {
      return nil
    }
    return map
  }

  /// Why the chosen base map is not drawn, at any zoom; `nil` if it is.
  private var baseAbsence: String? {
    if session.base.choice == .none { return "none is chosen" }
    if !isGeographic { return "the coordinates are planar" }
    guard let map = session.base.map else { return "there is none" }
    if session.base.choice == .automatic, let name = document.nameOfLand {
      return "layer “\(name)” shows land of its own, :base coast draws it all the same"
    }
    if map.isShown(by: document) { return "it is a layer of the document" }
    return nil
  }

  /// Draws another base map from now on.
  mutating func chooseBase(_ choice: BaseChoice) throws {
    if case .file(let path) = choice {
      request(BaseRequest(path: path))
      return
    }
    if choice != .none, session.base.builtIn == nil { throw EditingError.noBase }
    session.base.choice = choice
    sayBase()
  }

  /// Takes the map of a file.
  mutating func takeBase(_ map: BaseMap?, of path: String) {
    session.base.choice = .file(path)
    session.base.file = map
    sayBase()
  }

  private mutating func sayBase() {
    let choice = session.base.choice
    let absence = choice == .none ? nil : baseAbsence
    let limit =
      wantsFinerBase
      ? nil
      : session.base.nearMap.flatMap {
        viewpoint.zoom > $0.zoomMax ? $0.zoomMax : nil
      }
    let reason = absence ?? limit.map { "it is drawn up to zoom \(Figures.fixed($0, decimals: 0))" }
    say(
      choice == .none
        ? "no base map" : "base map: \(choice.word)" + (reason.map { "; not shown: \($0)" } ?? ""))
  }

  /// Hides the base map, or shows the hidden one again.
  ///
  /// A map that is chosen and not drawn, because the document brings land of its own, is asked for.
  mutating func toggleBase() throws {
    let choice = session.base.choice
    if base != nil {
      session.base.hidden = choice
      return try chooseBase(.none)
    }
    let wanted = choice == .none ? session.base.hidden : choice
    session.base.choice = wanted
    if case .file = wanted { return sayBase() }
    try chooseBase(wanted == .automatic && baseAbsence != nil ? .coast : wanted)
  }

  /// Adds a base map below all layers, as one step.
  ///
  /// - Parameter choice: the map to add; `nil` for the one that is chosen.
  mutating func addBase(_ choice: BaseChoice?) throws {
    if choice == nil, isScripted {
      throw EditingError(
        .usage, "a script does not know the base map of the screen: base add coast, or countries")
    }
    if case .file(let path)? = choice {
      throw EditingError(.usage, "a file becomes layers with :import \(path)")
    }
    if choice == BaseChoice.none || choice == nil && session.base.choice == .none {
      throw EditingError(.usage, "no base map is chosen: base add coast, or countries")
    }
    var setting = session.base
    setting.choice = choice ?? setting.choice
    guard let map = setting.map else { throw EditingError.noBase }
    guard isGeographic else {
      throw EditingError(
        .refused, "the document's coordinates are planar, those of the map degrees")
    }
    var added: [LayerID] = []
    try edit("add the base map") { added = $0.add(map) }
    if activeLayer == nil { activeLayer = added.last }
    let names = added.compactMap { document[layer: $0]?.name }
    say("added below all layers: " + names.joined(separator: ", "))
  }

  /// Looks at the whole inhabited world in the middle of the room above the welcome, as far as the
  /// map goes on in the north, with the cursor where longitude and latitude are 0; for a document
  /// without layers. A script starts where it starts without a base map.
  mutating func showWorld() {
    let size = mapArea.size
    guard session.base.isOn, !isScripted, isGeographic, document.layers.isEmpty, !mapArea.isEmpty
    else { return }
    let plane = self.plane
    let world = Box(minX: -180, minY: -58, maxX: 180, maxY: 78)
    let below = WelcomePane.rowsBelowWorld(self, rows: size.rows)
    let room = CellSize(columns: size.columns, rows: max(1, size.rows - below))
    let fitted = Camera.fitting(world, plane: plane, size: room, margin: 0).resized(to: size)
    func height(_ latitude: Double) -> Double { plane.forward(Coordinate(x: 0, y: latitude)).y }
    let free =
      Double(4 * room.rows) / fitted.worldDots - (height(world.minY) - height(world.maxY))
    let north = max(height(plane.extent.maxY), height(world.maxY) - max(0, free) / 2)
    let half = Double(4 * size.rows) / fitted.worldDots / 2
    look(
      through: fitted.centered(on: plane.inverse(UnitPoint(x: 0.5, y: north + half))),
      keeping: Coordinate(x: 0, y: 0))
    // The middle of the map may be at the pole, below the welcome.
    settleCursor(at: Coordinate(x: 0, y: 0))
  }
}

extension EditingError {
  static let noBase = EditingError(.notFound, "no base map is built in")
}

extension Document {
  /// A visible layer of areas with so many vertices is taken for land.
  private static let landVertices = 1000

  /// The name of a visible layer that is taken for land: areas of a thousand vertices or more.
  ///
  /// - Complexity: O(blocks), and O(features) of layers that are not areas alone.
  var nameOfLand: String? {
    shownLayers.first { layer in
      guard let holding = layer as? any FeatureHolding, ["pg", "mix"].contains(layer.kindCode)
      else { return false }
      var count = 0
      for block in holding.blocks.lazy.map(\.geometry) {
        if block.kinds.contains(where: { $0.dimension == 2 }) { count += block.vertexCount }
        if count >= Self.landVertices { return true }
      }
      return false
    }?.name
  }

  /// Adds a base map below all layers, in a quiet look; returns the new layers.
  mutating func add(_ map: BaseMap) -> [LayerID] {
    let above = layers
    layers = []
    let land = map.land
    for (index, layer) in map.layers.enumerated() {
      let id = LayerID(makeID())
      let known = above.map(\.name) + layers.map(\.name)
      let name = Self.unique(layer.name, among: Set(known))
      var added = layer.renumbered(id, name: name, parent: nil)
      added.style = Style(name: name, mark: Self.baseMark(isFilled: index == land))
      layers.append(added)
    }
    defer { layers += above }
    return layers.map(\.id)
  }

  private static func unique(_ name: String, among known: Set<String>) -> String {
    guard known.contains(name) else { return name }
    let number = (2...).first { !known.contains("\(name) \($0)") } ?? 2
    return "\(name) \(number)"
  }

  /// Land has the only fill: what lies above it shows it and its lakes.
  private static func baseMark(isFilled: Bool) -> MarkStyle {
    let grey = Colour(red: 0x86, green: 0x90, blue: 0x9A)
    return MarkStyle(stroke: grey, fill: isFilled ? grey.dimmed : nil)
  }
}
