import Foundation
import Glibc
import Testing

/// The program as a filter: standard input, standard output, exit codes, whole files or none.
@Suite struct FilterTests {
  static let points = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","id":1,"properties":{"name":"Here","size":1},"geometry":{"type":"Point",\
    "coordinates":[10.5,50.25]}},
    {"type":"Feature","id":2,"properties":{"name":"There","size":2},"geometry":{"type":"Point",\
    "coordinates":[-20,-10]}}
    ]}

    """

  @Test func `Standard input is drawn on standard output, without colours and without a terminal`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(["render", "-", "--size", "40x10"], input: Self.points)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(!result.output.contains("\u{1B}"))
    #expect(result.output.filter(\.isNewline).count == 10)
    #expect(result.output.contains("Here") && result.output.contains("There"))
  }

  @Test func `Colours are sent where they are asked for`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.points, to: "p.geojson")
    let forced = try program.run(["render", "p.geojson", "--color", "256"])
    #expect(forced.output.contains("\u{1B}[") && forced.output.contains("38;5;"))
    let never = try program.run(
      ["render", "p.geojson", "--color", "never"], environment: ["CLICOLOR_FORCE": "1"])
    #expect(!never.output.contains("\u{1B}"))
    let none = try program.run(["render", "p.geojson"], environment: ["NO_COLOR": "1"])
    #expect(!none.output.contains("\u{1B}"))
  }

  @Test func `What was not edited is exported as it was read`() throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(["export", "-", "-o", "-"], input: Self.points)
    #expect(result.status == 0)
    #expect(result.output == Self.points)
  }

  @Test func `Import makes a document, the same one each time, and never over another file`() throws
  {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.points, to: "p.geojson")
    #expect(try program.run(["import", "p.geojson", "-o", "a.doc"]).status == 0)
    #expect(try program.run(["import", "p.geojson", "-o", "b.doc"]).status == 0)
    let first = try Data(contentsOf: program.folder.appendingPathComponent("a.doc"))
    #expect(try Data(contentsOf: program.folder.appendingPathComponent("b.doc")) == first)
    let again = try program.run(["import", "p.geojson", "-o", "a.doc"])
    #expect(again.status == 4)
    #expect(again.errors.contains("--force"))
    #expect(try program.run(["import", "p.geojson", "-o", "a.doc", "--force"]).status == 0)
    #expect(try program.run(["export", "a.doc"]).output == Self.points)
    #expect(program.files == ["a.doc", "b.doc", "p.geojson"])
  }

  @Test func `Info tells layers and attributes, as JSON too`() throws {
    let program = try Program()
    defer { program.remove() }
    let words = try program.run(["info", "-"], input: Self.points)
    #expect(words.status == 0)
    #expect(words.output.contains("2 features") && words.output.contains("name"))
    let json = try program.run(["info", "-", "--json"], input: Self.points)
    let object = try #require(
      try JSONSerialization.jsonObject(with: json.outputBytes) as? [String: Any])
    let layers = try #require(object["layers"] as? [[String: Any]])
    #expect(layers.count == 1)
    #expect(layers[0]["features"] as? Int == 2)
    #expect(object["extent"] as? [Double] == [-20, -10, 10.5, 50.25])
  }

  @Test func `A full disk is told, and is no success`() throws {
    let program = try Program()
    defer { program.remove() }
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let result = try program.run(["export", "-"], input: Self.points, output: full)
    #expect(result.status == 4)
    #expect(result.errors.filter(\.isNewline).count == 1)
  }

  @Test func `A reader that goes away ends the program quietly`() throws {
    let program = try Program()
    defer { program.remove() }
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let result = try program.run(
      ["export", "-"], input: Self.points, output: pipe.fileHandleForWriting)
    #expect(result.errors.isEmpty)
    #expect(result.wasSignalled && result.status == SIGPIPE)
  }

  @Test(arguments: ["0", "1", "2"])
  func `A closed standard descriptor never becomes the document's`(descriptor: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.points, to: "p.geojson")
    let close = descriptor == "0" ? "<&-" : "\(descriptor)>&-"
    let line = "'\(Program.path.path)' export p.geojson -o out.geojson \(close)"
    let result = try program.shell(line)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try program.read("out.geojson") == Self.points)
    #expect(try program.read("p.geojson") == Self.points)
    let needed = try program.shell("'\(Program.path.path)' export p.geojson 1>&-")
    #expect(needed.status == 4)
    let input = try program.shell("'\(Program.path.path)' export - <&-")
    #expect(input.status == 3)
  }

  @Test func `Without a terminal the editor says so`() throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run([], environment: ["TERM": "xterm"])
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("terminal"))
  }

  @Test(arguments: [
    (["--help"], "USAGE"), (["--version"], "portolan"), (["render", "--help"], "--bbox"),
    (["help", "export"], "--precision"), (["manual"], ".SH EXIT STATUS"),
    (["--generate-completion-script", "bash"], "portolan"),
  ])
  func `Help goes to standard output`(arguments: [String], word: String) throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(arguments)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.contains(word))
  }
}
