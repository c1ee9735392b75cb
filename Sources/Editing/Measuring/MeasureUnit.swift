import ArgumentParser
import PortolanPrinting

/// The units of measured lengths; those of areas are their squares.
package enum MeasureUnit: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Metres below a kilometre, kilometres above.
  case metric
  case km, m, mi, nmi, ft

  /// The unit and the length of one in metres.
  private func scale(of metres: Double, isArea: Bool) -> (name: String, metres: Double) {
    switch self {
    case .metric: metres < (isArea ? 1e6 : 1000) ? ("m", 1) : ("km", 1000)
    case .km: ("km", 1000)
    case .m: ("m", 1)
    case .mi: ("mi", 1609.344)
    case .nmi: ("nmi", 1852)
    case .ft: ("ft", 0.3048)
    }
  }

  /// A length in metres, or in the unit of the plane if there is no unit.
  static func length(_ value: Double, in unit: MeasureUnit?) -> String {
    guard let unit else { return text(value, decimals: 3) + " units" }
    let (name, metres) = unit.scale(of: value, isArea: false)
    let decimals = metres > 1500 ? 4 : metres > 1 ? 3 : metres == 1 ? 2 : 1
    return text(value / metres, decimals: decimals) + " " + name
  }

  /// An area in square metres, or in squares of the unit of the plane.
  static func area(_ value: Double, in unit: MeasureUnit?) -> String {
    guard let unit else { return text(value, decimals: 3) + " units²" }
    let (name, metres) = unit.scale(of: value, isArea: true)
    let decimals = metres == 1 ? 1 : metres < 1 ? 0 : unit == .metric ? 3 : 6
    return text(value / (metres * metres), decimals: decimals) + " \(name)²"
  }

  private static func text(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "-" }
    let text = Figures.fixed(value, decimals: value < 1e9 ? decimals : 0)
    return text == "-" ? value.description : text
  }
}
