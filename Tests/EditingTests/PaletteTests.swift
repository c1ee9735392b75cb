import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

@Suite struct PaletteTests {
  private func found(_ typed: String, in editor: Editor = Editor()) throws -> [String] {
    var editor = editor
    try editor.press("<c-p>")
    for character in typed { _ = editor.desk.handle(.terminal(.key(Key(.character(character))))) }
    return try #require(editor.desk.commandPalette).names
  }

  @Test(arguments: [
    ("measure", "measure"), ("exp", "export"), ("flay", "fit layer"), ("undo", "undo"),
    ("towns", "towns"), ("sel al", "select all"),
  ])
  func `Letters in their order find what is meant`(typed: String, name: String) throws {
    let names = try found(typed)
    #expect(names.first == name, "\(names.prefix(5))")
  }

  @Test func `It lists commands with keys, layers and bookmarks, and fits a small screen`() throws {
    var editor = Editor()
    try editor.run("bookmark home")
    try editor.press("<c-p>measure")
    var memory = RenderMemory()
    let text = editor.desk.frame(size: CellSize(columns: 80, rows: 24), memory: &memory).plainText()
    #expect(text.contains(" PALETTE ") && text.contains("> measure"))
    let line = try #require(text.split(separator: "\n").first { $0.contains("Measure lengths") })
    #expect(line.contains(" M"))
    try editor.press("<esc>")
    #expect(try found("home", in: editor).first == "home")
    #expect(try found("roads", in: editor).first == "roads")
    #expect(try found("qqqqq", in: editor).isEmpty)
  }

  @Test func `Enter runs the line, or asks for the rest of it`() throws {
    var editor = Editor()
    try editor.press("<c-p>selall<ret>")
    #expect(editor.desk.selection.count == 7 && editor.desk.mode == .normal)
    try editor.press("<c-p>renameatt<ret>")
    #expect(editor.desk.prompt?.line.text == "rename-attribute ")
    try editor.press("<esc><c-p><esc>")
    #expect(editor.desk.commandPalette == nil && editor.desk.mode == .normal)
    try editor.press("<c-p>qqqqqq<ret>")
    #expect(editor.desk.commandPalette != nil)
    for _ in 0..<7 { try editor.press("<backspace>") }
    #expect(editor.desk.commandPalette == nil)
  }

  @Test func `What was used last comes first`() throws {
    var editor = Editor()
    try editor.press("<c-p>selall<ret><c-p>")
    #expect(editor.desk.commandPalette?.names.first == "select all")
    try editor.press("<down><up><tab><s-tab><up>")
    let palette = try #require(editor.desk.commandPalette)
    #expect(palette.index == palette.found.count - 1)
  }

  @Test func `A click takes a line, the wheel moves`() throws {
    var editor = Editor()
    try editor.press("<c-p>selectall<wheeldown:40,10><wheelup:40,10><press:40,3>")
    #expect(editor.desk.selection.count == 7)
  }

  @Test(arguments: Seeds.some(200))
  func `A text is found by its letters in their order alone`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("abcé- 界X")
    let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      letters.randomElement(using: &random) ?? "a"
    }
    let word = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      letters.randomElement(using: &random) ?? "a"
    }
    func scalars(_ text: [Character]) -> [Unicode.Scalar] {
      text.flatMap { $0.lowercased().unicodeScalars }
    }
    var rest = scalars(text)[...]
    let isThere = scalars(word).allSatisfy { scalar in
      guard let place = rest.firstIndex(of: scalar) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
    let score = FuzzyText(String(text)).score(of: FuzzyText(String(word)))
    #expect((score != nil) == isThere, "\(String(text)) \(String(word))")
  }

  @Test func `The starts of words count most`() throws {
    func score(_ text: String) throws -> Int {
      try #require(FuzzyText(text).score(of: FuzzyText("fl")))
    }
    #expect(try score("fit layer") > score("shuffle"))
    #expect(try score("fl") > score("fit layer"))
  }
}
