/// Why coordinates could not be converted.
package enum ProjectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// PROJ is not installed, or too old.
  case missing(from: String, to: String)
  /// PROJ does not know a system.
  case unknown(String)
  /// Nothing leads from one system to the other.
  case noWay(from: String, to: String)

  package var description: String {
    switch self {
    case .missing(let from, let to):
      "converting \(from) into \(to) needs PROJ (libproj.so.25): apt-get install libproj25"
    case .unknown(let name): "PROJ knows no coordinate system \(name)"
    case .noWay(let from, let to): "PROJ knows no way from \(from) to \(to)"
    }
  }
}
