import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Sizes, places and links of panes; tabs with names; views.
@Suite struct PaneSizeTests {
  private let rect = CellRect(column: 3, row: 1, columns: 150, rows: 50)

  /// A random tree of panes that all have their least size in the rectangle.
  private func tree(_ random: inout SeededGenerator) -> PaneTree {
    var tree = PaneTree.pane(PaneID(1))
    for id in 2...Int.random(in: 2...8, using: &random) {
      let owner = tree.panes[Int.random(in: 0..<tree.panes.count, using: &random)]
      let axis: PaneTree.Axis = Bool.random(using: &random) ? .columns : .rows
      let next = tree.splitting(owner, axis, with: PaneID(id))
      if isRoomy(next) { tree = next }
    }
    return tree
  }

  private func isRoomy(_ tree: PaneTree) -> Bool {
    tree.places(in: rect).panes.allSatisfy {
      $0.rect.columns >= Arrangement.least.columns && $0.rect.rows >= Arrangement.least.rows + 1
    }
  }

  /// Each cell is in one pane or one rule.
  private func covers(_ tree: PaneTree) -> Bool {
    var counts: [Int: Int] = [:]
    let places = tree.places(in: rect)
    for area in places.panes.map(\.rect) + places.rules {
      for row in area.row..<area.row + area.rows {
        for column in area.column..<area.column + area.columns {
          counts[row * 1_000 + column, default: 0] += 1
        }
      }
    }
    return counts.count == rect.columns * rect.rows && counts.values.allSatisfy { $0 == 1 }
  }

  @Test(arguments: Seeds.some(40))
  func `Borders move, panes keep their least size and fill the screen`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var tree = tree(&random)
    let ids = tree.panes
    for _ in 0..<20 {
      let borders = tree.borders(in: rect)
      #expect(borders.count == ids.count - 1)
      guard let held = borders.randomElement(using: &random) else { return }
      let place = Int.random(in: -10...170, using: &random)
      tree = tree.moving(held.border, to: place, in: rect)
      try #require(isRoomy(tree) && covers(tree) && tree.panes == ids, "seed \(seed)")
      // The border is where it was brought, or as near as its neighbours let it.
      let moved = try #require(tree.borders(in: rect).first { $0.border == held.border }).cells
      #expect(tree.moving(held.border, to: place, in: rect) == tree, "seed \(seed)")
      let isThere = (held.border.axis == .columns ? moved.column : moved.row) == place
      let id = ids[Int.random(in: 0..<ids.count, using: &random)]
      let axis: PaneTree.Axis = Bool.random(using: &random) ? .columns : .rows
      let former = length(of: id, axis, in: tree)
      if let grown = tree.growing(id, axis, by: 3, in: rect) {
        try #require(isRoomy(grown) && covers(grown), "seed \(seed)")
        #expect((former + 1...former + 3).contains(length(of: id, axis, in: grown)))
      }
      if !isThere {
        // One cell further would break a pane's least size: nothing can move.
        let beyond = place > (held.border.axis == .columns ? moved.column : moved.row) ? 1 : -1
        let next = (held.border.axis == .columns ? moved.column : moved.row) + beyond
        #expect(tree.moving(held.border, to: next, in: rect) == tree, "seed \(seed)")
      }
    }
  }

  private func length(of id: PaneID, _ axis: PaneTree.Axis, in tree: PaneTree) -> Int {
    let area = tree.places(in: rect).panes.first { $0.id == id }?.rect
    return (axis == .columns ? area?.columns : area?.rows) ?? 0
  }

  @Test(arguments: Seeds.some(20))
  func `Panes change places, and rotation comes back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tree = tree(&random)
    let ids = tree.panes
    #expect(ids.reduce(tree) { tree, _ in tree.rotated } == tree)
    #expect(tree.rotated.panes == [ids[ids.count - 1]] + ids.dropLast())
    let (first, second) = (ids[0], ids[Int.random(in: 0..<ids.count, using: &random)])
    #expect(tree.swapping(first, second).swapping(first, second) == tree)
    #expect(Set(tree.swapping(first, second).panes) == Set(ids))
  }

  // MARK: Commands

  @Test func `Keys and the mouse move the border`() throws {
    var office = Office()
    try office.run("split right")
    func widths() -> [Int] {
      let session = office.desk.session
      return session.arrangement.places(in: office.desk.layout.map).panes.map(\.rect.columns)
    }
    let before = widths()
    try office.press("<c-w><gt>")
    #expect(widths() == [before[0] - 4, before[1] + 4])
    try office.run("pane narrower 7")
    #expect(widths() == [before[0] + 3, before[1] - 3])
    let rule = try #require(
      office.desk.session.arrangement.places(in: office.desk.layout.map).rules.first)
    for (action, column) in [(MouseEvent.Action.press, 0), (.drag, -10), (.release, -10)] {
      let event = MouseEvent(
        action: action, button: 1, column: rule.column + column, row: rule.row + 2)
      office.waiting += office.workspace.handle(.terminal(.mouse(event)))
    }
    #expect(widths() == [before[0] - 7, before[1] + 7])
    try office.press("<c-w>=")
    #expect(widths() == before)
  }

  @Test func `One pane has all the room, and the others come back`() throws {
    var office = Office()
    try office.run("split below")
    let half = office.desk.paneArea
    try office.press("<c-w>z")
    #expect(office.desk.paneArea.rows > half.rows)
    #expect(throws: EditingError.self) { try office.run("pane taller") }
    try office.press("<c-w>z")
    #expect(office.desk.paneArea == half)
  }

  @Test func `Linked panes have one centre, one zoom, or both`() throws {
    var office = Office()
    try office.run("split right")
    let (left, right) = (office.panes[0], office.panes[1])
    func map(_ id: PaneID) -> Viewpoint? { office.desk.session.panes[id]?.state.map?.viewpoint }
    try office.run("pane link zoom")
    try office.run("zoom to 6")
    try office.run("go to 1 1")
    try office.run("center")
    #expect(map(left)?.zoom == map(right)?.zoom)
    #expect(map(left)?.center != map(right)?.center)
    try office.run("pane link both")
    #expect(map(left)?.zoom == map(right)?.zoom && map(left)?.center == map(right)?.center)
    try office.run("pane link centre")
    try office.run("zoom to 4")
    try office.run("pan right half 3")
    #expect(map(left)?.zoom != map(right)?.zoom && map(left)?.center == map(right)?.center)
    try office.run("pane link off")
    try office.run("pan right half 3")
    #expect(map(left)?.center != map(right)?.center)
  }

  @Test func `Tabs have names, panes move between them, and a save keeps it`() throws {
    var office = Office()
    try office.run("split right")
    try office.run("pane link both")
    try office.press("<c-w>T")
    try office.run("tab name Rivers")
    #expect(office.desk.tabNames == ["Map", "Rivers"])
    try office.run("tab move 1")
    try office.run("tab Map")
    #expect(office.desk.session.arrangement.index == 1)
    #expect(throws: EditingError.self) { try office.run("pane tab new") }
    #expect(throws: EditingError.self) { try office.run("tab Lakes") }
    try office.run("save /m/a.doc")
    var again = Office(office.world.files)
    try again.run("open /m/a.doc")
    #expect(again.desk.tabNames == ["Rivers", "Map"])
    let report = DocumentReport(again.desk)
    let tabs = report.lines.filter { $0.hasPrefix("tab ") }
    #expect(tabs.count == 2 && tabs.first?.hasPrefix("tab       Rivers: ") == true, "\(tabs)")
    #expect(report.json.contains(#""tabs":[{"name":"Rivers","view":"#))
    try again.run("pane tab Rivers")
    #expect(again.desk.session.arrangement.tabs.count == 1 && again.panes.count == 2)
    try again.run("tab name")
    #expect(again.desk.tabNames != ["Rivers"])
  }

  // MARK: Views

  @Test func `Views are saved, shown, renamed and deleted; undo takes it back`() throws {
    var office = Office()
    try office.run("zoom to 7")
    try office.run("view save 'The north'")
    let kept = try #require(office.desk.document.views.last as? any MapShowing)
    #expect(kept.name == "The north" && abs(kept.magnification - 128) < 1e-9)
    try office.run("zoom to 3")
    try office.run("view show 'The north'")
    #expect(abs(office.desk.viewpoint.zoom - 7) < 1e-9)
    try office.run("view rename 'The north' North")
    try office.run("view rename Whole")
    #expect(office.desk.document.views.map(\.name) == ["Whole", "North"])
    #expect(throws: EditingError.self) { try office.run("view delete Whole") }
    #expect(throws: EditingError.self) { try office.run("view rename North Whole") }
    try office.run("split right")
    try office.run("view rename Second")
    #expect(office.desk.document.views.map(\.name) == ["Whole", "North", "Second"])
    try office.run("save /m/a.doc")
    let saved = try DocumentArchive.open(
      office.world.files.read("/m/a.doc", limit: 1 << 24)
    ).document
    #expect(saved.views.map(\.name) == ["Whole", "North", "Second"])
    #expect(saved.layout?.leaves.count == 2)
    try office.run("view delete North")
    #expect(office.desk.document.views.map(\.name) == ["Whole", "Second"])
    try office.run("undo")
    #expect(office.desk.document.views.map(\.name) == ["Whole", "North", "Second"])
    try office.run("undo 9")
    #expect(office.desk.document.views.map(\.name) == ["Map"])
  }

  @Test func `The list of views tells which pane shows one, and Enter goes there`() throws {
    var office = Office()
    try office.run("zoom to 7")
    try office.run("view save a")
    try office.run("zoom to 2")
    try office.run("views")
    let question = try #require(office.desk.questions.first)
    #expect(question.choices.map(\.text.first) == ["M", "a"])
    #expect(question.choices[0].text.hasSuffix("tab 1, pane 1"))
    try office.press("<down><cr>")
    #expect(abs(office.desk.viewpoint.zoom - 7) < 1e-9)
  }
}
