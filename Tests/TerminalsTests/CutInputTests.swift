import PortolanTerminals
import PortolanTestSupport
import Testing

/// Pastes and replies whose end does not come: they take no more than two seconds of keys.
@Suite struct CutInputTests {
  private static func events(
    _ pieces: [(bytes: [UInt8], seconds: Double)], until end: Double,
    _ expectation: InputDecoder.Expectation = .lateReply
  ) -> [TerminalEvent] {
    var decoder = InputDecoder()
    decoder.expectation = expectation
    var events: [TerminalEvent] = []
    func pass(to time: Double) {
      while let event = decoder.next() { events.append(event) }
      while let deadline = decoder.deadlineSeconds, deadline <= time {
        if let event = decoder.giveUp() { events.append(event) }
        while let event = decoder.next() { events.append(event) }
      }
    }
    for piece in pieces {
      pass(to: piece.seconds)
      decoder.feed(piece.bytes, at: piece.seconds)
    }
    pass(to: end)
    return events
  }

  private static func keys(_ events: [TerminalEvent]) -> String {
    String(
      events.compactMap { event in
        if case .key(let key) = event, case .character(let character) = key.code {
          character
        } else {
          nil
        }
      })
  }

  /// Numbers as letters, so that each key tells when it was typed.
  private static func typed(
    _ count: Int, from start: Double, every gap: Double
  )
    -> [(bytes: [UInt8], seconds: Double)]
  {
    (0..<count).map { ([UInt8(ascii: "A") + UInt8($0 % 26)], start + Double($0) * gap) }
  }

  @Test(arguments: Seeds.some(100))
  func `Keys act again two seconds after the beginning of a paste without an end`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // What begins may be large, nested, and hold half an end mark.
    var bytes = Array("\u{1B}[200~".utf8)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes += [UInt8](repeating: 0x78, count: Int.random(in: 0...50_000, using: &random))
      case 1: bytes += Array("\u{1B}[200~".utf8)
      case 2: bytes += Array("\u{1B}[201".utf8)
      default: bytes += Array(":q!\r\u{1B}é".utf8)
      }
    }
    var pieces: [(bytes: [UInt8], seconds: Double)] = []
    var (start, time) = (0, 1.0)
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...20_000, using: &random))
      pieces.append((Array(bytes[start..<end]), time))
      (start, time) = (end, time + 0.01)
    }
    let gap = Double.random(in: 0.03...0.4, using: &random)
    let count = Int((2.5 / gap).rounded(.up)) + 10
    pieces += Self.typed(count, from: time + gap, every: gap)
    let events = Self.events(pieces, until: time + Double(count + 2) * gap)
    let cuts = events.filter { if case .cutPaste = $0 { true } else { false } }
    #expect(cuts.count == 1, "seed \(seed)")
    // Those of the last ten gaps act, in their order.
    let last = (count - 10..<count).map { Character(Unicode.Scalar(0x41 + UInt8($0 % 26))) }
    #expect(Self.keys(events).hasSuffix(String(last)), "seed \(seed)")
  }

  @Test(arguments: Seeds.some(100))
  func `No part of a paste is a key, wherever it is cut and however its rest is late`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let text = String(repeating: ":d\r", count: Int.random(in: 1...200, using: &random))
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
    // Behind the start mark; in the midst of the end mark nothing tells it from keys.
    let cut = Int.random(in: 6...bytes.count - 6, using: &random)
    let late = Double.random(in: 0.1...9, using: &random)
    let pieces = [(Array(bytes[..<cut]), 1.0), (Array(bytes[cut...]), 1 + late)]
    let events = Self.events(pieces, until: 30)
    #expect(Self.keys(events).isEmpty, "seed \(seed)")
    let texts = events.map { event in
      switch event {
      case .paste(let text), .cutPaste(let text): text
      default: "?"
      }
    }
    let expected = text.replacing("\r", with: "\n")
    #expect(texts.joined() == expected, "seed \(seed)")
    #expect(texts.count == (late < 2 ? 1 : 2), "seed \(seed)")
  }

  @Test(arguments: [InputDecoder.Expectation.reply, .lateReply])
  func `Keys act again two seconds after the beginning of a reply without an end`(
    expectation: InputDecoder.Expectation
  ) {
    for (text, reply) in TerminalReplyTests.replies where reply != nil {
      let bytes = Array(text.utf8)
      for cut in 3..<bytes.count {
        let pieces = [(Array(bytes[..<cut]), 1.0)] + Self.typed(12, from: 1.3, every: 0.3)
        let keys = Self.keys(Self.events(pieces, until: 9, expectation))
        #expect(keys.hasSuffix("GHIJKL"), "\(text.debugDescription) at \(cut): \(keys)")
      }
    }
  }

  @Test func `The end of a reply is no key, however late it comes at once`() {
    for (text, reply) in TerminalReplyTests.replies where reply != nil {
      let bytes = Array(text.utf8)
      for cut in 3..<bytes.count {
        for late in [0.1, 1.9, 2.1, 9] {
          let pieces = [
            (Array(bytes[..<cut]), 1.0), (Array(bytes[cut...]), 1 + late),
            ([UInt8(ascii: "k")], 2 + late),
          ]
          let events = Self.events(pieces, until: 30)
          #expect(
            events == [.key(Key(.character("k")))], "\(text.debugDescription) at \(cut), \(late)")
        }
      }
    }
  }

  @Test func `A letter is a key again once another key came after a cut reply`() {
    let pieces: [(bytes: [UInt8], seconds: Double)] = [
      (Array("\u{1B}[?62".utf8), 1), (Array("k".utf8), 3.5), (Array("u".utf8), 4),
    ]
    #expect(Self.keys(Self.events(pieces, until: 9)) == "ku")
  }

  @Test func `An overlong reply without an end takes no more keys than another`() {
    let long = [UInt8](repeating: UInt8(ascii: "1"), count: 5000)
    for begin in ["\u{1B}]1", "\u{1B}P>|", "\u{1B}[?"] {
      let pieces =
        [(Array(begin.utf8) + long, 1.0)] + Self.typed(12, from: 1.3, every: 0.3)
      let keys = Self.keys(Self.events(pieces, until: 9))
      #expect(keys.hasSuffix("GHIJKL"), "\(begin.debugDescription): \(keys)")
    }
  }
}
