import Archiving
import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Laws of the table over random documents and keys.
@Suite struct TablePaneLawTests {
  private static let keys: [String] = {
    let bound = (KeyMap.modal.bindings[TablePane.mode] ?? []).filter {
      !["quit", "suspend", "save"].contains($0.line)
    }.map { KeyNotation.text($0.keys) }
    return bound
      + ["7", "2", "x", "<esc>", "<ret>", "<tab>", "<down>", "a", "<backspace>", "t", "<esc>t"]
  }()

  private static let lines = [
    "table", "table mixed", "table sort -a,b", "table hide a", "table unhide", "table width 1 b",
    "table width 999999 a", "table freeze 2", "table cell 5 2", "table put 1 2 3", "set --all a=5",
    "set --all b := len(b)", "delete-layer mixed", "undo 2", "redo", "lock", "unlock mixed",
    "select where a == 1", "rename-attribute a z", "unset b", "table wider 99999", "new-layer n",
    "table narrower 99999", "table cell -5 99999999999", "table scroll 99999", "pane only",
    "split right", "table --right", "table --here", "search a", "table last 0",
    "table shift-left 9", "layer 1", "hide mixed", "show mixed", "rename x",
  ]

  @Test(arguments: Seeds.some(12))
  func `Random keys trap nowhere, and undo brings the document back`(seed: UInt64) throws {
    var table = RandomTable(seed: seed)
    let size = CellSize(columns: 100, rows: 30)
    var office = Office(size: size)
    let document = table.document(rows: Int.random(in: 0...40, using: &table.random))
    office.workspace = Workspace(Desk(document: document, screenSize: size))
    let start = RandomKeysTests.Fingerprint(document)
    try office.run("table mixed")
    var memory = RenderMemory()
    for step in 0..<400 {
      switch Int.random(in: 0..<12, using: &table.random) {
      case 0: try? office.run(Self.lines.randomElement(using: &table.random) ?? "")
      case 1:
        office.waiting += office.workspace.handle(.terminal(.paste("1\n\u{1B}界\t\nnull")))
      case 2:
        let event = MouseEvent(
          action: [.press, .doubleClick, .wheelUp, .wheelDown].randomElement(using: &table.random)
            ?? .press,
          button: 1, column: Int.random(in: -1..<101, using: &table.random),
          row: Int.random(in: -1..<31, using: &table.random))
        office.waiting += office.workspace.handle(.terminal(.mouse(event)))
      default: try office.press(Self.keys.randomElement(using: &table.random) ?? "j")
      }
      try office.settle()
      let desk = office.desk
      if let scope = desk.table {
        try #require(scope.row >= 0 && scope.row <= max(0, scope.rows.count - 1))
        try #require(scope.column >= 0 && scope.column <= max(0, scope.columns.count - 1))
      }
      try #require(desk.selection.features.allSatisfy { desk.document.contains($0) })
      if step % 10 == 0 {
        let frame = office.workspace.frame(size: size, memory: &memory)
        try #require(frame.size == size)
      }
    }
    try office.press("<esc><esc>")
    let steps = office.desk.history.past.count
    office.workspace.change { desk in
      if steps > 0 { try? desk.undo(steps) }
    }
    #expect(RandomKeysTests.Fingerprint(office.desk.document) == start, "seed \(seed)")
  }

  @Test(arguments: Seeds.some(20))
  func `The selection does not depend on the order of the rows`(seed: UInt64) throws {
    var table = RandomTable(seed: seed)
    let size = CellSize(columns: 100, rows: 30)
    var office = Office(size: size)
    office.workspace = Workspace(Desk(document: table.document(rows: 30), screenSize: size))
    try office.run("table --here")
    var marked = Set<FeatureID>()
    for _ in 0..<30 {
      try office.run("table sort \(["a", "-a", "b,-a", "-b"].randomElement(using: &table.random)!)")
      try office.run("table cell \(Int.random(in: 1...30, using: &table.random)) 1")
      let scope = try #require(office.desk.table)
      let feature = try #require(scope.rows.feature(scope.row))
      try office.press("v")
      marked.formSymmetricDifference([feature])
      #expect(Set(office.desk.selection.features.map(\.feature)) == marked)
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A saved table opens as it was, and saves as the same bytes`(seed: UInt64) throws {
    let lines = [
      "table hide a", "table sort -b,a", "table width 7 b", "table freeze 1", "table shift-right",
      "table unhide", "table column b", "table sort", "table unsort", "table sort --add a",
    ]
    var random = SeededGenerator(seed: seed)
    try judgeSaved(
      seed,
      (0..<Int.random(in: 0...8, using: &random)).map { _ in
        lines.randomElement(using: &random) ?? ""
      })
  }

  /// Sorting alone arranges no columns.
  @Test(arguments: ["table sort b", "table sort -b,a", "table sort --add b", "table reverse"])
  func `A table that was sorted alone opens with its columns in their order`(line: String) throws {
    try judgeSaved(1, [line])
  }

  private func judgeSaved(_ seed: UInt64, _ lines: [String]) throws {
    var table = RandomTable(seed: seed)
    var office = Office(size: CellSize(columns: 200, rows: 60))
    let document = table.document(rows: 10)
    office.workspace = Workspace(Desk(document: document, screenSize: office.desk.screenSize))
    try office.run("table")
    for line in lines { try? office.run(line) }
    let former = try #require(office.desk.pane.state as? TablePane)
    let bytes = try DocumentArchive.bytes(of: office.desk.documentToSave)
    let kept = try DocumentArchive.open(bytes).document
    var workspace = Workspace(Desk(document: Document(), screenSize: office.desk.screenSize))
    workspace.change { desk in
      desk.show(OpenDocument(id: desk.freshDocument, document: kept, path: nil))
    }
    let restored = try #require(workspace.desk().pane.state as? TablePane)
    #expect(restored.sort == former.sort && restored.frozen == former.frozen)
    let before = try #require(office.desk.table?.arranged)
    let after = try #require(workspace.desk().table?.arranged)
    #expect(after.map(\.source) == before.map(\.source))
    #expect(after.map(\.width) == before.map(\.width))
    #expect(after.map(\.isHidden) == before.map(\.isHidden))
    #expect(try DocumentArchive.bytes(of: workspace.desk().documentToSave) == bytes)
  }

  @Test func `A program that does not know tables keeps them`() throws {
    var office = Office(size: CellSize(columns: 200, rows: 60))
    try office.run("table")
    try office.run("table width 9 pop")
    let bytes = try DocumentArchive.bytes(of: office.desk.documentToSave)
    let known = ViewKinds.all.filter { $0.archivedClass.name != "PortolanTableView" }
    let older = try DocumentArchive.open(bytes, views: known).document
    let again = try DocumentArchive.open(DocumentArchive.bytes(of: older)).document
    let view = again.views.lazy.compactMap { $0 as? any TableShowing }.first
    #expect(view?.columns.first { $0.source == .attribute("pop") }?.width == 9)
  }

  @Test func `Columns that the layer lost keep their arrangement`() throws {
    var office = Office(size: CellSize(columns: 200, rows: 60))
    try office.run("table")
    try office.run("table width 9 pop")
    try office.run("select layer")
    try office.run("unset pop")
    try office.run("table hide capital")
    try office.run("undo")
    #expect(office.desk.table?.arranged.first { $0.source == .attribute("pop") }?.width == 9)
  }
}
