internal import PortolanCNCurses
internal import PortolanTerminals
import PortolanTexts

/// The scalars for curses to show a glyph: in as many columns as the frame gives it, whatever width
/// the C library assumes.
struct CellText {
  typealias Scalars = (UInt32, UInt32, UInt32, UInt32, UInt32)

  private(set) var scalars: Scalars
  /// A narrow scalar for the second column, if the first is not a wide one.
  private(set) var second: UInt32?

  private static let replacement: UInt32 = 0xFFFD

  init(_ glyph: Glyph, in frame: Frame, columns: Int, isUTF8: Bool) {
    if glyph.clusterIndex == nil {
      self.init(scalar: glyph.rawValue, columns: columns, isUTF8: isUTF8)
    } else {
      self.init(
        cluster: frame.text(of: glyph).unicodeScalars, columns: columns, isUTF8: isUTF8)
    }
  }

  /// One scalar, the case of almost every cell.
  private init(scalar: UInt32, columns: Int, isUTF8: Bool) {
    var shown = scalar
    var width = 1
    if !isUTF8 {
      shown = UInt32(ASCIIFolding.fold(Unicode.Scalar(scalar) ?? " "))
    } else if scalar >= 0x7F, !(scalar >= 0x2800 && scalar < 0x2900) {
      width = Int(portolan_width(scalar))
      if width < 1 || width > columns {
        shown = CellText.replacement
        width = 1
      }
    }
    scalars = (shown, 0, 0, 0, 0)
    second = columns == 2 && width == 1 ? 0x20 : nil
  }

  private init(cluster: String.UnicodeScalarView, columns: Int, isUTF8: Bool) {
    let first = cluster.first?.value ?? 0x20
    self.init(scalar: first, columns: columns, isUTF8: isUTF8)
    guard isUTF8 else { return }
    let regional: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF
    if columns == 2, regional.contains(first), let last = cluster.last?.value,
      regional.contains(last)
    {
      // A flag: its two letters, to which every terminal gives the same width.
      scalars = (0x41 + (first - regional.lowerBound), 0, 0, 0, 0)
      second = 0x41 + (last - regional.lowerBound)
      return
    }
    // Marks only: curses keeps no second base, and a joiner without one would join the next cell.
    var marks: [UInt32] = []
    for scalar in cluster.dropFirst() {
      guard ScalarKind(scalar) == .mark, portolan_width(scalar.value) == 0 else { break }
      let isVariant = scalar.value == 0xFE0F || scalar.value == 0xFE0E
      if !isVariant, marks.count < DisplayClusters.marksMax { marks.append(scalar.value) }
    }
    marks += [0, 0, 0, 0]
    scalars = (scalars.0, marks[0], marks[1], marks[2], marks[3])
  }
}
