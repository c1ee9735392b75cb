import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import PortolanTexts
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct ScreenPartsTests {
  @Test func `Panels get what they need first, then what they want`() {
    let demands = [
      PanelStack.Demand(wanted: 6, least: 3), PanelStack.Demand(wanted: 4, least: 2),
      PanelStack.Demand(wanted: 8, least: 6), PanelStack.Demand(wanted: 20, least: 4),
    ]
    #expect(PanelStack.heights(demands, rows: 15) == [3, 2, 6, 4])
    #expect(PanelStack.heights(demands, rows: 21) == [5, 4, 7, 5])
    #expect(PanelStack.heights(demands, rows: 8) == [5, 3, 0, 0])
    #expect(PanelStack.heights(demands, rows: 0) == [0, 0, 0, 0])
    #expect(PanelStack.heights(demands, rows: 50).reduce(0, +) == 50)
  }

  @Test(arguments: Seeds.some(60))
  func `The end of a message shows, however long the names in it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var desk = Desk()
    let name = String(
      repeating: ["x", "a-b/", "東京"][Int.random(in: 0..<3, using: &random)],
      count: Int.random(in: 1...300, using: &random))
    desk.say("\(name).doc: exists already: choose another name", .error)
    let columns = Int.random(in: 60...200, using: &random)
    let size = CellSize(columns: columns, rows: 24)
    var memory = RenderMemory()
    let frame = desk.frame(size: size, memory: &memory)
    let shown = frame.plainText().split(separator: "\n").suffix(4).joined(separator: " ")
    let text = shown.split(separator: " ").joined(separator: " ")
    #expect(text.hasSuffix(" exists already: choose another name"), "\(text)")
    #expect(text.contains("error: \(name.prefix(1))"))
  }

  @Test(arguments: 0..<60)
  func `The lines of a legend lie apart, in order, headings above their columns`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...30, using: &random)
    let areHeadings = (0..<count).map { _ in Int.random(in: 0..<5, using: &random) == 0 }
    let list = CellRect(
      column: 3, row: 2, columns: Int.random(in: 2...30, using: &random),
      rows: Int.random(in: 0...30, using: &random))
    let places = LegendColumns.places(areHeadings, in: list)
    #expect(places.count == count)
    let shown = zip(areHeadings, places).filter { !$0.1.isEmpty }
    #expect(shown.count >= min(count, list.rows))
    var cells = Set<[Int]>()
    for (_, place) in shown {
      for column in place.column..<(place.column + place.columns) {
        #expect(list.contains(column: column, row: place.row))
        #expect(cells.insert([column, place.row]).inserted)
      }
    }
    for ((_, one), (isHeading, next)) in zip(shown, shown.dropFirst()) where !isHeading {
      #expect(next.row > one.row || next.column > one.column)
    }
    let needed = LegendColumns.rows(count, columns: 2)
    #expect(shown.count == count || needed > list.rows || list.columns < 2)
  }

  @Test(arguments: [1, 3, 6, 9, 14], [20, 24, 30])
  func `Lines without room in the lists of layers and marks are counted`(
    count: Int, rows: Int
  ) throws {
    var editor = Editor(Document(), size: CellSize(columns: 80, rows: rows))
    try editor.run("legend on")
    for number in 0..<count {
      try editor.run("new-layer lake\(number)")
      try editor.run("draw point")
      try editor.run("put 1 1")
    }
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    for panel in [BarPanel.layers, .legend] {
      let area = BarPanel.area(of: panel, editor.desk)
      guard !area.isEmpty else { continue }
      let lines = frame.plainText().split(separator: "\n", omittingEmptySubsequences: false)
        .dropFirst(area.row).prefix(area.rows)
        .map { String($0.dropFirst(area.column).prefix(area.columns)) }
      let names = lines.dropFirst().joined(separator: "\n").matches(of: /lake|selec/).count
      let more = lines[0].firstMatch(of: /([0-9]+) more/).flatMap { Int($0.1) } ?? 0
      let hasSelected = panel == .legend && !editor.desk.selection.isEmpty
      let all = count + (hasSelected ? 1 : 0)
      #expect(names + more == all, "\(lines.joined(separator: "\n"))")
    }
  }

  @Test func `A heading stands above the two columns of its classes`() {
    let list = CellRect(column: 0, row: 0, columns: 20, rows: 4)
    let places = LegendColumns.places([true, false, false, false, false, false], in: list)
    #expect(places.map(\.column) == [0, 0, 0, 0, 10, 10])
    #expect(places.map(\.row) == [0, 1, 2, 3, 1, 2])
    #expect(places.map(\.columns) == [20, 10, 10, 10, 10, 10])
  }

  @Test func `No more lines stand in two columns than must, and the fewest are cut`() {
    let list = CellRect(column: 0, row: 0, columns: 20, rows: 7)
    let areHeadings = [false, false, true, false, false, false, true, false, false]
    let widths = [19, 10, 9, 18, 18, 18, 9, 8, 8]
    let places = LegendColumns.places(areHeadings, widths: widths, in: list)
    #expect(places.map(\.row) == [0, 0, 1, 2, 3, 4, 5, 6, 6])
    #expect(places.map(\.columns) == [10, 10, 20, 20, 20, 20, 20, 10, 10])
  }

  @Test(arguments: [
    (1000.0, 20, 20_000.0, 20), (1234.5, 20, 20_000.0, 16), (0.3, 20, 5.0, 17),
  ])
  func `A scale bar is as long as a round distance`(
    perColumn: Double, columnsMax: Int, ground: Double, columns: Int
  ) throws {
    let bar = try #require(ScaleBar.length(perColumn: perColumn, columnsMax: columnsMax))
    #expect(abs(bar.ground - ground) < 1e-9)
    #expect(bar.columns == columns)
  }

  @Test(arguments: [0.0, -1, .nan, .infinity, 1e300, 1e-300])
  func `A scale bar without sense is none`(perColumn: Double) {
    #expect(ScaleBar.length(perColumn: perColumn, columnsMax: 20) == nil)
  }

  @Test func `A line leaves out what matters least`() {
    var line = TextLine()
    line.append("NORMAL", .plain)
    line.append(" position", .plain, rank: 2)
    line.append(" layer", .plain, rank: 1)
    line.fit(14)
    #expect(line.runs.map(\.text) == ["NORMAL", " layer"])
    line.fit(3)
    #expect(line.runs.map(\.text) == ["NORMAL"])
  }

  @Test func `Long texts are cut at their end, paths at their front`() {
    let signs = ScreenSigns(capabilities: ScreenCapabilities(depth: .mono, isUnicode: true))
    #expect(CutText.end("countries", columns: 5, signs: signs) == "coun…")
    #expect(CutText.start("a/b/countries", columns: 5, signs: signs) == "…ries")
    #expect(CutText.end("日本語", columns: 4, signs: signs) == "日…")
    #expect(CutText.end("x", columns: 0, signs: signs) == "")
  }

  @Test func `Messages are broken between words`() {
    #expect(MessagesPanel.wrapped("one two three", columns: 7) == ["one two", "three"])
    #expect(MessagesPanel.wrapped("abcdefghij", columns: 4) == ["abcd", "efgh", "ij"])
    #expect(MessagesPanel.wrapped("", columns: 4).isEmpty)
    #expect(MessagesPanel.wrapped("a b c d", columns: 1, most: 2) == ["a", "b"])
    #expect(MessagesPanel.wrapped("東東", columns: 1) == ["東東"])
    #expect(MessagesPanel.wrapped("a\u{1B}[2Jb", columns: 3) == ["a␛[", "2Jb"])
  }

  @Test(.timeLimit(.minutes(1))) func `A name of millions of characters does not hold a frame up`()
  {
    for letter in ["x", "é", "東", "e\u{301}\u{302}", "\u{1B}", "x "] {
      let text = String(repeating: letter, count: 5_000_000)
      let lines = MessagesPanel.wrapped(text, columns: 79, most: 4)
      #expect(lines.count == 4)
      #expect(lines[..<3].allSatisfy { DisplayWidth.of($0) >= 77 })
    }
  }
}
