import PortolanDocuments
import PortolanInterchange

/// A length with its unit: `500m`, `-2.5km`, `1mi`; without one, in the unit of the coordinates.
package struct LengthArgument: Hashable, Sendable {
  var number: Double
  /// The length of the unit in metres; `nil` for that of the coordinates.
  var unit: Double?
  /// As it was written.
  var text: String

  private static let units: [(name: String, metres: Double)] = [
    ("km", 1000), ("nmi", 1852), ("mi", 1609.344), ("ft", 0.3048), ("m", 1),
  ]

  /// Parses an argument; throws the reason if it is invalid.
  static func read(_ argument: String) throws -> LengthArgument {
    let known = units.first { argument.hasSuffix($0.name) }
    let digits = argument.dropLast(known?.name.count ?? 0)
    guard let first = digits.first, first.isASCII, "+-.0123456789".contains(first),
      let number = Double(digits), number.isFinite
    else {
      throw EditingError(
        .usage, "“\(argument)” is no length: write 500m, 2.5km, 1mi, 3nmi or 90ft")
    }
    return LengthArgument(number: number, unit: known?.metres, text: argument)
  }

  /// The length in the unit of a document's coordinates; in metres where they are degrees.
  ///
  /// - Throws: where the unit of the coordinates is not known, or the length has none and they are
  ///   degrees.
  func value(in system: CoordinateSystem) throws -> Double {
    if system.isDegrees {
      guard let unit else {
        throw EditingError(
          .usage, "the coordinates are degrees: write the length with its unit, as \(text)m")
      }
      return number * unit
    }
    guard let unit else { return number }
    do {
      return number * unit / (try system.unitInMetres())
    } catch {
      throw EditingError(.unsupported, error.description)
    }
  }
}
