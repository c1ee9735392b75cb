import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanInterchange

/// A fault of an argument is told with the right form.
@Suite struct ArgumentTests {
  @Test(arguments: [
    ("go -541 10", "-541"), ("go 541 10", "541"), ("go -95", "“-95” is no position"),
    ("go", "write go name TEXT"), ("set", "(set [--all] <assignments> ...)"),
    ("rename-attribute pop", "(rename-attribute <attribute> <new-name>)"),
    ("go Berlin", "write go name Berlin"),
    ("style --stroke reddish", "“reddish” is no colour: write #rrggbb"),
    ("style --fill '#12'", "“#12” is no colour"),
    ("box wavy", "is invalid for '<step>': write one of "),
    ("box replace --bbox 5,5", "these are 2 numbers; write W,S,E,N, as in 5,50,15,55"),
    ("box replace --bbox 0,10,10,0", "its south edge, 10, is north of its north edge, 0"),
    ("box replace --bbox 0,x,10,0", "“x” is no number"),
    ("box replace --bbox=0,95,10,99", "the latitude 95 is beyond 90"),
    ("render -o a.svg --bbox=0,-91,10,9", "the latitude -91 is beyond 90"),
    ("render -o a.svg --bbox=10,20,10,20", "the box has no extent"),
    ("export --bbox=-5,5", "these are 2 numbers; write W,S,E,N"),
    ("move --by nan", "“nan” is no number; write two numbers"),
    ("move --by 1", "this is one number; write two numbers, as in 0.5,-0.25"),
    ("move --by -1,", "“” is no number"),
    ("set name==Foo", "set compares nothing: write name=Foo"), ("set name==", "write name="),
    ("unset nosuch", "no selected feature has an attribute “nosuch”"),
    ("unset name nosuch", "no selected feature has an attribute “nosuch”"),
  ])
  func `A fault is told with the right form`(line: String, text: String) throws {
    var editor = Editor()
    try editor.run("select all")
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("the following:") == false)
    #expect(editor.desk.history.past.isEmpty)
  }

  /// A western longitude begins like an option.
  @Test(arguments: Seeds.some(20))
  func `Any position may be written after go, put, and go to`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let x = Double(Int.random(in: -1800...1800, using: &random)) / 10
    let y = Double(Int.random(in: -890...890, using: &random)) / 10
    for text in ["\(x) \(y)", "\(x),\(y)", "\(x), \(y)"] {
      for verb in ["go", "go to", "put"] {
        var editor = Editor()
        if verb == "put" { try editor.run("draw line") }
        try editor.run("\(verb) \(text)")
        let place = Coordinate(x: x, y: y)
        #expect(editor.desk.cursor == place, "\(verb) \(text)")
        if verb == "put" { #expect(editor.desk.draft?.vertices == [place]) }
      }
    }
  }

  @Test func `A text that begins with an equals sign is set in quotes`() throws {
    var editor = Editor()
    try editor.run("select all")
    try editor.run(#"set 'name="=Foo"' code==12"#)
    #expect(
      editor.features("towns").allSatisfy { feature in
        feature.attributes.contains { $0.name == "name" && $0.value == .string("=Foo") }
          && feature.attributes.contains { $0.name == "code" && $0.value == .number("12") }
      })
  }

  @Test func `What is moved across 180 degrees keeps the decimals of its file`() throws {
    var map = Geometry.line([Coordinate(x: 171.1, y: 2), Coordinate(x: 172.5, y: 2.5)])
    map.move(x: 130, y: 0, isGeographic: true)
    #expect(map.paths[0].vertices.map(\.x) == [-58.9, -57.5])
    var point = Geometry.point(Coordinate(x: 171.1, y: 2))
    point.move(x: 130, y: 0, isGeographic: true)
    #expect(point.paths[0].vertices[0].x == -58.9)
  }
}
