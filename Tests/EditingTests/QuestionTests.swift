import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

extension Question {
  static let sample = Question(
    title: "Saved elsewhere", text: "Another program wrote towns.doc since it was opened here.",
    choices: [
      Choice("k", "keep mine: roads go", line: "hide roads"),
      Choice("o", "open theirs", line: "hide towns"),
      Choice("c", "cancel"),
    ])
}

@Suite struct QuestionTests {
  private func asked() -> Editor {
    var editor = Editor()
    editor.desk.ask(.sample)
    return editor
  }

  private func visible(_ editor: Editor) -> [Bool] { editor.document.layers.map(\.isVisible) }

  @Test(arguments: [
    ("k", [true, false, true]), ("o", [true, true, false]), ("c", [true, true, true]),
    ("<ret>", [true, false, true]), ("<down><ret>", [true, true, false]),
    ("<up><ret>", [true, true, true]), ("<esc>", [true, true, true]),
    ("<tab><s-tab><ret>", [true, false, true]),
  ])
  func `A letter, or Enter on a choice, runs its line`(keys: String, shown: [Bool]) throws {
    var editor = asked()
    #expect(editor.desk.mode == .question)
    try editor.press(keys)
    #expect(editor.desk.mode == .normal)
    #expect(visible(editor) == shown)
  }

  @Test func `No other key reaches what is below, and pointing does not`() throws {
    var editor = asked()
    let cursor = editor.desk.cursor
    try editor.press("l5jdZ3q")
    #expect(editor.desk.question?.title == "Saved elsewhere")
    #expect(editor.desk.cursor == cursor)
    #expect(editor.document.layers.count == 3)
    #expect(editor.desk.count == nil)
  }

  @Test func `Questions wait for each other, and a line can be typed meanwhile`() throws {
    var editor = asked()
    editor.desk.ask(Question(title: "Next", text: "Two.", choices: [.init("y", "yes")]))
    try editor.press(":hide fields<ret>c")
    #expect(visible(editor) == [false, true, true])
    #expect(editor.desk.question?.title == "Next")
    try editor.press("y")
    #expect(editor.desk.question == nil)
  }

  @Test(arguments: [CellSize(columns: 80, rows: 24), CellSize(columns: 40, rows: 12)])
  func `The screen shows what happened and every answer`(size: CellSize) {
    let editor = asked()
    var memory = RenderMemory()
    let text = editor.desk.frame(size: size, memory: &memory).plainText()
    #expect(text.contains("Saved elsewhere"))
    for words in ["k  keep mine: roads go", "o  open theirs", "c  cancel"] {
      #expect(text.contains(words))
    }
    #expect(text.contains("Another program wrote"))
  }

  @Test(arguments: [false, true])
  func `A question about a save is asked anew after an edit, and there is one`(
    isEdited: Bool
  ) throws {
    var editor = Editor()
    try editor.run("style --stroke red")
    let loss = SaveLoss(path: "a.doc", losses: ["the look"], isForced: false, quits: false)
    let revision = editor.desk.history.present.revision
    try editor.desk.take(loss, revision: revision)
    if isEdited { try editor.run("style --stroke blue") }
    try editor.desk.take(loss, revision: revision)
    #expect(editor.desk.session.questions.count == 1)
    try editor.press("l")
    #expect(editor.desk.session.questions.isEmpty)
    let saves = editor.effects.compactMap { $0.save?.request }
    #expect(saves.map(\.acceptsLosses) == [!isEdited])
    #expect(saves.map(\.path) == ["a.doc"])
  }
}
