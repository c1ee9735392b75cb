import PortolanDocuments
import Testing

@testable import PortolanEditing

/// Expressions in the commands of the editor.
@Suite struct ExpressionCommandTests {
  @Test(arguments: [
    ("select where pop > 200", ["Alpha", "Beta", "Delta"]),
    ("select where name like '%a' and pop < 1e3", ["Beta", "Gamma"]),
    ("select where pop == 12345678901234567890", ["Delta"]),
    ("select where -pop > -100", ["Gamma"]),
    ("select where name = 'Alpha' # no comment", []),
    ("select where $x < 0", ["Alpha"]),
    ("select --all where name in ('Main road', 'Beta')", ["Beta", "Main road"]),
  ])
  func selects(line: String, names: [String]) throws {
    var editor = Editor()
    try editor.run("layer towns")
    if names.isEmpty {
      #expect(throws: EditingError.self) { try editor.run(line) }
    } else {
      try editor.run(line)
      #expect(editor.selected.sorted() == names)
    }
  }

  @Test func addsToTheSelection() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("select where name == 'Alpha'")
    try editor.run("select --as add where name == 'Beta'")
    #expect(editor.selected == ["Alpha", "Beta"])
  }

  @Test(arguments: [
    ("select where pop = 'x'", "“pop” is a number"),
    ("select where popp > 1", "did you mean “pop”"),
    ("select where", "needs a condition"), ("select where pop > 1e30", "no feature"),
    ("select all where pop > 1", "only select where takes"), ("set x :=", "write set NAME :="),
    ("set x := popp", "did you mean “pop”"), ("set x := pop +", "a value is missing"),
    ("set x := pop --all", "options stand before an expression: set --all …"),
    ("column add x := pop --layer roads", "expression: column --layer roads …"),
    ("column set x := pop --force", "expression: column --force …"),
    ("select where pop > 200 --as add", "expression: select --as add …"),
    ("filter pop > 200 --off", "expression: filter --off …"),
  ])
  func refuses(line: String, words: String) throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("select all")
    let before = editor.document
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(editor.document.layers.map(\.count) == before.layers.map(\.count))
  }

  @Test func computesAndUndoes() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("select layer")
    try editor.run("set half := round(pop / 2)")
    #expect(editor.attribute("half", of: "Alpha") == .number("500"))
    #expect(editor.attribute("half", of: "Delta") == .number("6172839450617283945"))
    try editor.run("set big:=pop == max(pop)")
    #expect(editor.attribute("big", of: "Delta") == .bool(true))
    #expect(editor.attribute("big", of: "Beta") == .bool(false))
    // A value copied from another attribute keeps its text.
    try editor.run("set copy := pop")
    #expect(editor.attribute("copy", of: "Beta") == .number("250.0"))
    try editor.run("set none := if(name == 'Alpha', 1 / 0, null)")
    #expect(editor.attribute("none", of: "Alpha") == .null)
    #expect(editor.message.contains("1 division by zero"))
    for _ in 0..<4 { try editor.run("undo") }
    for name in ["half", "big", "copy", "none"] {
      let value = editor.attribute(name, of: "Alpha")
      #expect(value == nil)
    }
    #expect(editor.layer("towns")?.fieldNames == ["name", "pop", "capital"])
  }

  /// Only what changes is changed: a value that stays the same keeps its block.
  @Test func leavesWhatStaysTheSame() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("select layer")
    let before = editor.layer("towns")?.blocks.first
    try editor.run("set name := name + ''")
    #expect(editor.layer("towns")?.blocks.first === before)
  }
}
