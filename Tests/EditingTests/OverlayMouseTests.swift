import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The mouse and the keys on what stands above the map.
@Suite struct OverlayMouseTests {
  /// The cell on the screen where a text begins.
  private func cell(of text: String, in editor: Editor) throws -> (column: Int, row: Int) {
    var memory = RenderMemory()
    let frame = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
    for row in 0..<frame.size.rows {
      let line = (0..<frame.size.columns).map { frame.text(of: frame[$0, row].glyph) }.joined()
      if let range = line.firstRange(of: text) {
        return (line.distance(from: line.startIndex, to: range.lowerBound), row)
      }
    }
    throw Missing(text: text)
  }

  struct Missing: Error { var text: String }

  private func click(_ text: String, _ editor: inout Editor, twice: Bool = false) throws {
    let (column, row) = try cell(of: text, in: editor)
    try editor.press("<press:\(column),\(row)><release:\(column),\(row)>")
    if twice { try editor.press("<double:\(column),\(row)><release:\(column),\(row)>") }
  }

  /// What a click on the map would change.
  private func state(_ editor: Editor) -> [String] {
    [
      "\(editor.desk.cursor)", "\(editor.desk.selection.features)",
      "\(editor.desk.viewpoint)", "\(editor.desk.isEdited)", editor.desk.mode.title,
    ]
  }

  @Test func `A click on a line of a menu presses its key, and goes no farther`() throws {
    var editor = Editor()
    try editor.press("<space>")
    try click("layer…", &editor)
    #expect(editor.desk.session.pendingKeys.count == 2)
    let before = state(editor)
    #expect(editor.desk.popup.contains { $0.keys == "k" })
    try click("Lock", &editor)
    #expect(editor.layer("towns")?.isLocked == true)
    #expect(editor.desk.popup.isEmpty)
    #expect(state(editor)[0...2] == before[0...2])
  }

  @Test func `A double click on a menu presses one key`() throws {
    var editor = Editor()
    try editor.press("<space>")
    try click("layer…", &editor, twice: true)
    #expect(editor.desk.session.pendingKeys.count == 2)
    #expect(!editor.desk.isEdited)
  }

  @Test func `A click beside a menu closes it and does nothing to the map`() throws {
    var editor = Editor()
    let before = state(editor)
    try editor.press("<space>")
    try editor.press("<press:3,3><release:3,3><double:3,3><release:3,3>")
    #expect(editor.desk.popup.isEmpty && editor.desk.session.pendingKeys.isEmpty)
    #expect(state(editor) == before)
    try editor.press("<press:3,3><release:3,3>")
    #expect(editor.desk.cursorColumn == 3)
  }

  @Test func `Arrows and Enter work in a menu`() throws {
    var editor = Editor()
    try editor.press("<space>l")
    #expect(editor.desk.popup[2].text == "Rename the active layer, or another one…")
    try editor.press("<down><down><ret>")
    #expect(editor.desk.prompt?.line.text == "rename ")
    try editor.press("<esc><space>")
    let rows = editor.desk.popup.count
    try editor.press("<up>")
    #expect(editor.desk.session.popupIndex == rows - 1)
    try editor.press("<down>")
    #expect(editor.desk.session.popupIndex == 0)
    try editor.press("<ret>")
    #expect(editor.desk.session.pendingKeys.count == 2)
    try editor.press("<backspace>")
    #expect(editor.desk.session.pendingKeys.count == 1)
    try editor.press("<backspace>")
    #expect(editor.desk.session.pendingKeys.isEmpty)
    #expect(editor.message.isEmpty)
  }

  @Test func `The wheel moves in a menu and leaves the map`() throws {
    var editor = Editor()
    let before = state(editor)
    try editor.press("<space><wheeldown:70,20><wheeldown:3,3><wheelup:3,3>")
    #expect(editor.desk.session.popupIndex == 1)
    #expect(state(editor) == before)
  }

  @Test func `Every line of every menu can be reached by keys, and is where a click finds it`()
    throws
  {
    for size in [CellSize(columns: 80, rows: 24), CellSize(columns: 60, rows: 16)] {
      for prefix in ["<space>", "<space>l", "<space>e", "z", "g"] {
        var editor = Editor(size: size)
        try editor.press(prefix)
        let layout = try #require(
          KeyPopup.Layout(editor.desk.popup, in: editor.desk.layout))
        let count = editor.desk.popup.count
        var found: Set<Int> = []
        for row in 0..<size.rows {
          for column in 0..<size.columns {
            let shown = layout.shown(choosing: 0, of: count)
            if let item = layout.item(column: column, row: row, in: shown) { found.insert(item) }
          }
        }
        #expect(found == Set(0..<min(count, layout.rows * layout.columns)))
        for index in 0..<count {
          #expect(editor.desk.session.popupIndex == index)
          try editor.press("<down>")
        }
      }
    }
  }

  @Test func `A click on a choice answers a question, elsewhere it does nothing`() throws {
    var editor = Editor()
    editor.desk.ask(
      Question(
        title: "Which?", text: "There are two.",
        choices: [.init("a", "the one", line: "layer roads"), .init("b", "two", line: "layer 1")]))
    let before = state(editor)
    try editor.press("<press:2,2><release:2,2><wheeldown:3,3>")
    #expect(state(editor) == before)
    #expect(editor.desk.question?.index == 1)
    try click("the one", &editor, twice: true)
    #expect(editor.desk.question == nil)
    #expect(editor.document[layer: try #require(editor.desk.activeLayer)]?.name == "roads")
    #expect(state(editor)[0...2] == before[0...2])
  }

  @Test func `The form answers to clicks and the wheel`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.press("e")
    let before = state(editor)
    try click("capital", &editor)
    #expect(editor.desk.form?.current?.name == "capital")
    try editor.press("<wheelup:2,2>")
    #expect(editor.desk.form?.current?.name == "pop")
    try click("capital", &editor, twice: true)
    #expect(editor.desk.form?.editing?.field == .value)
    try editor.press("<press:1,1><release:1,1>")
    #expect(state(editor) == before)
  }

  @Test func `The wheel scrolls the help, and clicks there reach nothing below`() throws {
    var editor = Editor()
    try editor.press("?")
    let before = state(editor)
    try editor.press("<wheeldown:5,5><press:5,5><release:5,5>")
    #expect(editor.desk.help?.top == 3)
    #expect(state(editor) == before)
    try editor.press("<wheelup:5,5>")
    #expect(editor.desk.help?.top == 0)
  }

  @Test func `A click takes a completion`() throws {
    var editor = Editor()
    try editor.press(":se<tab>")
    let words = try #require(editor.desk.prompt?.completions)
    try click(" " + words[2], &editor)
    #expect(editor.desk.prompt?.line.text == words[2])
    #expect(editor.desk.cursorColumn == editor.desk.mapArea.columns / 2)
  }

  @Test func `A click in the layers panel finds the layer that stands there`() throws {
    var document = Document.towns
    for number in 0..<30 {
      document.layers.append(
        FeatureLayer(
          id: LayerID(document.makeID()), name: "extra \(number)",
          style: .standard(forDimension: 0, index: 0)))
    }
    var editor = Editor(document)
    try editor.run("layer fields")
    try click("roads", &editor)
    #expect(editor.document[layer: try #require(editor.desk.activeLayer)]?.name == "roads")
    // What stands below the list is no layer.
    let active = editor.desk.activeLayer
    try click("Legend", &editor)
    let (column, row) = try cell(of: "Legend", in: editor)
    try editor.press("<press:\(column + 6),\(row + 1)><release:\(column + 6),\(row + 1)>")
    #expect(editor.desk.activeLayer == active)
  }

  @Test func `No click above the map ever reaches it, wherever it is`() throws {
    var generator = SeededGenerator(seed: 14)
    for keys in ["?", "w<ret>e", "w<ret>e<ret>", ":se<tab>", "/ab"] {
      var editor = Editor()
      try editor.press(keys)
      let before = state(editor)
      for _ in 0..<200 {
        let column = Int.random(in: 0..<80, using: &generator)
        // The last row is the hint line, whose hints act.
        let row = Int.random(in: 0..<23, using: &generator)
        for action in ["press", "release", "drag", "double", "wheelup", "right-press", "s-press"] {
          try editor.press("<\(action):\(column),\(row)>")
        }
        #expect(Array(state(editor)[0...3]) == Array(before[0...3]), "\(keys) at \(column),\(row)")
        if editor.desk.form?.editing != nil, keys.hasSuffix("e") { try editor.press("<esc>") }
      }
    }
  }

  @Test(arguments: ["", "i", "v", "w<ret>", "w<ret>m", "<tab>", "?", "w<ret>e", ":classes<ret>"])
  func `A click on a hint presses its key`(keys: String) throws {
    var editor = Editor()
    try editor.press(keys)
    // A message hides the hints.
    editor.desk.message = nil
    for hint in editor.desk.hints {
      var pressed = editor
      pressed.effects += pressed.desk.handle(.terminal(.key(try #require(hint.key))))
      var clicked = editor
      guard (try? click("\(hint.keys) \(hint.text)", &clicked)) != nil else { continue }
      #expect(state(clicked) == state(pressed), "\(hint)")
      #expect(clicked.message == pressed.message, "\(hint)")
      #expect(clicked.desk.popup == pressed.desk.popup)
    }
  }

  @Test func `A click on a message takes it away, and does nothing else`() throws {
    var editor = Editor()
    try editor.press("zX")
    #expect(!editor.message.isEmpty)
    let before = state(editor)
    try editor.press("<press:3,23><release:3,23>")
    #expect(editor.message.isEmpty)
    #expect(state(editor) == before)
  }

  @Test func `The words of the title act`() throws {
    var editor = Editor()
    try click("F1 help", &editor)
    #expect(editor.desk.mode == .help)
    try editor.press("<esc>")
    try click("menu", &editor)
    #expect(editor.desk.popup.contains { $0.text == "file…" })
    try editor.press("<esc>:tab new<ret>")
    let focus = editor.desk.session.arrangement.index
    try click("1:", &editor)
    #expect(focus == 1 && editor.desk.session.arrangement.index == 0)
    // Where Space means something else, the title names no menu.
    try editor.press("i")
    #expect(throws: (any Error).self) { try click("menu", &editor) }
    #expect(editor.desk.popup.isEmpty && editor.desk.draft?.isEmpty != false)
  }
}
