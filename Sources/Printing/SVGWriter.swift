import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTexts

/// Writes elements of SVG: numbers with at most one decimal, texts escaped.
package struct SVGWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Writes text as it stands.
  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes what another writer has written.
  package mutating func raw(_ other: SVGWriter) { bytes.append(contentsOf: other.bytes) }

  /// Writes ` name="value"`.
  package mutating func attribute(_ name: String, _ value: String) {
    raw(" \(name)=\"")
    escape(value)
    raw("\"")
  }

  package mutating func attribute(_ name: String, _ value: Double) {
    raw(" \(name)=\"")
    number(Self.tenths(value))
    raw("\"")
  }

  /// Writes an element with a text.
  package mutating func element(_ name: String, _ attributes: [(String, String)], text: String) {
    raw("<\(name)")
    for (name, value) in attributes { attribute(name, value) }
    raw(">")
    escape(text)
    raw("</\(name)>")
  }

  /// Writes ` d="…"` with steps from point to point, in tenths of a unit.
  mutating func path(_ paths: [PagePath]) {
    raw(" d=\"")
    for path in paths {
      guard let first = path.points.first else { continue }
      var (x, y) = (Self.tenths(first.x), Self.tenths(first.y))
      raw("M")
      pair(x, y)
      var isLine = false
      for point in path.points.dropFirst() {
        let (nextX, nextY) = (Self.tenths(point.x), Self.tenths(point.y))
        let (stepX, stepY) = (nextX - x, nextY - y)
        if stepX == 0 && stepY == 0 { continue }
        if !isLine { raw("l") } else if stepX >= 0 { raw(" ") }
        isLine = true
        pair(stepX, stepY)
        (x, y) = (nextX, nextY)
      }
      // A path without any length is a dot.
      if !isLine { raw("h0") }
      if path.isClosed { raw("z") }
    }
    raw("\"")
  }

  /// Writes ` d="…"` with a dot at each place, for round line ends.
  mutating func dots(_ places: [PagePoint]) {
    raw(" d=\"")
    for place in places {
      raw("M")
      pair(Self.tenths(place.x), Self.tenths(place.y))
      raw("h0")
    }
    raw("\"")
  }

  /// A length as text.
  static func text(_ value: Double) -> String {
    var writer = SVGWriter()
    writer.number(tenths(value))
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private mutating func pair(_ x: Int, _ y: Int) {
    number(x)
    if y >= 0 { bytes.append(UInt8(ascii: " ")) }
    number(y)
  }

  private static func tenths(_ value: Double) -> Int {
    guard value.isFinite else { return 0 }
    return Int((min(max(value, -1e7), 1e7) * 10).rounded())
  }

  private mutating func number(_ tenths: Int) {
    if tenths < 0 { bytes.append(UInt8(ascii: "-")) }
    let (whole, tenth) = abs(tenths).quotientAndRemainder(dividingBy: 10)
    if whole > 0 || tenth == 0 { bytes.append(contentsOf: String(whole).utf8) }
    if tenth > 0 {
      bytes.append(UInt8(ascii: "."))
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tenth))
    }
  }

  /// Writes text so that it is text wherever it stands; what XML cannot hold becomes U+FFFD.
  mutating func escape(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": raw("&amp;")
      case "<": raw("&lt;")
      case ">": raw("&gt;")
      case "\"": raw("&quot;")
      case "\t", "\n": raw(" ")
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": raw("\u{FFFD}")
      case _ where ScalarKind.isOverride(scalar): raw("\u{FFFD}")
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
  }
}
