internal import CNCurses
internal import Terminals

/// The scalars that curses shows for a glyph: in as many columns as the frame gives it, whatever
/// the C library thinks of it.
struct CellText {
  typealias Scalars = (UInt32, UInt32, UInt32, UInt32, UInt32)

  /// One entry a curses cell: one for most glyphs, two where two narrow ones stand for a wide one.
  private(set) var cells: [Scalars]

  private static let replacement: UInt32 = 0xFFFD

  init(_ glyph: Glyph, in frame: Frame, columns: Int, isUTF8: Bool) {
    if glyph.clusterIndex == nil, columns == 1, glyph.rawValue >= 0x20, glyph.rawValue < 0x7F {
      cells = [(glyph.rawValue, 0, 0, 0, 0)]
      return
    }
    let scalars = Array(frame.text(of: glyph).unicodeScalars)
    let first = scalars.first ?? " "
    if !isUTF8 {
      cells = CellText.padded(UInt32(ASCIIFolding.fold(first)), columns)
    } else if scalars.count == 2, (0x1F1E6...0x1F1FF).contains(first.value), columns == 2 {
      // A flag: its two letters, which every terminal gives the same place.
      cells = scalars.map { (UInt32(UInt8(ascii: "A")) + ($0.value &- 0x1F1E6), 0, 0, 0, 0) }
    } else {
      cells = CellText.drawn(first, scalars, columns)
    }
  }

  private static func drawn(
    _ first: Unicode.Scalar, _ scalars: [Unicode.Scalar], _ columns: Int
  ) -> [Scalars] {
    let width = Int(portolan_width(first.value))
    guard width == columns else {
      return padded(width == 1 ? first.value : replacement, columns)
    }
    // Marks only: curses keeps no second base, and a joiner without one would join the next cell.
    let marks =
      scalars.dropFirst().prefix { portolan_width($0.value) == 0 }.filter {
        ScalarKind($0) == .mark && $0.value != 0xFE0F && $0.value != 0xFE0E
      }
      .prefix(4).map { $0.value } + [0, 0, 0, 0]
    return [(first.value, marks[0], marks[1], marks[2], marks[3])]
  }

  private static func padded(_ scalar: UInt32, _ columns: Int) -> [Scalars] {
    columns == 2 ? [(scalar, 0, 0, 0, 0), (0x20, 0, 0, 0, 0)] : [(scalar, 0, 0, 0, 0)]
  }
}
