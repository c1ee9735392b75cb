import PortolanDocuments
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// What a client draws of its own keys before the host's picture comes.
@Suite struct LocalEchoTests {
  private static let size = CellSize(columns: 80, rows: 24)

  private static func frame(_ desk: Desk) -> Frame {
    var memory = RenderMemory()
    return desk.frame(size: size, memory: &memory) { _ in nil }
  }

  /// The last row of a frame, without the blanks at its end.
  private static func row(_ frame: Frame) -> String {
    let rows = frame.plainText().split(separator: "\n", omittingEmptySubsequences: false)
    guard rows.count >= size.rows else { return "" }
    return String(rows[size.rows - 1]).trimmingSuffix { $0 == " " }
  }

  private static let inLine: [Key] =
    "abc é国x:/1 ".map { Key(.character($0)) }
    + [Key(.left), Key(.left), Key(.right), Key(.home), Key(.end), Key(.backspace), Key(.delete)]
  private static let onMap: [Key] =
    LocalEcho.moves.map { Key($0.0) } + [Key(.character(":"))]

  /// The keys go to the host and into the echo together, and the host's picture comes later.
  @Test(arguments: Seeds.some(8))
  func `What is drawn here is what the host shows later`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var desk = Desk(document: .towns, screenSize: Self.size)
    let first = Self.frame(desk)
    var echo = LocalEcho()
    echo.take(EchoHint(field: desk.echoField), at: 0)
    var wasLine = false
    for number in 0..<60 {
      let keys = desk.prompt == nil ? Self.onMap : Self.inLine
      let key = keys[Int.random(in: 0..<keys.count, using: &random)]
      let before = desk
      _ = desk.handle(.terminal(.key(key)))
      if desk.viewpoint != before.viewpoint || (desk.prompt == nil) != (before.prompt == nil) {
        // The map has moved, or the line is closed: only the host knows that.
        if key != Key(.character(":")) { break }
      }
      wasLine = wasLine || desk.prompt != nil
      echo.note([.key(key)], at: 1)
      let (host, here) = (Self.frame(desk), echo.picture(on: first, at: 1.1))
      #expect(here.cursor?.column == host.cursor?.column, "key \(number) of seed \(seed)")
      #expect(here.cursor?.row == host.cursor?.row)
      if wasLine { #expect(Self.row(here) == Self.row(host)) }
    }
    // The host has taken all: its picture stands alone.
    echo.take(EchoHint(taken: 1_000, field: desk.echoField), at: 2)
    #expect(echo.picture(on: first, at: 3) == first)
    #expect(echo.dueSeconds(at: 3) == nil)
  }

  @Test func `A fast line is left to the host, a slow one is drawn at once and marked`() throws {
    var desk = Desk(document: .towns, screenSize: Self.size)
    desk.attempt(line: "prompt command")
    let first = Self.frame(desk)
    var echo = LocalEcho()
    let field = desk.echoField
    echo.take(EchoHint(field: field), at: 0)
    echo.note([.key(Key(.character("a")))], at: 1)
    #expect(echo.picture(on: first, at: 1.01) == first)
    #expect(Self.row(echo.picture(on: first, at: 1.02)) == ":a")
    #expect(Self.row(echo.picture(on: first, at: 1.3)).hasSuffix("pending"))
    // The answer after 0.3 seconds says how slow the line is.
    echo.take(EchoHint(taken: 1, field: field), at: 1.3)
    echo.note([.key(Key(.character("b"))), .key(Key(.enter)), .key(Key(.character("c")))], at: 2)
    #expect(Self.row(echo.picture(on: first, at: 2)) == ":b")
    #expect(echo.dueSeconds(at: 2) != nil)
  }

  @Test func `No word of a host makes a client draw outside of its frame`() throws {
    let frame = Frame(size: CellSize(columns: 20, rows: 5))
    let far = CellRect(column: 4_000, row: 4_000, columns: 4_000, rows: 4_000)
    let fields: [EchoHint.Field] = [
      .none, .line(far, text: "abc", cursor: 3), .map(far, row: far),
      .line(CellRect(column: 0, row: 0, columns: 0, rows: 0), text: "", cursor: 0),
      .line(CellRect(column: 19, row: 4, columns: 1, rows: 1), text: "ab", cursor: 1),
    ]
    for field in fields {
      let hint = EchoHint(taken: 7, field: field)
      #expect(try EchoHint(hint.bytes) == hint)
      var echo = LocalEcho()
      echo.take(hint, at: 0)
      echo.note([.key(Key(.character("l"))), .key(Key(.character(":"))), .paste("x\ny")], at: 1)
      _ = echo.picture(on: frame, at: 5)
      _ = echo.picture(on: Frame(size: CellSize(columns: 0, rows: 0)), at: 5)
    }
    #expect(throws: PackedBytesError.self) {
      try EchoHint(
        EchoHint(field: .line(far, text: String(repeating: "x", count: 5_000), cursor: 0)).bytes)
    }
  }

  @Test func `Combining characters, typed one by one, are told and read`() throws {
    var desk = Desk(document: .towns, screenSize: Self.size)
    desk.attempt(line: "prompt command")
    for character in ["e", "\u{301}", "\u{302}"] as [Character] {
      _ = desk.handle(.terminal(.key(Key(.character(character)))))
    }
    let hint = EchoHint(field: desk.echoField)
    guard case .line(let area, let text, let cursor) = try EchoHint(hint.bytes).field else {
      Issue.record("no line")
      return
    }
    #expect(text == "e\u{301}\u{302}" && cursor == 1)
    let far = EchoHint(field: .line(area, text: text, cursor: 3))
    #expect(try EchoHint(far.bytes) == EchoHint(field: .line(area, text: text, cursor: 1)))
  }

  /// A line to a host that never answers.
  private struct DeafLine: HostLine {
    func send(_ events: [TerminalEvent]) {}
    func noteShown() {}
    func close() {}
  }

  @Test func `A client shows its keys and that they wait, and then stands still`() throws {
    var desk = Desk(document: .towns, screenSize: Self.size)
    desk.attempt(line: "prompt command")
    let screen = try FakeScreen(keys: "ab")
    let box = ClientBox(waking: screen.waker)
    // The host has taken what the terminal told at first.
    let hint = EchoHint(taken: 2, field: desk.echoField)
    box.post(.change(FrameChange.bytes(from: nil, to: Self.frame(desk)), hint))
    var now = 0.0
    var loop = AttachLoop(screen: screen, line: DeafLine(), box: box) {
      now += 0.004
      return now
    }
    #expect(try loop.run() == AttachEnd(code: 0, text: ""))
    let rows = loop.screen.frames.map(Self.row)
    #expect(rows.first == ":")
    #expect(rows.contains(":ab"))
    #expect(rows.last?.hasPrefix(":ab") == true && rows.last?.hasSuffix("pending") == true)
    #expect(rows.count <= 4)
  }
}

extension String {
  fileprivate func trimmingSuffix(while holds: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, holds(last) { text.removeLast() }
    return text
  }
}
