import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import PortolanTexts
import Testing

@testable import PortolanEditing

/// Screens with little or no room.
@Suite struct SmallScreenTests {
  private func text(_ desk: Desk, _ columns: Int, _ rows: Int) -> String {
    var memory = RenderMemory()
    return desk.frame(size: CellSize(columns: columns, rows: rows), memory: &memory).plainText()
  }

  @Test(arguments: ["d", "u", "<ret>", "i<space>", ":quit!<ret>", "<c-s>", "ZQ", "<c-w>v"])
  func `Keys do nothing on a screen that shows nothing`(keys: String) throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("select here")
    try editor.run("set pop=1")
    let former = editor.desk
    try editor.press("<resize:30x8>" + keys)
    #expect(editor.desk.history.present.serial == former.history.present.serial)
    #expect(editor.desk.prompt == nil && editor.desk.mode == former.mode)
    #expect(editor.desk.session.arrangement.panes == former.session.arrangement.panes)
    #expect(!editor.desk.hasQuit)
    #expect(editor.effects.allSatisfy { $0.save == nil })
    #expect(editor.desk.session.pendingKeys.isEmpty)
    try editor.press("<resize:80x24>u")
    #expect(editor.desk.history.present.serial != former.history.present.serial)
  }

  @Test func `Mouse and paste do nothing on a screen that shows nothing`() throws {
    var editor = Editor()
    try editor.press(":<resize:30x8><paste:quit>")
    #expect(editor.desk.prompt?.line.text == "")
    try editor.press("<esc>")
    #expect(editor.desk.prompt != nil)
  }

  @Test func `The keys that leave and redraw act, and the screen names them`() throws {
    var editor = Editor()
    try editor.press("<resize:30x8><c-l>")
    #expect(editor.effects.contains { if case .redraw = $0 { true } else { false } })
    let shown = text(editor.desk, 30, 8)
    #expect(shown.hasPrefix("too small: needs 40x12"))
    for key in ["Ctrl-L", "Ctrl-C", "Ctrl-Q", "Ctrl-Z"] { #expect(shown.contains(key), "\(key)") }
    // What cannot be given up unasked is told.
    try editor.press("<resize:80x24>")
    try editor.run("new-layer more")
    try editor.press("<resize:30x8><c-q>")
    #expect(!editor.desk.hasQuit)
    #expect(text(editor.desk, 30, 8).contains("unsaved edits"))
    try editor.press("<resize:80x24>u<resize:30x8><c-q>")
    #expect(editor.desk.hasQuit)
  }

  @Test func `Help is read whole on the smallest screen that shows something`() throws {
    for topic in ["keys", "commands", "save", "style"] {
      var editor = Editor(size: CellSize(columns: 40, rows: 12))
      try editor.run("help \(topic)")
      let lines = try #require(editor.desk.help).lines
      var shown = ""
      for _ in 0..<400 {
        let page = text(editor.desk, 40, 12)
        #expect(!page.contains("… │"), "\(page)")
        shown += page
        let former = editor.desk.help?.top
        try editor.press("<pagedown>")
        if editor.desk.help?.top == former { break }
      }
      for word in lines.flatMap({ $0.split(separator: " ") }) where word.count < 20 {
        #expect(shown.contains(word), "\(word)")
      }
      // One key up moves at once, however often the end was asked for.
      try editor.press("<pagedown>G")
      let last = try #require(editor.desk.help?.top)
      try editor.press("k")
      #expect(editor.desk.help?.top == max(0, last - 1))
    }
  }

  @Test func `A page of help further down leaves no line out`() throws {
    var editor = Editor()
    try editor.run("help commands")
    try editor.press("<pagedown>")
    let help = try #require(editor.desk.help)
    let rows = help.rows(columns: 76)
    #expect(help.top == 18)
    #expect(text(editor.desk, 80, 24).contains(rows[help.top]))
    try editor.press("<home>")
    #expect(text(editor.desk, 80, 24).contains(rows[help.top - 1]))
  }

  @Test func `Ctrl-W deletes a word where text is typed, and waits for nothing in INSERT`() throws {
    var editor = Editor()
    try editor.press(":save one two<c-w>")
    #expect(editor.desk.prompt?.line.text == "save one ")
    try editor.press("<esc>")
    try editor.run("draw line")
    try editor.press("<c-w>")
    #expect(editor.desk.session.pendingKeys.isEmpty)
    #expect(editor.desk.mode == .insert)
    try editor.press("<space>")
    #expect(editor.desk.draft?.vertices.count == 1)
  }

  @Test func `A pane's title is whole words, and its file is told by both ends`() throws {
    var office = Office(size: CellSize(columns: 80, rows: 24))
    try office.run("split right")
    for name in ["a", "a-rather-long-name-of-all-roads-in-the-north"] {
      try office.run("save /m/\(name).doc --force")
      try office.run("split below /m/other.doc")
      for id in office.panes {
        let desk = try #require(office.workspace.desk(at: id))
        for columns in 8...60 {
          let title = desk.paneTitle(columns: columns)
          #expect(DisplayWidth.of(title) <= columns, "\(title)")
          #expect(title.hasSuffix(" "), "\(title)")
          if columns > 20 { #expect(title.contains(".doc"), "\(title)") }
        }
      }
      try office.run("pane close")
    }
  }
}
