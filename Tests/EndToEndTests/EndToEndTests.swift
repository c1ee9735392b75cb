import Foundation
import PortolanTestSupport
import Testing

/// The program as a person meets it: in a terminal, with a keyboard.
@Suite(
  .serialized, .waiting,
  .enabled(if: TerminalSession.tmux != nil, "tmux is not installed: apt-get install tmux"))
struct EndToEndTests {
  /// The countries that the repository ships, copied so that nothing can be spoilt.
  private func countries(in session: TerminalSession) throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/portolan/Samples/ne_110m_countries.geojson")
    let copy = session.directory.appendingPathComponent("countries.geojson")
    try FileManager.default.copyItem(at: source, to: copy)
    return "countries.geojson"
  }

  /// Whether a screen shows a map: many cells of braille.
  private static func showsMap(_ screen: String) -> Bool {
    screen.unicodeScalars.count { (0x2801...0x28FF).contains($0.value) } > 100
  }

  @Test func `A drawn polygon and a changed attribute are there after saving and opening again`()
    throws
  {
    let session = try TerminalSession()
    try session.start(try countries(in: session))
    try session.waitUntil("the map shows", Self.showsMap)
    try session.waitFor("177 features")

    // Find a country, look at it, change its name in the attribute form.
    try session.type(":go name France")
    try session.keys("Enter")
    try session.waitFor("named “France”")
    try session.waitFor("sel 1")
    try session.keys("e")
    try session.waitFor("Attributes")
    try session.keys("j", "j", "Enter", "C-u")
    try session.type("Gallia")
    try session.keys("Enter")
    try session.waitFor("set name of 1 feature")
    try session.keys("Escape")
    try session.waitFor("NORMAL")

    // Draw a triangle, take it back, do it again.
    try session.type("_i llllllllll jjjj ")
    try session.waitFor("3 vertices")
    try session.keys("Enter")
    try session.waitFor("Polygon drawn")
    try session.waitFor("pg 178")
    try session.keys("u")
    try session.waitFor("pg 177")
    try session.keys("U")
    try session.waitFor("pg 178")

    // Quitting with unsaved work refuses; saving under a name does not.
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor(":q!")
    try session.type(":w world.doc")
    try session.keys("Enter")
    try session.waitUntil("the title loses its mark") {
      $0.contains("world.doc") && !$0.contains("[+]")
    }
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")

    try session.start("world.doc")
    try session.waitUntil("the map shows", Self.showsMap)
    try session.waitFor("178 features")
    try session.type(":go name Gallia")
    try session.keys("Enter")
    try session.waitFor("named “Gallia”")
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")
  }

  @Test func `An attribute is changed in a file of map data, and nothing else in it`() throws {
    let session = try TerminalSession()
    let name = try countries(in: session)
    let file = session.directory.appendingPathComponent(name)
    let former = try String(contentsOf: file, encoding: .utf8)
    try session.start(name)
    try session.waitUntil("the map shows", Self.showsMap)
    try session.type(":go name France")
    try session.keys("Enter")
    try session.waitFor("named “France”")
    try session.type(":set name=Gallia")
    try session.keys("Enter")
    try session.waitUntil("the title marks the edit") { $0.contains("countries.geojson [+]") }
    try session.keys("C-s")
    try session.waitFor("saved countries.geojson")
    try session.waitUntil("the title loses its mark") { !$0.contains("[+]") }
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")
    let saved = try String(contentsOf: file, encoding: .utf8)
    let (old, new) = ("\"name\":\"France\"", "\"name\":\"Gallia\"")
    #expect(former.components(separatedBy: old).count == 2)
    #expect(saved == former.replacing(old, with: new))
  }

  @Test func `A table sorts, edits and filters, and the prompt remembers it`() throws {
    let session = try TerminalSession()
    let name = try countries(in: session)
    try session.start(name)
    try session.waitUntil("the map shows", Self.showsMap)
    try session.keys("t")
    try session.waitFor("177 rows")
    try session.type(":table column name")
    try session.keys("Enter")
    try session.waitFor("name: text")
    try session.keys("s")
    try session.waitFor("name▲")
    try session.type("gg")
    try session.waitFor("Afghanistan")
    try session.keys("Enter")
    try session.waitFor("CELL")
    try session.keys("C-u")
    try session.type("Afg")
    try session.keys("Enter")
    try session.waitUntil("the title marks the edit") { $0.contains("countries.geojson [+]") }
    try session.type(":filter continent == 'As")
    try session.keys("Tab")
    try session.type("and pop_est > 1e9")
    try session.keys("Enter")
    try session.waitFor("2 of 177 shown")
    try session.keys("C-s")
    try session.waitFor("saved countries.geojson")
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")
    let saved = try String(
      contentsOf: session.directory.appendingPathComponent(name), encoding: .utf8)
    #expect(saved.contains("\"name\":\"Afg\"") && saved.contains("\"name\":\"Zambia\""))

    // Another session has the lines of the first one.
    try session.start(name)
    try session.waitUntil("the map shows", Self.showsMap)
    try session.type(":f")
    try session.keys("Up")
    try session.waitFor(":filter continent == 'Asia' and pop_est > 1e9")
    try session.keys("Escape")
    try session.waitUntil("the prompt is gone") { !$0.contains(":filter") }
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")
  }

  @Test(arguments: ["xterm-256color", "screen", "vt100"])
  func `The terminal is as before when the editor is stopped, continued, resized and ended`(
    terminal: String
  ) throws {
    let session = try TerminalSession(terminal: terminal)
    try session.run("stty -g > before; echo kept-$((40+2))")
    try session.waitFor("kept-42")
    try session.start(try countries(in: session))
    try session.waitFor("NORMAL")
    try session.keys("C-z")
    try session.waitUntil("the shell is back") { $0.contains("kept-42") || $0.contains("Stopped") }
    try session.run("fg")
    try session.waitFor("NORMAL")
    try session.resize(columns: 120, rows: 40)
    try session.waitUntil("the status line is on the new last row") {
      $0.split(separator: "\n", omittingEmptySubsequences: false)
        .dropFirst(38).contains { $0.contains("NORMAL") }
    }
    try session.resize(columns: 30, rows: 8)
    try session.waitFor("too small")
    try session.resize(columns: 80, rows: 24)
    try session.waitFor("NORMAL")
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")
    try session.run("stty -g > after; cmp before after && echo same-$((1+1))")
    try session.waitFor("same-2")
  }

  @Test(arguments: ["TERM", "INT", "HUP", "QUIT", "SEGV", "ABRT"])
  func `A signal ends the editor and gives the terminal back`(signal: String) throws {
    let session = try TerminalSession()
    try session.run("stty -g > before")
    try session.start(try countries(in: session))
    try session.waitFor("NORMAL")
    let pids = try processes(in: session)
    for pid in pids { kill(pid, Self.numbers[signal] ?? SIGTERM) }
    #expect(pids.count == 1)
    try session.waitFor("ready$")
    try session.run("stty -g > after; cmp before after && echo same-$((1+1))")
    try session.waitFor("same-2")
  }

  @Test func `An editor that is asked to end says that the edits are kept, and they are`() throws {
    let session = try TerminalSession(columns: 200)
    for (signal, layer) in [(SIGTERM, "first"), (SIGINT, "second")] {
      try session.start("")
      try session.waitFor(layer == "first" ? "NORMAL" : "Unsaved work")
      if layer == "second" {
        try session.keys("Escape")
        try session.waitFor("left for the next start")
      }
      try session.type(":new-layer \(layer)")
      try session.keys("Enter")
      try session.waitFor("autosaved")
      for pid in try processes(in: session) { kill(pid, signal) }
      try session.waitFor("portolan: your edits are kept: open the document again")
      try session.run("clear")
      try session.waitUntil("the screen is cleared") { !$0.contains("your edits") }
    }
    try session.start("recover")
    let told = try session.waitFor("--journal NAME")
    #expect(told.contains("this is untitled.2; 1 more"))
    try session.start("recover --discard")
    try session.waitFor("portolan: untitled: discarded 1 edit")
    // Without edits there is nothing to be said.
    try session.run("clear")
    try session.start(try countries(in: session))
    try session.waitFor("NORMAL")
    for pid in try processes(in: session) { kill(pid, SIGTERM) }
    let end = try session.waitFor("ready$")
    #expect(!end.contains("your edits"))
  }

  @Test func `Bad input gives one line and an exit code, not an editor`() throws {
    let session = try TerminalSession(columns: 100)
    try session.run("echo 'this is no map' > bad.geojson")
    try session.run("\(TerminalSession.program.path) info bad.geojson; echo code-$?")
    try session.waitFor("code-3")
    let screen = try session.screen()
    #expect(screen.contains("portolan: bad.geojson:"))
  }

  @Test func `Long work of a verb tells how far it is, and leaves no trace`() throws {
    let session = try TerminalSession()
    let file = try countries(in: session)
    try session.run(
      "(sleep 3; cat \(file)) | \(TerminalSession.program.path) info - > info.txt; echo done-$((1+1))"
    )
    try session.waitFor("reading standard input  1 s")
    try session.waitFor("done-2")
    #expect(try !session.screen().contains("reading standard input"))
    // Nothing of the kind goes anywhere but to a terminal.
    try session.run(
      "(sleep 1; cat \(file)) | \(TerminalSession.program.path) info - 2>&1 > /dev/null | wc -c")
    try session.waitUntil("nothing is told") { $0.contains("\n0") }
  }

  @Test func `In the editor bad input is a message`() throws {
    let session = try TerminalSession()
    try session.run("echo 'this is no map' > bad.geojson")
    try session.start(try countries(in: session))
    try session.waitFor("NORMAL")
    try session.type(":import bad.geojson")
    try session.keys("Enter")
    try session.waitFor("bad.geojson:")
    try session.waitFor("NORMAL")
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")
  }

  @Test func `Control characters of a file never act on the terminal`() throws {
    let session = try TerminalSession()
    let name = "\\u001b]0;stolen\\u0007\\u001b[2Jname\\u009b31m\\u202egnol"
    let text = """
      {"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"\(name)"},
      "geometry":{"type":"Point","coordinates":[0,0]}}]}
      """
    try text.write(
      to: session.directory.appendingPathComponent("odd.geojson"), atomically: true, encoding: .utf8
    )
    try session.start("odd.geojson")
    try session.waitFor("NORMAL")
    try session.type("]f")
    try session.keys("Enter")
    let screen = try session.waitFor("sel 1")
    #expect(screen.contains("␛"))
    #expect(screen.contains("NORMAL"))
    try session.type(":q")
    try session.keys("Enter")
    try session.waitFor("ready$")
    #expect(try session.title() != "stolen")
  }

  @Test(arguments: ["tmux-256color", "xterm-256color", "screen-256color"])
  func `Questions to tmux leave nothing on the screen or at the prompt`(
    type: String
  )
    throws
  {
    let session = try TerminalSession(terminal: type)
    let title = try session.title()
    for isAtOnce in [false, true, true] {
      try session.start("")
      if !isAtOnce { try session.waitFor("NORMAL") }
      try session.type(":q")
      try session.keys("Enter")
      let end = try session.waitUntil("the shell is back") { screen in
        screen.split(separator: "\n").last == "ready$"
      }
      // Replies would stand behind the prompt.
      #expect(!end.contains("NORMAL") && !end.contains("[?") && !end.contains("rgb:"))
      try session.run("clear")
      try session.waitUntil("the shell is fresh") {
        $0.trimmingCharacters(in: .whitespacesAndNewlines) == "ready$"
      }
    }
    #expect(try session.title() == title)
  }

  private static let numbers = [
    "TERM": SIGTERM, "INT": SIGINT, "HUP": SIGHUP, "QUIT": SIGQUIT, "SEGV": SIGSEGV,
    "ABRT": SIGABRT,
  ]

  /// The editors that run in a session: those whose working folder is the session's.
  private func processes(in session: TerminalSession) throws -> [pid_t] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      guard let pid = pid_t(name) else { return nil }
      let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")
      let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/exe")
      guard folder == session.directory.path, program?.hasSuffix("/portolan") == true else {
        return nil
      }
      return pid
    }
  }
}
