import Foundation
import Testing

/// Expressions on the command line are completed by the files that stand there.
@Suite struct CompletionTests {
  /// What the program answers to the script of a shell.
  private func words(
    _ typed: [String], of option: String = "--where", _ program: Program
  ) throws
    -> [String]
  {
    let last = try #require(typed.last)
    let result = try program.run(
      ["---completion", typed[0], "--", option, "\(typed.count)", "\(last.count)", "portolan"]
        + typed)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  private static let towns = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"Umeå","country":"SE","pop":1,"$(touch pwned)":1,\
    "a\\u001bb":2},"geometry":null},
    {"type":"Feature","properties":{"name":"Oslo","country":"NO","pop":2},"geometry":null}]}
    """

  private func prepared() throws -> Program {
    let program = try Program()
    try program.write(Self.towns, to: "t.geojson")
    return program
  }

  @Test(arguments: [
    ("'po", ["pop", "pop and"]),
    ("'pop > 1 and cou", ["pop > 1 and count(", "pop > 1 and country"]),
    ("\"country == 'S", ["country == 'SE'"]), ("name like", ["name like"]),
    ("'pop is n", ["pop is not", "pop is null"]), ("'nosuch ==", []),
  ])
  func `Attributes, values and functions are offered`(typed: String, wanted: [String]) throws {
    let program = try prepared()
    defer { program.remove() }
    let found = try words(["query", "t.geojson", "--where", typed], program)
    for word in wanted { #expect(found.contains(word), "\(found)") }
    let expression = typed.drop { "'\"".contains($0) }
    #expect(found.allSatisfy { $0.hasPrefix(expression.prefix(3)) }, "\(found)")
  }

  @Test func `Lists of fields are completed, and those of a stored document`() throws {
    let program = try prepared()
    defer { program.remove() }
    _ = try program.run(["import", "t.geojson", "-o", "t.doc"])
    for file in ["t.geojson", "t.doc"] {
      let found = try words(["query", file, "--fields", "name,po"], of: "--fields", program)
      #expect(found.first == "name,pop", "\(found)")
      let export = try words(["export", file, "--where", "\"name == 'U"], program)
      #expect(export.first == "name == 'Umeå'", "\(export)")
    }
    #expect(try words(["export", "-o", "t.geojson", "--where", "po"], program) == [])
    #expect(try words(["export", "missing.csv", "--where", "po"], program) == [])
  }

  /// bash itself completes by the script, and runs nothing that stands in a file.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")),
    arguments: [
      ("\"country == 'S", "country == 'SE'"), ("'pop > 0 and nam", "pop > 0 and name"),
      ("'$(to", ""), ("nam", "name"),
    ])
  func `The script for bash adds them`(typed: String, wanted: String) throws {
    let program = try prepared()
    defer { program.remove() }
    let script = try program.run(["--generate-completion-script", "bash"])
    #expect(!script.output.contains("-W \"$(__portolan_custom"))
    try program.write(script.output, to: "script.bash")
    let word = typed.drop { "'\"".contains($0) }
    try program.write(
      """
      . ./script.bash
      COMP_WORDS=('\(Program.path.path)' query t.geojson --where \(Self.quoted(typed)))
      COMP_CWORD=4
      COMP_LINE="portolan query t.geojson --where "\(Self.quoted(typed))
      COMP_POINT=${#COMP_LINE}
      _portolan portolan \(Self.quoted(String(word))) --where
      printf '%s\\n' "${COMPREPLY[@]}"
      """, to: "try.bash")
    let result = try program.run(
      ["try.bash"], environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
      executable: URL(fileURLWithPath: "/bin/bash"))
    let found = result.output.split(separator: "\n").map(String.init)
    #expect(found.first ?? "" == wanted, "\(result.output) \(result.errors)")
    #expect(!program.files.contains("pwned"))
  }

  /// zsh itself completes by the script, with a key pressed at a terminal.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/zsh")))
  func `The script for zsh completes verbs, files and expressions`() throws {
    let program = try prepared()
    defer { program.remove() }
    let script = try program.run(["--generate-completion-script", "zsh"])
    try program.write(script.output, to: "_portolan")
    let typed = [
      "portolan quer", "portolan query t.ge", "portolan query t.geojson --where \"country == 'S",
      "portolan query t.geojson --where 'pop > 0 and nam",
      "portolan export t.geojson --fields name,po",
    ]
    try program.write(
      """
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z 'PROMPT=; stty columns 400; fpath=($PWD $fpath); autoload -U compinit'
      zpty -w z 'compinit -u -D; show() { print -rn -- "<<$BUFFER>>"; zle kill-whole-line }'
      zpty -w z 'zle -N show; bindkey "^T" show; print rea""dy'
      zpty -r z out '*ready*'
      for line in "$@"; do
        zpty -w -n z "$line"$'\\t'
        zpty -w -n z $'\\x14'
        zpty -r z out '*<<*>>'
        print -r -- "${${out##*<<}%>>*}"
      done
      zpty -d z
      """, to: "try.zsh")
    let result = try program.run(
      ["-f", "try.zsh"] + typed,
      environment: ["PATH": folder + ":/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb"],
      executable: URL(fileURLWithPath: "/bin/zsh"))
    let found = result.output.split(separator: "\n").map(String.init)
    #expect(
      found == [
        "portolan query ", "portolan query t.geojson ",
        "portolan query t.geojson --where \"country == 'SE'",
        "portolan query t.geojson --where 'pop > 0 and name",
        "portolan export t.geojson --fields name,pop",
      ], "\(result.errors)")
  }

  /// fish itself completes by the script.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")))
  func `The script for fish completes verbs, files and expressions`() throws {
    let program = try prepared()
    defer { program.remove() }
    let script = try program.run(["--generate-completion-script", "fish"])
    try program.write(script.output, to: "script.fish")
    let wanted = [
      ("portolan quer", "query"), ("portolan query t.ge", "t.geojson"),
      ("portolan query t.geojson --x-column a t.ge", "t.geojson"),
      ("portolan query t.geojson --form", "--format"),
      ("portolan query t.geojson --where \"country == 'S", "country == 'SE'"),
      ("portolan query t.geojson --where 'pop > 0 and nam", "pop > 0 and name"),
      ("portolan export t.geojson --fields name,cou", "name,country"),
    ]
    try program.write(
      """
      source script.fish
      for line in $argv
        complete -C $line | string split -f 1 -m 1 \\t | string join ,
      end
      """, to: "try.fish")
    let result = try program.run(
      ["--no-config", "try.fish"] + wanted.map(\.0),
      environment: ["PATH": folder + ":/usr/bin:/bin", "LANG": "C.UTF-8"],
      executable: URL(fileURLWithPath: "/usr/bin/fish"))
    let found = result.output.split(separator: "\n").map(String.init)
    #expect(found.count == wanted.count, "\(result.output) \(result.errors)")
    for (line, word) in zip(found, wanted.map(\.1)) {
      #expect(line.hasPrefix(word), "\(line)")
    }
  }

  private var folder: String { Program.path.deletingLastPathComponent().path }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
