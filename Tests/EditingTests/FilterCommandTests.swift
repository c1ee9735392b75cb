import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// `filter`: what a condition hides is out of sight, and nothing else.
@Suite struct FilterCommandTests {
  private func filtered(_ condition: String) throws -> Editor {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("filter \(condition)")
    return editor
  }

  private func shown(_ editor: Editor) throws -> [String] {
    var editor = editor
    try? editor.run("select layer")
    return editor.selected.sorted()
  }

  @Test(arguments: [
    ("pop > 200", ["Alpha", "Beta", "Delta"]), ("name like '%a' and pop < 1e3", ["Beta", "Gamma"]),
    ("pop == max(pop)", ["Delta"]), ("-pop > -100", ["Gamma"]), ("pop > 1e30", []),
    ("not capital # or ''", []),
  ])
  func `Only what the condition holds for is shown`(condition: String, names: [String]) throws {
    if condition.contains("#") {
      let error = #expect(throws: EditingError.self) { try filtered(condition) }
      #expect(error?.message.contains("column 13") == true, "\(error?.message ?? "")")
      return
    }
    let editor = try filtered(condition)
    #expect(try shown(editor) == names)
    #expect(editor.message.hasPrefix("\(names.count) of 4 shown"))
    #expect(editor.layer("towns")?.count == 4)
    #expect(editor.desk.history.past.isEmpty)
  }

  @Test(arguments: ["filter", "select where"])
  func `An attribute of another layer is told with that layer`(command: String) throws {
    var editor = Editor()
    try editor.run("layer roads")
    let error = #expect(throws: EditingError.self) { try editor.run("\(command) capital") }
    let message = error?.message ?? ""
    #expect(message.contains("no attribute “capital”: layer “towns” has it"), "\(message)")
  }

  @Test(arguments: ["filter", "filter --off", "filter # all again"])
  func `All can be shown again`(line: String) throws {
    var editor = try filtered("pop > 200")
    try editor.run(line)
    #expect(try shown(editor).count == 4)
    #expect(editor.message == "all 4 features shown")
  }

  @Test(arguments: [
    ("filter pop = 'x'", "“pop” is a number"), ("filter popp > 1", "did you mean “pop”"),
    ("filter --off pop > 1", "a condition, --off or --edit"), ("filter pop +", "value is missing"),
  ])
  func `A wrong condition leaves the former one`(line: String, words: String) throws {
    var editor = try filtered("pop > 200")
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(try shown(editor).count == 3)
  }

  @Test func `F types a condition and begins with the present one`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.press("Fpop > 900<ret>")
    #expect(try shown(editor) == ["Alpha", "Delta"])
    try editor.press("F")
    #expect(editor.desk.prompt?.line.text == "filter pop > 900")
    try editor.press(" and name = 'Alpha'<ret>")
    #expect(try shown(editor) == ["Alpha"])
  }

  @Test func `Edits show and hide anew`() throws {
    var editor = try filtered("pop == max(pop)")
    try editor.run("select layer")
    try editor.run("set pop=1")
    // The greatest is another one now.
    #expect(editor.desk.selection.isEmpty)
    #expect(try shown(editor) == ["Alpha"])
    try editor.run("undo")
    #expect(try shown(editor) == ["Delta"])
  }

  @Test func `A filter without its attribute is told and turned off`() throws {
    var editor = try filtered("pop > 200")
    try editor.run("filter")
    try editor.run("select layer")
    try editor.run("filter pop > 0")
    try editor.run("unset pop")
    #expect(editor.message.contains("the filter of “towns” is off: no attribute “pop”"))
    #expect(try shown(editor).count == 4)
    try editor.run("undo")
    #expect(try shown(editor).count == 4)
  }

  /// `select where` chooses among what is shown; figures are of the whole layer.
  @Test func `Filters and selections join`() throws {
    var editor = try filtered("pop < 5000")
    try editor.run("select where name > 'B'")
    #expect(editor.selected.sorted() == ["Beta", "Gamma"])
    #expect(throws: EditingError.self) { try editor.run("select where pop == max(pop)") }
    try editor.run("select where pop < mean(pop)")
    #expect(editor.selected.count == 3)
  }

  @Test func `The screen and info tell of the filter`() throws {
    var editor = try filtered("pop > 200")
    var memory = RenderMemory()
    let screen = editor.desk.frame(size: CellSize(columns: 120, rows: 40), memory: &memory)
    #expect(screen.plainText().contains("3 of 4 shown"))
    try editor.run("info")
    let printed = editor.effects.compactMap { effect -> [String]? in
      if case .print(let lines) = effect { lines } else { nil }
    }
    #expect(printed.last?.contains { $0.contains("4 features, 3 of them shown") } == true)
  }

  /// Another program may have changed the order of layers, and their columns.
  @Test func `A file that is read again keeps its filters by layer`() throws {
    var editor = try filtered("pop > 200")
    let former = editor.document
    func read(_ change: (inout Document) -> Void) {
      var document = Document()
      for layer in former.layers.reversed() {
        guard let layer = layer as? FeatureLayer else { continue }
        let id = LayerID(document.makeID())
        document.layers.append(layer.renumbered(id, name: layer.name, parent: nil))
      }
      change(&document)
      editor.desk.takeAgain(
        OpenedFile(path: "towns.doc", document: document, isDocumentFile: true), isAutomatic: true)
    }
    read { _ in }
    try editor.run("layer towns")
    #expect(try shown(editor) == ["Alpha", "Beta", "Delta"])
    try editor.run("undo")
    try editor.run("layer towns")
    #expect(try shown(editor) == ["Alpha", "Beta", "Delta"])
    read { $0.layers.removeAll { $0.name == "towns" } }
    #expect(editor.message.contains("the filter of “towns” is off"), "\(editor.message)")
    editor = try filtered("pop > 200")
    read { document in
      guard var towns = document.layers.first(where: { $0.name == "towns" }) as? FeatureLayer,
        let place = document.layers.firstIndex(where: { $0.name == "towns" })
      else { return }
      towns.blocks = towns.blocks.map { $0.replacingAttributes([]) }
      document.layers[place] = towns
    }
    #expect(editor.message.contains("is off: no attribute “pop”"), "\(editor.message)")
  }

  @Test func `Each layer has its own`() throws {
    var editor = try filtered("pop > 200")
    try editor.run("layer fields")
    try editor.run("filter area is null")
    #expect(try shown(editor) == ["Small"])
    try editor.run("layer towns")
    #expect(try shown(editor) == ["Alpha", "Beta", "Delta"])
  }
}
