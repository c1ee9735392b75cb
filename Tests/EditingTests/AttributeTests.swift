import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

@Suite struct AttributeTests {
  @Test(arguments: [
    ("5", AttributeValue.number("5")), ("-5.50", .number("-5.50")), ("1e400", .number("1e400")),
    ("12345678901234567890", .number("12345678901234567890")), ("007", .string("007")),
    ("\"5\"", .string("5")), ("\"\"", .string("")), ("", .string("")), ("true", .bool(true)),
    ("false", .bool(false)), ("null", .null), ("NaN", .string("NaN")), ("a b", .string("a b")),
    ("=12", .number("12")), ("=a", .string("=a")), ("=", .string("=")), ("=true", .bool(true)),
    ("=[1]", .json("[1]")), ("=[1", .string("=[1")),
    ("\"null\"", .string("null")), ("\"", .string("\"")), ("[1]", .string("[1]")),
  ])
  func `A typed value has the type it looks like`(text: String, value: AttributeValue) {
    #expect(AttributeText(text).value == value)
  }

  @Test(arguments: [
    AttributeValue.number("250.0"), .string("Beta"), .string("5"), .string("true"),
    .string("\"a\""),
    .string("=5"), .string("=null"), .string("=x"), .string(""), .null, .bool(false),
    .string("null"), .string("\""), .string("\"\""), .string("=[1]"), .string("[1]"),
  ])
  func `The text to be edited gives the same value when typed again`(value: AttributeValue) {
    #expect(AttributeText(AttributeText.text(of: value)).value == value)
    #expect(AttributeText(AttributeText.text(of: value)).value(over: value) == value)
  }

  @Test(arguments: [
    ("12345", AttributeValue.string("01234"), AttributeValue.string("12345")),
    ("true", .string("x"), .string("true")), ("null", .string(""), .string("null")),
    ("=12345", .string("01234"), .number("12345")), ("=null", .string("x"), .null),
    ("\"5\"", .number("4"), .string("5")), ("5", .number("4"), .number("5")),
    ("5", .null, .number("5")), ("5", .bool(true), .number("5")), ("true", .null, .bool(true)),
  ])
  func `A value typed over text stays text`(
    text: String, old: AttributeValue, value: AttributeValue
  ) {
    #expect(AttributeText(text).value(over: old) == value)
  }

  @Test(arguments: [
    ("[1, 3]", AttributeValue.json("[1, 2]"), AttributeValue.json("[1, 3]")),
    ("{\"a\":1}", .json("[]"), .json("{\"a\":1}")), ("=[1]", .string("x"), .json("[1]")),
    ("[1]", .string("x"), .string("[1]")), ("[1", .json("[1]"), .string("[1")),
    ("5", .json("[1]"), .number("5")), ("=[1", .string("x"), .string("=[1")),
  ])
  func `A list typed over a list stays one`(
    text: String, old: AttributeValue, value: AttributeValue
  ) {
    #expect(AttributeText(text).value(over: old) == value)
  }

  @Test func `A value that changes its type is told, and no other, by set and in the form`() throws
  {
    var editor = Editor()
    try editor.run("go name Beta")
    var random = SeededGenerator(seed: 1)
    let texts = [
      "1", "2.50", "12345678901234567890", "true", "false", "null", "abc", "[1,2]", "{}", "\"7\"",
      "=3", "=null", "=[1]", "",
    ]
    for _ in 0..<300 {
      let former = texts.randomElement(using: &random) ?? ""
      let text = texts.randomElement(using: &random) ?? ""
      let inForm = Bool.random(using: &random)
      try? editor.run("unset v")
      try editor.run("set 'v=\(former)'")
      let old = try #require(editor.attribute("v", of: "Beta"))
      if inForm {
        try editor.press("eG<ret><c-u>" + text + "<ret>")
      } else {
        try editor.run("set 'v=\(text)'")
      }
      let message = editor.desk.message
      if inForm { try editor.press("<esc>") }
      let new = try #require(editor.attribute("v", of: "Beta"))
      if inForm, AttributeText.text(of: old) == text {
        #expect(new == old)
        continue
      }
      func kind(_ value: AttributeValue) -> AttributeKind {
        value.kind == .yes ? .no : value.kind
      }
      let told = "\(former) -> \(text): \(message?.text ?? "")"
      #expect((message?.severity == .warning) == (kind(old) != kind(new)), "\(told)")
      if kind(old) != kind(new) { #expect(message?.text.contains("became") == true, "\(told)") }
    }
  }

  @Test func `Set asks each feature for the type of its present value`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("set zip=01234")
    try editor.run("go name Gamma")
    try editor.run("set zip=7")
    try editor.run("select layer")
    try editor.run("set zip=12345")
    #expect(editor.attribute("zip", of: "Beta") == .string("12345"))
    #expect(editor.attribute("zip", of: "Gamma") == .number("12345"))
    #expect(editor.attribute("zip", of: "Alpha") == .number("12345"))
    #expect(editor.desk.history.past.count == 3)
    try editor.run("set zip==9")
    #expect(editor.attribute("zip", of: "Beta") == .number("9"))
  }

  @Test func `The form keeps text as text and shows which numbers are text`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("set zip=01234")
    try editor.press("eG<ret><c-u>12345<ret>")
    #expect(editor.attribute("zip", of: "Beta") == .string("12345"))
    #expect(screen(of: editor).contains("zip     \"12345\""))
    try editor.press("<ret><c-u>=12345<ret>")
    #expect(editor.attribute("zip", of: "Beta") == .number("12345"))
    #expect(!screen(of: editor).contains("\"12345\""))
  }

  private func screen(of editor: Editor) -> String {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.screenSize, memory: &memory).plainText()
  }

  @Test func `Adding in the form is one step, and none when it is left`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.press("eamayor<ret>")
    #expect(editor.desk.form?.rows.count == 3)
    #expect(screen(of: editor).contains("▸mayor"))
    try editor.press("Ann<esc>")
    #expect(editor.desk.mode == .form)
    #expect(!editor.desk.isEdited)
    try editor.press("amayor<ret>Ann<ret>")
    #expect(editor.attribute("mayor", of: "Beta") == .string("Ann"))
    #expect(editor.desk.form?.index == 3)
    #expect(editor.desk.history.past.count == 1)
    try editor.press("u")
    #expect(!editor.desk.isEdited)
  }

  @Test func `Enter on values that differ changes nothing`() throws {
    var editor = Editor()
    try editor.press("Ve<ret><ret>")
    #expect(!editor.desk.isEdited)
  }

  @Test func `Set changes, adds and keeps number text in one step`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.press(":set pop=300.00 'note=a b' capital=true<ret>")
    #expect(editor.attribute("pop", of: "Beta") == .number("300.00"))
    #expect(editor.attribute("note", of: "Beta") == .string("a b"))
    #expect(editor.attribute("capital", of: "Beta") == .bool(true))
    #expect(editor.attribute("pop", of: "Alpha") == .number("1000"))
    #expect(editor.desk.history.past.count == 1)
    try editor.press("u")
    #expect(editor.attribute("pop", of: "Beta") == .number("250.0"))
    #expect(editor.attribute("note", of: "Beta") == nil)
    #expect(!editor.desk.isEdited)
  }

  @Test func `Several features of several layers are set at once`() throws {
    var editor = Editor()
    try editor.run("select all")
    try editor.run("set checked=yes")
    for layer in ["towns", "roads", "fields"] {
      for feature in editor.features(layer) {
        #expect(feature.attributes.last?.value == .string("yes"))
      }
    }
    #expect(editor.desk.history.past.count == 1)
    try editor.run("unset checked")
    #expect(editor.attribute("checked", of: "Beta") == nil)
    try editor.run("rename-attribute name title")
    #expect(editor.features("towns")[1].attributes.contains { $0.name == "title" })
    #expect(!editor.features("towns")[1].attributes.contains { $0.name == "name" })
  }

  @Test func `A renamed attribute keeps its place, whatever other features have`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("set note=1")
    try editor.run("go name Gamma")
    try editor.run("rename-attribute pop note")
    #expect(editor.features("towns")[2].attributes.map(\.name) == ["name", "note", "capital"])
    #expect(editor.attribute("note", of: "Gamma") == .number("77"))
    #expect(
      editor.features("towns")[1].attributes.map(\.name) == ["name", "pop", "capital", "note"])
    #expect(editor.features("towns")[0].attributes.map(\.name) == ["name", "pop", "capital"])
    try editor.run("rename-attribute note pop")
    #expect(editor.features("towns")[2].attributes.map(\.name) == ["name", "pop", "capital"])
    try editor.run("select layer")
    #expect(throws: (any Error).self) { try editor.run("rename-attribute name pop") }
    #expect(editor.attribute("name", of: "Alpha") == .string("Alpha"))
  }

  @Test func `Nothing selected, locked and read-only refuse and change nothing`() throws {
    var editor = Editor()
    let refusal = editor.desk.nothingSelected(or: "--all takes all features")
    #expect(throws: refusal) { try editor.run("set a=1") }
    try editor.run("go name Beta")
    try editor.desk.run(line: "lock towns")
    #expect(editor.desk.selection.isEmpty)
    try editor.run("unlock towns")
    try editor.run("go name Beta")
    editor.desk.file.readOnlyReason = "it was written by a newer version"
    let error = #expect(throws: EditingError.self) { try editor.run("set a=1") }
    #expect(error?.message.contains("newer version") == true)
    #expect(editor.attribute("a", of: "Beta") == nil)
  }

  @Test func `The form edits by keyboard alone`() throws {
    var editor = Editor()
    try editor.go(2, 8)
    try editor.press("<ret>e")
    #expect(editor.desk.mode == .form)
    #expect(editor.desk.form?.rows.map(\.name) == ["name", "pop", "capital"])
    try editor.press("j<ret>")
    #expect(editor.desk.form?.editing?.line.text == "250.0")
    try editor.press("<c-u>99.90<ret>")
    #expect(editor.attribute("pop", of: "Beta") == .number("99.90"))
    #expect(editor.desk.form?.index == 1)
    try editor.press("amayor<ret>Ann Bee<ret>")
    #expect(editor.attribute("mayor", of: "Beta") == .string("Ann Bee"))
    try editor.press("r<c-w>chief<ret>")
    #expect(editor.attribute("chief", of: "Beta") == .string("Ann Bee"))
    try editor.press("d")
    #expect(editor.attribute("chief", of: "Beta") == nil)
    try editor.press("u")
    #expect(editor.attribute("chief", of: "Beta") == .string("Ann Bee"))
    try editor.press("<ret>junk<esc><esc>")
    #expect(editor.desk.mode == .normal)
    #expect(editor.attribute("chief", of: "Beta") == .string("Ann Bee"))
  }

  @Test func `The form of several features shows where they differ`() throws {
    var editor = Editor()
    try editor.press("Ve")
    let rows = try #require(editor.desk.form?.rows)
    #expect(rows.map(\.name) == ["name", "pop", "capital"])
    #expect(rows.map(\.value) == [nil, nil, .bool(false)])
    try editor.press("G<ret><c-u>true<ret>")
    #expect(editor.features("towns").allSatisfy { $0.attributes[2].value == .bool(true) })
    #expect(editor.desk.history.past.count == 1)
  }

  @Test func `An untouched value is not an edit`() throws {
    var editor = Editor()
    try editor.run("go name Delta")
    try editor.press("ej<ret><ret>")
    #expect(!editor.desk.isEdited)
    try editor.press("g<ret><ret>")
    #expect(!editor.desk.isEdited)
  }

  @Test func `Pasted text goes into the value, its line ends as blanks`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.press("e<ret><c-u><paste:one> two<ret>")
    #expect(editor.attribute("pop", of: "one two") == .number("250.0"))
    try editor.press("<ret>")
    _ = editor.desk.handle(.terminal(.paste("\n:q!\u{1B}[A")))
    #expect(editor.desk.form?.editing?.line.text == "one two :q![A")
  }

  @Test func `The last edit is repeated on another feature`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("set tz=CET")
    try editor.run("go name Gamma")
    try editor.press(".")
    #expect(editor.attribute("tz", of: "Gamma") == .string("CET"))
  }
}
