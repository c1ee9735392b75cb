import Foundation
import Glibc
import PortolanTestSupport
import Testing

/// One document, several terminals: real processes on real pseudo-terminals.
@Suite(
  .serialized, .waiting,
  .enabled(if: TerminalSession.tmux != nil, "tmux is not installed: apt-get install tmux"))
struct SharingTests {
  private static let towns = """
    {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Here"},\
    "geometry":{"type":"Point","coordinates":[10,50]}},{"type":"Feature","properties":\
    {"name":"There"},"geometry":{"type":"Point","coordinates":[12,51]}}]}
    """

  /// Terminals that find each other, and the folder in which they do.
  private struct Room {
    let first: TerminalSession
    let second: TerminalSession
    var folder: URL { first.directory }

    init() throws {
      first = try TerminalSession(environment: ["PORTOLAN_ASK=no"])
      second = try TerminalSession(
        columns: 120, rows: 40,
        environment: ["PORTOLAN_ASK=no", "XDG_STATE_HOME=\(first.directory.path)/state"])
      try Data(SharingTests.towns.utf8).write(to: folder.appendingPathComponent("towns.geojson"))
    }

    var map: String { folder.appendingPathComponent("towns.geojson").path }

    /// Starts the program so that its number is known.
    func start(_ words: String, in session: TerminalSession) throws {
      let note = session.directory.appendingPathComponent("pid").path
      try? FileManager.default.removeItem(atPath: note)
      try session.run(
        "clear; sh -c 'echo $$ >\(note); exec \(TerminalSession.program.path) \(words)'; "
          + "echo code $?"
      )
    }

    func kill(_ session: TerminalSession) throws {
      let text = try String(
        contentsOf: session.directory.appendingPathComponent("pid"), encoding: .utf8)
      let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(Glibc.kill(process, SIGKILL) == 0)
    }

    /// Gives a shell its terminal back after a program was killed in it: until then Enter is no line
    /// end, so all is one line.
    func mend(_ session: TerminalSession) throws {
      try session.type("stty sane; clear; echo mended")
      try session.keys("C-j")
      try session.waitUntil("the shell answers") {
        $0.contains("\nmended") || $0.hasPrefix("mended")
      }
    }

    /// Serves the map; returns the number of the process.
    func serve() throws -> Int32 {
      try first.start("serve \(map) >served")
      try first.waitFor("serving: ")
      let text = try String(
        contentsOf: folder.appendingPathComponent("served"), encoding: .utf8)
      let words = text.split(whereSeparator: { $0 == " " || $0 == "," })
      return try #require(words.count > 1 ? Int32(words[1]) : nil)
    }
  }

  private static var killCount: Int {
    ProcessInfo.processInfo.environment["PORTOLAN_DROPS"].flatMap { Int($0) } ?? 2
  }

  @Test func `Two terminals edit a served map; a killed one comes back as it was`() throws {
    let room = try Room()
    let host = try room.serve()
    defer { Glibc.kill(host, SIGKILL) }
    try room.start("attach", in: room.first)
    try room.first.waitFor("NORMAL")
    try room.start("attach \(room.map)", in: room.second)
    try room.second.waitFor("with ")
    try room.first.waitFor("with ")
    try room.first.type(":new-layer roads")
    try room.first.keys("Enter")
    try room.second.waitFor("roads")
    // It is another person's step.
    try room.second.type("u")
    try room.second.waitFor("nothing of yours to undo")
    for number in 0..<Self.killCount {
      try room.first.type(":new-layer half\(number)")
      try room.first.waitFor(":new-layer half\(number)")
      try room.kill(room.first)
      try room.first.waitFor("code 137")
      try room.second.waitUntil("the other one is gone") { !$0.contains("with ") }
      try room.mend(room.first)
      try room.start("attach", in: room.first)
      try room.first.waitFor(":new-layer half\(number)")
      try room.first.keys("Enter")
      try room.second.waitFor("half\(number)")
    }
    try room.first.type(":detach")
    try room.first.keys("Enter")
    try room.first.waitFor("code 0")
    // The end of the host is told, and the terminal given back.
    #expect(Glibc.kill(host, SIGKILL) == 0)
    try room.second.waitFor("the host has ended")
    try room.second.waitFor("code 254")
    try room.second.type("stty -a | grep -c ' echo '")
    try room.second.keys("Enter")
    try room.second.waitUntil("the terminal echoes") { $0.hasSuffixLine("1") }
    // Nothing is lost.
    try room.start(room.map, in: room.first)
    try room.first.waitFor("Unsaved work")
    try room.first.keys("r")
    try room.first.waitFor("roads")
    try room.first.type(":q!")
    try room.first.keys("Enter")
    try room.first.waitFor("code 0")
  }

  @Test func `Whoever finds a map open joins; the editor goes on when its terminal leaves`() throws
  {
    let room = try Room()
    try room.start(room.map, in: room.first)
    try room.first.waitFor("NORMAL")
    try room.start(room.map, in: room.second)
    try room.second.waitFor("join: edit it together")
    try room.second.keys("j")
    try room.second.waitFor("with ")
    try room.second.type(":new-layer roads")
    try room.second.keys("Enter")
    try room.first.waitFor("roads")
    try room.first.type(":q")
    try room.first.keys("Enter")
    try room.first.waitFor("stay open for them")
    try room.first.waitFor("ready$")
    try room.second.type(":new-layer rivers")
    try room.second.keys("Enter")
    try room.second.waitFor("new layer: rivers")
    try room.second.type(":q")
    try room.second.keys("Enter")
    try room.second.waitFor("unsaved edits")
    try room.second.type(":q!")
    try room.second.keys("Enter")
    try room.second.waitFor("code 0")
    try room.first.start("list; echo listed")
    try room.first.waitUntil("nothing runs") {
      $0.contains("listed") && !$0.contains("towns.geojson ")
    }
  }

  @Test func `Commands run in the editor that has the map, with their exit codes`() throws {
    let room = try Room()
    let host = try room.serve()
    defer { Glibc.kill(host, SIGKILL) }
    let program = TerminalSession.program.path
    try room.first.run(
      "clear; \(program) remote \(host) new-layer roads; "
        + "\(program) remote \(room.map) info; echo code $?"
    )
    let screen = try room.first.waitFor("code 0")
    #expect(screen.contains("roads"))
    try room.first.run("clear; \(program) remote \(host) nonsense; echo code $?")
    try room.first.waitFor("code 2")
    try room.first.run("clear; \(program) remote \(host) quit --everyone; echo code $?")
    try room.first.waitFor("code 2")
    try room.first.run("clear; \(program) remote \(host) quit --everyone --force; echo code $?")
    try room.first.waitFor("code 0")
    try room.first.run("clear; \(program) attach \(host); echo code $?")
    try room.first.waitFor("code 255")
  }
}

/// A file on another machine; the stand-in for ssh runs the command here.
extension SharingTests {
  @Test func `A file on another machine is shown through ssh, and stays when the line drops`()
    throws
  {
    let room = try Room()
    let script = room.folder.appendingPathComponent("ssh")
    let bin = TerminalSession.program.deletingLastPathComponent().path
    try Data("#!/bin/sh\nshift\nPATH=\(bin):$PATH exec sh -c \"$*\"\n".utf8).write(to: script)
    #expect(chmod(script.path, 0o700) == 0)
    try room.first.run("export PORTOLAN_SSH=\(script.path)")
    try room.start("ssh://there\(room.map)", in: room.first)
    try room.first.waitFor("NORMAL")
    try room.first.type(":new-layer far")
    try room.first.waitFor(":new-layer far")
    try room.kill(room.first)
    try room.first.waitFor("code 137")
    try room.mend(room.first)
    try room.start("attach ssh://there\(room.map)", in: room.first)
    try room.first.waitFor(":new-layer far")
    try room.first.keys("Enter")
    try room.first.waitFor("new layer: far")
    try room.first.type(":q!")
    try room.first.keys("Enter")
    try room.first.waitFor("code 0")
  }
}

extension String {
  fileprivate func hasSuffixLine(_ line: String) -> Bool {
    split(separator: "\n").contains { $0 == line }
  }
}
