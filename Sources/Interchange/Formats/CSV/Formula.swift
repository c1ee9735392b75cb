import PortolanDocuments

/// Texts that a spreadsheet takes for formulas when it opens a table.
package enum Formula {
  /// Whether a text begins like one: with `=`, `+`, `-`, `@` of any width, a tab or a line end.
  /// Plain numbers with a sign do not count.
  package static func begins(_ text: [UInt8]) -> Bool {
    switch text.first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
    case UInt8(ascii: "+"), UInt8(ascii: "-"): !isNumber(text.dropFirst())
    case 0xEF: wideSigns.contains { text.starts(with: $0.utf8) }
    default: false
    }
  }

  /// What to tell about texts of a table that begin like formulas.
  package static func note(_ count: Int, areSafe: Bool) -> String {
    let cells = CountText.text(count, "text", "texts")
    return areSafe
      ? "\(cells) that a spreadsheet would run as formulas got an apostrophe in front"
      : "a spreadsheet would run \(cells) of the table as formulas (= + - @ in front): "
        + "--safe-cells writes an apostrophe before them"
  }

  private static let wideSigns = ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"]

  /// Whether a text is a number without a sign, with a point or a comma.
  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    let isPlain = text.allSatisfy { $0 &- 0x30 <= 9 || "+-.,eE".utf8.contains($0) }
    guard isPlain, let first = text.first, first != 0x2B, first != 0x2D else { return false }
    return Double(String(decoding: text, as: UTF8.self).replacing(",", with: ".")) != nil
  }
}
