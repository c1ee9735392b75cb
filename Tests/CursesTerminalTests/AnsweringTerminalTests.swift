import Foundation
import Glibc
import PortolanTestSupport
import Testing

@Suite("The real terminal, when it replies", .serialized, .waiting)
struct AnsweringTerminalTests {
  /// The program itself, built beside the tests.
  private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("portolan").path

  /// A terminal that can do everything, with a light background.
  static let full: [(question: String, reply: String)] = [
    ("\u{1B}[>q", "\u{1B}P>|kitty(0.26.5)\u{1B}\\"), ("\u{1B}[c", "\u{1B}[?62;c"),
    ("\u{1B}[?u", "\u{1B}[?0u"), ("\u{1B}[?2026$p", "\u{1B}[?2026;2$y"),
    ("\u{1B}]11;?\u{1B}\\", "\u{1B}]11;rgb:ffff/ffff/f0f0\u{1B}\\"),
    ("\u{1B}[?2031$p", "\u{1B}[?2031;2$y"),
    ("\u{1B}P$qm\u{1B}\\", "\u{1B}P1$r48:2:1:2:3m\u{1B}\\"),
  ]

  private static func terminal(
    _ arguments: [String] = [], environment: [String: String] = [:],
    without missing: String? = nil, replySeconds: Double = 0
  ) throws -> PseudoTerminal {
    let replies = full.filter { pair in missing.map { !pair.question.contains($0) } ?? true }
    return try PseudoTerminal(
      arguments, environment: environment, replies: replies, replySeconds: replySeconds)
  }

  @Test("is taken for what it is, and every reply is used")
  func learns() throws {
    let terminal = try Self.terminal()
    #expect(terminal.waitFor("learned"))
    #expect(terminal.waitFor("light"))
    #expect(terminal.text.contains("\u{1B}[>1u") && terminal.text.contains("\u{1B}[?2031h"))
    _ = terminal.listen(seconds: 0.2)
    #expect(terminal.text.contains("1=learned"))
    #expect(!terminal.text.contains("2="), "a reply is no key: \(terminal.text)")
    terminal.type("\u{1B}[27u")
    #expect(terminal.waitFor("=<esc>"))
    terminal.type("\u{1B}[105;5u")
    #expect(terminal.waitFor("=<c-i>"))
    terminal.type("\u{1B}[?997;1n")
    #expect(terminal.waitFor("dark"))
    terminal.type("\u{1B}[113u")
    #expect(terminal.waitForEnd() == 0)
    #expect(terminal.isGivenBack, "\(terminal.text)")
  }

  @Test("is given back on every end", arguments: ["q", "E", "X", "T", "A", "S"])
  func ends(key: String) throws {
    let terminal = try Self.terminal()
    #expect(terminal.waitFor("\u{1B}[>1u"))
    terminal.type(key)
    #expect(terminal.waitForEnd() != nil)
    #expect(terminal.text.contains("\u{1B}[?2031h"))
    #expect(terminal.isGivenBack, "\(terminal.text)")
  }

  @Test(
    "is given back on signals",
    arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE])
  func signals(signal: Int32) throws {
    let terminal = try Self.terminal()
    #expect(terminal.waitFor("\u{1B}[?2031h"))
    kill(terminal.process, signal)
    let status = try #require(terminal.waitForEnd())
    #expect(status & 0x7F == signal)
    #expect(terminal.text.contains("\u{1B}[<u"))
    #expect(terminal.isGivenBack, "\(terminal.text)")
  }

  @Test(
    "is given back on a stop and taken again after it",
    .enabled(if: access("/bin/bash", X_OK) == 0, "bash is not installed"))
  func suspends() throws {
    let script = "set -m; \"$0\"; echo \"STOPPED=$?\"; read x; fg >/dev/null; echo \"END=$?\""
    let terminal = try PseudoTerminal(
      ["-c", script, PseudoTerminal.probe], program: "/bin/bash", replies: Self.full)
    #expect(terminal.waitFor("\u{1B}[>1u"))
    terminal.type("\u{1B}[122;5u")
    #expect(terminal.waitFor("STOPPED=148"), "\(terminal.text)")
    #expect(terminal.isGivenBack)
    terminal.clear()
    terminal.type("\n")
    #expect(terminal.waitFor("\u{1B}[>1u"), "\(terminal.text)")
    terminal.type("q")
    #expect(terminal.waitFor("END=0"), "\(terminal.text)")
    #expect(terminal.isGivenBack)
  }

  @Test("pushes its keyboard modes once when it is only continued")
  func continued() throws {
    let terminal = try Self.terminal()
    #expect(terminal.waitFor("\u{1B}[>1u"))
    kill(terminal.process, SIGSTOP)
    _ = terminal.listen(seconds: 0.1)
    kill(terminal.process, SIGCONT)
    #expect(terminal.waitFor("resumed"))
    terminal.type("q")
    #expect(terminal.waitForEnd() == 0)
    #expect(terminal.text.ranges(of: "\u{1B}[>1u").count == 1)
    #expect(terminal.isGivenBack)
  }

  @Test(
    "leaves no reply to the shell, however it ends and however late they are",
    .enabled(if: access("/bin/bash", X_OK) == 0, "bash is not installed"),
    arguments: ["quit", "signal=\(SIGTERM)", "signal=\(SIGSEGV)", "signal=\(SIGTSTP)"])
  func leftReplies(way: String) throws {
    // The program ends, or stops, as soon as it has asked.
    let script =
      "set -m; \"$0\" \(way); read -t 0.5 -n 1 x; echo \"LEFT=[$x]\"; kill -9 %1 2>/dev/null"
    for seconds in [0, 0.04] {
      let terminal = try PseudoTerminal(
        ["-c", script, PseudoTerminal.probe], program: "/bin/bash", replies: Self.full,
        replySeconds: seconds)
      #expect(terminal.waitFor("LEFT="), "\(terminal.text)")
      #expect(terminal.waitFor("LEFT=[]", seconds: 1), "\(terminal.text)")
      #expect(terminal.isGivenBack)
    }
  }

  @Test("keeps what its description says where it replies no, or not at all")
  func outcomes() throws {
    for missing in ["?u", "2031", "11;", "$qm"] {
      let terminal = try Self.terminal(without: missing)
      #expect(terminal.waitFor("READY"))
      _ = terminal.listen(seconds: 0.3)
      #expect(terminal.text.contains("\u{1B}[>1u") == (missing != "?u"))
      #expect(terminal.text.contains("\u{1B}[?2031h") == (missing != "2031"))
      #expect(terminal.text.contains("light") == (missing != "11;"))
      terminal.type("q")
      #expect(terminal.waitForEnd() == 0)
      #expect(terminal.isGivenBack, "\(missing): \(terminal.text)")
    }
    let unsynchronised = try PseudoTerminal(
      replies: Self.full.map {
        ($0.question, $0.question.contains("2026") ? "\u{1B}[?2026;0$y" : $0.reply)
      })
    #expect(unsynchronised.waitFor("\u{1B}[>1u"))
    unsynchronised.clear()
    unsynchronised.type("k")
    #expect(unsynchronised.waitFor("=k"))
    #expect(!unsynchronised.text.contains("?2026"))
  }

  @Test("shows exact colours where it does, and the nearest of 256 elsewhere")
  func colours() throws {
    let exact = try Self.terminal()
    #expect(exact.waitFor("[38;2;250;3;3mred"), "\(exact.text)")
    exact.type("k")
    #expect(exact.waitFor("=k"))
    exact.clear()
    // The picture is whole again, and exact, after a stop of the screen's memory.
    exact.resize(columns: 70, rows: 20)
    #expect(exact.waitFor("[38;2;250;3;3mred"))
    #expect(!exact.text.contains("[38;5;"))
    _ = exact.listen(seconds: 0.1)
    kill(exact.process, SIGUSR1)
    #expect(exact.listen(seconds: 0.2).isEmpty)
    let tmux = try PseudoTerminal(
      replies: [("\u{1B}[>q", "\u{1B}P>|tmux 3.3a\u{1B}\\"), ("\u{1B}[c", "\u{1B}[?1;2c")])
    #expect(tmux.waitFor("[38;2;250;3;3mred"), "\(tmux.text)")
    for (arguments, environment, shown) in [
      (["256"], [:], "[38;5;196mred"), (["16"], [:], "[91mred"), (["never"], [:], "[0;1mred"),
      ([], ["NO_COLOR": "1"], "[0;1mred"), ([], ["PORTOLAN_ASK": "no"], "[38;5;196mred"),
    ] as [([String], [String: String], String)] {
      let terminal = try Self.terminal(arguments, environment: environment)
      #expect(terminal.waitFor(shown), "\(arguments) \(environment): \(terminal.text)")
      _ = terminal.listen(seconds: 0.1)
      #expect(!terminal.text.contains("38;2;250"))
    }
    let less = try Self.terminal(without: "$qm")
    #expect(less.waitFor("[38;5;196mred") && !less.text.contains("38;2;250"))
  }

  @Test("is asked nothing where that is switched off, or does harm")
  func unasked() throws {
    let cases: [([String], [String: String])] = [
      (["no-ask"], [:]), ([], ["PORTOLAN_ASK": "no"]), ([], ["TERM": "screen-256color"]),
      ([], ["TERM": "linux"]), ([], ["TERM": "vt100"]),
      ([], ["TERM_PROGRAM": "Apple_Terminal"]),
    ]
    for (arguments, environment) in cases {
      let terminal = try Self.terminal(arguments, environment: environment)
      #expect(terminal.waitFor("READY"))
      terminal.type("k")
      #expect(terminal.waitFor("1=k"))
      #expect(!terminal.text.contains("\u{1B}[>q") && !terminal.text.contains("\u{1B}[c"))
      terminal.type("q")
      #expect(terminal.waitForEnd() == 0)
    }
    let chosen = try Self.terminal(["dark"])
    #expect(chosen.waitFor("\u{1B}[>1u"))
    #expect(!chosen.text.contains("]11;") && !chosen.text.contains("2031"))
  }

  @Test("shows its first picture before the replies, and takes late ones for no keys")
  func late() throws {
    let terminal = try Self.terminal(replySeconds: 0.6)
    #expect(terminal.waitFor("READY", seconds: 0.55))
    #expect(terminal.waitFor("light"))
    let tooLate = try Self.terminal(replySeconds: 2.3)
    #expect(tooLate.waitFor("READY"))
    _ = tooLate.listen(seconds: 3)
    #expect(!tooLate.text.contains("1=") && !tooLate.text.contains("\u{1B}[>1u"))
  }

  private static let hasCairo =
    dlopen("libcairo.so.2", RTLD_NOW) != nil && dlopen("libpangocairo-1.0.so.0", RTLD_NOW) != nil

  /// The editor on a small map, in a terminal with kitty's pictures.
  private static func pictures(
    _ folder: URL, _ arguments: String = "", reply: String = "OK", cell: UInt16 = 8
  ) throws -> PseudoTerminal {
    let map = folder.appendingPathComponent("map.geojson").path
    try Data(
      """
      {"type":"Feature","properties":{"name":"Isle"},"geometry":{"type":"Polygon",
      "coordinates":[[[0,0],[8,1],[9,7],[3,9],[0,0]]]}}
      """.utf8
    ).write(to: URL(fileURLWithPath: map))
    let script =
      "set -m; \"$0\" \(arguments) \"$1\"; echo \"END=$?\"; read -t 0.3 -n 1 x; "
      + "echo \"LEFT=[$x]\"; read x; fg >/dev/null; echo \"AGAIN=$?\""
    return try PseudoTerminal(
      ["-c", script, Self.program, map], program: "/bin/bash",
      environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path],
      cell: (cell, 2 * cell),
      replies: full + [
        (
          "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\",
          "\u{1B}_Gi=31;\(reply)\u{1B}\\"
        )
      ])
  }

  @Test(
    "shows a map at rest as a picture, and has it removed on every way out",
    .enabled(if: hasCairo, "skipped: cairo or Pango is absent"),
    arguments: ["quit", "TERM", "HUP", "SEGV", "ABRT", "TSTP", "key"])
  func pictures(way: String) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let terminal = try Self.pictures(folder)
    let (shown, removed) = ("a=T,q=2,f=100,i=1349480001", "a=d,d=I,i=1349480001")
    #expect(terminal.waitFor(shown), "\(terminal.text)")
    // The map is at rest: nothing more is sent.
    _ = terminal.listen(seconds: 0.3)
    #expect(terminal.listen(seconds: 0.5).isEmpty)
    #expect(!terminal.isGivenBack && !terminal.text.contains(removed))
    let child = try #require(terminal.childProcess)
    switch way {
    case "key":
      // A moved map has dots again, and another picture when it rests.
      terminal.clear()
      terminal.type("+")
      #expect(terminal.waitFor(removed) && terminal.waitFor(shown), "\(terminal.text)")
      terminal.clear()
      terminal.type(":")
      #expect(terminal.waitFor(removed))
      _ = terminal.listen(seconds: 0.4)
      #expect(!terminal.text.contains(shown))
      terminal.type("q\r")
      #expect(terminal.waitFor("END=0"), "\(terminal.text)")
      return
    case "TERM": kill(child, SIGTERM)
    case "HUP": kill(child, SIGHUP)
    case "SEGV": kill(child, SIGSEGV)
    case "ABRT": kill(child, SIGABRT)
    case "TSTP":
      kill(child, SIGTSTP)
      #expect(terminal.waitFor("END=148") && terminal.waitFor("LEFT=[]"), "\(terminal.text)")
      #expect(terminal.text.contains(removed) && terminal.isGivenBack)
      terminal.clear()
      terminal.type("\n")
      #expect(terminal.waitFor(shown), "\(terminal.text)")
      terminal.type(":q\r")
      #expect(terminal.waitFor("AGAIN=0") && terminal.text.contains(removed), "\(terminal.text)")
      return
    default: terminal.type(":q\r")
    }
    #expect(terminal.waitFor("END=") && terminal.waitFor("LEFT=[]"), "\(terminal.text)")
    #expect(terminal.text.contains(removed) && terminal.isGivenBack, "\(terminal.text)")
  }

  @Test("has no pictures where it does not tell that it shows them, or they are switched off")
  func noPictures() throws {
    for (arguments, reply, cell) in [
      ("", "ENOTSUP:no", 8), ("--pictures off", "OK", 8), ("", "OK", 0), ("--no-ask", "OK", 8),
      ("--pictures on", "ENOTSUP:no", 8),
    ] as [(String, String, UInt16)] {
      let folder = try Self.folder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let terminal = try Self.pictures(folder, arguments, reply: reply, cell: cell)
      #expect(terminal.waitFor("NORMAL"))
      _ = terminal.listen(seconds: 0.6)
      #expect(!terminal.text.contains("a=T"), "\(arguments) \(reply)")
      terminal.type(":q\r")
      #expect(terminal.waitFor("LEFT=[]") && !terminal.text.contains("a=d"), "\(terminal.text)")
    }
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-replies-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test(
    "keeps the session when the end of a paste or a reply does not come",
    arguments: [
      "\u{1B}[200~abc", "\u{1B}[200~a\u{1B}[200~b\u{1B}[201", "\u{1B}]11;rgb:00", "\u{1B}P>|k",
    ])
  func cutInput(begin: String) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let terminal = try PseudoTerminal(
      program: Self.program, environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path],
      replies: Self.full)
    #expect(terminal.waitFor("NORMAL") && terminal.waitFor("\u{1B}[>1u"))
    terminal.type(begin)
    // Typed with short rests, and the last line behind a whole key that ends any other.
    let keys = (0..<14).map { _ in "l" } + [":", "q", "!", "\r"]
    for key in keys where terminal.waitForEnd(seconds: 0) == nil {
      _ = terminal.listen(seconds: 0.2)
      terminal.type(key)
    }
    #expect(terminal.waitForEnd(seconds: 10) == 0, "\(terminal.text)")
  }

  @Test("is used and given back by the editor itself", arguments: ["quit", "TERM", "SEGV"])
  func editor(way: String) throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let terminal = try PseudoTerminal(
      ["-c", "\"$0\"; read -t 0.3 -n 1 x; echo \"LEFT=[$x]\"", Self.program],
      program: "/bin/bash",
      environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path], replies: Self.full)
    #expect(terminal.waitFor("NORMAL") && terminal.waitFor("\u{1B}[>1u"))
    // The protocol's Esc ends the prompt; Ctrl-[ and Ctrl-I mean Esc and Tab.
    terminal.type(":abc")
    #expect(terminal.waitFor("abc"))
    terminal.type("\u{1B}[91;5u")
    _ = terminal.listen(seconds: 0.2)
    switch way {
    case "TERM": kill(try #require(terminal.childProcess), SIGTERM)
    case "SEGV": kill(try #require(terminal.childProcess), SIGSEGV)
    default: terminal.type(":q\r")
    }
    #expect(terminal.waitFor("LEFT="), "\(terminal.text)")
    #expect(terminal.text.contains("LEFT=[]") && terminal.isGivenBack, "\(terminal.text)")
  }
}
