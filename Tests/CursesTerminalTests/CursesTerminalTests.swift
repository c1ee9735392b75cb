import Foundation
import Glibc
import PortolanTestSupport
import Testing

@Suite("The real terminal", .serialized, .waiting)
struct CursesTerminalTests {
  /// Whether everything that was switched on is off again at the end of some output.
  private func isGivenBack(_ terminal: PseudoTerminal) -> Bool { terminal.isGivenBack }

  @Test(
    "is given back on quitting, throwing and exiting", arguments: [("q", 0), ("E", 1), ("X", 7)])
  func ends(key: String, code: Int32) throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    #expect(!terminal.isCooked)
    terminal.type(key)
    #expect(terminal.waitForEnd() == code << 8)
    #expect(isGivenBack(terminal), "\(terminal.text)")
  }

  @Test(
    "is given back on a trap, an abort and a stack overflow, with a word on the work",
    arguments: [("T", [SIGILL, SIGTRAP]), ("A", [SIGABRT]), ("S", [SIGSEGV, SIGBUS])])
  func crashes(key: String, signals: [Int32]) throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    terminal.type(key)
    let status = try #require(terminal.waitForEnd())
    #expect(signals.contains(status & 0x7F), "status \(status)")
    #expect(isGivenBack(terminal), "\(terminal.text)")
    #expect(terminal.text.hasSuffix("probe: your work is in /somewhere\r\n"))
  }

  @Test(
    "is given back on signals, which stay the cause of the end",
    arguments: [
      SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGXCPU,
      SIGSYS,
    ])
  func signals(signal: Int32) throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    kill(terminal.process, signal)
    let status = try #require(terminal.waitForEnd())
    #expect(status & 0x7F == signal)
    #expect(isGivenBack(terminal), "\(terminal.text)")
  }

  @Test("is given back by a second request when the program hangs")
  func hanging() throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    terminal.type("B")
    _ = terminal.listen(seconds: 0.1)
    kill(terminal.process, SIGTERM)
    #expect(terminal.waitForEnd(seconds: 0.2) == nil)
    kill(terminal.process, SIGTERM)
    let status = try #require(terminal.waitForEnd())
    #expect(status & 0x7F == SIGTERM)
    #expect(isGivenBack(terminal), "\(terminal.text)")
  }

  @Test(
    "goes through signals that mean nothing to it", arguments: [SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM])
  func meaninglessSignals(signal: Int32) throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    kill(terminal.process, signal)
    terminal.type("k")
    #expect(terminal.waitFor("1=k"))
  }

  @Test("ends within a second when the terminal is gone")
  func hangUp() throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    terminal.hangUp()
    #expect(terminal.waitForEnd(seconds: 3) != nil)
  }

  @Test("delivers keys, mouse and paste, however they are cut")
  func keys() throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    for (bytes, event) in [
      ("é", "1=é"), ("\u{1B}[A", "2=<up>"), ("\u{1B}OP", "3=<f1>"), ("\u{13}", "4=<c-s>"),
      ("\u{11}", "5=<c-q>"), ("\u{3}", "6=<c-c>"), ("\u{1B}", "7=<esc>"), ("\r", "8=<ret>"),
      ("\u{1B}[<0;3;4M", "9=press 1 2,3 0"), ("\u{1B}[200~a b\u{1B}[201~", "10=paste[a b]"),
    ] {
      for byte in bytes.utf8 { terminal.type([byte]) }
      #expect(terminal.waitFor(event), "\(event) in \(terminal.text)")
    }
  }

  @Test("tells its size, again and again, and survives silly ones")
  func resizes() throws {
    let terminal = try PseudoTerminal(columns: 90, rows: 30)
    #expect(terminal.waitFor("READY"))
    for (columns, rows) in [(1, 1), (3, 2), (500, 3), (2, 200), (0, 0)] as [(UInt16, UInt16)] {
      terminal.resize(columns: columns, rows: rows)
      _ = terminal.listen(seconds: 0.03)
    }
    for number in 0..<200 as Range<UInt16> {
      terminal.resize(columns: 20 + number % 90, rows: 5 + number % 40)
    }
    terminal.resize(columns: 77, rows: 21)
    #expect(terminal.waitFor("resize 77x21"), "\(terminal.text)")
  }

  @Test("is woken by another thread")
  func wakes() throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    terminal.type("W")
    #expect(terminal.waitFor("(woken)"))
  }

  @Test("sends nothing for a picture that is already shown")
  func idle() throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    _ = terminal.listen(seconds: 0.1)
    kill(terminal.process, SIGUSR1)
    #expect(terminal.listen(seconds: 0.2).isEmpty)
  }

  @Test("lets no control of a text through")
  func controls() throws {
    let terminal = try PseudoTerminal()
    #expect(terminal.waitFor("READY"))
    #expect(terminal.waitFor("evil␛]0;x␇\u{FFFD}2J\u{FFFD}\u{FFFD}"))
    #expect(!terminal.text.contains("\u{1B}]"))
    #expect(!terminal.text.unicodeScalars.contains { (0x7F..<0xA0).contains($0.value) })
  }

  @Test("takes colours from the terminal, the environment and the option, in the right order")
  func colours() throws {
    let cases: [([String], [String: String], String)] = [
      ([], [:], "[38;5;196mred"), (["16"], [:], "[91mred"), (["never"], [:], "[0;1mred"),
      ([], ["NO_COLOR": "1"], "[0;1mred"), (["256"], ["NO_COLOR": "1"], "[38;5;196mred"),
      ([], ["TERM": "xterm-direct"], "250:3:3mred"), (["24bit"], [:], "250:3:3mred"),
      ([], ["TERM": "vt100"], "red"), ([], ["TERM": "screen"], "[31mred"),
    ]
    // The description of such a terminal is in the package ncurses-term.
    let hasDirect = ["/usr/share/terminfo", "/lib/terminfo", "/etc/terminfo"].contains {
      access($0 + "/x/xterm-direct", R_OK) == 0
    }
    for (arguments, environment, shown) in cases {
      if shown == "250:3:3mred", !hasDirect { continue }
      let terminal = try PseudoTerminal(arguments, environment: environment)
      #expect(terminal.waitFor(shown), "\(arguments) \(environment): \(terminal.text)")
    }
  }

  @Test("uses ASCII where the locale is not UTF-8, and UTF-8 where the language is not installed")
  func locales() throws {
    for locale in ["C", "POSIX", "en_US.ISO-8859-1"] {
      let terminal = try PseudoTerminal(environment: ["LC_ALL": locale])
      #expect(terminal.waitFor("red #"))
      #expect(terminal.output.allSatisfy { $0 < 0x80 }, "\(terminal.text)")
    }
    let terminal = try PseudoTerminal(environment: ["LC_ALL": "xx_YY.UTF-8"])
    #expect(terminal.waitFor("red ⣿東京│SE"))
  }

  /// Locales as environments; an eight-bit one is made where the tools for it are installed.
  private static let typingLocales: [[String: String]] = {
    var locales = [["LC_ALL": ""], ["LANG": "C"], ["LANG": "POSIX"], ["LC_ALL": "C.UTF-8"]]
      .map { $0["LC_ALL"] == nil ? $0.merging(["LC_ALL": ""]) { a, _ in a } : $0 }
    if let folder = eightBitLocales {
      for name in ["en_US.ISO-8859-1", "pl_PL.ISO-8859-2"] {
        locales.append(["LC_ALL": name, "LOCPATH": folder])
      }
    }
    return locales
  }()

  /// A folder with locales of eight-bit sets, kept from run to run; `nil` where none can be made.
  private static let eightBitLocales: String? = {
    guard access("/usr/bin/localedef", X_OK) == 0 else { return nil }
    let files = FileManager.default
    let kept = files.temporaryDirectory.appendingPathComponent("portolan-test-locales")
    if files.fileExists(atPath: kept.path) { return kept.path }
    let folder = kept.appendingPathExtension("\(getpid())")
    try? files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    for (name, source) in [("en_US.ISO-8859-1", "en_US"), ("pl_PL.ISO-8859-2", "pl_PL")] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/localedef")
      let set = String(name.dropFirst(6))
      process.arguments = ["-c", "-i", source, "-f", set, folder.path + "/" + name]
      process.standardError = FileHandle.nullDevice
      try? process.run()
      process.waitUntilExit()
      guard access(folder.path + "/" + name + "/LC_CTYPE", R_OK) == 0 else { return nil }
    }
    // Another run may have been quicker.
    try? files.moveItem(at: folder, to: kept)
    return files.fileExists(atPath: kept.path) ? kept.path : nil
  }()

  /// Types bytes and a paste into the probe, each ended by Enter; what arrived, line by line.
  private func arrivals(_ lines: [[UInt8]], _ environment: [String: String]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-typed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let terminal = try PseudoTerminal(["typed=\(file.path)"], environment: environment)
    #expect(terminal.waitFor("READY"))
    var arrived: [String] = []
    for (index, line) in lines.enumerated() {
      terminal.type(line + [0x0D])
      for _ in 0..<200 where arrived.count <= index + 1 {
        _ = terminal.listen(seconds: 0.02)
        let bytes = (try? Data(contentsOf: file)) ?? Data()
        arrived = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
      }
    }
    if environment["LC_ALL"] != "C.UTF-8" {
      #expect(terminal.output.allSatisfy { $0 < 0x80 })
    }
    return arrived.dropLast()
  }

  @Test("takes typed and pasted text as it is in any locale", arguments: typingLocales)
  func typing(locale: [String: String]) throws {
    var generator = SeededText(seed: 7)
    var texts = ["Zürich", "日本", "Ã¼", "naïve — 東京 😀", "e\u{301}"]
    for _ in 0..<12 { texts.append(generator.text()) }
    var lines = texts.map { Array($0.utf8) }
    for text in texts {
      lines.append(Array(("\u{1B}[200~" + text + "\u{1B}[201~").utf8))
    }
    let arrived = try arrivals(lines, locale)
    #expect(arrived.map { Array($0.utf8) } == (texts + texts).map { Array($0.utf8) }, "seed 7")
  }

  @Test(
    "takes bytes that are no UTF-8 by the locale's own set",
    .enabled(if: eightBitLocales != nil, "localedef and the character maps are not installed"))
  func eightBitTyping() throws {
    for (name, text) in [("en_US.ISO-8859-1", "Zürich³"), ("pl_PL.ISO-8859-2", "Zürichł")] {
      let environment = ["LC_ALL": name, "LOCPATH": Self.eightBitLocales ?? ""]
      let bytes = Array("Z".utf8) + [0xFC] + Array("rich".utf8) + [0xB3]
      #expect(try arrivals([bytes], environment) == [text])
    }
  }

  @Test(
    "refuses what is no usable terminal, with a message and no escapes",
    arguments: ["", "dumb", "no-such-terminal"])
  func refusals(type: String) throws {
    let terminal = try PseudoTerminal(environment: ["TERM": type])
    #expect(terminal.waitForEnd() == 2 << 8)
    #expect(terminal.text.contains("TERM"))
    #expect(!terminal.output.contains(0x1B))
    #expect(terminal.isCooked)
  }

  @Test("runs on simple terminals without private modes", arguments: ["vt100", "vt52", "linux"])
  func simple(type: String) throws {
    let terminal = try PseudoTerminal(environment: ["TERM": type])
    #expect(terminal.waitFor("READY"))
    if type != "linux" { #expect(!terminal.text.contains("?2004h")) }
    terminal.type("q")
    #expect(terminal.waitForEnd() == 0)
    #expect(terminal.isCooked)
  }

  @Test("refuses when standard output is no terminal")
  func noTerminal() throws {
    let script = "\"$0\" </dev/null | cat; \"$0\" </dev/null >/dev/null; echo code $?"
    let terminal = try PseudoTerminal(["-c", script, PseudoTerminal.probe], program: "/bin/sh")
    #expect(terminal.waitFor("code 2"))
    #expect(!terminal.output.contains(0x1B))
    #expect(terminal.text.contains("standard output is not a terminal"))
  }

  @Test("leaves no descriptor open when a start fails, whichever it lacks")
  func starving() throws {
    let terminal = try PseudoTerminal(["starve"])
    #expect(terminal.waitForEnd() == 0)
    let told = terminal.text
    #expect(told.contains("times, left []") && !told.contains("starved 0"), "\(told)")
  }

  @Test("takes keys from the terminal when documents come on standard input")
  func pipedInput() throws {
    let terminal = try PseudoTerminal(
      ["-c", "echo data | \"$0\"", PseudoTerminal.probe], program: "/bin/sh")
    #expect(terminal.waitFor("READY"))
    terminal.type("k")
    #expect(terminal.waitFor("1=k"))
    terminal.type("q")
    #expect(terminal.waitForEnd() == 0)
  }

  @Test(
    "stops and continues with its shell, cooked in between, at the new size",
    .enabled(if: access("/bin/bash", X_OK) == 0, "bash is not installed"))
  func suspends() throws {
    for key in ["\u{1A}", "outside"] {
      let script = "set -m; \"$0\"; echo \"STOPPED=$?\"; read x; fg >/dev/null; echo \"END=$?\""
      let terminal = try PseudoTerminal(
        ["-c", script, PseudoTerminal.probe], program: "/bin/bash")
      #expect(terminal.waitFor("READY"))
      if key == "outside" {
        kill(try #require(terminal.childProcess), SIGTSTP)
      } else {
        terminal.type(key)
      }
      #expect(terminal.waitFor("STOPPED=148"), "\(terminal.text)")
      #expect(isGivenBack(terminal))
      terminal.clear()
      terminal.resize(columns: 70, rows: 20)
      terminal.type("\n")
      #expect(terminal.waitFor("?1049h"))
      terminal.type("k")
      #expect(terminal.waitFor("=k"), "\(terminal.text)")
      terminal.type("q")
      #expect(terminal.waitFor("END=0"), "\(terminal.text)")
      #expect(isGivenBack(terminal))
    }
  }
}

/// Texts that look random and are the same every time: printable characters of many scripts.
struct SeededText {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func number(_ count: UInt32) -> UInt32 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: state >> 33) % count
  }

  mutating func text() -> String {
    var text = String.UnicodeScalarView()
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0xA0...0x24F, 0x370...0x3FF, 0x400...0x4FF, 0x5D0...0x5EA, 0x3041...0x3096,
      0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1F64F, 0x20000...0x2A6DF,
    ]
    for _ in 0..<(1 + number(20)) {
      let range = ranges[Int(number(UInt32(ranges.count)))]
      let value = range.lowerBound + number(UInt32(range.count))
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }
}
