package import PortolanDocuments
package import PortolanGraphics

/// Numbers as the screen and the reports write them: with a point, in few characters.
package enum Figures {
  /// A number with exactly so many decimals, rounded half away from zero; `-` if it is not finite.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "-" }
    let places = min(max(0, decimals), 9)
    var scale: Double = 1
    for _ in 0..<places { scale *= 10 }
    guard let scaled = Int64(exactly: (abs(value) * scale).rounded()) else { return "-" }
    let unit = Int64(scale)
    let sign = value < 0 && scaled != 0 ? "-" : ""
    let whole = sign + String(scaled / unit)
    if places == 0 { return whole }
    return whole + "." + padded(String(scaled % unit), to: places, with: "0")
  }

  /// A number with at most so many decimals, trailing zeros dropped.
  package static func short(_ value: Double, decimals: Int) -> String {
    var text = fixed(value, decimals: decimals)
    guard text.utf8.contains(0x2E) else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// A planar ordinate or length with at most so many decimals; where those would show 0 or the
  /// number is too long, as a power of ten: `2.3e-9`, `1e300`.
  package static func planar(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "-" }
    var size = value.magnitude
    if size > 0, size < 1e15 {
      // As many as a double tells apart.
      let most = size < 1e6 ? 9 : size < 1e9 ? 6 : size < 1e12 ? 3 : size < 1e14 ? 1 : 0
      let text = short(value, decimals: min(decimals, most))
      if text != "0" { return text }
    }
    if size == 0 { return "0" }
    var power = 0
    while size >= 9.9995 { (size, power) = (size / 10, power + 1) }
    while size < 0.99995 { (size, power) = (size * 10, power - 1) }
    return short(value < 0 ? -size : size, decimals: 3) + "e\(power)"
  }

  /// A count in few characters: `243`, `28k`, `1.9M`, `4bn`.
  package static func count(_ value: Int) -> String {
    switch value {
    case ..<10_000: String(value)
    case ..<1_000_000: "\(value / 1000)k"
    case ..<10_000_000: fixed(Double(value) / 1e6, decimals: 1) + "M"
    case ..<1_000_000_000: "\(value / 1_000_000)M"
    default: "\(value / 1_000_000_000)bn"
    }
  }

  /// A count with its thousands apart: `412`, `2,310`.
  package static func grouped(_ value: Int) -> String {
    let digits = String(value.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (value < 0 ? "-" : "") + text
  }

  /// A position in degrees, such as `52.52N 013.40E`.
  package static func degrees(_ position: Coordinate, decimals: Int) -> String {
    let north = fixed(abs(position.y), decimals: decimals)
    let east = fixed(abs(position.x), decimals: decimals)
    let fraction = decimals > 0 ? decimals + 1 : 0
    return padded(north, to: 2 + fraction, with: "0") + (position.y < 0 ? "S " : "N ")
      + padded(east, to: 3 + fraction, with: "0") + (position.x < 0 ? "W" : "E")
  }

  /// A ground distance with its unit: `23km`, `1.4km`, `350m`, `0.8m`.
  package static func distance(meters: Double) -> String {
    guard meters.isFinite, meters >= 0 else { return "-" }
    if meters >= 9_950 { return fixed(meters / 1000, decimals: 0) + "km" }
    if meters >= 995 { return fixed(meters / 1000, decimals: 1) + "km" }
    if meters >= 9.95 { return fixed(meters, decimals: 0) + "m" }
    if meters >= 0.995 { return fixed(meters, decimals: 1) + "m" }
    return fixed(meters * 100, decimals: 0) + "cm"
  }

  /// A magnification in few characters: `0.5`, `8.6`, `13`, `1.2k`, `4.2M`.
  package static func magnification(_ value: Double) -> String {
    guard value.isFinite, value > 0 else { return "-" }
    if value < 9.95 { return fixed(value, decimals: 1) }
    if value < 1000 { return fixed(value, decimals: 0) }
    if value < 1e6 { return short(value / 1e3, decimals: 1) + "k" }
    return short(value / 1e6, decimals: 1) + "M"
  }

  /// The zooms at which a layer is shown: `from zoom 5, below 9`; `nil` for all.
  package static func zooms(_ bounds: ZoomBounds) -> String? {
    let (least, greatest) = bounds.zooms
    let words = [
      least.map { "from zoom \(short($0, decimals: 6))" },
      greatest.map { "below \(least == nil ? "zoom " : "")\(short($0, decimals: 6))" },
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// A size in bytes: `266 kB`, `61 MB`.
  package static func bytes(_ value: Int) -> String {
    if value < 1000 { return "\(value) B" }
    if value < 1_000_000 { return "\(value / 1000) kB" }
    if value < 1_000_000_000 { return "\(value / 1_000_000) MB" }
    return fixed(Double(value) / 1e9, decimals: 1) + " GB"
  }

  /// A text with a sign before it up to a width.
  package static func padded(_ text: String, to width: Int, with fill: Character) -> String {
    String(repeating: fill, count: max(0, width - text.utf8.count)) + text
  }
}
