import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// The map as text on the terminal's clipboard.
@Suite struct YankMapTests {
  private func copied(_ editor: Editor) -> String? {
    editor.effects.lazy.compactMap {
      if case .setClipboard(let text) = $0 { text } else { nil }
    }.first
  }

  @Test func `Without a selection y tells the key that copies the map`() throws {
    var editor = Editor()
    try editor.press("y")
    #expect(editor.message.contains("nothing is selected"))
    #expect(editor.message.contains("Y copies the map"))
  }

  @Test(arguments: [
    CellSize(columns: 60, rows: 16), CellSize(columns: 80, rows: 24),
    CellSize(columns: 200, rows: 60),
  ])
  func `The copy is the map on the screen without the cursor`(size: CellSize) throws {
    var editor = Editor(.towns, size: size)
    try editor.run("zoom in")
    var memory = RenderMemory()
    let screen = editor.desk.frame(size: size, memory: &memory).part(editor.desk.mapArea)
    try editor.press("Y")
    let text = try #require(copied(editor))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = screen.plainText().split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == shown.count)
    for (row, line) in lines.enumerated() where row != editor.desk.cursorRow {
      #expect(line == shown[row])
    }
    #expect(text.contains("Beta") && !text.contains("\u{1B}"))
    #expect(editor.message.hasPrefix("the map is copied as text"))
  }

  @Test func `The copy with colours holds the same characters`() throws {
    var editor = Editor()
    try editor.press("Y")
    let plain = try #require(copied(editor))
    editor.effects = []
    try editor.run("yank --view ansi")
    let coloured = try #require(copied(editor))
    #expect(coloured.contains("\u{1B}[0;"))
    let bare = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    // Blanks with a colour of their own stay at the ends of its lines.
    let trimmed = bare.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
    #expect(trimmed.joined(separator: "\n") == plain)
  }

  @Test func `What no terminal takes is refused, and told`() throws {
    var editor = Editor(.towns, size: CellSize(columns: 1_200, rows: 600))
    let error = #expect(throws: EditingError.self) { try editor.run("yank --view ansi") }
    #expect(error?.message.contains("too much for a terminal's clipboard") == true)
    #expect(copied(editor) == nil)
  }

  @Test func `A script without a screen is told of render`() throws {
    var editor = Editor()
    editor.desk.isHeadless = true
    #expect(throws: EditingError.self) { try editor.run("yank --view text") }
    #expect(copied(editor) == nil)
  }
}
