import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Expressions where a style names an attribute.
@Suite struct StyleExpressionTests {
  private func screen(_ editor: Editor) -> String {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.screenSize, memory: &memory).plainText()
  }

  private func block(_ editor: Editor) throws -> FeatureBlock {
    try #require(editor.layer("towns")?.blocks.first)
  }

  @Test func `An expression labels, ranks, sizes and makes classes`() throws {
    var editor = Editor()
    try editor.run("label towns --field \"upper(name)\"")
    try editor.run("style towns --rank \"-pop\" --size-by \"len(name)\"")
    try editor.run("style towns --by \"if(pop > 500, 'large', 'small')\"")
    let style = try #require(editor.layer("towns")?.style)
    #expect(style.labelField == "upper(name)" && style.rankField == "-pop")
    #expect(style.sizeField == "len(name)")
    let block = try block(editor)
    #expect(block.channel("upper(name)")?.value(0) == .string("ALPHA"))
    let ranks = try #require(block.ranks(by: "-pop", .high))
    #expect(ranks[2] > ranks[1] && ranks[1] > ranks[0])
    #expect(style.classes?.looks.count == 2)
    #expect(screen(editor).contains("ALPHA"))
  }

  @Test func `A text that is the name of an attribute is that attribute`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("select layer")
    try editor.run("set \"pop + 1\"=7")
    try editor.run("label towns --field \"pop + 1\"")
    #expect(try block(editor).channel("pop + 1")?.value(0) == .number("7"))
    #expect(try block(editor).channel("pop + 2")?.value(0) == .number("1002"))
  }

  @Test(arguments: [
    ("label towns --field upperr(name)", "no function “upperr”"),
    ("label towns --field nmae", "did you mean “name”"),
    ("style towns --by \"pop / max(pop)\"", "set N := … first"),
    ("style towns --rank $area", "set N := $area first"),
    ("style towns --by \"pop > 'x'\"", "“pop” is a number"),
    ("style towns --rank \"-name\"", "- takes a number; “name” is text"),
    ("style towns --rank \"-nmae\"", "did you mean “name”? (column 2"),
  ])
  func `What suits no layer is refused`(line: String, words: String) throws {
    var editor = Editor()
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(editor.desk.history.past.isEmpty)
  }

  @Test func `An expression that an edit makes unfit is told`() throws {
    var editor = Editor()
    try editor.run("label towns --field \"name + '!'\"")
    try editor.run("layer towns")
    try editor.run("select layer")
    try editor.run("unset name")
    #expect(editor.message.contains("“towns” is drawn without “name + '!'”: no attribute “name”"))
    #expect(!screen(editor).isEmpty)
    try editor.run("undo")
    #expect(try block(editor).channel("name + '!'")?.value(0) == .string("Alpha!"))
  }

  @Test func `A style with expressions is archived as text`() throws {
    var editor = Editor()
    try editor.run("label towns --field \"upper(name)\" --rank \"-pop\"")
    let bytes = try DocumentArchive.bytes(of: editor.document)
    let read = try DocumentArchive.open(bytes).document
    let style = try #require(read.layers.first { $0.name == "towns" }?.style)
    #expect(style.labelField == "upper(name)" && style.rankField == "-pop")
  }
}
