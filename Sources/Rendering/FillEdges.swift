package import PortolanTerminals

/// The characters for the edges of filled areas.
package enum EdgeBlocks: String, Hashable, Sendable, CaseIterable {
  /// An area fills whole cells.
  case none
  /// An upper and a lower half.
  case half
  /// Two by two quarters.
  case quadrant
  /// Two by three sixths (U+1FB00 to U+1FB3B).
  case sextant

  /// The number of parts of a cell.
  var count: Int {
    switch self {
    case .none: 1
    case .half: 2
    case .quadrant: 4
    case .sextant: 6
    }
  }

  /// The bits of all parts; bit 0 is the upper left part, then row by row.
  var all: UInt8 { 1 << UInt8(count) - 1 }

  /// The parts that an area covers, at least to their half, by the dots of a cell.
  func parts(_ dots: UInt8) -> UInt8 {
    /// 1 if one of some dots is covered.
    func any(_ mask: UInt8) -> UInt8 { dots & mask == 0 ? 0 : 1 }
    switch self {
    case .none: return dots.nonzeroBitCount >= 4 ? 1 : 0
    case .half:
      let (upper, lower) = (dots & 0b0001_1011, dots & 0b1110_0100)
      return (upper.nonzeroBitCount >= 2 ? 1 : 0) + (lower.nonzeroBitCount >= 2 ? 2 : 0)
    case .quadrant:
      return any(0b0000_0011) + any(0b0001_1000) << 1 + any(0b0100_0100) << 2
        + any(0b1010_0000) << 3
    case .sextant:
      let upper = any(0b0000_0001) + any(0b0000_1000) << 1
      let middle = any(0b0000_0110) << 2 + any(0b0011_0000) << 3
      return upper + middle + any(0b0100_0000) << 4 + any(0b1000_0000) << 5
    }
  }

  /// The character with ink in some parts.
  func glyph(_ parts: UInt8) -> Glyph {
    let value: UInt32
    switch (self, parts) {
    case (_, 0), (.none, _): return .space
    case (_, all): value = 0x2588
    case (.half, _): value = parts == 1 ? 0x2580 : 0x2584
    case (.quadrant, _): value = GlyphSet.quadrants[Int(parts & 15)]
    case (.sextant, 0b01_0101): value = 0x258C
    case (.sextant, 0b10_1010): value = 0x2590
    case (.sextant, _):
      let skipped: UInt32 = (parts > 0b01_0101 ? 1 : 0) + (parts > 0b10_1010 ? 1 : 0)
      value = 0x1FB00 + UInt32(parts & 63) - 1 - skipped
    }
    return Unicode.Scalar(value).map { Glyph($0) } ?? .space
  }
}

extension ScreenCapabilities {
  /// The characters for the edges of areas.
  package var edgeBlocks: EdgeBlocks {
    guard isUnicode else { return .none }
    switch blocks {
    case .auto: return drawsSextants ? .sextant : .quadrant
    case .none: return .none
    case .half: return .half
    case .quadrant: return .quadrant
    case .sextant: return .sextant
    }
  }
}

/// The cells of a picture that edges of areas divide: the style of the area in each of their parts.
struct FillEdges {
  typealias Parts = SIMD8<UInt16>

  let blocks: EdgeBlocks
  /// The number of each divided cell's parts in `parts`, from 1; 0 for whole cells. Empty until a
  /// cell is divided.
  private var numbers: [Int32] = []
  private var parts: [Parts] = []

  init(_ blocks: EdgeBlocks) { self.blocks = blocks }

  var isEmpty: Bool { parts.isEmpty }

  /// The styles of a cell's parts; `nil` for a whole one.
  func parts(ofCell cell: Int) -> Parts? {
    guard cell < numbers.count, numbers[cell] > 0 else { return nil }
    return parts[Int(numbers[cell]) - 1]
  }

  /// Makes a cell whole.
  @inline(__always)
  mutating func remove(cell: Int) {
    if !numbers.isEmpty, numbers.indices.contains(cell) { numbers[cell] = 0 }
  }

  /// Makes some cells whole.
  mutating func remove(cells: Range<Int>) {
    if !numbers.isEmpty { for cell in cells.clamped(to: numbers.indices) { numbers[cell] = 0 } }
  }

  /// Covers parts of a cell with a style.
  ///
  /// - Parameters:
  ///   - ground: the style of the whole cell, if it was whole.
  ///   - count: the number of the picture's cells.
  mutating func cover(
    _ covered: UInt8, of cell: Int, with style: UInt16, ground: UInt16, count: Int
  ) {
    if numbers.isEmpty { numbers = [Int32](repeating: 0, count: count) }
    guard numbers.indices.contains(cell) else { return }
    if numbers[cell] == 0 {
      parts.append(Parts(repeating: ground))
      numbers[cell] = Int32(truncatingIfNeeded: parts.count)
    }
    let index = Int(numbers[cell]) - 1
    for part in 0..<blocks.count where covered >> UInt8(part) & 1 == 1 {
      parts[index][part] = style
    }
  }
}

/// A cell of two fills: the character, its ink and its paper.
struct EdgeCell {
  let glyph: Glyph
  let ink: TerminalColour
  let paper: TerminalColour

  /// The cell for the colours of its parts; of more than two the most frequent two are shown. The
  /// terminal's own background can only be paper.
  init(_ parts: [TerminalColour], _ blocks: EdgeBlocks) {
    var counts: [(colour: TerminalColour, count: Int)] = []
    for colour in parts {
      if let index = counts.firstIndex(where: { $0.colour == colour }) {
        counts[index].count += 1
      } else {
        counts.append((colour, 1))
      }
    }
    let first = counts.max { $0.count < $1.count }?.colour ?? .standard
    let second = counts.filter { $0.colour != first }.max { $0.count < $1.count }?.colour ?? first
    (paper, ink) = second.isStandard ? (second, first) : (first, second)
    var inked: UInt8 = 0
    for (part, colour) in parts.enumerated() {
      // A third colour counts as the most frequent one.
      let isInk = colour == ink || (colour != paper && first == ink)
      if isInk, ink != paper { inked |= 1 << UInt8(part) }
    }
    glyph = blocks.glyph(inked)
  }
}
