import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTexts

/// The places of the parts of a picture on its page, from the top: title, map, legend, credit.
struct PageLayout {
  static let margin = 12.0
  static let titleHeight = 34.0
  static let legendRow = 18.0
  static let creditHeight = 16.0
  /// The room for the numbers of the graticule, at the left and below the map.
  static let numbers = (width: 34.0, height: 14.0)
  static let textSize = 12.0

  let page: PageRect
  let title: PageRect
  /// The size of the map's window, in cells of `PageCanvas`.
  let cells: CellSize
  /// The top left corner of the window.
  let map: PagePoint
  let legend: PageRect
  /// The column and the row of each entry of the legend, and the width of a column.
  let legendColumns: (places: [(column: Int, row: Int)], width: Double)
  let credit: PageRect

  init(_ size: PictureSize, _ parts: PictureParts) {
    page = PageRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    let numbers: (width: Double, height: Double) = parts.hasGraticule ? Self.numbers : (0, 0)
    let inside = max(1, page.width - 2 * Self.margin - numbers.width)
    let (top, left) = (Self.margin, Self.margin + numbers.width)
    let letters = max(parts.legendLetters, Self.legendLetters(of: parts))
    let entry = min(inside, Self.textWidth(columns: letters, size: Self.textSize) + 44)
    let isBeside = parts.legendIsBeside && !parts.legend.isEmpty && inside > 2 * entry
    let (rows, places) = LegendColumns.places(
      of: parts.legend, columns: isBeside ? 1 : Int(inside / entry))
    legendColumns = (places, entry)
    let width = isBeside ? inside - entry - Self.margin : inside
    title = PageRect(
      x: left, y: top, width: width, height: parts.title.isEmpty ? 0 : Self.titleHeight)
    let legendHeight = rows == 0 || isBeside ? 0 : Double(rows) * Self.legendRow + 8
    let creditHeight = parts.credit.isEmpty ? 0 : Self.creditHeight
    let height = max(
      1,
      page.height - 2 * Self.margin - title.height - numbers.height - legendHeight - creditHeight)
    cells = CellSize(
      columns: max(1, Int(width / PageCanvas.cellWidth)),
      rows: max(1, Int(height / PageCanvas.cellHeight)))
    map = PagePoint(
      x: left + (width - Double(cells.columns) * PageCanvas.cellWidth) / 2, y: title.maxY)
    let bottom = map.y + Double(cells.rows) * PageCanvas.cellHeight + numbers.height
    legend =
      isBeside
      ? PageRect(
        x: left + width + Self.margin, y: title.maxY, width: entry,
        height: Double(rows) * Self.legendRow)
      : PageRect(x: left, y: bottom + 8, width: width, height: max(0, legendHeight - 8))
    credit = PageRect(x: left, y: bottom + legendHeight, width: width, height: creditHeight)
  }

  /// The size of a page whose map has a window of some size.
  static func size(around map: CellSize, _ parts: PictureParts) -> PictureSize {
    let width =
      Double(map.columns) * PageCanvas.cellWidth + 2 * margin
      + (parts.hasGraticule ? numbers.width : 0)
    let limit = PictureSize.limit(of: .pixels)
    let least = PageLayout(PictureSize(Int(width), limit, .pixels), parts)
    let around = Double(limit) - Double(least.cells.rows) * PageCanvas.cellHeight
    return PictureSize(
      Int(width), Int(around + Double(map.rows) * PageCanvas.cellHeight), .pixels)
  }

  /// The letters of the longest entry of a legend; longer ones are cut, for one wide column would
  /// take the room of the map.
  static func legendLetters(of parts: PictureParts) -> Int {
    min(lettersMax, parts.legend.map { DisplayWidth.of(text(of: $0)) }.max() ?? 0)
  }

  private static let lettersMax = 44

  /// The text of a legend's entry.
  static func text(of entry: LegendEntry) -> String {
    text(of: entry, columns: .max, .page)
  }

  /// The entries of a legend in some columns each: where a name of a layer has no room, all of them
  /// are short.
  static func fitted(_ legend: [LegendEntry], columns: (LegendEntry) -> Int) -> [LegendEntry] {
    let isShort = legend.contains { entry in
      let kept = kept(of: entry, note: entry.note.isEmpty ? "" : " \(entry.note)")
      return entry.beginsLayer && !entry.short.isEmpty
        && DisplayWidth.of(entry.text + kept) > columns(entry)
    }
    guard isShort else { return legend }
    return legend.map { entry in
      var entry = entry
      if entry.beginsLayer, !entry.short.isEmpty { entry.text = entry.short }
      return entry
    }
  }

  /// What stays of the words after a text where it has no room.
  private static func kept(of entry: LegendEntry, note: String) -> String {
    (entry.isHeading ? note : "") + thinning(of: entry)
  }

  /// The text of a legend's entry within some columns. The number of marks that are left out stays,
  /// and the attribute of classes above them; a long name is cut for these, other notes give way.
  static func text(
    of entry: LegendEntry, columns: Int, _ signs: ScreenSigns, hasNote: Bool = true
  ) -> String {
    let note = entry.note.isEmpty || !hasNote && !entry.isHeading ? "" : " \(entry.note)"
    let thinning = thinning(of: entry)
    let names = [entry.text, entry.short].filter { !$0.isEmpty }
    let kept = kept(of: entry, note: note)
    for whole in [entry.text + note + thinning] + names.map({ $0 + kept })
    where DisplayWidth.of(whole) <= columns {
      return whole
    }
    let room = columns - DisplayWidth.of(kept)
    let least = 4
    guard room >= least else {
      return CutText.end(entry.text + kept, columns: columns, signs: signs)
    }
    return CutText.end(entry.text, short: entry.short, columns: room, signs: signs) + kept
  }

  /// The words on marks that are left out: `, thinned: 412 of 2,310`; empty if all are shown.
  static func thinning(of entry: LegendEntry) -> String {
    entry.shown.isEmpty ? "" : ", thinned: \(entry.shown)"
  }

  /// About the width of a text in a sans-serif font: pages are laid out without fonts.
  static func textWidth(_ text: String, size: Double) -> Double {
    textWidth(columns: DisplayWidth.of(text), size: size)
  }

  /// About the width of a text that takes some columns in a terminal.
  static func textWidth(columns: Int, size: Double) -> Double {
    0.6 * size * Double(columns)
  }
}
