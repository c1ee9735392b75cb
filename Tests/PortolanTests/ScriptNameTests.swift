import Testing

/// Named values in scripts: `let` and `run --set`.
@Suite struct ScriptNameTests {
  private func run(
    _ script: String, _ options: [String] = []
  ) throws -> (result: Program.Result, out: String) {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"name":"a b","n":1},"geometry":null},
      {"type":"Feature","properties":{"name":"it's","n":2},"geometry":null},
      {"type":"Feature","properties":{"name":"--force","n":3},"geometry":null}]}
      """, to: "map.geojson")
    let result = try program.run(
      ["run"] + options + ["-"], input: "open map.geojson\n" + script)
    let out = program.files.contains("out.csv") ? try program.read("out.csv") : ""
    // The features have no place.
    let rows = out.split(whereSeparator: \.isNewline).dropFirst().map { $0.drop { $0 == "," } }
    return (result, rows.joined(separator: " "))
  }

  private static let export = "\nexport --visible --fields n -o out.csv\n"

  @Test func `A value that nothing asks for is told`() throws {
    let script = "let LEAST=2\nfilter n >= {{LEAST}}" + Self.export
    let (result, rows) = try run(script, ["--set", "LEASST=3"])
    #expect(result.status == 0 && rows == "2 3")
    #expect(result.errors.contains("--set LEASST: {{LEASST}} does not occur in"))
    let known = try run(script, ["--set", "LEAST=3"]).result
    #expect(!known.errors.contains("--set"))
  }

  @Test(arguments: [
    ("let LEAST=2\nfilter n >= {{LEAST}}", [], "2 3"),
    ("let NAME='a b'\nfilter name == {{NAME}}", [], "1"),
    ("let NAME=it\\'s\nfilter name == {{NAME}}", [], "2"),
    ("let NAME=\"it's\"\nfilter name == '{{NAME}}'", [], "2"),
    ("let A=i\nlet B={{A}}t\nfilter name like '{{B}}%'", [], "2"),
    ("let FIELD=name\nfilter \"{{FIELD}}\" == 'a b'", [], "1"),
    ("let N=-1\nfilter n +{{N}} == 0", [], "1"),
    ("let N=1\nfilter n > {{N}}", ["--set", "N=2"], "3"),
    ("filter n in ({{A}}, {{B}})", ["--set", "A=1", "--set", "B=3"], "1 3"),
    // A value is one value, whatever it looks like.
    ("let X=\"1 or true\"\ntry filter n == {{X}}\nfilter name == {{X}}", [], ""),
    ("let X=\"' or 'a' == 'a\"\nfilter name == '{{X}}'", [], ""),
    ("let X=\"x #\"\nfilter name == {{X}} or n == 1", [], "1"),
    // No name: it stands as it is.
    ("filter name matches '^a{1} b' or name == '{{ }}'", [], "1"),
    (
      "let FILE=out.csv\nexport --visible --fields n -o {{FILE}} --where 'n < {{N}}' --force",
      ["--set", "N=2"], "1"
    ),
  ])
  func `A name stands for its value`(script: String, options: [String], rows: String) throws {
    let export = script.contains("-o ") ? "\n" : Self.export
    let (result, out) = try run(script + export, options)
    #expect(result.status == 0, "\(result.errors)")
    #expect(out == rows)
  }

  @Test(arguments: [
    ("filter n > {{LEAST}}", "2:12: no value is named “LEAST”"),
    ("let LEAST=1\nfilter n > {{LAEST}}", "3:12: no value is named “LAEST”: LEAST?"),
    ("let C=quit\n{{C}}", "a value cannot be a command"),
    ("let F=--force\nexport {{F}} -o out.csv", "begins as an option"),
    ("let 1=2", "write let NAME=VALUE"), ("let X", "write let NAME=VALUE"),
    ("let F=\"a.csv -f\"\nexport -o {{F}}", "no format writes .csv -f"),
  ])
  func `A wrong name ends the script and tells where`(script: String, words: String) throws {
    let (result, _) = try run(script + "\n")
    #expect(result.status != 0)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test func `A value must be named`() throws {
    let (result, _) = try run("", ["--set", "1=2"])
    #expect(result.status == 2 && result.errors.contains("--set"), "\(result.errors)")
  }

  @Test func `Included scripts share the names`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("let B={{A}}2\n", to: "inner")
    try program.write("let A=x\nlet F=inner\ninclude {{F}}\nannotate {{B}}\n", to: "outer")
    try program.write("{\"type\":\"FeatureCollection\",\"features\":[]}", to: "map.geojson")
    let result = try program.run(
      ["run", "-"],
      input: "open map.geojson\ninclude outer\nsave map.doc\ninfo\n")
    #expect(result.status == 0, "\(result.errors)")
  }
}
