import PortolanTerminals
import PortolanTestSupport
import Testing

@Suite struct TerminalReplyTests {
  private static let black = TerminalColour(red: 0, green: 0, blue: 0)

  /// Replies as terminals send them, and what they say.
  static let replies: [(bytes: String, reply: TerminalReply?)] = [
    ("\u{1B}[?62;c", .attributes), ("\u{1B}[?1;2c", .attributes),
    ("\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c", .attributes),
    ("\u{1B}P>|kitty(0.26.5)\u{1B}\\", .version("kitty(0.26.5)")),
    ("\u{1B}P>|tmux 3.3a\u{1B}\\", .version("tmux 3.3a")),
    ("\u{1B}[?0u", .keyboard), ("\u{1B}[?2026;2$y", .mode(2026, isSettable: true)),
    ("\u{1B}[?2026;0$y", .mode(2026, isSettable: false)),
    ("\u{1B}[?2031;4$y", .mode(2031, isSettable: false)),
    ("\u{1B}[?997;1n", .scheme(.dark)), ("\u{1B}[?997;2n", .scheme(.light)),
    ("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", .background(black)),
    (
      "\u{1B}]11;rgb:ffff/8080/00\u{7}",
      .background(TerminalColour(red: 255, green: 128, blue: 0))
    ),
    ("\u{1B}]11;rgba:1/2/3/f\u{7}", .background(TerminalColour(red: 17, green: 34, blue: 51))),
    ("\u{1B}]11;#102030\u{7}", .background(TerminalColour(red: 16, green: 32, blue: 48))),
    ("\u{1B}P1$r0;48:2:1:2:3m\u{1B}\\", .rendition("0;48:2:1:2:3")),
    // Nothing that we asked for, or broken.
    ("\u{1B}P0$r\u{1B}\\", nil), ("\u{1B}[?997;3n", nil), ("\u{1B}[?2026$y", nil),
    ("\u{1B}[?;99999999999999999999$y", nil), ("\u{1B}[>1;10;0c", nil),
    ("\u{1B}]11;rgb:0/0\u{7}", nil), ("\u{1B}]11;rgb:00000/0/0\u{7}", nil),
    ("\u{1B}]11;rgb:+1/-1/0\u{7}", nil), ("\u{1B}]10;rgb:0/0/0\u{7}", nil),
    ("\u{1B}]52;c;ZGVsZXRl\u{7}", nil), ("\u{1B}_Gi=32;OK\u{1B}\\", nil),
    ("\u{1B}_Gi=31;OK\u{1B}\\", .pictures(areShown: true)),
    ("\u{1B}_Gi=31;ENOTSUP:no pictures, :q!\u{1B}\\", .pictures(areShown: false)),
    ("\u{1B}_Gi=31\u{1B}\\", nil), ("\u{1B}_Hi=31;OK\u{1B}\\", nil),
    ("\u{1B}P>|a\u{2}b\u{1B}\\", nil), ("\u{1B}]11;:q!\r\u{7}", nil),
  ]

  /// Events, as text, and replies of some bytes that come in pieces, each after a time.
  private static func decode(
    _ pieces: [(bytes: ArraySlice<UInt8>, gap: Double)], _ expectation: InputDecoder.Expectation
  ) -> (events: [TerminalEvent], replies: [TerminalReply]) {
    var decoder = InputDecoder()
    decoder.expectation = expectation
    var events: [TerminalEvent] = []
    var replies: [TerminalReply] = []
    func take() {
      while let event = decoder.next() { events.append(event) }
      replies += decoder.takeReplies()
    }
    var time = 0.0
    for (bytes, gap) in pieces {
      decoder.feed(bytes, at: time)
      take()
      var rest = gap
      while let patience = decoder.patienceSeconds, patience <= rest {
        rest -= patience
        if let event = decoder.giveUp() { events.append(event) }
        take()
      }
      time += gap
    }
    return (events, replies)
  }

  @Test(arguments: [InputDecoder.Expectation.nothing, .reply, .lateReply])
  func `A reply is never a key, whole or byte by byte`(expectation: InputDecoder.Expectation) {
    for (text, reply) in Self.replies {
      let bytes = Array(text.utf8)
      let whole = Self.decode([(bytes[...], 1)], expectation)
      let single = Self.decode(
        bytes.indices.map { (bytes[$0...$0], $0 == bytes.count - 1 ? 1 : 0.001) }, expectation)
      for result in [whole, single] {
        #expect(result.events.isEmpty, "\(text.debugDescription)")
        #expect(result.replies == (reply.map { [$0] } ?? []), "\(text.debugDescription)")
      }
    }
  }

  @Test(arguments: [InputDecoder.Expectation.reply, .lateReply])
  func `A reply that is cut anywhere and goes on a second later is no key`(
    expectation: InputDecoder.Expectation
  ) {
    for (text, reply) in Self.replies where reply != nil {
      let bytes = Array(text.utf8)
      for cut in 1..<bytes.count {
        let result = Self.decode([(bytes[..<cut], 1), (bytes[cut...], 1)], expectation)
        // Nobody can tell the first byte alone from the key Esc, nor two of them from one with Alt.
        let allowed =
          cut == 1
          ? [Key(.escape)]
          : cut == 2 && expectation == .lateReply
            ? [Key(.character(Character(Unicode.Scalar(bytes[1]))), .alt)] : []
        #expect(result.events == allowed.map { .key($0) }, "\(text.debugDescription) at \(cut)")
        #expect(result.replies == [reply], "\(text.debugDescription) at \(cut)")
      }
    }
  }

  @Test func `A user who types the beginning of a reply has the keys`() {
    let expected: [TerminalEvent] = [.key(Key(.escape)), .key(Key(.character(":")))]
    #expect(
      Self.decode([([0x1B], 0.05), ([0x3A], 1)], .lateReply).events == expected)
    let keys = Self.decode(
      [(Array("\u{1B}]".utf8)[...], 1), (Array("x1".utf8)[...], 1)], .lateReply)
    #expect(
      keys.events == [
        .key(Key(.character("]"), .alt)), .key(Key(.character("x"))), .key(Key(.character("1"))),
      ])
  }

  @Test(arguments: Seeds.some(60))
  func `Keys and replies, interleaved and cut at random, are told apart`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let keys: [(String, Key)] = [
      ("j", Key(.character("j"))), (":", Key(.character(":"))), ("\r", Key(.enter)),
      ("\u{1B}[A", Key(.up)), ("\u{1B}[1;5C", Key(.right, .control)),
      ("\u{1B}OP", Key(.function(1))),
      ("é", Key(.character("é"))), ("\u{1B}[27u", Key(.escape)),
      ("\u{1B}x", Key(.character("x"), .alt)),
      ("\u{1B}[105;5u", Key(.character("i"), .control)), ("\t", Key(.tab)),
    ]
    for _ in 0..<12 {
      var bytes: [UInt8] = []
      var expectedKeys: [TerminalEvent] = []
      var expectedReplies: [TerminalReply] = []
      for _ in 0..<Int.random(in: 1...14, using: &random) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          let (text, key) = keys[Int.random(in: 0..<keys.count, using: &random)]
          bytes += Array(text.utf8)
          expectedKeys.append(.key(key))
        case 2, 3:
          let (text, reply) = Self.replies[Int.random(in: 0..<Self.replies.count, using: &random)]
          bytes += Array(text.utf8)
          if let reply { expectedReplies.append(reply) }
        default:
          bytes += Self.hostile(&random)
        }
      }
      var pieces: [(ArraySlice<UInt8>, Double)] = []
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...9, using: &random))
        pieces.append((bytes[start..<end], end == bytes.count ? 1 : 0.02))
        start = end
      }
      let result = Self.decode(pieces, .reply)
      #expect(result.events == expectedKeys, "seed \(seed)")
      #expect(result.replies == expectedReplies, "seed \(seed)")
    }
  }

  /// A string of any length with printable text and line ends that look like commands, or a control
  /// sequence with far too many parameters.
  private static func hostile(_ random: inout SeededGenerator) -> [UInt8] {
    let length = Int.random(in: 0...6000, using: &random)
    if Bool.random(using: &random) {
      let digits = (0..<length).map { _ in UInt8.random(in: 0x30...0x3B, using: &random) }
      return Array("\u{1B}[?".utf8) + digits + [UInt8(ascii: "q")]
    }
    let text = (0..<length).map { index in
      index % 7 == 6 ? 0x0D : UInt8.random(in: 0x20...0x7E, using: &random)
    }
    let introducer = ["\u{1B}]", "\u{1B}P", "\u{1B}_"].randomElement(using: &random) ?? ""
    let end = Bool.random(using: &random) ? "\u{1B}\\" : "\u{7}"
    return Array(introducer.utf8) + text.filter { $0 != 0x5C } + Array(end.utf8)
  }

  @Test func `Replies without end keep a bounded number of bytes, and Esc is the way out`() {
    var decoder = InputDecoder()
    decoder.expectation = .lateReply
    decoder.feed(Array("\u{1B}]11;".utf8), at: 0)
    for _ in 0..<2000 {
      decoder.feed([UInt8](repeating: 0x61, count: 500), at: 0)
      #expect(decoder.next() == nil)
    }
    #expect(decoder.takeReplies().isEmpty)
    decoder.feed(Array("\u{1B}[Bj".utf8), at: 9)
    #expect(decoder.next() == .key(Key(.down)))
    #expect(decoder.next() == .key(Key(.character("j"))))
    for _ in 0..<100 { decoder.feed(Array("\u{1B}[?62c".utf8), at: 10) }
    #expect(decoder.next() == nil)
    #expect(decoder.takeReplies().count == 16)
  }

  @Test func `A key that only the protocol tells apart has a plain meaning`() {
    let pairs: [(String, String?)] = [
      ("<c-[>", "<esc>"), ("<c-i>", "<tab>"), ("<c-m>", "<ret>"), ("<c-j>", "<ret>"),
      ("<c-h>", "<backspace>"), ("<s-ret>", "<ret>"), ("<c-tab>", "<tab>"), ("<a-c-i>", "<a-tab>"),
      ("<c-/>", "<c-_>"), ("<c-2>", "<c-space>"), ("<s-space>", "<space>"), ("<c-a>", nil),
      ("<s-tab>", nil), ("<c-space>", nil), ("<esc>", nil), ("i", nil), ("<a-i>", nil),
    ]
    for (key, plain) in pairs {
      let found = KeyNotation.key(key)?.plain
      #expect(found == plain.flatMap { KeyNotation.key($0) }, "\(key)")
    }
  }

  @Test func `The protocol's own numbers are keys or nothing, never text`() {
    for (code, key) in [
      (57_399, "0"), (57_408, "9"), (57_414, "<ret>"), (57_413, "+"), (57_419, "<up>"),
      (57_426, "<del>"), (57_376, "<f13>"), (57_398, "<f35>"),
    ] {
      let bytes = Array("\u{1B}[\(code)u".utf8)
      #expect(
        Self.decode([(bytes[...], 1)], .nothing).events
          == KeyNotation.key(key).map { [.key($0)] }, "\(code)")
    }
    for code in [57_344, 57_358, 57_363, 57_427, 57_428, 57_441, 60_000, 63_743] {
      let bytes = Array("\u{1B}[\(code);5u".utf8)
      #expect(Self.decode([(bytes[...], 1)], .nothing).events.isEmpty, "\(code)")
    }
  }
}
