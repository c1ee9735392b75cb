/// Why an operation on shapes has no result.
package enum GeometryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// GEOS is not installed, or too old.
  case missing
  /// It was stopped.
  case interrupted
  /// GEOS refuses an operation, with its reason.
  case failed(String, reason: String)
  /// A coordinate is no finite number.
  case notFinite
  /// Coordinates that should be degrees are none.
  case offGlobe

  package var description: String {
    switch self {
    case .missing:
      "this needs GEOS 3.9 or later (libgeos_c.so.1): apt-get install libgeos-c1v5"
    case .interrupted: "cancelled"
    case .failed(let operation, let reason):
      "GEOS has no result of \(operation)" + (reason.isEmpty ? "" : ": \(reason)")
    case .notFinite: "a coordinate is no finite number"
    case .offGlobe: "a coordinate is no longitude or latitude"
    }
  }
}
