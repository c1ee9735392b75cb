package import ArgumentParser
import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanTerminals
import PortolanTexts

/// Measures a path.
package struct Measure: FileCommand, MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Measure lengths, directions and areas, in the editor up to the cursor.",
    discussion: """
      measure 13.4,52.5 2.35,48.86 prints the length of the path and its directions at both ends, \
      in degrees clockwise from north; --area closes the path. For degrees, legs are geodesics of \
      the ellipsoid WGS 84, the shortest across 180 degrees and the poles too, and the area is \
      that of the smaller side; planar maps of documents and scripts are measured straight, in \
      their units. In the editor you put the points on the map, and put, drop, close, copy, draw, \
      keep and units are the actions of its keys: draw adds the path as a feature to the active \
      layer. Figures in JSON are not rounded, in metres and square metres or in the units of the \
      plane.
      """)

  package static let completions = [
    "words": Completion.list(Desk.MeasureStep.allCases.map(\.rawValue))
  ]
  package static let jsonOptions = ["--json"]

  @Option(help: "metric, km, m, mi, nmi or ft; areas in their squares.")
  var units: MeasureUnit?

  @Flag(help: "Close the path and measure its area.")
  var area = false

  @Flag(help: "As JSON.")
  var json = false

  @Option(parsing: .unconditional, help: "Put the cursor on this cell first: COLUMN,ROW.")
  var at: CellArgument?

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp(
      "Positions: LON,LAT, in quotes other notations; or put, drop, close, copy, draw, keep or "
        + "units.", valueName: "position"))
  var words: [String] = []

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  private var step: Desk.MeasureStep? {
    words.count == 1 ? Desk.MeasureStep(rawValue: words[0]) : nil
  }

  package var summary: String { step?.words ?? "Measure lengths, directions and areas." }

  package mutating func validate() throws {
    words = words.withoutTerminator
    if let odd = words.first(where: { $0.hasPrefix("--") }) {
      throw ValidationError("unknown option “\(odd)”")
    }
  }

  package func checkAsVerb() throws {
    if words.isEmpty {
      throw EditingError(.usage, "measure what? Give positions: portolan measure LON,LAT LON,LAT")
    }
  }

  package func run(in desk: inout Desk) throws {
    try desk.putCursor(on: at)
    let unit = try desk.measureUnit(units)
    if desk.isScripted { return try tell(unit, in: &desk) }
    if json { throw EditingError(.usage, "--json is for scripts and the shell: y copies") }
    if let units { desk.session.measureUnit = units }
    if let step { return try desk.measure(step) }
    desk.startMeasuring()
    let places = try places(on: desk, after: desk.measuring?.path.places.last)
    for place in places { try desk.measure(to: place) }
    if let last = places.last { desk.visit(typed: last) }
    if area, desk.measuring?.path.isClosed == false { try desk.measure(.close) }
    if !words.isEmpty, let figures = desk.measuring?.path.figures(), figures.count > 1 {
      desk.say(figures.summary(in: unit))
    }
  }

  /// Measures the positions and tells the figures.
  private func tell(_ unit: MeasureUnit?, in desk: inout Desk) throws {
    if step != nil {
      throw EditingError(.usage, "\(words[0]) is a key of the editor: give positions LON,LAT")
    }
    var path = MeasuredPath(isGeographic: desk.isGeographic)
    for place in try places(on: desk, after: nil) { try path.extend(to: place) }
    guard path.places.count > 1 else {
      throw EditingError(.usage, "a path needs two positions: measure LON,LAT LON,LAT")
    }
    if area {
      try path.requireRing()
      path.close()
    }
    guard desk.isHeadless else { return desk.say(path.figures().summary(in: unit)) }
    desk.send(
      json ? .printData(Self.json(of: path) + "\n") : .print(path.figures().text(in: unit)))
  }

  /// The positions that the words are; plain numbers may stand in pairs without commas.
  private func places(on desk: Desk, after last: Coordinate?) throws -> [Coordinate] {
    let isNumbers = words.count.isMultiple(of: 2) && words.allSatisfy { Double($0) != nil }
    let texts =
      isNumbers
      ? stride(from: 0, to: words.count, by: 2).map { words[$0] + " " + words[$0 + 1] } : words
    var places: [Coordinate] = []
    for text in texts {
      // Relative positions count from the one before.
      guard let base = places.last ?? last else {
        places.append(try desk.position(text))
        continue
      }
      places.append(
        try Positions.parse(text, base: base, isGeographic: desk.isGeographic))
    }
    return places
  }

  private static func json(of path: MeasuredPath) -> String {
    let figures = path.figures()
    var members: [(name: String, value: String)] = [
      (
        "points",
        SafeJSON.array(
          path.places.map { SafeJSON.array([SafeJSON.number($0.x), SafeJSON.number($0.y)]) })
      ),
      (
        "legs",
        SafeJSON.array(
          path.legs.map { leg in
            SafeJSON.object([
              ("length", SafeJSON.number(leg.length)),
              ("initialBearing", SafeJSON.number(leg.initialBearing)),
              ("finalBearing", SafeJSON.number(leg.finalBearing)),
            ])
          })
      ),
      ("length", SafeJSON.number(figures.length)),
    ]
    if let closing = figures.closing {
      members.append(("perimeter", SafeJSON.number(closing.perimeter)))
      members.append(("area", SafeJSON.number(closing.area)))
    }
    return SafeJSON.object(members)
  }
}
