import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

@Suite struct ScreenLayoutTests {
  @Test(arguments: [
    (80, 24, ScreenLayout.Kind.standard), (200, 60, .wide), (60, 16, .standard),
    (59, 16, .bare), (60, 15, .bare), (40, 12, .bare), (39, 12, .tooSmall), (40, 11, .tooSmall),
    (1, 1, .tooSmall), (0, 0, .tooSmall), (500, 3, .tooSmall),
  ])
  func `The layout goes by the size`(columns: Int, rows: Int, kind: ScreenLayout.Kind) {
    let size = CellSize(columns: columns, rows: rows)
    #expect(ScreenLayout(size: size, sideBars: .shown).kind == kind)
  }

  @Test func `An 80x24 screen has 57 columns of map beside its bar, 80 without`() {
    let size = CellSize(columns: 80, rows: 24)
    let shown = ScreenLayout(size: size, sideBars: .shown)
    #expect(shown.map == CellRect(column: 0, row: 1, columns: 57, rows: 21))
    #expect(shown.mainBar == CellRect(column: 58, row: 1, columns: 22, rows: 21))
    let hidden = ScreenLayout(size: size, sideBars: .hidden)
    #expect(hidden.map == CellRect(column: 0, row: 1, columns: 80, rows: 21))
  }

  @Test(arguments: [(39, "too small: needs 40x12"), (20, "needs 40x12"), (6, "40x12"), (3, "")])
  func `A screen that is too small says what is needed in the words that fit`(
    columns: Int, text: String
  ) {
    var memory = RenderMemory()
    let frame = Desk().frame(size: CellSize(columns: columns, rows: 1), memory: &memory)
    #expect(frame.plainText().split(separator: "\n").joined() == text)
  }

  @Test func `No part of any layout overlaps another or leaves the screen`() {
    for columns in stride(from: 0, to: 260, by: 7) {
      for rows in stride(from: 0, to: 80, by: 3) {
        for bars in [ScreenLayout.SideBars.shown, .hidden] {
          let size = CellSize(columns: columns, rows: rows)
          let layout = ScreenLayout(size: size, sideBars: bars)
          let screen = CellRect(column: 0, row: 0, columns: columns, rows: rows)
          let parts = [layout.title, layout.map, layout.mainBar, layout.sideBar, layout.status]
            .filter { !$0.isEmpty }
          for (index, part) in parts.enumerated() {
            #expect(screen.contains(column: part.column, row: part.row))
            #expect(part.column + part.columns <= columns && part.row + part.rows <= rows)
            for other in parts.dropFirst(index + 1) {
              let isApart =
                part.column + part.columns <= other.column
                || other.column + other.columns <= part.column
                || part.row + part.rows <= other.row || other.row + other.rows <= part.row
              #expect(isApart, "\(part) and \(other) at \(size)")
            }
          }
        }
      }
    }
  }
}
