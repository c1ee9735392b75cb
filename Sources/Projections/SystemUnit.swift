/// The units of coordinate systems.
package enum SystemUnit {
  /// The length of a system's unit in metres; `nil` if it is an angle or not known.
  ///
  /// - Parameter name: the name of a register's system, such as `EPSG:2263`.
  /// - Throws: `ProjectionError` where PROJ is wanted and missing, or does not know the system.
  package static func metres(of name: String) throws(ProjectionError) -> Double? {
    switch OwnSystem(name) {
    case .degrees: return nil
    case .webMercator, .zone: return 1
    case nil: break
    }
    guard let library = Proj() else { throw .missing(from: name, to: name) }
    guard library.knows(name) else { throw .unknown(name) }
    guard let unit = library.unit(of: name), unit.name != "degree", unit.size > 0 else {
      return nil
    }
    return unit.size
  }
}
