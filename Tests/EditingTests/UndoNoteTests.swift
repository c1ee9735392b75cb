import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Undo brings the work back that stood beside a version, drafts among it.
@Suite struct UndoNoteTests {
  @Test func `Each vertex is a step, and finishing makes them one`() throws {
    var editor = Editor()
    try editor.run("layer roads")
    try editor.run("draw line")
    try editor.run("put 0 0")
    try editor.run("put 5 5")
    try editor.run("put 9 1")
    #expect(editor.desk.history.past.count == 3)
    #expect(!editor.desk.isEdited)
    try editor.press("u")
    #expect(editor.desk.draft?.vertices.count == 2)
    #expect(editor.desk.mode == .insert)
    try editor.press("U")
    #expect(editor.desk.draft?.vertices.count == 3)
    try editor.press("<ret>")
    #expect(editor.desk.history.past.count == 1)
    #expect(editor.features("roads").count == 2)
    try editor.press("u")
    #expect(editor.features("roads").count == 1)
    #expect(editor.desk.draft == nil || editor.desk.draft?.isEmpty == true)
    #expect(!editor.desk.isEdited)
    try editor.press("U")
    #expect(editor.features("roads").count == 2)
  }

  @Test func `A draft that was given up or replaced comes back`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("draw polygon")
    for place in ["0 0", "4 0", "4 4"] { try editor.run("put \(place)") }
    try editor.run("draw line")
    #expect(editor.desk.draft?.kind == .line)
    try editor.run("undo")
    #expect(editor.desk.draft?.kind == .polygon)
    #expect(editor.desk.draft?.vertexCount == 3)
    try editor.press("<esc>")
    try editor.run("discard-draft")
    #expect(editor.desk.draft == nil)
    try editor.run("undo")
    #expect(editor.desk.draft?.vertexCount == 3)
    try editor.run("delete-layer")
    #expect(editor.desk.draft == nil)
    try editor.run("undo")
    #expect(editor.desk.draft?.vertexCount == 3)
    #expect(editor.layer("towns") != nil)
  }

  @Test func `Undo and redo bring the active layer and the selection of the step back`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("select layer")
    try editor.run("delete")
    #expect(editor.desk.selection.isEmpty)
    try editor.run("layer roads")
    try editor.run("undo")
    #expect(editor.desk.selection.count == 4)
    #expect(editor.desk.active?.name == "towns")
    try editor.run("redo")
    #expect(editor.desk.selection.isEmpty)
    try editor.run("undo")
    try editor.run("select none")
    try editor.run("new-layer more")
    #expect(editor.desk.active?.name == "more")
    try editor.run("undo")
    #expect(editor.desk.active?.name == "towns")
  }

  @Test func `Nothing is undone before the files that were named at the start`() throws {
    var desk = Desk()
    desk.request(OpenRequest(paths: ["a.geojson", "b.geojson"]))
    guard case .perform(let request as OpenRequest, let job?)? = desk.takeEffects().last else {
      Issue.record("no request")
      return
    }
    let towns = Document.towns
    var first = towns
    first.layers.removeLast(2)
    let data = ImportedData(path: "b.geojson", layers: [towns.layers[2]])
    _ = desk.handle(
      .replied(
        job,
        request.replied(
          OpenRequest.Answer(
            file: OpenedFile(path: "a.geojson", document: first, isDocumentFile: false),
            data: [data], failures: []))))
    #expect(desk.document.layers.map(\.name) == ["fields", "towns"])
    #expect(!desk.isEdited)
    #expect(throws: EditingError.self) { try desk.run(line: "undo") }
    // Hits of one document are none of the next one.
    try desk.run(line: "search alpha")
    #expect(desk.matches != nil)
    _ = desk.handle(
      .opened(desk.startJob("open"), OpenedFile(path: "c", document: towns, isDocumentFile: false)))
    #expect(throws: EditingError.self) { try desk.run(line: "next match") }
    #expect(desk.selection.isEmpty)
  }

  @Test(arguments: 1...20)
  func `Undo of random edits and drafts goes back to the start, redo to the end`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var editor = Editor()
    let lines = [
      "draw line", "draw polygon", "draw point", "put 1 1", "put 2 5", "put 7 3", "put @1,1",
      "unput", "next-part", "finish", "discard-draft", "escape", "layer roads", "layer towns",
      "select all", "delete", "move --by 1,1", "hide fields", "undo", "redo", "undo 3", "redo 2",
      "new-layer z", "delete-layer", "set n=1",
    ]
    let start = RandomKeysTests.Fingerprint(editor.document)
    for _ in 0..<120 {
      try? editor.run(lines[Int.random(in: 0..<lines.count, using: &random)])
      let past = editor.desk.history.past.count
      let future = editor.desk.history.future.count
      try #require(past + future + 1 == editor.desk.history.count)
    }
    let end = RandomKeysTests.Fingerprint(editor.document)
    let draft = editor.desk.draft.flatMap { $0.isEmpty ? nil : $0 }
    let steps = editor.desk.history.past.count
    if steps > 0 { try editor.run("undo \(steps)") }
    #expect(RandomKeysTests.Fingerprint(editor.document) == start)
    #expect(editor.desk.draft.map(\.isEmpty) ?? true)
    #expect(!editor.desk.isEdited)
    if steps > 0 { try editor.run("redo \(steps)") }
    #expect(RandomKeysTests.Fingerprint(editor.document) == end)
    #expect(editor.desk.draft.flatMap { $0.isEmpty ? nil : $0 } == draft)
  }
}
