/// The directions in which a box-drawing glyph reaches its cell's edge.
struct LineArms: OptionSet, Hashable {
  var rawValue: Int

  static let up = LineArms(rawValue: 1)
  static let right = LineArms(rawValue: 2)
  static let down = LineArms(rawValue: 4)
  static let left = LineArms(rawValue: 8)
}

/// The box-drawing glyphs of each line style by their arms.
enum LineGlyphs {
  /// Indexed by `LineArms.rawValue`.
  private static let light = Array(" ╵╶└╷│┌├╴┘─┴┐┤┬┼".unicodeScalars)
  private static let heavy = Array(" ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋".unicodeScalars)
  private static let double = Array(" ║═╚║║╔╠═╝═╩╗╣╦╬".unicodeScalars)
  private static let rounded = Array(" ╵╶╰╷│╭├╴╯─┴╮┤┬┼".unicodeScalars)

  static func scalar(_ arms: LineArms, lines: LineStyle) -> Unicode.Scalar {
    table(lines)[arms.rawValue & 15]
  }

  /// The arms of a glyph of this style; none for other glyphs.
  static func arms(of value: UInt32, lines: LineStyle) -> LineArms {
    guard value >= 0x2500, value < 0x2580 else { return [] }
    let index = table(lines).firstIndex { $0.value == value } ?? 0
    return LineArms(rawValue: index)
  }

  private static func table(_ lines: LineStyle) -> [Unicode.Scalar] {
    switch lines {
    case .light: light
    case .heavy: heavy
    case .double: double
    case .rounded: rounded
    }
  }
}
