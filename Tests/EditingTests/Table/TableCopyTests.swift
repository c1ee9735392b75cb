import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Copies of a table as text: the rows and columns that it shows, in its order.
@Suite struct TableCopyTests {
  private let size = CellSize(columns: 120, rows: 40)

  private func office(_ document: Document) throws -> Office {
    var office = Office(size: size)
    office.workspace = Workspace(Desk(document: document, screenSize: size))
    try office.run("table --here")
    return office
  }

  /// What a line or keys put on the terminal's clipboard.
  private func copied(
    _ office: inout Office, _ act: (inout Office) throws -> Void
  ) throws -> String {
    try act(&office)
    let texts = office.waiting.compactMap { effect -> String? in
      if case .setClipboard(let text) = effect { text } else { nil }
    }
    office.waiting = []
    return try #require(texts.last, "\(office.message)")
  }

  private func copied(_ office: inout Office, keys: String) throws -> String {
    try copied(&office) { office in
      for event in try EventNotation.events(keys) {
        office.waiting += office.workspace.handle(.terminal(event))
      }
    }
  }

  private func copied(_ office: inout Office, line: String) throws -> String {
    try copied(&office) { try $0.ask(line) }
  }

  @Test func `Y and a letter copies the rows in their order with the shown columns`() throws {
    var office = try office(.towns)
    try office.run("table sort name")
    try office.run("table hide capital")
    try office.run("filter pop < 10000")
    #expect(
      try copied(&office, keys: "Yc") == "name,pop\nAlpha,1000\nBeta,250.0\nGamma,77\n")
    #expect(
      try copied(&office, keys: "Yt") == "name\tpop\nAlpha\t1000\nBeta\t250.0\nGamma\t77\n")
    #expect(office.message == "3 features copied as tsv")
    try office.run("table sort pop")
    try office.run("table column pop")
    try office.press("H")
    #expect(
      try copied(&office, keys: "Ym")
        == "| pop | name |\n| --: | --- |\n| 77 | Gamma |\n| 250.0 | Beta |\n| 1000 | Alpha |\n")
    // Rows that are marked are copied alone, also where they were marked in another order.
    try office.press("Gvggv")
    #expect(try copied(&office, keys: "Yw") == "POINT (15 -4)\nPOINT (-10 12)\n")
    let json = try copied(&office, keys: "Yg")
    #expect(json.contains("Gamma") && !json.contains("capital") && !json.contains("Beta"))
    #expect(json.split(separator: "77").first?.contains("1000") == false)
    // Chosen fields are those of the line.
    #expect(
      try copied(&office, line: "yank --as csv --fields n=upper(name),capital")
        == "n,capital\nGAMMA,false\nALPHA,false\n")
  }

  /// Random tables with hidden, moved, sorted and marked rows and columns: a copy has the shown
  /// cells in their order, and pasting it gives the same cells.
  @Test(arguments: Seeds.some(12))
  func `A copy has the shown cells in their order`(seed: UInt64) throws {
    var made = RandomTable(seed: seed)
    var office = try office(made.document(rows: 40))
    _ = try? office.run("column add \"\"")
    let names = ["a", "b", "'c, \"d'"]
    func name() -> String { names[Int.random(in: 0..<names.count, using: &made.random)] }
    for _ in 0..<6 {
      switch Int.random(in: 0..<5, using: &made.random) {
      case 0: try office.run("table hide \(name())")
      case 1: try office.run("table unhide")
      case 2: try office.run("table sort \(Bool.random(using: &made.random) ? "a,-b" : "-a")")
      case 3: try office.press("$H")
      default: try office.press("\(Int.random(in: 1...40, using: &made.random))G3v")
      }
    }
    let table = try #require(office.desk.table)
    if table.columns.isEmpty { return }
    let selection = office.desk.selection
    let marked = (0..<table.rows.count).filter { row in
      table.reference(row).map { selection.contains($0) } ?? false
    }
    let rows = marked.isEmpty ? Array(0..<table.rows.count) : marked
    let sources = table.columns.map(\.source)
    let expected = LayerTable(
      names: sources.map(\.title), rows: rows.map { row in sources.map { table.value(row, $0) } },
      count: rows.count)
    #expect(try copied(&office, line: "yank --as csv") == expected.text(.csv))
    #expect(try copied(&office, line: "yank --as markdown") == expected.text(.markdown))
    // The attributes of GeoJSON are the shown ones, each with its value.
    let json = try copied(&office, line: "yank --as geojson")
    let read = try GeoJSONFormat().read(
      Array(json.utf8), options: ImportOptions(name: "n"), progress: { _ in }
    ).layers
    let features = read.compactMap { $0 as? any FeatureHolding }.flatMap { layer in
      layer.blocks.flatMap { block in (0..<block.rowCount).map { block.feature(row: $0) } }
    }
    #expect(features.count == rows.count)
    for (feature, row) in zip(features, rows) {
      let values = sources.map { ($0.title, table.value(row, $0)) }.filter { $0.1 != .missing }
      for (name, value) in values {
        #expect(feature.attributes.contains { $0.name == name && $0.value == value }, "\(name)")
      }
      #expect(feature.attributes.count == values.count)
    }
  }

  @Test func `y tells where the copies are pasted`() throws {
    var office = try office(.towns)
    try office.press("vy")
    #expect(office.message == "1 feature copied: p on the map pastes, Y copies as text")
  }
}
