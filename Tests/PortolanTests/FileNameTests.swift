import Foundation
import Testing

/// Names of files that are not UTF-8, from the shell to the disk and back.
@Suite struct FileNameTests {
  /// A program with a map, and a shell for which `portolan` is that program.
  private func prepared() throws -> Program {
    let program = try Program()
    try program.write(FilterTests.points, to: "p.geojson")
    return program
  }

  private func shell(_ line: String, in program: Program) throws -> Program.Result {
    try program.run(
      ["-c", "portolan() { '\(Program.path.path)' \"$@\"; }; " + line],
      environment: ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": program.path("state")],
      executable: URL(fileURLWithPath: "/bin/sh"))
  }

  @Test func `A document gets the very name that was given, and is found under it`() throws {
    let program = try prepared()
    defer { program.remove() }
    let name = #"n=$(printf 'lat\351.doc'); "#
    #expect(try shell(name + #"portolan import p.geojson -o "$n""#, in: program).status == 0)
    let listed = try shell("ls", in: program).outputBytes
    #expect(listed.range(of: Data([0x6C, 0x61, 0x74, 0xE9, 0x2E])) != nil)
    let info = try shell(name + #"portolan info "$n" && portolan info --json "$n""#, in: program)
    #expect(info.status == 0, "\(info.errors)")
    #expect(info.output.contains("file      lat\\xE9.doc\n"))
    #expect(info.output.contains(#""file":"lat\\xE9.doc""#))
    let missing = try shell(#"portolan info "$(printf 'no\377.doc')""#, in: program)
    #expect(missing.status == 3)
    #expect(missing.errors.hasPrefix("portolan: no\\xFF.doc: "))
  }

  @Test func `Scripts write such names as shells do; text must be UTF-8`() throws {
    let program = try prepared()
    defer { program.remove() }
    try program.write(#"w $'s\xE9.doc'"# + "\n", to: "s.txt")
    #expect(try shell("portolan run s.txt p.geojson", in: program).status == 0)
    #expect(try shell(#"test -f "$(printf 's\351.doc')""#, in: program).status == 0)
    let layer = try shell(
      #"portolan import p.geojson --as "$(printf '\351')" -o l.doc"#, in: program)
    #expect(layer.status == 2)
    let named = try shell(
      #"cp p.geojson "$(printf 'd\351.geojson')"; portolan info "$(printf 'd\351.geojson')""#,
      in: program)
    #expect(named.output.contains("layer     d\\xE9 (pt)"), "\(named.output)")
  }

  @Test func `The state folder may lie in such a folder`() throws {
    let program = try prepared()
    defer { program.remove() }
    let state = #"XDG_STATE_HOME=$(printf '%s/st\351' "$PWD"); export XDG_STATE_HOME; "#
    let saved = try shell(
      state + "portolan run - p.geojson <<.\nw a.doc\n.\ntest -d \"$XDG_STATE_HOME/portolan\"",
      in: program)
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(try shell(state + "portolan versions a.doc", in: program).output.contains("saved"))
  }
}
