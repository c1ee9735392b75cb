import PortolanGraphics
import PortolanTerminals

/// The point of a layer that shows its symbol.
struct SymbolOwner {
  /// The priority of its layer's labels.
  var priority: Int
  var rank: PointRank

  /// The owner of a character of a grid: labels may cover it.
  static let ground = SymbolOwner(
    priority: .max, rank: PointRank(rank: -.infinity, part: .max, row: .max))

  /// The owner of an arrowhead: labels keep off it.
  static let note = SymbolOwner(priority: .min, rank: PointRank(rank: .infinity, part: 0, row: 0))
}

/// A map before it becomes characters: dots, backgrounds and symbols by cell.
struct CellPicture {
  let columns: Int
  let rows: Int
  let depth: ColourDepth
  var raster: DotRaster
  /// The index of the style whose area covers most of a cell, 0 for none.
  private(set) var backgrounds: [UInt16]
  /// The index of the style of the symbol in a cell, 0 for none.
  private(set) var symbols: [UInt16]
  /// The owner of the symbol in a cell, as an index of `owners`; -1 for a mark of its own, such as
  /// a selection.
  private(set) var symbolOwners: [Int32]
  /// The points of layers that show their symbols.
  private(set) var owners: [SymbolOwner] = []
  /// Styles by index; number 0 is none.
  private(set) var styles: [MarkStyle] = [MarkStyle()]
  /// Whether dots in a style are an outline, by its index.
  private var outlines = [false]
  private var indexes: [MarkStyle: UInt16] = [:]
  /// The cells of two fills.
  private(set) var edges: FillEdges
  private var fill: FillPlane
  private var fillStyle: UInt16 = 0

  /// Whether cells show letters: those of patterns, too.
  let hasLetters: Bool

  init(
    columns: Int, rows: Int, depth: ColourDepth, blocks: EdgeBlocks = .none,
    hasLetters: Bool = false
  ) {
    self.hasLetters = hasLetters
    self.columns = columns
    self.rows = rows
    self.depth = depth
    raster = DotRaster(columns: columns, rows: rows)
    backgrounds = [UInt16](repeating: 0, count: columns * rows)
    symbols = backgrounds
    symbolOwners = [Int32](repeating: -1, count: columns * rows)
    edges = FillEdges(depth == .mono ? .none : blocks)
    fill = FillPlane(width: 2 * columns, height: 4 * rows)
  }

  /// The index of a style; a picture of more than 65,535 styles draws the rest in the last one.
  mutating func index(of style: MarkStyle) -> UInt16 {
    if let known = indexes[style] { return known }
    guard styles.count < Int(UInt16.max) else { return .max - 1 }
    let index = UInt16(styles.count)
    styles.append(style)
    outlines.append(isOutline(style))
    indexes[style] = index
    return index
  }

  /// Puts a style's symbol into the cell of a dot.
  mutating func addSymbol(_ style: UInt16, dotX: Int, dotY: Int, owner: SymbolOwner? = nil) {
    guard dotX >= 0, dotY >= 0, dotX < 2 * columns, dotY < 4 * rows else { return }
    let cell = (dotY >> 2) * columns + dotX >> 1
    symbols[cell] = style
    symbolOwners[cell] = owner == nil ? -1 : Int32(truncatingIfNeeded: owners.count)
    if let owner { owners.append(owner) }
  }

  /// The owner of the symbol in a cell; `nil` if it has none, or is a mark of its own.
  func owner(ofCell cell: Int) -> SymbolOwner? {
    let index = Int(symbolOwners[cell])
    return owners.indices.contains(index) ? owners[index] : nil
  }

  /// The style of a mark of its own in a cell, such as a selection's sign.
  func ownMark(column: Int, row: Int) -> MarkStyle? {
    guard column >= 0, row >= 0, column < columns, row < rows else { return nil }
    let cell = row * columns + column
    return symbols[cell] > 0 && symbolOwners[cell] < 0 ? styles[Int(symbols[cell])] : nil
  }

  /// Whether a cell has dots of an outline of areas or of a border.
  func hasOutline(inCell cell: Int) -> Bool {
    raster.bits[cell] != 0 && outlines[Int(raster.styles[cell])]
  }

  /// Whether dots in a style are an outline of areas or a border, which is dashed; in areas of
  /// patterns outlines cannot be told apart.
  private func isOutline(_ style: MarkStyle) -> Bool {
    style.fill == nil ? style.dash != .solid : !style.isPattern(depth)
  }

  /// Gives a cell the background of a style.
  mutating func setBackground(_ style: UInt16, column: Int, row: Int) {
    guard column >= 0, row >= 0, column < columns, row < rows else { return }
    backgrounds[row * columns + column] = style
    edges.remove(cell: row * columns + column)
  }

  /// Makes some cells of a row whole: something else is written there.
  mutating func removeEdges(row: Int, columns range: Range<Int>) {
    guard row >= 0, row < rows else { return }
    let range = range.clamped(to: 0..<columns)
    edges.remove(cells: (row * columns + range.lowerBound)..<(row * columns + range.upperBound))
  }

  /// Whether areas are visible in a style: by colour, or by a pattern.
  func showsAreas(of style: MarkStyle) -> Bool {
    style.isPattern(depth) ? style.pattern != .none : style.fill != nil
  }

  /// Adds areas in one style; consecutive areas of one style count together.
  mutating func withFill(
    style: UInt16, originX: Int, originY: Int, _ body: (inout FillPlane) -> Void
  ) {
    if style != fillStyle {
      flushFill(originX, originY)
      fillStyle = style
    }
    body(&fill)
  }

  /// Ends the drawing.
  mutating func finish(originX: Int, originY: Int) { flushFill(originX, originY) }

  private mutating func flushFill(_ originX: Int, _ originY: Int) {
    defer { fill.reset() }
    guard !fill.isEmpty, fillStyle > 0 else { return }
    let style = styles[Int(fillStyle)]
    if style.isPattern(depth) {
      addPattern(style.pattern, originX, originY)
      return
    }
    for row in 0..<rows {
      for first in stride(from: 0, to: columns, by: FillPlane.cellsPerWord) {
        guard fill.hasDots(inWordOf: first, row: row) else { continue }
        for column in first..<min(columns, first + FillPlane.cellsPerWord) {
          let bits = fill.cellBits(column: column, row: row)
          if bits != 0 { cover(bits, row * columns + column, yieldsOutline: style.showsValue) }
        }
      }
    }
  }

  /// Fills a cell, or the parts of it that the area covers.
  ///
  /// A cell with dots of lines is filled if most of its other dots are covered: the line itself is
  /// the edge.
  private mutating func cover(_ bits: UInt8, _ cell: Int, yieldsOutline: Bool) {
    if bits == .max {
      backgrounds[cell] = fillStyle
      edges.remove(cell: cell)
      return
    }
    let former = backgrounds[cell]
    let free = ~raster.bits[cell]
    let (covered, most) = (2 * (bits & free).nonzeroBitCount, free.nonzeroBitCount)
    let isFilled = covered == most ? bits.nonzeroBitCount >= 4 : covered > most
    if isFilled { backgrounds[cell] = fillStyle }
    let parts = free == .max || yieldsOutline ? edges.blocks.parts(bits) : 0
    if parts != 0, parts != edges.blocks.all {
      edges.cover(parts, of: cell, with: fillStyle, ground: former, count: backgrounds.count)
    } else if isFilled {
      edges.remove(cell: cell)
    }
  }

  /// Puts dots into the cells of an area, without those that lines have; where cells show letters,
  /// the pattern is one.
  private mutating func addPattern(_ pattern: MarkStyle.Pattern, _ originX: Int, _ originY: Int) {
    for row in 0..<rows {
      for column in 0..<columns {
        let bits = fill.cellBits(column: column, row: row)
        guard bits != 0 else { continue }
        let cell = row * columns + column
        if hasLetters {
          if bits.nonzeroBitCount >= 4 { backgrounds[cell] = fillStyle }
          continue
        }
        let shown = bits & Self.mask(pattern, originX + 2 * column, originY + 4 * row)
        guard shown != 0 else { continue }
        if raster.bits[cell] == 0 { raster.styles[cell] = fillStyle }
        raster.bits[cell] |= shown
      }
    }
  }

  /// A pattern's dots in the cell of a first dot in the world.
  private static func mask(_ pattern: MarkStyle.Pattern, _ x: Int, _ y: Int) -> UInt8 {
    var mask: UInt8 = 0
    for line in 0..<4 {
      for side in 0..<2 {
        let (dotX, dotY) = (x + side, y + line)
        let isOn =
          switch pattern {
          case .none: false
          case .sparse: (dotX + 2 * ((dotY >> 2) & 1)) & 3 == 0 && dotY & 3 == 0
          case .medium: (dotX + ((dotY >> 1) & 1)) & 1 == 0 && dotY & 1 == 0
          case .dense: (dotX + dotY) & 1 == 0
          case .hatched: (dotX + dotY) & 3 == 0
          case .heavy: (dotX + dotY) & 3 != 0
          case .full: true
          }
        if isOn { mask |= 1 << UInt8(line == 3 ? 6 + side : line + 3 * side) }
      }
    }
    return mask
  }
}
