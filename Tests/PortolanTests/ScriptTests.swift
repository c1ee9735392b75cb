import Foundation
import Testing

/// Scripts: the editor's own commands, one a line.
@Suite struct ScriptTests {
  @Test func `A script opens, changes, exports and saves`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    let script = """
      # Comments and continued lines.
      open p.geojson
      select layer
      set \\
        tz="Europe/Berlin"
      export -o out.geojson --precision 1
      save map.doc
      """
    let result = try program.run(["run", "-"], input: script)
    #expect(result.status == 0, "\(result.errors)")
    let out = try program.read("out.geojson")
    #expect(out.contains("Europe/Berlin") && out.contains("[10.5,50.3]"))
    #expect(program.files == ["map.doc", "out.geojson", "p.geojson"])
    let info = try program.run(["info", "map.doc"])
    #expect(info.output.contains("tz"))
  }

  @Test(arguments: [
    ("open p.geojson\nfrobnicate\n", "-:2:1: "),
    ("open p.geojson\n  zoom sideways\n", "standard input:2"),
    ("open 'p.geojson\n", "standard input:1:6: "),
    ("open nothing.geojson\n", "standard input:1: nothing.geojson: "),
    ("open p.geojson\nundo\n", "standard input:2: "),
  ])
  func `The first failure ends a script and tells where`(script: String, place: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    let result = try program.run(["run", "-"], input: script + "export -o never.geojson\n")
    let wanted = place.hasPrefix("-") ? "standard input" + place.dropFirst() : place
    #expect(result.errors.hasPrefix("portolan: " + wanted), "\(result.errors)")
    #expect(result.errors.filter(\.isNewline).count == 1, "\(result.errors)")
    #expect(result.status == (script.contains("nothing") ? 3 : 2))
    #expect(program.files == ["p.geojson"])
  }

  @Test func `What a script leaves unsaved is told`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    _ = try program.run(["run", "-"], input: "open p.geojson\nsave a.doc\n")
    for (script, isTold) in [
      ("hide p\n", true), ("history\n", false),
      ("select all\nset a=1\ninfo\n", true), ("select all\nset a=1\nundo\n", false),
      ("select all\nset a=1\nexport\n", false), ("hide p\nrender --size 20x5\n", false),
      ("select all\nset a=1\nexport\nset a=2\n", true),
      ("import p.geojson\n", true), ("hide p\nsave\n", false),
    ] {
      try program.write(script, to: "script")
      let result = try program.run(["run", "script", "a.doc"])
      #expect(result.status == (isTold ? 1 : 0), "\(script): \(result.errors)")
      #expect(
        result.errors.contains("a.doc: the script's edits are neither saved nor exported")
          == isTold, "\(script)")
    }
    let untitled = try program.run(["run", "-"], input: "import p.geojson\nselect all\n")
    #expect(untitled.status == 1)
    #expect(untitled.errors.contains("save NAME.doc or export -o FILE"), "\(untitled.errors)")
  }

  @Test func `A shape that is not finished when a script ends is a failure`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    let result = try program.run(
      ["run", "-"], input: "open p.geojson\ndraw line\nput 1 1\nput 2 2\nsave\n")
    #expect(result.status == 2)
    #expect(result.errors.contains("line of 2 vertices is not finished"), "\(result.errors)")
  }

  @Test func `Work in another document keeps a script from leaving, and a place is exact alone`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    try program.write("x,y,name\n691000,5334000,A\n", to: "x.csv")
    let lines = "open p.geojson\nselect all\nset a=1\nsplit right x.csv\nselect all\nset k=x\nwq\n"
    let result = try program.run(["run", "-"], input: lines)
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.errors.contains("p.geojson has unsaved work"), "\(result.errors)")
    let here = try program.run(["run", "-"], input: "open x.csv\ngo name A\nwhere\n")
    #expect(here.output.contains("691000, 5334000"), "\(here.output)")
  }

  @Test func `What the lines before a failure told is printed`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    let result = try program.run(
      ["run", "-"], input: "open p.geojson\nwhere\nhistory\nfrobnicate\n")
    #expect(result.status == 2)
    #expect(result.output.contains("nothing was changed"), "\(result.output)")
  }

  @Test func `A failure that was tried is passed over`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    try program.write("try undo\ntry open nothing.doc\nopen p.geojson\n", to: "inner")
    let result = try program.run(["run", "-"], input: "include inner\nexport\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == FilterTests.points)
    try program.write("include loop\n", to: "loop")
    #expect(try program.run(["run", "loop"]).status == 2)
  }

  @Test func `A byte order mark is passed over, quit ends a script, and answers are printed`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    let script = "\u{FEFF}open p.geojson\nhistory\nwhere\nhelp quit\nquit\nfrobnicate\n"
    let result = try program.run(["run", "-"], input: script)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("nothing was changed"))
    #expect(result.output.contains("force"))
  }

  @Test func `Scripts that include each other are told once`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("include b\n", to: "a")
    try program.write("include a\n", to: "b")
    let result = try program.run(["run", "a"])
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix("portolan: a:1: b:1: a is included without end"), "\(result.errors)")
  }

  @Test func `A name of several features ends a script with the list of them`() throws {
    let program = try Program()
    defer { program.remove() }
    let town = #"{"type":"Feature","properties":{"name":"Washington"},"geometry":"#
    let lines = (1...31).map { town + #"{"type":"Point","coordinates":[\#($0),40]}}"# }
    try program.write(lines.joined(separator: "\n"), to: "p.ndjson")
    let result = try program.run(["run", "-", "p.ndjson"], input: "go name Washington\nset n=1\n")
    #expect(result.status == 2)
    #expect(result.errors.contains("31 features"), "\(result.errors)")
    #expect(result.errors.contains("go feature p 2 ["), "\(result.errors)")
    let chosen = try program.run(
      ["run", "-", "p.ndjson"], input: "go feature p 2\nset n=1\nexport -o o.ndjson\n")
    #expect(chosen.status == 0, "\(chosen.errors)")
    let changed = try program.read("o.ndjson").split(separator: "\n")
    #expect(changed.firstIndex { $0.contains(#""n":1"#) } == 1)
    #expect(changed.count { $0.contains(#""n":1"#) } == 1)
  }
}
