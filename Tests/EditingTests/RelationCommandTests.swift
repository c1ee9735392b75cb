import PortolanDocuments
import Testing

@testable import PortolanEditing

/// How features lie to others, in commands.
@Suite struct RelationCommandTests {
  private func editor(_ layer: String) throws -> Editor {
    var editor = Editor()
    try editor.run("layer \(layer)")
    return editor
  }

  @Test(arguments: [
    ("towns", "within(fields)"), ("towns", "intersects(fields)"),
    ("towns", "distance(fields) == 0"),
  ])
  func `Points in areas are found by every relation`(layer: String, condition: String) throws {
    var editor = try editor(layer)
    try editor.run("select where \(condition)")
    let found = editor.selected.sorted()
    #expect(!found.isEmpty && found.count < 4)
    try editor.run("select none")
    try editor.run("select where not (\(condition))")
    #expect(editor.selected.count == 4 - found.count)
    try editor.run("filter \(condition)")
    try editor.run("select layer")
    #expect(editor.selected.sorted() == found)
  }

  @Test func `Attributes of the match are values`() throws {
    var editor = try editor("towns")
    try editor.run("select layer")
    try editor.run("set field := within(fields).name")
    let fields = editor.features("towns").compactMap { feature in
      feature.attributes.first { $0.name == "field" }?.value
    }
    #expect(Set(fields).isSubset(of: [.null, .string("Big"), .string("Small")]))
    #expect(Set(fields).count > 1)
    try editor.run("set near := distance(towns).name")
    #expect(editor.attribute("near", of: "Alpha") != .string("Alpha"))
    try editor.run("set far := round(distance('Alpha'))")
    #expect(editor.attribute("far", of: "Alpha") == .number("0"))
    try editor.run("set same := distance('Alpha') == distance($x, $y) + distance('Alpha')")
    #expect(editor.attribute("same", of: "Delta") == .bool(true))
  }

  @Test(arguments: [
    ("within(field)", "did you mean “fields”"), ("within(towns)", "“towns” has no areas"),
    ("within('Alph')", "no feature is named “Alph”; did you mean “Alpha”"),
    ("within('1 2')", "nothing is within a position"), ("within()", "write within(layer)"),
    ("within(fields).nam == 'x'", "has no attribute “nam”: did you mean “name”"),
    ("distance(1)", "distance(x, y)"), ("distance('a', 1) < 2", "a position is two numbers"),
    ("distance('1 2').name == ''", "a position has no attributes"),
    ("distance(fields)", "no condition"), ("buffer(3)", "write distance(layer) <= 500"),
    ("within(fields).name = 3", "is a number"), ("distance('') < 3", "no feature is named"),
  ])
  func `Wrong relations say what to write`(condition: String, words: String) throws {
    var editor = try editor("towns")
    let error = #expect(throws: EditingError.self) { try editor.run("filter \(condition)") }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("column") == true)
  }

  @Test func `Styles ask no other features`() throws {
    var editor = try editor("towns")
    #expect(throws: EditingError.self) {
      try editor.run("label towns --field \"within(fields).name\"")
    }
  }

  /// The area moves; the filter of the points sees it.
  @Test func `A filter follows the layer that it asks`() throws {
    var editor = try editor("towns")
    try editor.run("filter within(fields)")
    try editor.run("select layer")
    let before = editor.selected.sorted()
    try editor.run("layer fields")
    try editor.run("select layer")
    try editor.run("delete")
    try editor.run("layer towns")
    let towns = try #require(editor.layer("towns"))
    #expect(editor.desk.shown(towns).count == 0)
    try editor.run("undo")
    try editor.run("layer towns")
    try editor.run("select layer")
    #expect(editor.selected.sorted() == before)
  }

  @Test func `Renaming a column keeps the expressions of styles`() throws {
    var editor = try editor("towns")
    try editor.run("label towns --field \"name + ' ' + text(pop)\"")
    try editor.run("style towns --size-by \"pop / 2\" --rank \"-pop\"")
    try editor.run("column rename pop 'number of people'")
    let style = try #require(editor.layer("towns")).style
    #expect(style.labelField == "name + ' ' + text(\"number of people\")")
    #expect(style.sizeField == "\"number of people\" / 2")
    #expect(style.rankField == "-\"number of people\"")
    try editor.run("column rename 'number of people' n")
    #expect(editor.layer("towns")?.style.sizeField == "n / 2")
    #expect(!editor.message.contains("drawn without"))
    try editor.run("undo")
    #expect(editor.layer("towns")?.style.sizeField == "\"number of people\" / 2")
  }
}
