import Foundation
import Testing

/// `inspect --values` and its relatives as a script runs them.
@Suite struct ValueProgramTests {
  private func archive(_ object: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
    <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
    <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
    <key>$objects</key><array><string>$null</string>\(object)</array></dict></plist>
    """
  }

  @Test func `Values are one line with the checksum of the file`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(archive("<string>Grüße\u{1B}[2J</string>"), to: "a.plist")
    let result = try program.run(["inspect", "--values", "a.plist"])
    #expect(result.status == 0, "\(result.errors)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: result.outputBytes) as? [String: Any])
    #expect(object["schema"] as? String == "portolan-values/1")
    let roots = try #require(object["roots"] as? [String: String])
    #expect(roots == ["root": "Grüße\u{1B}[2J"])
    let sum = try program.shell("sha256sum < a.plist").output.prefix(64)
    #expect(object["sha256"] as? String == String(sum))
    #expect(!result.output.contains("\u{1B}"))
    #expect(try program.run(["inspect", "--text", "a.plist"]).output == "Grüße\u{1B}[2J\n")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `A text cannot act on a terminal that does not tell its size`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(archive("<string>Grüße\u{1B}[2J\u{9B}31m</string>"), to: "a.plist")
    let spawn = "/usr/bin/python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])'"
    let result = try program.shell(
      "\(spawn) '\(Program.path.path)' inspect --text a.plist < /dev/null")
    #expect(result.output.contains("Grüße"))
    #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{9B}"))
  }

  @Test func `A broken part makes the exit code 3 when the rest is written`() throws {
    let program = try Program()
    defer { program.remove() }
    let uid = "<dict><key>CF$UID</key><integer>9</integer></dict>"
    try program.write(archive("<dict><key>a</key>\(uid)</dict>"), to: "a.plist")
    let result = try program.run(["inspect", "--values", "a.plist"])
    #expect(result.status == 3)
    #expect(result.output.contains("{\"$broken\":\"reference to object 9 of 2\"}"))
    #expect(result.errors.contains("what could be read is shown"))
  }

  @Test func `The first elements of each collection are shown of a binary list`() throws {
    let program = try Program()
    defer { program.remove() }
    let numbers = (1...5).map { "<integer>\($0)</integer>" }.joined()
    try program.write(
      "<plist version=\"1.0\"><array>\(numbers)</array></plist>", to: "a.xml")
    let converted = try program.run(["convert", "a.xml", "-o", "a.bplist", "--format", "keyed"])
    #expect(converted.status == 0, "\(converted.errors)")
    let result = try program.run(["inspect", "--limit", "2", "a.bplist"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasSuffix("[0] 1\n[1] 2\n… 3 more elements\n"), "\(result.output)")
    #expect(result.output.contains("uses and unreachable objects are not counted"))
    #expect(try program.run(["inspect", "--limit", "2", "--json", "a.bplist"]).status == 2)
    #expect(try program.run(["inspect", "--limit", "0", "a.bplist"]).status == 2)
  }

  @Test func `Lines come from standard input or a file`() throws {
    let program = try Program()
    defer { program.remove() }
    let text = archive("<string>x</string>")
    let digits = text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let good = "{\"line\":1,\"key\":\"7\",\"roots\":{\"root\":\"x\"}}\n"
    let input = "7|" + digits + "\n"
    let first = try program.run(["inspect", "--lines", "--from", "hex", "-"], input: input)
    #expect(first.output == good)
    #expect(first.status == 0)
    try program.write(input + "8|--\n", to: "lines.txt")
    let second = try program.run(["inspect", "--lines", "--from", "hex", "lines.txt"])
    #expect(second.output == good + "{\"line\":2,\"error\":\"no hex digits\",\"key\":\"8\"}\n")
    #expect(second.status == 3)
    #expect(
      second.errors
        == "portolan: lines.txt: 1 line could not be read whole, the first: line 2: no hex digits\n"
    )
    #expect(try program.run(["inspect", "--lines", "--from", "hex", "none.txt"]).status == 3)
    #expect(try program.run(["inspect", "--lines", "-"]).status == 2)
    #expect(try program.run(["inspect", "--values", "--json", "lines.txt"]).status == 2)
  }

  @Test func `The bytes of data and the text of a string come alone`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(archive("<data>AAECQUJD/w==</data>"), to: "data.plist")
    try program.write(archive("<string>Grüße</string>"), to: "text.plist")
    let bytes = try program.run(["inspect", "data.plist", "--path", "/root", "--extract"])
    #expect(Array(bytes.outputBytes) == [0, 1, 2, 65, 66, 67, 255])
    let arguments = ["inspect", "text.plist", "--path", "/root", "--extract", "-o", "out.txt"]
    #expect(try program.run(arguments).status == 0)
    #expect(try program.read("out.txt") == "Grüße")
    let dump = try program.run(["inspect", "data.plist", "--path", "/root", "--hex"]).output
    #expect(
      dump == "00000000  00 01 02 41 42 43 ff                              |...ABC.|\n")
    for arguments in [["--extract"], ["--hex", "--path", "/", "--values"]] {
      #expect(try program.run(["inspect", "data.plist"] + arguments).status == 2)
    }
    let object = try program.run(["inspect", "data.plist", "--path", "/", "--extract"])
    #expect(object.status == 2)
    let value = try program.run(["inspect", "--values", "--data", "hex", "data.plist"]).output
    #expect(value.contains("\"roots\":{\"root\":{\"$data\":\"000102414243ff\",\"bytes\":7}}"))
  }

  @Test func `What XML drops is told on standard error`() throws {
    let program = try Program()
    defer { program.remove() }
    let roots = "{\"root\":[{\"$date\":1.5},\"a\\u001b\"]}"
    let head = "\"schema\":\"portolan-values/1\",\"exact\":true,\"format\":\"propertyList\""
    let input = "{\(head),\"roots\":\(roots)}"
    let result = try program.run(["convert", "-", "-o", "-", "--format", "xml"], input: input)
    #expect(result.status == 0 && result.output.contains("<date>2001-01-01T00:00:01Z</date>"))
    #expect(result.output.contains("<string>a\u{FFFD}</string>"), "\(result.output)")
    for words in [
      "1 date lost its fraction of a second", "1 character that XML forbids is replaced by U+FFFD",
    ] {
      #expect(result.errors.contains(words), "\(result.errors)")
    }
  }

  @Test func `The reversible form goes through convert and back`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(archive("<data>AAECQUJD/w==</data>"), to: "data.plist")
    let line =
      "\(Program.path.path) inspect --exact data.plist | \(Program.path.path) convert - -o again.plist"
      + " && \(Program.path.path) diff data.plist again.plist"
    let result = try program.shell(line)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(try program.run(["inspect", "--exact", "--text", "data.plist"]).status == 2)
  }
}
