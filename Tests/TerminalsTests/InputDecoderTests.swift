import PortolanTerminals
import Testing

/// Every event of some bytes, as text, each byte in a read of its own where asked.
private func events(_ text: String, byteWise: Bool = false, gap: Double = 0.001) -> [String] {
  events(Array(text.utf8), byteWise: byteWise, gap: gap)
}

private func events(
  _ bytes: [UInt8], byteWise: Bool = false, gap: Double = 0.001,
  encoding: InputDecoder.Encoding = .utf8, own: [[UInt8]: Key] = [:]
) -> [String] {
  var decoder = InputDecoder(encoding: encoding, ownSequences: own)
  var shown: [String] = []
  var time = 0.0
  for part in byteWise ? bytes.map({ [$0] }) : [bytes] {
    decoder.feed(part, at: time)
    while let event = decoder.next() { shown.append(show(event)) }
    while let patience = decoder.patienceSeconds, patience <= gap {
      if let event = decoder.giveUp() { shown.append(show(event)) }
    }
    time += gap
  }
  while decoder.patienceSeconds != nil {
    if let event = decoder.giveUp() { shown.append(show(event)) }
  }
  return shown
}

private func show(_ event: TerminalEvent) -> String {
  switch event {
  case .key(let key): KeyNotation.text(key)
  case .mouse(let mouse):
    "\(mouse.action) \(mouse.button) \(mouse.column),\(mouse.row) \(mouse.modifiers.rawValue)"
  case .paste(let text): "[\(text)]"
  default: "?"
  }
}

@Suite("Decoding terminal input")
struct InputDecoderTests {
  static let keys: [(String, [String])] = [
    ("aZ é東", ["a", "Z", "<space>", "é", "東"]),
    ("\r\n\t\u{7F}\u{8}", ["<ret>", "<ret>", "<tab>", "<backspace>", "<backspace>"]),
    ("\u{1}\u{13}\u{1A}\u{0}", ["<c-a>", "<c-s>", "<c-z>", "<c-space>"]),
    ("\u{1B}[A\u{1B}OB\u{1B}[1;2C\u{1B}[1;5D", ["<up>", "<down>", "<s-right>", "<c-left>"]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{1B}[2~", ["<pageup>", "<pagedown>", "<del>", "<ins>"]),
    ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[8~", ["<home>", "<end>", "<home>", "<end>"]),
    ("\u{1B}OP\u{1B}[15~\u{1B}[24~\u{1B}[[B", ["<f1>", "<f5>", "<f12>", "<f2>"]),
    ("\u{1B}[17;2~\u{1B}[1;3P", ["<s-f6>", "<a-f1>"]),
    ("\u{1B}[Z\u{1B}x\u{1B}é\u{1B}\r", ["<s-tab>", "<a-x>", "<a-é>", "<a-ret>"]),
    ("\u{1B}", ["<esc>"]), ("\u{1B}\u{1B}", ["<esc>", "<esc>"]),
    ("\u{1B}[27;5;9~\u{1B}[97;5u", ["<c-tab>", "<c-a>"]),
    ("\u{1B}[", ["<a-[>"]), ("\u{1B}O", ["<a-O>"]),
    ("\u{1B}]11;rgb:0/0/0\u{7}x\u{1B}P1$r\u{1B}\\y", ["x", "y"]),
    ("\u{1B}[?62;c\u{1B}[24;80Rz\u{1B}[I", ["z"]),
    ("\u{1B}[<0;1;1M\u{1B}[<0;1;1m", ["press 1 0,0 0", "release 1 0,0 0"]),
    ("\u{1B}[<34;5;6M\u{1B}[<65;2;3M", ["drag 3 4,5 0", "wheelDown 0 1,2 0"]),
    ("\u{1B}[<20;9;9M", ["press 1 8,8 3"]),
    ("\u{1B}[M !!", ["press 1 0,0 0"]),
    ("\u{1B}[200~a\u{1B}[Ab\r\nc\u{1B}[201~d", ["[a\u{1B}[Ab\nc]", "d"]),
    ("\u{1B}[200~a\u{1B}[201\u{1B}[201~", ["[a\u{1B}[201]"]),
  ]

  @Test("reads keys, mouse and paste", arguments: keys)
  func reads(input: String, expected: [String]) {
    #expect(events(input) == expected)
  }

  @Test("reads the same when every byte comes alone", arguments: keys)
  func readsByteWise(input: String, expected: [String]) {
    #expect(events(input, byteWise: true) == expected)
  }

  @Test("waits for the rest of a sequence and a character, not for that of Esc")
  func patience() {
    #expect(events("\u{1B}[1;2A東", byteWise: true, gap: 0.02) == ["<s-up>", "東"])
    var decoder = InputDecoder()
    decoder.feed([0x1B], at: 0)
    #expect(decoder.next() == nil)
    #expect(decoder.patienceSeconds == InputDecoder.escapeSeconds)
    decoder.feed([0x5B], at: 0.01)
    #expect(decoder.patienceSeconds == InputDecoder.sequenceSeconds)
  }

  @Test("makes a double click of two presses in one cell")
  func doubleClick() {
    var decoder = InputDecoder()
    let press = Array("\u{1B}[<0;4;4M".utf8)
    var actions: [MouseEvent.Action] = []
    for time in [0.0, 0.2, 0.3, 1.0] {
      decoder.feed(press, at: time)
      if case .mouse(let mouse) = decoder.next() { actions.append(mouse.action) }
    }
    #expect(actions == [.press, .doubleClick, .press, .press])
  }

  @Test("gives nothing for broken bytes and goes on after them")
  func broken() {
    #expect(
      events([0xFF, 0x61, 0xC3, 0x62, 0xED, 0xA0, 0x80, 0x63, 0xC2, 0x85]) == ["a", "b", "c"])
    #expect(events([0xE6, 0x9D]).isEmpty)
  }

  @Test("reads Latin-1 where the locale is not UTF-8")
  func latin1() {
    #expect(events([0xE9, 0x1B, 0xE4, 0x85], encoding: .latin1) == ["é", "<a-ä>"])
  }

  @Test("reads UTF-8 whatever the locale says, and other bytes by the locale's set")
  func mixed() {
    let bytes = Array("Zü日本\u{1B}é😀".utf8)
    for byteWise in [false, true] {
      let shown = events(bytes, byteWise: byteWise, encoding: .latin1)
      #expect(shown == ["Z", "ü", "日", "本", "<a-é>", "😀"])
    }
    #expect(events([0xE6, 0x97, 0x61], encoding: .latin1) == ["æ", "a"])
    #expect(events([0xE6, 0xB5], encoding: .latin1) == ["æ", "µ"])
    #expect(events([0x1B, 0xE6, 0xB5], encoding: .latin1) == ["<a-æ>", "µ"])
    #expect(events([0xED, 0xA0, 0xE9], encoding: .latin1) == ["í", "\u{A0}", "é"])
    let set = EightBitSet { $0 == 0xB3 ? "ł" : nil }
    #expect(events([0xB3, 0xE6, 0xC5, 0x82], encoding: .eightBit(set)) == ["ł", "ł"])
    let paste = Array("\u{1B}[200~日".utf8) + [0xE9, 0x97] + Array("ü\u{1B}[201~".utf8)
    #expect(events(paste, encoding: .latin1) == ["[日é\u{97}ü]"])
    #expect(events(paste, encoding: .eightBit(set)) == ["[日\u{FFFD}\u{FFFD}ü]"])
  }

  @Test("prefers the terminal's own sequences")
  func ownSequences() {
    let own = [Array("\u{1B}A".utf8): Key(.up), Array("\u{1B}[[[x".utf8): Key(.function(9))]
    #expect(events(Array("\u{1B}A\u{1B}B\u{1B}[[[x".utf8), own: own) == ["<up>", "<a-B>", "<f9>"])
  }

  @Test("takes a paste of a megabyte in small pieces in time proportional to it")
  func largePaste() {
    var decoder = InputDecoder()
    let piece = [UInt8](repeating: 0x78, count: 1000)
    decoder.feed(Array("\u{1B}[200~".utf8), at: 0)
    #expect(decoder.next() == nil)
    for _ in 0..<1000 {
      decoder.feed(piece, at: 0)
      #expect(decoder.next() == nil)
    }
    decoder.feed(Array("\u{1B}[201~".utf8), at: 0)
    guard case .paste(let text) = decoder.next() else {
      Issue.record("no paste")
      return
    }
    #expect(text.utf8.count == 1_000_000)
  }

  @Test("never fails on random bytes")
  func random() {
    var state: UInt64 = 42
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<24 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let pick = UInt8(truncatingIfNeeded: state >> 33)
        bytes.append(pick < 90 ? 0x1B : pick < 150 ? 0x5B : UInt8(truncatingIfNeeded: state >> 41))
      }
      let whole = events(bytes + Array("\u{1B}[201~".utf8))
      #expect(whole.count <= 40)
    }
  }
}
