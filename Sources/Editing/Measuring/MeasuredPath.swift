package import PortolanGraphics
import PortolanPrinting

/// A path of positions whose lengths, directions and area are measured.
///
/// In degrees its legs are geodesics of the ellipsoid, and lengths are metres; on planar maps they
/// are straight, in the units of the plane.
package struct MeasuredPath: Hashable, Sendable {
  /// One leg: its length, and its directions in degrees clockwise from north.
  package struct Leg: Hashable, Sendable {
    package var length: Double
    package var initialBearing: Double
    package var finalBearing: Double
  }

  /// What closing the path adds.
  package struct Closing: Hashable, Sendable {
    package var perimeter: Double
    /// That on the smaller side.
    package var area: Double
  }

  package static let countMax = 10_000

  package let isGeographic: Bool
  package private(set) var places: [Coordinate] = []
  /// The length up to each place.
  private var lengths: [Double] = []
  /// `nil` as long as the path is open.
  package private(set) var closing: Closing?

  package init(isGeographic: Bool) { self.isGeographic = isGeographic }

  package var length: Double { lengths.last ?? 0 }
  package var isClosed: Bool { closing != nil }

  /// Goes on to a place; a closed path is opened.
  mutating func add(_ place: Coordinate) {
    let total = places.last.map { length + leg(from: $0, to: place).length } ?? 0
    places.append(place)
    lengths.append(total)
    closing = nil
  }

  /// Opens a closed path, or takes the last place off.
  mutating func takeBack() {
    if closing == nil, !places.isEmpty {
      places.removeLast()
      lengths.removeLast()
    }
    closing = nil
  }

  mutating func close() {
    guard let first = places.first, let last = places.last else { return }
    closing = Closing(perimeter: length + leg(from: last, to: first).length, area: area)
  }

  mutating func open() { closing = nil }

  private var area: Double {
    if isGeographic { return Geodesy.area(betweenPositions: places) }
    return Ring.signedArea(places + places.prefix(1)).magnitude / 2
  }

  package func leg(from start: Coordinate, to end: Coordinate) -> Leg {
    if isGeographic {
      let way = Geodesy.way(from: start, to: end)
      return Leg(
        length: way.length, initialBearing: way.initialBearing, finalBearing: way.finalBearing)
    }
    let (x, y) = (end.x - start.x, end.y - start.y)
    let degrees = Mathematics.angle(y: x, x: y) * (180 / .pi)
    let bearing = degrees < 0 ? degrees + 360 : degrees
    return Leg(
      length: (x * x + y * y).squareRoot(), initialBearing: bearing, finalBearing: bearing)
  }

  /// The legs between the places.
  package var legs: [Leg] { zip(places, places.dropFirst()).map { leg(from: $0, to: $1) } }

  /// The figures of the path, up to another place if it is open and one is given.
  package func figures(to end: Coordinate? = nil) -> MeasuredFigures {
    let count = places.count
    if let end, !isClosed, let last = places.last, last != end {
      let leg = leg(from: last, to: end)
      return MeasuredFigures(count: count + 1, length: length + leg.length, leg: leg)
    }
    let last = count > 1 && !isClosed ? leg(from: places[count - 2], to: places[count - 1]) : nil
    return MeasuredFigures(count: count, length: length, leg: last, closing: closing)
  }

  /// The way on the map: longitudes go on from place to place, and geodesics bend.
  ///
  /// - Parameters:
  ///   - end: a further place, if the path is open.
  ///   - longitude: the first place comes at most half a turn from it.
  func way(to end: Coordinate?, near longitude: Double) -> [Coordinate] {
    var stops = places
    if let end, !isClosed { stops.append(end) }
    guard isGeographic, var former = stops.first else { return stops }
    if isClosed { stops.append(former) }
    former.x = Longitude.nearest(former.x, to: longitude)
    var way = [former]
    let most = max(1, min(64, 8192 / stops.count))
    for stop in stops.dropFirst() {
      let start = former
      let leg = leg(from: start, to: stop)
      // A leg of 50 km is as good as straight on the map.
      let parts = leg.length.isFinite ? max(1, min(most, Int(leg.length / 50_000))) : 1
      for part in 1..<max(2, parts) where parts > 1 {
        former = Geodesy.direct(
          from: start, bearing: leg.initialBearing,
          distance: leg.length * Double(part) / Double(parts))
        way.append(former)
      }
      former = Coordinate(x: Longitude.nearest(stop.x, to: former.x), y: stop.y)
      way.append(former)
    }
    return way
  }
}

/// What was measured.
package struct MeasuredFigures: Hashable, Sendable {
  /// The number of places.
  package var count: Int
  package var length: Double
  /// The last leg of an open path.
  package var leg: MeasuredPath.Leg?
  package var closing: MeasuredPath.Closing?

  /// The figures in words, each with its name; `nil` is the unit of the plane.
  func lines(in unit: MeasureUnit?) -> [(name: String, value: String)] {
    var lines: [(name: String, value: String)] = [
      ("path", count == 1 ? "1 point" : "\(count) points"),
      ("length", MeasureUnit.length(length, in: unit)),
    ]
    if let leg {
      if count > 2 { lines.append(("last leg", MeasureUnit.length(leg.length, in: unit))) }
      lines.append(("bearing", leg.bearings))
    }
    if let closing {
      lines.append(("perimeter", MeasureUnit.length(closing.perimeter, in: unit)))
      lines.append(("area", MeasureUnit.area(closing.area, in: unit)))
    }
    return lines
  }

  /// The figures as lines of text.
  func text(in unit: MeasureUnit?) -> [String] {
    lines(in: unit).map { $0.name.padded(to: 11) + $0.value }
  }

  /// The figures in one line, the most important first.
  func summary(in unit: MeasureUnit?) -> String {
    if let closing {
      return "area \(MeasureUnit.area(closing.area, in: unit)), perimeter "
        + MeasureUnit.length(closing.perimeter, in: unit)
    }
    return MeasureUnit.length(length, in: unit) + (leg.map { ", bearing \($0.bearings)" } ?? "")
  }
}

extension MeasuredPath.Leg {
  /// The directions at start and end, one if they are the same: `037.2° to 038.1°`.
  var bearings: String {
    let (start, end) = (Self.text(initialBearing), Self.text(finalBearing))
    return start == end ? start : "\(start) to \(end)"
  }

  private static func text(_ bearing: Double) -> String {
    let text = Figures.fixed(bearing, decimals: 1)
    return (text == "360.0" ? "000.0" : Figures.padded(text, to: 5, with: "0")) + "°"
  }
}
