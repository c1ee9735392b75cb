/// ASCII substitutes for the characters on terminals without Unicode.
///
/// One ASCII character for each column, so that nothing in a picture moves: letters lose their
/// marks, line drawing becomes `- | +`, braille a dot, dash, slash or blot of the same shape.
package enum ASCIIFolding {
  /// As many ASCII characters as the scalar has columns.
  package static func text(_ scalar: Unicode.Scalar) -> String {
    let folded = String(Unicode.Scalar(fold(scalar)))
    return ScalarKind(scalar) == .wide ? folded + (folded == "?" ? "?" : " ") : folded
  }

  /// The ASCII character for one scalar.
  ///
  /// - Complexity: a table look-up.
  package static func fold(_ scalar: Unicode.Scalar) -> UInt8 {
    let value = scalar.value
    switch value {
    case 0x20..<0x7F: return UInt8(truncatingIfNeeded: value)
    case 0xA0..<0x250: return entry(latin, value - 0xA0)
    case 0x370..<0x400: return entry(greek, value - 0x370)
    case 0x400..<0x4A0: return entry(cyrillic, value - 0x400)
    case 0x1E00..<0x1F00: return entry(latinAdditional, value - 0x1E00)
    case 0x2010...0x2015, 0x2212: return UInt8(ascii: "-")
    case 0x2018...0x201B, 0x2032: return UInt8(ascii: "'")
    case 0x201C...0x201F, 0x2033: return UInt8(ascii: "\"")
    case 0x2022, 0x25CF, 0x25C9, 0x25C6, 0x25A0, 0x25AA, 0x2B29:
      return UInt8(ascii: "*")
    case 0x25CB, 0x25CE, 0x25C7, 0x25A1, 0x25EF: return UInt8(ascii: "o")
    case 0x2605, 0x2606: return UInt8(ascii: "@")
    case 0x2026, 0x2024, 0x00B7, 0x22C5: return UInt8(ascii: ".")
    case 0x2039, 0x2190, 0x25C0, 0x25C2: return UInt8(ascii: "<")
    case 0x203A, 0x2192, 0x25B6, 0x25B8: return UInt8(ascii: ">")
    case 0x2191, 0x25B2, 0x25B4, 0x25B3, 0x25B5: return UInt8(ascii: "^")
    case 0x2193, 0x25BC, 0x25BE, 0x25BD, 0x25BF: return UInt8(ascii: "v")
    case 0x2500..<0x2580: return entry(boxes, value - 0x2500)
    case 0x2580..<0x2588, 0x2594, 0x2596...0x259F: return UInt8(ascii: "=")
    case 0x2588: return UInt8(ascii: "#")
    case 0x2589...0x2590, 0x2595: return UInt8(ascii: "|")
    case 0x2591: return UInt8(ascii: ".")
    case 0x2592: return UInt8(ascii: ":")
    case 0x2593: return UInt8(ascii: "%")
    case 0x2713, 0x2714: return UInt8(ascii: "v")
    case 0x2717, 0x2718, 0x2715, 0x2716, 0x00D7: return UInt8(ascii: "x")
    case 0x270E, 0x270F: return UInt8(ascii: "/")
    case 0x2800..<0x2900: return braille(UInt8(truncatingIfNeeded: value))
    case 0xFF01...0xFF5E: return UInt8(truncatingIfNeeded: value - 0xFEE0)
    case 0x3000: return UInt8(ascii: " ")
    default: return UInt8(ascii: "?")
    }
  }

  private static func entry(_ table: [UInt8], _ index: UInt32) -> UInt8 {
    Int(index) < table.count ? table[Int(index)] : UInt8(ascii: "?")
  }

  /// Dots 1 2 3 7 are bits 0 1 2 6 (left, downwards), dots 4 5 6 8 are bits 3 4 5 7 (right).
  private static func braille(_ bits: UInt8) -> UInt8 {
    let left = [bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 6 & 1]
    let right = [bits >> 3 & 1, bits >> 4 & 1, bits >> 5 & 1, bits >> 7 & 1]
    let count = bits.nonzeroBitCount
    if count == 0 { return UInt8(ascii: " ") }
    if count >= 7 { return UInt8(ascii: "#") }
    let leftCount = left.reduce(0, +)
    let rightCount = right.reduce(0, +)
    if rightCount == 0 || leftCount == 0 {
      if count >= 2 { return UInt8(ascii: "|") }
      return left[0] + right[0] == 1 ? UInt8(ascii: "'") : UInt8(ascii: ".")
    }
    let leftHeight = height(left)
    let rightHeight = height(right)
    if abs(leftHeight - rightHeight) < 1 {
      if count > 4 { return UInt8(ascii: "#") }
      if count == 4 { return UInt8(ascii: leftHeight < 1 ? "\"" : leftHeight > 2 ? "=" : "+") }
      return leftHeight < 1 ? UInt8(ascii: "\"") : UInt8(ascii: leftHeight > 2 ? "_" : "-")
    }
    return leftHeight > rightHeight ? UInt8(ascii: "/") : UInt8(ascii: "\\")
  }

  /// The mean row of the dots of one column, from 0 at the top to 3.
  private static func height(_ dots: [UInt8]) -> Double {
    var sum = 0.0
    var count = 0.0
    for (row, dot) in dots.enumerated() where dot == 1 {
      sum += Double(row)
      count += 1
    }
    return count > 0 ? sum / count : 0
  }

  private static let latin = Array(
    (" !cL*Y|S\"ca<--r-o+23'uP.,1o>113?AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs"
      + "aaaaaaaceeeeiiiidnooooo/ouuuuytyAaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
      + "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSs"
      + "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs?B????O??DD???EEEFf???IIKk???N?O"
      + "Oo??P??????????UuUVYyZz?????????????DDdLLlNNnAaIiOoUuUuUuUuUueAa"
      + "Aa??GgGgKkOoOo??jDDdGg??NnAa????AaAaEeEeIiIiOoOoRrRrUuUuSsTt??Hh"
      + "??????AaEeOoOoOoOoYy??????A????????BU???????RrYy").utf8)

  private static let greek = Array(
    ("??????????????;???????A?EHI?O?YOiABGDEZHTIKLMNXOPR?STYFCPOIYaehi"
      + "yabgdezhtiklmnxoprsstyfcpoiyoyo?????????????????????????????????"
      + "????????????????").utf8)

  private static let cyrillic = Array(
    ("?EDGESIIJLNCK?UDABVGDEZZIJKLMNOPRSTUFHCCSS\"Y'EUAabvgdezzijklmnop"
      + "rstufhccss\"y'eua?edgesiijlnck?ud????????????????????????????????"
      + "????????????????Gg??????????????").utf8)

  private static let latinAdditional = Array(
    ("AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMm"
      + "MmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVv"
      + "WwWwWwWwWwXxXxYyZzZzZzhtwyasssS?AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEe"
      + "EeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy??????").utf8)

  private static let boxes = Array(
    ("--||--||--||++++++++++++++++++++++++++++++++++++++++++++++++++++"
      + "++++++++++++--||-|+++++++++++++++++++++++++++++++/\\X-|-|-|-|-|-|").utf8)
}
