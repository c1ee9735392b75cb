import PortolanDocuments
import PortolanTerminals
import PortolanTestSupport
import PortolanTexts
import Testing

@testable import PortolanEditing

/// Typed text: its cursor and its deletions count what a reader takes for one character.
@Suite struct LineEditorTests {
  /// Scalars that join others, and some that do not.
  static let scalars: [Unicode.Scalar] = [
    "e", "\u{301}", "\u{308}", "a", " ", "字", "👨", "\u{200D}", "👩", "\u{1F3FD}", "🇩", "🇪", "क",
    "\u{94D}",
    "ᄀ", "ᅡ",
  ]

  @Test(arguments: [
    ("e\u{301}", 1), ("👨\u{200D}👩\u{200D}👧", 2), ("👍\u{1F3FD}", 2), ("🇩🇪", 2), ("字", 2), ("ab", 2),
  ])
  func `Text typed scalar by scalar has the cursor behind it`(text: String, columns: Int) {
    var line = LineEditor()
    for scalar in text.unicodeScalars { line.insert(String(Character(scalar))) }
    #expect(line.characters == Array(text))
    #expect(Self.cursorColumn(line) == columns)
    let count = line.characters.count
    line.edit(.backspace)
    #expect(line.characters.count == count - 1)
    #expect(line.text == String(text.dropLast()))
  }

  /// The column of the cursor of a line that is drawn in a wide field.
  static func cursorColumn(_ line: LineEditor) -> Int? {
    var frame = Frame(size: CellSize(columns: 300, rows: 1))
    LineField.draw(line, style: CellStyle(), in: frame.bounds, on: &frame)
    return frame.cursor?.column
  }

  @Test(arguments: Seeds.some(60))
  func `A line is always cut into its characters, wherever it was typed`(seed: UInt64) {
    var numbers = SeededGenerator(seed: seed)
    var line = LineEditor()
    for _ in 0..<40 {
      let (head, tail) = (line.head, String(line.characters[line.cursor...]))
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0: line.edit(.left)
      case 1: line.edit(.right)
      case 2:
        line.edit(.backspace)
        #expect(line.text == String(head.dropLast()) + tail, "seed \(seed)")
      case 3:
        line.edit(.delete)
        #expect(line.text == head + String(tail.dropFirst()), "seed \(seed)")
      default:
        let count = Int.random(in: 1...3, using: &numbers)
        let typed = (0..<count).compactMap { _ in Self.scalars.randomElement(using: &numbers) }
        let text = String(String.UnicodeScalarView(typed))
        line.insert(text)
        #expect(line.text == head + text + tail, "seed \(seed)")
        let start = line.head.unicodeScalars.count
        #expect(start >= (head + text).unicodeScalars.count, "seed \(seed)")
      }
      #expect(line.characters == Array(line.text), "seed \(seed)")
      #expect((0...line.characters.count).contains(line.cursor), "seed \(seed)")
      let columns = line.characters[..<line.cursor].reduce(0) {
        $0 + DisplayWidth.of(String($1))
      }
      #expect(Self.cursorColumn(line) == columns, "seed \(seed)")
    }
  }

  @Test func `Tabs stay in values and become blanks elsewhere`() throws {
    var value = LineEditor(keepsTabs: true)
    value.insert("a\tb\nc")
    #expect(value.text == "a\tb c")
    var line = LineEditor()
    line.insert("a\tb\nc")
    #expect(line.text == "a b c")
  }

  @Test func `A pasted tab is part of an attribute's value`() throws {
    var editor = Editor()
    try editor.run("go name Alpha")
    try editor.press("e")
    let form = try #require(editor.desk.form)
    try #require(form.rows.contains { $0.name == "name" })
    try editor.press("<ret><c-u><paste:x\ty><ret>")
    #expect(editor.attribute("name", of: "x\ty") == .string("x\ty"))
  }
}
