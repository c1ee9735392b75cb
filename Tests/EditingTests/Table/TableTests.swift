import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The table in an editor of its own.
@Suite struct TableTests {
  private let size = CellSize(columns: 120, rows: 40)

  private func office(_ document: Document? = nil, _ line: String = "table") throws -> Office {
    var office = Office(size: size)
    if let document {
      office.workspace = Workspace(Desk(document: document, screenSize: size))
    }
    try office.run(line)
    return office
  }

  private func screen(_ office: Office) -> String {
    var memory = RenderMemory()
    return office.workspace.frame(size: size, memory: &memory).plainText()
  }

  /// A column of the table from the top.
  private func column(_ name: String, _ office: Office) throws -> [String] {
    let table = try #require(office.desk.table)
    return (0..<table.rows.count).map { table.value($0, .attribute(name)).text }
  }

  private func isTable(_ office: Office) -> Bool { office.desk.pane.state is TablePane }

  @Test func `f tells how often the column has its values, Enter marks the rows of one`() throws {
    var office = try office()
    try office.run("table column name")
    try office.press("f")
    let names = Set(try column("name", office))
    #expect(office.desk.frequencies?.table.rows.count == names.count)
    try office.press("<ret>")
    #expect(office.desk.selection.count == 1 && isTable(office))
    try office.press("+")
    #expect(office.desk.prompt?.line.text == "column add ")
  }

  /// One word for one thing.
  @Test(arguments: Seeds.some(30))
  func `A table names the type of a column as statistics does`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pools: [[AttributeValue]] = [
      [.null], [.number("-0"), .number("7")], [.number("7"), .number("7.0")], [.number("1e3")],
      [.string("a"), .string("2024-05-01")], [.string("2024-05-01"), .string("2024-05-01T08:00Z")],
      [.bool(true), .bool(false)], [.json("[1]")],
    ]
    for _ in 0..<20 {
      // Mostly of one pool, now and then of two.
      let pool = (0...(Int.random(in: 0..<3, using: &random) / 2)).flatMap { _ in
        pools.randomElement(using: &random) ?? []
      }
      var layer = FeatureLayer(
        id: LayerID(1), name: "n", style: .standard(forDimension: 0, index: 0))
      for _ in 0..<Int.random(in: 1...9, using: &random) {
        let value = Bool.random(using: &random) ? .null : pool.randomElement(using: &random)
        _ = layer.add(geometry: .none, attributes: [("a", value ?? .null)])
      }
      var document = Document()
      document.layers = [layer]
      let type = ColumnStatistics.columns(["a"], of: [layer])[0].type
      let line = screen(try office(document)).split(separator: "\n").first { $0.contains("TABLE") }
      #expect(line?.contains("a: \(type)  column") == true, "\(type): \(line ?? ""), seed \(seed)")
    }
  }

  @Test func `A pane that has all the room tells how many are hidden`() throws {
    var office = try office()
    #expect(!screen(office).contains("hidden"))
    try office.run("pane whole")
    #expect(office.desk.paneTitle(columns: 80).contains("1 pane hidden"))
    try office.run("split right")
    try office.run("pane whole")
    #expect(office.desk.paneTitle(columns: 80).contains("2 panes hidden"))
    try office.run("pane whole")
    #expect(!office.desk.paneTitle(columns: 80).contains("hidden"))
  }

  /// A part of a number would be another number.
  @Test func `Of a number only decimals are cut`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "n", style: .standard(forDimension: 0, index: 0))
    for text in ["123456789", "1.23456789", "12.3e100", "-7"] {
      _ = layer.add(geometry: .none, attributes: [("a", .number(text))])
    }
    var document = Document()
    document.layers = [layer]
    var office = try office(document)
    try office.run("table width 6 a")
    let lines = screen(office).split(separator: "\n")
    for words in ["1.234…", "-7"] { #expect(lines.contains { $0.contains(words) }, "\(lines)") }
    #expect(!lines.contains { $0.contains("1234") || $0.contains("12.3") }, "\(lines)")
  }

  // MARK: Panes

  @Test func `t opens it below the map, gives it the room, and closes it`() throws {
    var office = Office(size: size)
    try office.press("t")
    #expect(isTable(office) && office.panes.count == 2)
    let half = office.desk.paneArea.rows
    try office.press("t")
    #expect(isTable(office) && office.desk.paneArea.rows > half)
    try office.press("t")
    #expect(office.panes.count == 1 && office.desk.isMapPane)
    try office.press("<f3>jjt<esc>")
    #expect(office.desk.isMapPane && office.panes.count == 2)
    // The table is as it was left.
    try office.press("t")
    #expect(office.desk.table?.row == 2)
    try office.press("q")
    #expect(office.panes.count == 1)
  }

  @Test func `Instead of the map it gives way to the map again`() throws {
    var office = try office(nil, "table --here roads")
    #expect(isTable(office) && office.panes.count == 1)
    try office.press("<esc>")
    #expect(office.desk.isMapPane)
  }

  @Test func `It shows values, and null, nothing and empty text apart`() throws {
    var document = Document.towns
    var layer = try #require(document.layers.last as? FeatureLayer)
    try layer.setAttribute("name", to: .null, of: [FeatureID(1)])
    try layer.setAttribute("name", to: .string(""), of: [FeatureID(2)])
    try layer.setAttribute("name", to: .string("null"), of: [FeatureID(3)])
    try layer.setAttribute("name", to: .string("a\u{1B}[31m\n界e\u{301}"), of: [FeatureID(4)])
    try layer.setAttribute("pop", to: .missing, of: [FeatureID(1)])
    document.layers[2] = layer
    let office = try office(document, "table --here")
    let lines = screen(office).split(separator: "\n").map(String.init)
    #expect(lines[1].contains("name") && lines[1].contains("pop"))
    #expect(lines[2].contains("null") && !lines[2].contains("1000"))
    #expect(lines[3].contains("\"\"") && lines[3].contains("250.0"))
    #expect(lines[4].contains("\"null\""))
    #expect(lines[5].contains("a␛[31m␊界e\u{301}"))
  }

  // MARK: Moving

  @Test func `The cursor moves by keys, counts and names, and stops at the ends`() throws {
    var office = try office()
    func place() throws -> [Int] {
      let table = try #require(office.desk.table)
      return [table.row, table.column]
    }
    try office.press("2jl")
    #expect(try place() == [2, 1])
    try office.press("99j$")
    #expect(try place() == [3, 2])
    try office.press("gg0")
    #expect(try place() == [0, 0])
    try office.press("3G")
    #expect(try place() == [2, 0])
    try office.press("cpop<ret>")
    #expect(try place() == [2, 1])
    try office.press("<c-b>")
    #expect(try place() == [0, 1])
    try office.press("czzz<ret>")
    #expect(office.message.contains("no attribute “zzz”"))
  }

  @Test func `A search finds rows by the shown columns`() throws {
    var office = try office()
    try office.press("/A<ret>")
    #expect(office.message == "1 of 4 rows with “A”")
    try office.press("n")
    #expect(office.desk.table?.row == 1)
    try office.press("/12345<ret>")
    #expect(office.desk.table?.row == 3 && office.desk.table?.column == 1)
    try office.press("-n")
    #expect(office.message.contains("in no shown column"))
  }

  @Test func `It goes with the map where asked, and comes to what the map has chosen`() throws {
    var office = try office()
    try office.press("2jz")
    #expect(office.desk.cursor == Coordinate(x: 15, y: -4))
    try office.press("Zj")
    #expect(office.desk.cursor == Coordinate(x: 31, y: 14))
    try office.press("<esc>")
    try office.run("go name Beta")
    try office.press("t")
    #expect(office.desk.table?.row == 1)
  }

  // MARK: Order and columns

  @Test func `Keys sort, turn round, and sort also by other columns`() throws {
    var office = try office()
    try office.press("ls")
    #expect(try column("name", office) == ["Gamma", "Beta", "Alpha", "Delta"])
    try office.press("s")
    #expect(try column("name", office) == ["Delta", "Alpha", "Beta", "Gamma"])
    try office.press("gs")
    #expect(try column("name", office) == ["Alpha", "Beta", "Gamma", "Delta"])
    try office.run("table sort capital,-name")
    #expect(try column("name", office) == ["Gamma", "Delta", "Beta", "Alpha"])
    #expect(screen(office).contains("capital▲1"))
    try office.press("S")
    #expect(try column("name", office) == ["Alpha", "Beta", "Delta", "Gamma"])
    try office.press("a")
    let pane = try #require(office.desk.pane.state as? TablePane)
    #expect(pane.sort.count == 3)
  }

  @Test func `The cursor stays on its feature in another order, or in the first row`() throws {
    var office = try office()
    try office.run("table sort -name")
    #expect(try #require(office.desk.table).row == 0)
    #expect(try column("name", office)[0] == "Gamma")
    try office.press("j")
    let feature = try #require(office.desk.table).reference(1)
    try office.run("table sort name")
    let table = try #require(office.desk.table)
    #expect(table.reference(2) == feature)
    #expect(table.row == 2)
  }

  @Test func `Columns are hidden, shown, moved, widened and kept`() throws {
    var office = try office()
    func names() throws -> [String] {
      try #require(office.desk.table).columns.map(\.source.title)
    }
    try office.press("-")
    #expect(try names() == ["pop", "capital"])
    try office.press("gh")
    #expect(try names() == ["name", "pop", "capital"])
    try office.run("table column name")
    try office.press("2L")
    #expect(try names() == ["pop", "capital", "name"])
    try office.run("table width 5 name")
    #expect(screen(office).contains("Alpha") && screen(office).contains("Gamma"))
    try office.run("table width 3 name")
    #expect(screen(office).contains("Al…"))
    try office.press("0!")
    #expect((office.desk.pane.state as? TablePane)?.frozen == 1)
    try office.press("---")
    #expect(try names().isEmpty)
    #expect(screen(office).contains("All columns are hidden"))
    try office.press("jkhlse-<ret>=iv")
    #expect(office.desk.selection.count == 1)
  }

  // MARK: Marks

  @Test func `Marks are the selection, and stay with their features`() throws {
    var office = try office()
    try office.press("v")
    #expect(office.desk.selection.count == 1)
    try office.press("ls")
    let marked = screen(office).split(separator: "\n").filter { $0.contains("●") }
    #expect(marked.contains { $0.contains("Alpha") })
    try office.press("gg<space><space>")
    #expect(office.desk.selection.count == 3)
    try office.press("gg2x")
    #expect(office.desk.selection.count == 1)
    try office.press("V")
    #expect(office.desk.selection.count == 4)
    try office.press("gu/a<ret>g/]s")
    #expect(office.desk.selection.count == 4)
    try office.run("lock towns")
    try office.press("v")
    #expect(office.message.contains("locked") && office.desk.selection.isEmpty)
  }

  // MARK: Editing

  @Test func `A cell is edited in its place, in one step, by the rules of the form`() throws {
    var office = try office()
    try office.press("e<c-u>Omega<ret>")
    #expect(try column("name", office)[0] == "Omega")
    #expect(office.desk.history.past.count == 1)
    try office.press("u")
    #expect(try column("name", office)[0] == "Alpha")
    try office.press("<ret><c-u>x<esc>")
    #expect(office.desk.history.past.isEmpty && office.desk.session.overlay == nil)
    // Over a text a number stays a text; the next cells follow by Tab and Down.
    try office.press("e<c-u>007<tab><c-u>5<down><c-u>6<ret>")
    let table = try #require(office.desk.table)
    #expect(table.value(0, .attribute("name")) == .string("007"))
    #expect(table.value(0, .attribute("pop")) == .number("5"))
    #expect(table.value(1, .attribute("pop")) == .number("6"))
    #expect(office.desk.history.past.count == 3)
    try office.run("lock towns")
    try office.press("e")
    #expect(office.message.contains("locked") && office.desk.cellEditor == nil)
  }

  @Test func `A pasted column goes down from the cursor in one step`() throws {
    var office = try office()
    try office.press("jl")
    office.waiting += office.workspace.handle(.terminal(.paste("1\r\n2\tyes\nx\n4\n5\n")))
    #expect(try column("pop", office) == ["1000", "1", "2", "x"])
    #expect(try column("capital", office) == ["false", "false", "yes", "false"])
    #expect(office.message.contains("2 lines had no row"))
    #expect(office.desk.history.past.count == 1)
    try office.press("u")
    #expect(try column("pop", office) == ["1000", "250.0", "77", "12345678901234567890"])
    try office.run("table put 8 9")
    #expect(try column("pop", office)[1...2] == ["8", "9"])
  }

  @Test func `An expression computes the column of all rows or of the marked ones`() throws {
    var office = try office()
    try office.press("l=len(name)<ret>")
    #expect(try column("pop", office) == ["5", "4", "5", "5"])
    try office.press("ggv=1<ret>")
    #expect(try column("pop", office) == ["1", "4", "5", "5"])
    #expect(office.desk.history.past.count == 2)
  }

  @Test func `The whole value of a cell is shown`() throws {
    var office = try office()
    try office.run("select all")
    try office.run("set name=\(String(repeating: "long-", count: 40))")
    try office.press("i")
    #expect(office.desk.help?.lines.joined() == String(repeating: "long-", count: 40))
  }

  // MARK: Changes under the table

  @Test func `Rows and layers that go leave a table that can be used`() throws {
    var office = try office()
    try office.press("Gv")
    try office.press("d")
    #expect(office.desk.table?.rows.count == 3 && office.desk.table?.row == 2)
    try office.press("u")
    #expect(office.desk.table?.rows.count == 4)
    try office.run("delete-layer towns")
    #expect(office.desk.table == nil)
    #expect(screen(office).contains("The layer of this table is gone"))
    try office.press("jkvsenv/x<ret>n=-zi")
    #expect(office.message.contains("gone"))
    try office.press("u")
    #expect(office.desk.table?.rows.count == 4)
    try office.run("delete-layer towns")
    try office.run("table roads")
    #expect(office.desk.table?.layer.name == "roads")
    try office.run("new-layer empty")
    try office.run("table empty")
    #expect(screen(office).contains("has no features"))
    try office.press("jkvsen-zi!HL$q")
    #expect(office.desk.isMapPane)
  }

  @Test func `A filter hides rows; the order stays`() throws {
    var office = try office()
    try office.run("table sort name")
    try office.run("filter pop >= 500")
    #expect(try column("name", office) == ["Alpha", "Delta"])
    #expect(screen(office).contains("2 of 4 rows"))
    try office.press("=1<ret>")
    try office.run("filter")
    #expect(try column("name", office) == ["1", "1", "Beta", "Gamma"])
  }

  @Test func `Many rows are sorted as a job that can be cancelled`() throws {
    var table = RandomTable(seed: 3)
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "many",
      style: .standard(forDimension: 0, index: 0))
    let blocks = table.layer(id: layer.id, rows: 3000).blocks
    var next: UInt64 = 1
    for _ in 0..<8 {
      for block in blocks {
        var part = FeatureLayer(
          id: layer.id, name: "", style: layer.style, nextFeatureID: next)
        for row in 0..<block.rowCount {
          _ = part.add(geometry: .none, attributes: block.feature(row: row).attributes)
        }
        layer.blocks += part.blocks
        next = part.nextFeatureID
      }
    }
    layer.nextFeatureID = next
    document.layers = [layer]
    var office = try office(document, "table --here")
    try office.ask("table sort a")
    #expect(office.desk.jobs.map(\.name) == ["sorting many"])
    try office.run("cancel")
    #expect((office.desk.pane.state as? TablePane)?.sort.isEmpty == true)
    try office.run("table sort a")
    #expect((office.desk.pane.state as? TablePane)?.sort.count == 1)
    let values = try #require(office.desk.table)
    let last = values.rows.count - 1
    #expect([.missing, .null].contains(values.value(last, .attribute("a"))))
  }
}
