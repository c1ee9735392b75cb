import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Notes upon the map: `annotate`.
@Suite struct AnnotationTests {
  private func notes(_ editor: Editor) -> (any NoteHolding)? {
    editor.document.layers.last as? any NoteHolding
  }

  private func texts(_ editor: Editor) -> [String] {
    guard let notes = notes(editor) else { return [] }
    return notes.blocks.flatMap { block in
      (0..<block.rowCount).map { block.attribute("text", row: $0).text }
    }
  }

  @Test func `A note, its layer and its selection are one step`() throws {
    var editor = Editor(Document.towns)
    let before = editor.document.layers.count
    try editor.run("annotate the harbour --place '13 52'")
    #expect(editor.document.layers.count == before + 1)
    #expect(texts(editor) == ["the harbour"])
    let note = try #require(notes(editor))
    #expect(note.name == "notes" && note.kindCode == "note" && editor.desk.activeLayer == note.id)
    #expect(note.blocks[0].geometry.coordinates == [13, 52])
    #expect(editor.desk.selection.features.map(\.layer) == [note.id])
    try editor.run("annotate --change a 'new' text\\\\nof two lines")
    #expect(texts(editor) == ["a new text\nof two lines"])
    try editor.run("undo")
    try editor.run("undo")
    #expect(editor.document.layers.count == before)
    try editor.run("redo")
    try editor.run("redo")
    #expect(texts(editor) == ["a new text\nof two lines"])
  }

  @Test func `Arrows and boxes`() throws {
    var editor = Editor(Document.towns)
    try editor.run("annotate see --place '-3 4' --to '5 -6'")
    try editor.run("annotate --to @1,2")
    try editor.run("annotate --box 170,-10,-170,10 across")
    let note = try #require(notes(editor))
    #expect(note.count == 3 && texts(editor) == ["see", "", "across"])
    let cursor = editor.desk.cursor
    let ends = [-3, 4, 5, -6, cursor.x, cursor.y, cursor.x + 1, cursor.y + 2]
    #expect(
      zip(note.blocks[0].geometry.coordinates, ends).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(note.blocks[0].geometry.boxes[2] == Box(minX: 170, minY: -10, maxX: 190, maxY: 10))
  }

  @Test(arguments: [
    ("annotate", "write the note's text: annotate TEXT"),
    ("annotate --place '1 1'", "write the note's text: annotate TEXT"),
    ("annotate x --box 1,1,1,2", "that box has no area"),
    ("annotate x --box 1,1,2,2 --to '3 3'", "a note has a place or a box"),
    ("annotate x --place '1 1' --to '1 1'", "the arrow ends where it begins"),
    ("annotate --change x", "nothing is selected"),
    ("annotate --change x --to '3 3'", "--change changes texts only"),
    ("annotate x --layer cities", "“cities” is no layer of notes"),
  ])
  func `What is refused changes nothing`(line: String, message: String) throws {
    var editor = Editor(Document.towns)
    let name = editor.document.layers.first?.name ?? ""
    let revision = editor.desk.history.present.revision
    let line = line.replacing("cities", with: name)
    #expect {
      try editor.run(line)
    } throws: {
      String(describing: $0).contains(message.replacing("cities", with: name))
    }
    #expect(editor.desk.history.present.revision == revision)
  }

  @Test func `Another name of a layer makes another layer; a locked one takes no notes`() throws {
    var editor = Editor(Document.towns)
    try editor.run("annotate one")
    try editor.run("annotate two --layer plans")
    #expect(editor.document.layers.suffix(2).map(\.name) == ["notes", "plans"])
    try editor.run("lock plans")
    try editor.run("annotate three")
    #expect(editor.document.layers.suffix(2).map(\.count) == [2, 1])
    try editor.run("lock notes")
    try editor.run("annotate four --place '2 2'")
    #expect(editor.document.layers.last?.name == "notes 2")
  }

  @Test func `Notes stand on the screen, and a click on a text selects it`() throws {
    var editor = Editor(Document.towns, size: CellSize(columns: 80, rows: 24))
    try editor.run("annotate 'Here be dragons' --place '-4 5'")
    try editor.run("select none")
    var memory = RenderMemory()
    let lines = editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
      .plainText(.unicode).split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("Here be dragons") })
    let range = try #require(lines[row].firstRange(of: "dragons"))
    let column = lines[row].distance(from: lines[row].startIndex, to: range.lowerBound)
    try editor.press("<press:\(column + 3),\(row)><release:\(column + 3),\(row)>")
    #expect(editor.desk.selection.features.map(\.layer) == [notes(editor)?.id])
    #expect(editor.desk.selection.features.count == 1)
  }
}
