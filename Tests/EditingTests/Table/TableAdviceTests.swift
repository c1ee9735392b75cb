import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// What a table tells its user: keys and ways of the table, not those of the map.
@Suite struct TableAdviceTests {
  private let size = CellSize(columns: 80, rows: 24)

  private func office(_ line: String = "table") throws -> Office {
    var office = Office(size: size)
    try office.run(line)
    return office
  }

  /// The commands that act on the selection.
  private static let onSelection = [
    "yank", "delete", "set pop=1", "set pop := 1", "unset pop", "rename-attribute pop p",
    "details", "next selected",
  ]

  @Test(arguments: onSelection)
  func `Without a mark a table tells the key that marks`(line: String) throws {
    var office = try office()
    let error = #expect(throws: (any Error).self) { try office.run(line) }
    let words = (error as? EditingError)?.message ?? ""
    if words.hasPrefix("this pane shows no map") { return }
    #expect(words.hasPrefix("nothing is selected: v marks the row"), "\(words)")
    #expect(!words.contains("Enter") && !words.contains("copies the map"), "\(words)")
  }

  @Test(arguments: onSelection)
  func `Without a selection a map tells the key that selects, a script the command`(
    line: String
  ) throws {
    var editor = Editor()
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error?.message.hasPrefix("nothing is selected: Enter selects") == true)
    editor.desk.isHeadless = true
    let told = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(told?.message.hasPrefix("nothing is selected: select where") == true)
  }

  @Test func `set without a selection tells of all features`() throws {
    var office = try office()
    for line in ["set pop=1", "set pop := 1"] {
      let error = #expect(throws: (any Error).self) { try office.run(line) }
      #expect((error as? EditingError)?.message.hasSuffix(", --all takes all features") == true)
    }
  }

  @Test func `y with nothing marked tells of marks and of text`() throws {
    var office = try office()
    try office.press("y")
    #expect(
      office.message == "nothing is selected: v marks the row, V all, Y copies all rows as text")
  }

  @Test func `The panel of the selection tells the key of the pane`() throws {
    var office = Office(size: size)
    #expect(office.screen(size).contains("Enter picks a feature"))
    try office.press("t")
    #expect(office.screen(size).contains("v marks a row"))
    #expect(!office.screen(size).contains("Enter picks"))
  }

  /// The feature under the cursor is that of the row, not one below the cursor of a map.
  @Test(arguments: ["attributes", "select here"])
  func `The feature here is that of the row`(line: String) throws {
    var office = try office()
    for row in [2, 0, 3] {
      try office.run("select none")
      try office.run("table first \(row + 1)")
      try office.run(line)
      let wanted = try #require(office.desk.table?.reference(row))
      #expect(office.desk.selection.features == [wanted])
      try office.press("<esc><esc>t")
    }
  }

  @Test func `Where the map has the keys, table commands and pastes tell of the table`() throws {
    var office = try office()
    try office.press("<esc>")
    #expect(office.desk.isMapPane)
    let error = #expect(throws: (any Error).self) { try office.run("table hide pop") }
    #expect((error as? EditingError)?.message == "the keys are at the map: t goes to the table")
    office.waiting += office.workspace.handle(.terminal(.paste("1\n2")))
    #expect(office.message.hasSuffix(": or / first, or t for the table"), "\(office.message)")
    try office.press("tq")
    let none = #expect(throws: (any Error).self) { try office.run("table hide pop") }
    #expect((none as? EditingError)?.message == "this pane shows no table: :table opens one")
  }

  /// In a table Space marks, in a prompt it is typed.
  @Test(arguments: ["", "i", "M", ":", "t", "t<ret>", "tF", "<tab>", "v"])
  func `The title names Space only where it opens the menu`(keys: String) throws {
    var office = Office(size: size)
    try office.press(keys)
    let title = office.screen(size).split(separator: "\n")[0]
    let isNamed = title.contains("Space menu")
    try office.press("<space>")
    #expect(isNamed == !office.desk.popup.isEmpty, "\(keys)")
  }

  // MARK: Completion

  @Test(arguments: [
    ("table column ", ["capital", "name", "pop"]), ("table column n", ["name"]),
    ("table hide ca", ["capital"]), ("table sort name p", ["pop"]),
    ("table width 12 ", ["capital", "lanes", "name", "pop"]), ("table unhide ", ["lanes"]),
    ("table first ", []), ("table freeze ", []),
    ("table open ", ["fields", "roads", "towns"]), ("table co", ["column", "compute"]),
  ])
  func `Tab completes the words of an action, not other actions`(
    typed: String, words: [String]
  ) throws {
    var office = try office()
    try office.run("select all")
    try office.run("column add lanes")
    try office.run("table hide lanes")
    #expect(Completer(desk: office.desk).complete(typed).words == words)
  }

  // MARK: Keys

  @Test func `A count before the key freezes so many columns`() throws {
    var office = try office()
    try office.press("2!")
    #expect((office.desk.pane.state as? TablePane)?.frozen == 2)
    try office.press("!")
    #expect((office.desk.pane.state as? TablePane)?.frozen == 1)
    try office.press("!")
    #expect((office.desk.pane.state as? TablePane)?.frozen == 0)
  }

  /// The types that cells get by pasting are told as those by `set` are.
  @Test(arguments: Seeds.some(40))
  func `Pasted cells that get another type are told`(seed: UInt64) throws {
    var made = RandomTable(seed: seed)
    let document = made.document(rows: 12)
    let texts = ["1", "x", "null", "true", "\"7\"", "=7", "[1]", "-0.50"]
    var office = Office(size: size)
    office.workspace = Workspace(Desk(document: document, screenSize: size))
    try office.run("table --here")
    let count = Int.random(in: 1...14, using: &made.random)
    let lines = (0..<count).map { _ in
      (0..<2).map { _ in texts[Int.random(in: 0..<texts.count, using: &made.random)] }
    }
    try office.run("table column a")
    let table = try #require(office.desk.table)
    let columns = table.columns[table.column...].prefix(2).map(\.source)
    let pasted = lines.map { $0.joined(separator: "\t") }.joined(separator: "\n")
    let before = table
    office.waiting += office.workspace.handle(.terminal(.paste(pasted)))
    try office.settle()
    let after = try #require(office.desk.table)
    var changed = 0
    for row in 0..<min(count, before.rows.count) {
      for source in columns {
        let (old, new) = (before.value(row, source), after.value(row, source))
        if old != .missing, old.kind.isTruth != new.kind.isTruth || !old.kind.isTruth,
          old.kind != new.kind
        {
          changed += 1
        }
      }
    }
    let told = office.message.matches(of: /(\d+) [a-z ]+ became/).compactMap { Int($0.1) }
    #expect(told.reduce(0, +) == changed, "\(office.message)")
  }

  // MARK: Widths

  @Test func `Columns are as wide as the values of all rows, if there is room`() throws {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "n", style: .standard(forDimension: 0, index: 0))
    let long = "Sri Jayawardenepura Kotte and a long name"
    for row in 0..<1_000 {
      _ = layer.add(
        geometry: .none,
        attributes: [("name", .string(row == 697 ? long : "a")), ("b", .string("z"))])
    }
    document.layers = [layer]
    for (columns, isWhole) in [(120, true), (40, false)] {
      let size = CellSize(columns: columns, rows: 40)
      var office = Office(size: size)
      office.workspace = Workspace(Desk(document: document, screenSize: size))
      try office.run("table --here")
      try office.press("698G")
      #expect(office.screen(size).contains(long) == isWhole, "\(columns)")
    }
  }

  // MARK: The status line

  @Test func `The status line tells once how many rows a filter shows`() throws {
    var office = try office()
    try office.run("filter pop < 10000")
    let status = office.screen(size).split(separator: "\n")[22]
    #expect(status.contains("3 of 4 shown") && status.contains("row 1/3"), "\(status)")
    #expect(status.contains("name: text") && status.contains("towns"), "\(status)")
    #expect(status.ranges(of: "of 4").count == 1, "\(status)")
  }

  /// A run is left out only if it does not fit, and never before one of a higher rank.
  @Test(arguments: Seeds.some(60))
  func `A line leaves out as little as it must`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var line = TextLine()
    for index in 0..<Int.random(in: 1...12, using: &random) {
      let text = String(repeating: "\(index % 10)", count: Int.random(in: 1...9, using: &random))
      line.append(text, CellStyle(), rank: Int.random(in: 0...4, using: &random))
    }
    let all = line.runs
    let columns = Int.random(in: 0...40, using: &random)
    line.fit(columns)
    let kept = line.runs
    let gone = all.filter { run in !kept.contains { $0.text == run.text && $0.rank == run.rank } }
    guard let last = gone.min(by: { $0.rank < $1.rank }) else { return }
    #expect(kept.allSatisfy { $0.rank <= last.rank })
    let next = gone.filter { $0.rank == last.rank }[0]
    #expect(line.width + next.text.count > columns, "\(all) \(kept)")
  }
}

extension AttributeKind {
  fileprivate var isTruth: Bool { self == .no || self == .yes }
}
