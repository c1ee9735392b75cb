import PortolanDocuments
import PortolanGraphics
import PortolanRendering

/// Drawing: the draft and its conversion to features.
extension Desk {
  /// Enters INSERT; an unfinished draft is continued.
  ///
  /// The default kind is the one last drawn in the layer; else the only one in it; else the user is
  /// asked.
  mutating func startDrawing(_ wanted: Draft.Kind?) throws {
    try requireWritable()
    if let draft, !draft.isEmpty, wanted == nil || wanted == draft.kind {
      leaveModes()
      isDrawing = true
      say("going on with the draft (\(CountText.vertices(draft.vertexCount)))")
      return
    }
    let known = active.flatMap { work.drawnKinds[$0.id] ?? Self.onlyKind(of: $0) }
    guard let kind = wanted ?? known else {
      try askForKind()
      return
    }
    if active == nil {
      try addLayer(named: document.uniqueLayerName("\(kind.rawValue)s"), kind: kind)
    }
    let layer = try requireActiveLayer()
    try requireRoom(in: layer)
    if wanted != nil { work.drawnKinds[layer.id] = kind }
    begin(
      Draft(kind: kind, purpose: .feature(layer.id)),
      saying: "draw a \(kind.rawValue) in \(layer.name)")
  }

  /// Asks for the kind to draw; a script has to name it.
  private mutating func askForKind() throws {
    let isNew = active.map { $0.count == 0 } ?? true
    let place =
      active.map { isNew ? "layer \($0.name) is empty" : "layer \($0.name) is mixed" }
      ?? "there is no layer yet"
    if let active { try requireRoom(in: active) }
    if isScripted {
      throw EditingError(
        .usage, "\(place): say what to draw: draw point, draw line or draw polygon")
    }
    ask(
      Question(
        title: "Draw what?",
        text: "What to draw: \(place). The answer holds for this layer; Space d chooses another.",
        choices: [
          Question.Choice("p", "points", line: "draw point"),
          Question.Choice("l", "lines", line: "draw line"),
          Question.Choice("g", "polygons (areas)", line: "draw polygon"),
        ]))
  }

  /// Whether features can be added to a layer.
  func requireRoom(in layer: any Layer) throws {
    if document.isProtected(layer) { throw EditingError.locked(layer.name) }
    guard layer is any FeatureHolding else {
      throw EditingError(.refused, "layer \(layer.name) takes no features")
    }
  }

  /// Begins a draft in the place of a kept one, which undo brings back.
  private mutating func begin(_ draft: Draft, saying message: String) {
    leaveModes()
    let lost = describedDraft
    selection.vertex = nil
    var draft = draft
    draft.stroke = history.nextSerial
    self.draft = draft
    isDrawing = true
    say(
      message,
      warning: lost.map { "the kept draft, \($0), was discarded: undo brings it back" })
  }

  /// Keeps a draft whose layer or feature another person removed: as a new feature of its layer, or
  /// else of the active one.
  ///
  /// - Parameters:
  ///   - former: the document that the draft was begun in.
  ///   - person: the name of the person.
  mutating func keep(_ draft: Draft, since former: Document, without person: String) {
    if draft.isEmpty { return }
    let lost = former[layer: draft.layer]?.name ?? ""
    let own = document[layer: draft.layer]
    let what = own == nil ? "layer “\(lost)”" : "what you draw on"
    let layers = [own, activeLayer.flatMap { document[layer: $0] }] + document.layers.reversed()
    let next = layers.lazy.compactMap { $0 as? any FeatureHolding }
      .first { !document.isProtected($0) }
    guard let next else {
      return say(
        "\(person) removed \(what), and your draft with it: their undo brings both back", .warning)
    }
    var kept = draft
    kept.purpose = .feature(next.id)
    (self.draft, isDrawing, activeLayer) = (kept, true, next.id)
    say("\(person) removed \(what): your draft goes on in layer “\(next.name)”", .warning)
  }

  /// The common kind of all features in a layer; `nil` if it is empty or mixed.
  private static func onlyKind(of layer: any Layer) -> Draft.Kind? {
    switch layer.kindCode {
    case "pt": .point
    case "ln": .line
    case "pg": .polygon
    default: nil
    }
  }

  /// The draft being drawn.
  private func requireDraft() throws -> Draft {
    guard let draft else { throw EditingError(.refused, "nothing is being drawn: i starts") }
    return draft
  }

  /// Puts a vertex; a point is finished at once.
  ///
  /// - Parameter snapped: the snap target in words.
  mutating func putVertex(at place: Coordinate, snapped: String? = nil) throws {
    try placeVertex(at: place)
    guard let snapped, let message else { return }
    say("\(message.text); \(snapped)", message.severity)
  }

  private mutating func placeVertex(at place: Coordinate) throws {
    var draft = try requireDraft()
    guard place.x.isFinite, place.y.isFinite else {
      throw EditingError(.refused, "that is no place on the map")
    }
    var place = place
    if isGeographic {
      guard abs(place.y) <= 90 else { throw EditingError.beyondPole }
      place.x = Longitude.wrapped(place.x)
      if draft.kind == .polygon, draft.vertices.count >= 3, draft.vertices.first?.y == place.y,
        let first = draft.vertices.first, Longitude.nearest(place.x, to: first.x) == first.x
      {
        place = first
      }
    }
    if draft.kind == .polygon, draft.vertices.count >= 3, draft.vertices.first == place {
      try closeRing()
      return
    }
    place = continued(draft, to: place)
    if draft.vertices.last == place, draft.kind != .point {
      throw EditingError(.refused, "the last vertex is here already")
    }
    draft.parts[draft.parts.count - 1].append(place)
    self.draft = draft
    if draft.kind == .point, case .feature = draft.purpose, draft.parts.count == 1 {
      try finishDraft()
    } else {
      say(CountText.vertices(draft.vertices.count))
    }
  }

  /// The longitude in the middle of the map on which is drawn; `nil` in a script.
  private var drawingCenter: Double? { isScripted ? nil : camera.center.x }

  /// A place on the turn of the globe on which a draft goes on to it.
  func continued(_ draft: Draft, to place: Coordinate) -> Coordinate {
    isGeographic ? draft.continued(to: place, center: drawingCenter) : place
  }

  mutating func unputVertex() throws {
    var draft = try requireDraft()
    if draft.vertices.isEmpty, draft.parts.count > 1 { draft.parts.removeLast() }
    guard !draft.vertices.isEmpty else { throw EditingError(.refused, "no vertex to drop") }
    draft.parts[draft.parts.count - 1].removeLast()
    self.draft = draft
    say(CountText.vertices(draft.vertices.count))
  }

  mutating func closeRing() throws {
    var draft = try requireDraft()
    guard draft.kind != .point, draft.vertices.count >= 3, let first = draft.vertices.first else {
      throw EditingError(.refused, "a ring needs three vertices")
    }
    if draft.kind == .line {
      draft.parts[draft.parts.count - 1].append(first)
      self.draft = draft
    }
    try finishDraft()
  }

  mutating func nextPart() throws {
    var draft = try requireDraft()
    try check(draft)
    draft.parts.append([])
    self.draft = draft
    say("part \(draft.parts.count)")
  }

  /// Checks that each part has enough vertices.
  private func check(_ draft: Draft) throws {
    let kind = draft.kind
    let part = draft.parts.firstIndex { $0.count < kind.dimension + 1 }
    guard let part else { return }
    let words = kind == .polygon ? "three vertices" : kind == .line ? "two vertices" : "a place"
    let one = draft.parts.count == 1 ? "a" : "part \(part + 1) of the"
    throw EditingError(.refused, "\(one) \(kind.rawValue) needs \(words): Space puts one")
  }

  /// Adds the draft to the document, as one undoable step.
  mutating func finishDraft() throws {
    var draft = try requireDraft()
    if draft.kind == .point, draft.isEmpty, case .feature = draft.purpose {
      self.draft = nil
      isDrawing = false
      return
    }
    if draft.vertices.isEmpty, draft.parts.count > 1 { draft.parts.removeLast() }
    if case .append = draft.purpose {
      if draft.isEmpty { throw EditingError(.refused, "no vertex yet: Space puts one") }
    } else {
      try check(draft)
      if isGeographic { draft.closeAlongPole(center: drawingCenter) }
    }
    work.finishedStroke = draft.stroke
    switch draft.purpose {
    case .feature(let layer): try add(draft.geometry, to: layer)
    case .part(let feature): try addPart(draft, to: feature)
    case .append(let feature, let path): try append(draft.parts.flatMap { $0 }, to: feature, path)
    }
    // Points are put one after the other; lines and areas end the drawing.
    if draft.kind == .point, case .feature = draft.purpose {
      self.draft = Draft(kind: .point, purpose: draft.purpose)
    } else {
      self.draft = nil
      isDrawing = false
    }
  }

  mutating func add(_ geometry: Geometry, to layer: LayerID) throws {
    var id: FeatureID?
    let word = geometry.kind.name ?? "feature"
    try editFeatures("draw \(word)", of: layer) { layer in
      id = layer.add(geometry: geometry, attributes: [])
    }
    guard let id else { return }
    select([FeatureReference(layer: layer, feature: id)], .replace)
    say("\(word) drawn: e edits its attributes")
  }

  private mutating func addPart(_ draft: Draft, to reference: FeatureReference) throws {
    let isGeographic = self.isGeographic
    try editGeometry("draw part", of: reference) { geometry in
      for part in draft.parts {
        geometry.addPart(part, kind: draft.kind, isGeographic: isGeographic)
      }
    }
    say("part added")
  }

  private mutating func append(
    _ vertices: [Coordinate], to reference: FeatureReference, _ path: Int
  ) throws {
    let isGeographic = self.isGeographic
    try editGeometry("append vertices", of: reference) { geometry in
      guard geometry.paths.indices.contains(path) else { return }
      let isRing = geometry.paths[path].role.isRing
      let place = geometry.paths[path].vertices.count - (isRing ? 1 : 0)
      geometry.paths[path].append(vertices, at: max(0, place), isGeographic: isGeographic)
    }
    say("\(CountText.vertices(vertices.count)) added")
  }

  /// Changes one feature's geometry in one undoable step.
  mutating func editGeometry(
    _ title: String, of reference: FeatureReference, _ change: (inout Geometry) throws -> Void
  ) throws {
    guard var geometry = document.feature(reference)?.geometry else {
      throw EditingError(.notFound, "the feature is gone")
    }
    if isGeographic { try geometry.changeOnGlobe(change) } else { try change(&geometry) }
    guard geometry.isFinite else { throw EditingError.beyondNumbers }
    try editFeatures(title, of: reference.layer) { layer in
      try layer.setGeometry(geometry, of: reference.feature)
    }
  }

  // MARK: Drawing on a feature

  /// Continues drawing the selected line or ring; with a picked vertex, inserts one after it.
  ///
  /// - Parameter alone: whether a vertex comes into this area alone, where others share the edge.
  mutating func append(alone: Bool = false) throws {
    try requireWritable()
    if let vertex = selection.vertex {
      try pickInserted(after: vertex, alone: alone)
      return
    }
    let (reference, feature) = try requireOneFeature()
    guard let path = feature.geometry.paths.lastIndex(where: { $0.role.kind != .point }),
      feature.geometry.kind != .geometryCollection
    else { throw EditingError(.refused, "only lines, areas and multi-points can go on") }
    let kind: Draft.Kind =
      switch feature.geometry.paths[path].role.kind.dimension {
      case 0: .point
      case 1: .line
      default: .polygon
      }
    begin(
      Draft(kind: kind, purpose: .append(reference, path: path)),
      saying: "going on with the \(kind.rawValue): Space puts vertices, Enter finishes")
    let isRing = feature.geometry.paths[path].role.isRing
    if let last = feature.geometry.paths[path].vertices.dropLast(isRing ? 1 : 0).last {
      visit(last)
    }
  }

  /// Starts a new part or hole of the selected feature.
  mutating func startPart() throws {
    try requireWritable()
    let (reference, feature) = try requireOneFeature()
    let kind: Draft.Kind
    switch feature.geometry.kind.dimension {
    case 0: kind = .point
    case 1: kind = .line
    case 2: kind = .polygon
    default:
      throw EditingError(.refused, "parts are added to points, lines and areas only")
    }
    begin(
      Draft(kind: kind, purpose: .part(reference)),
      saying: "a new part of the \(kind.rawValue)"
        + (kind == .polygon ? ": inside, it is a hole" : ""))
  }

  /// The single selected feature, in a layer that can be changed.
  private func requireOneFeature() throws -> (FeatureReference, Feature) {
    guard let reference = selection.currentFeature, let feature = document.feature(reference),
      let layer = document[layer: reference.layer]
    else { throw nothingSelected() }
    if document.isProtected(layer) { throw EditingError.locked(layer.name) }
    return (reference, feature)
  }

  /// Puts a vertex half way to the next one and picks it.
  private mutating func pickInserted(after vertex: VertexReference, alone: Bool) throws {
    let shared = try insertVertex(after: vertex, alone: alone)
    var next = vertex
    next.vertex += 1
    selection.vertex = next
    if let place = coordinate(of: next) { visit(place) }
    say("vertex inserted\(shared): m moves it")
  }
}
