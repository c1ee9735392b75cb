/// The units of coordinate systems.
package enum SystemUnit {
  /// The length of a system's unit in metres; `nil` if it is an angle or not known.
  ///
  /// - Parameter name: the name of a register's system, such as `EPSG:2263`.
  /// - Throws: `ProjectionError` where PROJ is wanted and missing, or does not know the system.
  package static func metres(of name: String) throws(ProjectionError) -> Double? {
    switch OwnSystem(name) {
    case .degrees: return nil
    case .webMercator, .equalEarth, .zone: return 1
    case nil: break
    }
    guard let library = Proj() else { throw .missing(from: name, to: name) }
    guard library.knows(name) else { throw .unknown(name) }
    guard let unit = library.unit(of: name), !isAngle(unit.name), unit.size > 0 else {
      return nil
    }
    return unit.size
  }

  /// Whether a unit is one of angles, by the name that PROJ has for it.
  package static func isAngle(_ name: String) -> Bool {
    let plain = name.lowercased()
    let words = ["degree", "grad", "gon", "radian", "arc-", "centesimal"]
    return words.contains { plain.hasPrefix($0) } || plain.hasSuffix("radian")
  }
}
