import PortolanDocuments
import PortolanGraphics

/// A path that is being measured on the map, up to the cursor.
package struct Measuring: Overlay {
  package static let mode: Mode? = .measure
  package static let coversMap = false
  package static let keys = """
    [measure]
    ## Ask and measure
    <space> = measure put          ;; point
    <backspace> = measure drop     ;; drop last
    c = measure close              ;; close
    y = measure copy               ;; copy
    d = measure draw               ;; make a feature
    <ret> = measure keep           ;; done
    <esc> = escape                 ;; leave
    s = snap                       ;; snap
    m = measure units              ;; units
    u = measure drop
    , = prompt position            ;; position
    ## Menu, commands, help
    ? = help
    """

  package internal(set) var path: MeasuredPath

  package func escape(in desk: inout Desk) { desk.measuring = nil }
}

/// Measuring: points at the cursor or at positions, and what is done with the figures.
extension Desk {
  /// A key of a measurement.
  package enum MeasureStep: String, CaseIterable, Sendable {
    case put, drop, close, copy, draw, keep, units

    var words: String {
      switch self {
      case .put: "Put a point of the measured path."
      case .drop: "Drop its last point, or open it."
      case .close: "Close it and measure its area, or open it."
      case .copy: "Copy the figures."
      case .draw: "Make the measured path a feature of the active layer."
      case .keep: "End measuring and tell the figures."
      case .units: "Take the next unit."
      }
    }
  }

  package internal(set) var measuring: Measuring? {
    get { work.overlay[Measuring.self] }
    set { work.overlay[Measuring.self] = newValue }
  }

  /// The unit of the figures; `nil` for planes whose unit is not known.
  func measureUnit(_ wanted: MeasureUnit? = nil) throws -> MeasureUnit? {
    guard isGeographic || document.metadata.units == "metres" else {
      guard wanted == nil else {
        throw EditingError(
          .refused, "the unit of this plane is not known: lengths are in its own units")
      }
      return nil
    }
    return wanted ?? (isScripted ? .metric : session.measureUnit)
  }

  /// The figures of the path that is measured, up to the cursor.
  package var measured: MeasuredFigures? {
    measuring?.path.figures(to: measuredEnd)
  }

  /// The place that the open path goes on to.
  var measuredEnd: Coordinate? {
    guard let measuring, !measuring.path.isClosed, isFocused, !isScripted else { return nil }
    return snappedCursor
  }

  mutating func startMeasuring() {
    if measuring != nil { return }
    leaveModes()
    measuring = Measuring(path: MeasuredPath(isGeographic: isGeographic))
  }

  /// Takes a place into the path.
  mutating func measure(to place: Coordinate) throws {
    try changeMeasured { path in
      guard path.isClosed || path.places.last != place else {
        throw EditingError(.refused, "the last point is here already")
      }
      try path.extend(to: place)
    }
  }

  mutating func measure(_ step: MeasureStep) throws {
    switch step {
    case .put: try measure(to: snappedCursor)
    case .drop:
      try changeMeasured { path in
        if path.places.isEmpty { throw EditingError(.refused, "no point to drop") }
        path.takeBack()
      }
    case .close:
      try changeMeasured { path in
        if path.isClosed { return path.open() }
        try path.requireRing()
        path.close()
      }
    case .copy:
      let (figures, unit) = try measuredNow()
      send(.setClipboard(figures.text(in: unit).joined(separator: "\n") + "\n"))
      say("copied: " + figures.summary(in: unit))
    case .draw: try drawMeasured()
    case .keep:
      let (figures, unit) = try measuredNow()
      measuring = nil
      say(figures.summary(in: unit))
    case .units:
      _ = try measureUnit(.metric)
      let all = MeasureUnit.allCases
      let index = all.firstIndex(of: session.measureUnit) ?? 0
      session.measureUnit = all[(index + 1) % all.count]
      say("units: \(session.measureUnit.rawValue)")
    }
  }

  private func requireMeasuring() throws -> Measuring {
    guard let measuring else {
      throw EditingError(.refused, "nothing is being measured: M begins")
    }
    return measuring
  }

  private mutating func changeMeasured(_ change: (inout MeasuredPath) throws -> Void) throws {
    var measuring = try requireMeasuring()
    try change(&measuring.path)
    self.measuring = measuring
  }

  /// The figures on the screen.
  private func measuredNow() throws -> (MeasuredFigures, MeasureUnit?) {
    let path = try requireMeasuring().path
    let figures = path.figures(to: measuredEnd)
    guard figures.count > 1 else {
      throw EditingError(.refused, "nothing is measured yet: Space puts a point")
    }
    return (figures, try measureUnit())
  }

  /// Makes the points a line of the active layer, or an area if the path is closed.
  private mutating func drawMeasured() throws {
    let path = try requireMeasuring().path
    guard path.places.count > 1 else {
      throw EditingError(.refused, "a line needs two points: Space puts one")
    }
    try requireWritable()
    if draft?.isEmpty == false {
      throw EditingError(
        .refused, "something else is being drawn: finish it first, or :discard-draft")
    }
    let kind: Draft.Kind = path.isClosed ? .polygon : .line
    if active == nil {
      try addLayer(named: document.uniqueLayerName("\(kind.rawValue)s"), kind: kind)
    }
    let layer = try requireActiveLayer()
    try requireRoom(in: layer)
    var draft = Draft(kind: kind, purpose: .feature(layer.id))
    for place in path.places {
      var place = place
      if isGeographic, let last = draft.vertices.last {
        let turn = Longitude.nearest(place.x, to: last.x) - place.x
        place.x = NumberText.sum(place.x, turn)
      }
      draft.parts[0].append(place)
    }
    if isGeographic { draft.closeAlongPole(center: nil) }
    leaveModes()
    try add(draft.geometry, to: layer.id)
  }
}

extension MeasuredPath {
  /// Goes on to a place on the map.
  mutating func extend(to place: Coordinate) throws {
    guard place.x.isFinite, place.y.isFinite, !isGeographic || place.y.magnitude <= 90 else {
      throw EditingError(.refused, "that is no place on the map")
    }
    guard places.count < Self.countMax else {
      throw EditingError(.refused, "a measured path has at most \(Self.countMax) points")
    }
    add(Coordinate(x: isGeographic ? Longitude.wrapped(place.x) : place.x, y: place.y))
  }

  /// - Throws: if it has no inside.
  func requireRing() throws {
    guard places.count > 2 else { throw EditingError(.refused, "an area needs three points") }
  }
}
