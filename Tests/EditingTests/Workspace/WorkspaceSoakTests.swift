import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Random keys, lines and replies over panes, tabs and several documents.
///
/// `PORTOLAN_SOAK=SECONDS` goes on with ever new seeds for so long, from `PORTOLAN_SOAK_SEED` on.
@Suite struct WorkspaceSoakTests {
  static let lines = [
    "split right", "split below", "pane next", "pane previous", "pane close", "pane only",
    "pane equal", "pane link", "pane link both", "pane link zoom", "pane wider", "pane narrower 9",
    "pane taller", "pane shorter 30", "pane whole", "pane swap", "pane swap left", "pane rotate",
    "pane tab new", "pane tab 1", "pane tab 2", "tab name x", "tab move 1", "view save a",
    "view show a", "view rename b", "view delete a", "views", "pane left", "pane right", "pane up",
    "pane down", "tab new",
    "tab next", "tab previous", "tab close", "tab 2", "overview --pane", "split right /m/b.doc",
    "tab new /m/c.doc", "open /m/b.doc", "open /m/a.doc", "save", "save /m/a.doc",
    "pane close --force", "tab close --force", "new-layer z", "select all", "delete",
    "move --by 1,1", "yank", "paste", "paste --in-place", "draw line", "put @1,1", "put 3 3",
    "finish", "discard-draft", "escape", "undo", "undo 5", "redo", "redo 3", "zoom in", "zoom out",
    "fit all", "go to 5 5", "panel all", "overview", "search a", "next match", "revert",
    "layer 1", "hide roads", "delete-layer", "help", "where",
  ]

  /// Plays one seed; every document can then be undone to its start and redone.
  static func play(seed: UInt64, size: CellSize, events: Int) throws {
    let keys = RandomKeysTests()
    var random = SeededGenerator(seed: seed)
    var office = Office(size: size)
    var memory = RenderMemory()
    var trail: [String] = []
    for step in 0..<events {
      if Int.random(in: 0..<3, using: &random) == 0 {
        let line = lines[Int.random(in: 0..<lines.count, using: &random)]
        trail.append(line)
        try? office.ask(line)
      } else {
        for event in keys.event(&random) {
          trail.append("\(event)")
          office.waiting += office.workspace.handle(.terminal(event))
        }
      }
      // Replies come late, and sometimes several at once.
      if Int.random(in: 0..<4, using: &random) == 0 { try office.settle() }
      let workspace = office.workspace
      let session = office.desk.session
      let ids = session.arrangement.panes
      try #require(Set(ids).count == ids.count && !ids.isEmpty, "seed \(seed), step \(step)")
      try #require(Set(session.panes.keys) == Set(ids), "seed \(seed), step \(step)")
      try #require(session.arrangement.tab.tree.panes.contains(session.arrangement.focus))
      let shown = Set(session.panes.values.map(\.document))
      try #require(Set(workspace.documents.keys) == shown, "seed \(seed), step \(step)")
      let desk = office.desk
      let takesKeys = desk.pane.kind.takesKeys
      try #require(takesKeys, "seed \(seed), step \(step): \(trail.suffix(12))")
      try #require(desk.cursor.x.isFinite && desk.cursor.y.isFinite)
      try #require(desk.selection.features.allSatisfy { desk.document.contains($0) })
      let area = desk.mapArea
      let isInside =
        (0..<max(1, area.columns)).contains(desk.cursorColumn)
        && (0..<max(1, area.rows)).contains(desk.cursorRow)
      try #require(
        isInside,
        """
        seed \(seed), step \(step): \(desk.cursorColumn),\(desk.cursorRow) in \(area): \
        \(trail.suffix(4))
        """)
      if step % 25 == 0 {
        let frame = workspace.frame(size: session.screenSize, memory: &memory)
        try #require(frame.size == Frame(size: session.screenSize).size)
      }
    }
    try office.settle()
    for document in office.workspace.documents.values {
      var history = document.history
      let end = RandomKeysTests.Fingerprint(history.value)
      let start = RandomKeysTests.Fingerprint(history[0].value)
      let steps = history.past.count
      while history.undo() != nil {}
      try #require(RandomKeysTests.Fingerprint(history.value) == start, "seed \(seed)")
      for _ in 0..<steps { history.redo() }
      try #require(RandomKeysTests.Fingerprint(history.value) == end, "seed \(seed)")
    }
  }

  @Test(arguments: 1...6)
  func `Panes, tabs and documents hold together`(seed: UInt64) throws {
    let size = CellSize(columns: seed % 2 == 0 ? 80 : 200, rows: seed % 2 == 0 ? 24 : 60)
    try Self.play(seed: seed, size: size, events: 500)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["PORTOLAN_SOAK"] != nil))
  func `They do for as long as is asked for`() throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["PORTOLAN_SOAK"].flatMap(Double.init) ?? 60
    let start = Date()
    let first = environment["PORTOLAN_SOAK_SEED"].flatMap(UInt64.init) ?? 1_000
    var seed = first
    while Date().timeIntervalSince(start) < seconds {
      let size = CellSize(columns: seed % 2 == 0 ? 80 : 200, rows: seed % 2 == 0 ? 24 : 60)
      try Self.play(seed: seed, size: size, events: 1_000)
      seed += 1
    }
    print("soak: \(seed - first) seeds of 1,000 events, 0 failures")
  }
}
