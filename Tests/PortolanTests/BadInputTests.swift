import Foundation
import Glibc
import Testing

/// What people and scripts hand to the program by mistake: one clear line, the right exit code.
@Suite struct BadInputTests {
  /// A file that cannot be read, and words that the message must hold.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]?
    var words: String
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8]?, _ words: String) {
      self.name = name
      self.bytes = bytes
      self.words = words
    }

    init(_ name: String, _ text: String, _ words: String) {
      self.init(name, Array(text.utf8), words)
    }
  }

  static let cases: [Case] = [
    Case("nothing.geojson", nil, "No such file"),
    Case("nothing.doc", nil, "No such file"),
    Case("empty.geojson", "", "empty"),
    Case("text.geojson", "not json\n", "not JSON"),
    Case("number.json", "5\n", "GeoJSON"),
    Case("other.json", "{\"a\": 1}\n", "GeoJSON"),
    Case("cut.geojson", "{\"type\":\"FeatureCollection\",\"features\":[", "ends too early"),
    Case("wrong.geojson", "{\"type\":\"FeatureCollection\",\"features\":5}", "wrong type"),
    Case("word.doc", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], "Microsoft"),
    Case("text.doc", "just text\n", "not a Portolan document"),
    Case("cut.doc", "bplist00\u{1}\u{2}", "cut.doc"),
    Case("zip.geojson", "PK\u{3}\u{4}zip", "zip"),
    Case("gz.geojson", [0x1F, 0x8B, 8, 0], "gzip"),
  ]

  @Test(arguments: cases)
  func `A file that is no map is told in one line`(_ input: Case) throws {
    let program = try Program()
    defer { program.remove() }
    if let bytes = input.bytes {
      try Data(bytes).write(to: program.folder.appendingPathComponent(input.name))
    }
    for verb in ["info", "render", "export"] {
      let result = try program.run([verb, input.name])
      expectFailure(result, code: 3, words: input.words)
      #expect(result.errors.hasPrefix("portolan: \(input.name): "))
    }
  }

  @Test func `Folders, pipes and devices are refused without waiting`() throws {
    let program = try Program()
    defer { program.remove() }
    #expect(mkfifo(program.path("fifo"), 0o600) == 0)
    expectFailure(try program.run(["info", "."]), code: 3, words: "folder")
    expectFailure(try program.run(["info", "fifo"]), code: 3, words: "pipe")
    expectFailure(try program.run(["info", "/dev/zero"]), code: 3, words: "device")
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `A file without permission is refused`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("{}", to: "secret.geojson")
    chmod(program.path("secret.geojson"), 0)
    expectFailure(try program.run(["info", "secret.geojson"]), code: 3, words: "Permission")
  }

  @Test func `Controls in a file's name do not reach the terminal`() throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(["info", "a\u{1B}]0;owned\u{7}\u{202E}b\nc.geojson"])
    #expect(result.status == 3)
    #expect(result.errors.filter(\.isNewline).count == 1)
    for scalar in result.errors.dropLast().unicodeScalars {
      #expect(scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0x202E)
    }
  }

  @Test(arguments: [
    ["frobnicate", "x.geojson", "--nonsense"], ["render", "--size", "axb"],
    ["render", "--bbox", "1,2"],
    ["export"], ["info"], ["import"], ["run"], ["render", "x", "--zoom", "nan"],
  ])
  func `A wrong command line is told in one line`(arguments: [String]) throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(arguments)
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("portolan: "))
    #expect(result.errors.filter(\.isNewline).count == 1, "\(result.errors)")
  }

  @Test(arguments: [
    (["exprot", "x.geojson"], "portolan export"), (["exprot", "x", "--bbox", "1,2,3,4"], "export"),
    (["rende"], "portolan render"),
    (["render", "x", "--sise", "3"], "portolan help render"),
    (["import"], "portolan import <paths>"),
  ])
  func `A misspelt verb and wrong options name what was meant`(
    arguments: [String], words: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test func `Verbs about archives say what is missing and what to write`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("hello", to: "text.txt")
    try program.write(
      "<plist version=\"1.0\"><dict><key>a</key><real>1</real></dict></plist>", to: "a.xml")
    try program.write(
      "<plist version=\"1.0\"><dict><key>a</key><real>2</real></dict></plist>", to: "b.xml")
    let cases: [([String], Int32, String)] = [
      (["convert", "a.xml"], 2, "write portolan convert <input> --output <output>"),
      (["convert", "a.xml", "-o", "x"], 2, "give --format keyed, xml or typedstream"),
      (["convert", "a.xml", "-o", "-"], 2, "standard output does not tell the format"),
      (["diff", "-", "-"], 2, "only one of the two"),
      (["diff", "a.xml", "text.txt"], 3, "text.txt: is neither an archive"),
      (["inspect", "text.txt"], 3, "it begins with “hello”"),
      (["inspect", "a.xml", "--width", "10"], 2, "40 to 1000"),
      (["inspect", "a.xml", "--path", "/b"], 2, "no /b: in the top there is a"),
    ]
    for (arguments, code, words) in cases {
      expectFailure(try program.run(arguments), code: code, words: words)
    }
    let difference = try program.run(["diff", "a.xml", "b.xml"])
    #expect(difference.status == 1 && difference.errors.isEmpty)
    #expect(difference.output == "--- a.xml\n+++ b.xml\n@@ / @@\n-a: 1\n+a: 2\n")
    #expect(try program.run(["diff", "a.xml", "-"], input: program.read("a.xml")).status == 0)
  }

  private func expectFailure(
    _ result: Program.Result, code: Int32, words: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(!result.wasSignalled, sourceLocation: location)
    #expect(result.status == code, "\(result.errors)", sourceLocation: location)
    #expect(result.output.isEmpty, sourceLocation: location)
    #expect(
      result.errors.filter(\.isNewline).count == 1 && result.errors.hasSuffix("\n"),
      "\(result.errors)", sourceLocation: location)
    #expect(
      result.errors.localizedCaseInsensitiveContains(words), "\(result.errors)",
      sourceLocation: location)
  }
}
