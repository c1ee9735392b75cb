import PortolanDocuments
import PortolanGraphics
import PortolanPrinting

/// The cursor's position, in words.
extension Desk {
  /// One line for Ctrl-G and for users who cannot see the map.
  package var whereabouts: String {
    var words = [Positions.text(cursor, isGeographic: plane.isGeographic)]
    let here = featuresHere
    if here.isEmpty {
      words.append("nothing here")
      if let near = nearestWords { words.append(near) }
    } else {
      let names = here.prefix(3).map { describe($0) }
      let more = here.count > 3 ? " and \(here.count - 3) more" : ""
      words.append("on " + names.joined(separator: ", ") + more)
    }
    if let active { words.append("active layer \(active.name)") }
    if !selection.isEmpty { words.append("\(selection.count) selected") }
    return words.joined(separator: "; ")
  }

  /// The nearest feature in view with its direction.
  private var nearestWords: String? {
    guard let near = makeNearWalk().order.first else { return nil }
    let distance: String
    let direction: String
    if plane.isGeographic {
      let meters = Geodesy.distance(from: cursor, to: near.place)
      let bearing = Geodesy.initialBearing(from: cursor, to: near.place)
      distance = Figures.distance(meters: meters)
      direction = Self.compass(bearing)
    } else {
      let x = near.place.x - cursor.x
      let y = near.place.y - cursor.y
      distance = Figures.short((x * x + y * y).squareRoot(), decimals: 2)
      let turn = Mathematics.angle(y: x, x: y) * 180 / .pi
      direction = Self.compass(turn < 0 ? turn + 360 : turn)
    }
    return "nearest: \(describe(near.feature)), \(distance) \(direction)"
  }

  private static func compass(_ bearing: Double) -> String {
    guard bearing.isFinite else { return "away" }
    let names = [
      "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    ]
    return names[Int((bearing / 45).rounded()) & 7]
  }
}
