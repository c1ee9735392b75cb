import ArgumentParser
import PortolanFiles
import Testing

@testable import PortolanEditing

@Suite struct CommandLineTests {
  @Test(arguments: [
    ("", []), ("  # a comment", []), ("set a=1 b=2", ["set", "a=1", "b=2"]),
    (#"set "a b"='c d'e"#, ["set", "a b=c de"]),
    (#"x "a\"b" 'c\d' e\ f"#, ["x", "a\"b", #"c\d"#, "e f"]),
    ("style --fill #ff0000 # red", ["style", "--fill", "#ff0000"]),
    ("style '#ff0000'", ["style", "#ff0000"]),
    ("style --fill=#ff0000", ["style", "--fill=#ff0000"]), ("x '' y", ["x", "", "y"]),
    ("end\\", ["end\\"]), (#"open $'a\'b\tc\x64\145'f$ '$'"#, ["open", "a'b\tcdef$", "$"]),
    (#"w 'lat'$'\351''.doc' x"#, ["w", "lat\\xE9.doc", "x"]),
  ])
  func `A line is split as a shell does`(line: String, words: [String]) throws {
    #expect(try CommandWord.split(line).map(\.text) == words)
  }

  @Test func `An open quote is told with its column`() {
    let error = #expect(throws: EditingError.self) { try CommandWord.split("set a='b") }
    #expect(error?.column == 7)
  }

  @Test(arguments: [#"w $'\xg'"#, #"w $'\0'"#, #"w $'\x00'"#, #"w $'\777'"#, "w $'a", #"w $'a\"#])
  func `Bytes that are none are refused`(line: String) {
    #expect(throws: EditingError.self) { try CommandWord.split(line) }
  }

  @Test(arguments: [
    ("/maps/a-b.doc", "/maps/a-b.doc"), ("two words", "'two words'"), ("", "''"),
    ("-o", "'-o'"), ("it's", #"$'it\'s'"#), ("a\nb", #"$'a\x0Ab'"#), ("Zürich.doc", "Zürich.doc"),
    (FilePath.text(of: [0x61, 0xE9, 0x0F]), #"$'a\xE9\x0F'"#), ("$HOME", "'$HOME'"),
  ])
  func `The name of a file is one word for a shell and for us`(path: String, word: String) throws {
    #expect(FilePath.quoted(path) == word)
    #expect(try CommandWord.split("w " + word).last?.path == path)
  }

  @Test(arguments: ["plain", "two words", "", "it's", "a\"b", "back\\slash", "#hash", "ü ◉"])
  func `A quoted word is read back`(text: String) throws {
    #expect(try CommandWord.split("x " + CommandWord.quoted(text)).map(\.text) == ["x", text])
  }

  @Test(arguments: [
    ("nonsense", "no command “nonsense”", 1), ("cursor sideways", "sideways", 8),
    ("zoom in --bogus", "--bogus", 9), ("set", "", nil), ("tab next x", "tab new", 10),
    ("export -o a.geojson --precision 40 --force", "--precision", 33),
    ("zoom to 3 4", "4", 11), ("export --bbox 1,2", "2 numbers", 15),
  ])
  func `An error names the word and its column`(line: String, part: String, column: Int?) {
    let error = #expect(throws: EditingError.self) { try Commands.parse(line) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(error?.column == column)
    #expect(error?.message.contains("\n") == false)
  }

  @Test func `A mark after a command forces it`() throws {
    let command = try #require(try Commands.parse("q!") as? Quit)
    #expect(command.force)
  }

  @Test func `Names and aliases are unlike, and every command says what it does`() {
    var seen = Set<String>()
    for command in Commands.all {
      for name in [command.name] + command.configuration.aliases {
        #expect(seen.insert(name).inserted, "\(name)")
      }
      #expect(command.configuration.abstract.hasSuffix("."), "\(command.name)")
      #expect(command.configuration.abstract.count <= 100)
      #expect(command.configuration.commandName != nil, "\(command)")
    }
  }

  @Test func `Lines of a script are joined and counted`() {
    let text = "# first\nopen a\n\n  set \\\n x=1\nquit"
    #expect(
      ScriptLine.lines(of: text) == [
        ScriptLine(number: 2, text: "open a"), ScriptLine(number: 4, text: "  set  x=1"),
        ScriptLine(number: 6, text: "quit"),
      ])
  }
}
