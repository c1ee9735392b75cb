import PortolanTerminals
import PortolanTestSupport
import Testing

@Suite struct TerminalInquiryTests {
  private static let white = TerminalColour(red: 255, green: 255, blue: 255)

  /// An inquiry after some replies, a hundredth of a second apart, and the bytes sent.
  private static func inquire(
    _ replies: [TerminalReply],
    wishes: TerminalInquiry.Wishes = [.ground, .directColour, .pictures]
  ) -> (inquiry: TerminalInquiry, sent: String) {
    var inquiry = TerminalInquiry(wishes)
    var sent = inquiry.begin(at: 0)
    for (index, reply) in replies.enumerated() {
      sent += inquiry.take(reply, at: Double(index) / 100)
    }
    return (inquiry, String(decoding: sent, as: UTF8.self))
  }

  private static let full: [TerminalReply] = [
    .version("kitty(0.26.5)"), .attributes, .keyboard, .mode(2026, isSettable: true),
    .pictures(areShown: true), .background(white), .mode(2031, isSettable: false),
    .rendition("0;48:2:1:2:3"), .attributes,
  ]

  @Test func `A terminal that replies to everything is known`() {
    let (inquiry, sent) = Self.inquire(Self.full)
    let findings = inquiry.findings
    #expect(findings.name == "kitty")
    #expect(findings.keyboard == .yes && findings.synchronisation == .yes)
    #expect(findings.directColour == .yes && findings.schemeReports == .no)
    #expect(findings.background == Self.white && findings.pictures == .yes)
    #expect(!inquiry.isOpen && inquiry.deadlineSeconds == nil)
    #expect(sent.hasPrefix("\u{1B}[>q\u{1B}[c") && sent.hasSuffix("\u{1B}[c"))
    #expect(sent.ranges(of: "\u{1B}[c").count == 2)
  }

  @Test func `Without a name, and in tmux, nothing else is asked`() {
    let (unnamed, sent) = Self.inquire([.attributes])
    #expect(sent == "\u{1B}[>q\u{1B}[c")
    #expect(!unnamed.isOpen && unnamed.findings == TerminalInquiry.Findings())
    let (tmux, sentToTmux) = Self.inquire([.version("tmux 3.3a"), .attributes])
    #expect(sentToTmux == sent)
    #expect(!tmux.isOpen && tmux.findings.directColour == .yes)
    #expect(tmux.findings.keyboard == .silence && tmux.findings.pictures == .no)
  }

  @Test(arguments: [
    ("kitty(0.26.5)", true), ("kitty(0.9)", false), ("XTerm(379)", false), ("XTerm(366)", false),
    ("foot(1.16.2)", true), ("foot(1.6.4)", false), ("ghostty 1.1.0", true), ("VTE(7800)", true),
    ("VTE(6402)", false), ("WezTerm 20240203-110809-5046fc22", true), ("tmux 3.5", false),
    ("kitty", false), ("mlterm(3.9)", false), ("kitty(99999999999999999999)", true),
  ])
  func `The version tells whether sextants are drawn`(version: String, draws: Bool) {
    let (inquiry, _) = Self.inquire([.version(version), .attributes])
    #expect(inquiry.findings.drawsSextants == draws)
  }

  @Test func `What is not wanted is not asked`() {
    let (inquiry, sent) = Self.inquire(Self.full, wishes: [])
    #expect(!sent.contains("]11;") && !sent.contains("2031") && !sent.contains("$q"))
    #expect(!sent.contains("\u{1B}_") && inquiry.findings.pictures == .silence)
    #expect(inquiry.findings.directColour == .silence && inquiry.findings.background == nil)
    #expect(inquiry.findings.keyboard == .yes)
  }

  @Test func `The closing reply makes what is missing a no, the deadline keeps it silence`() {
    let asked: [TerminalReply] = [.version("x 1"), .attributes, .keyboard]
    let closed = Self.inquire(asked + [.attributes]).inquiry.findings
    #expect(closed.keyboard == .yes && closed.synchronisation == .no && closed.directColour == .no)
    var silent = Self.inquire(asked).inquiry
    #expect(silent.isOpen)
    silent.expire(at: TerminalInquiry.patienceSeconds + 1)
    #expect(!silent.isOpen && silent.findings.synchronisation == .silence)
    #expect(silent.findings.keyboard == .yes)
    let late = silent.take(.mode(2026, isSettable: true), at: 9)
    #expect(late.isEmpty && silent.findings.synchronisation == .silence)
  }

  @Test(arguments: ["0", "0;48:5:16", "0;38:2:1:2:3", "148;2;1;2;3", "48;2;1;2", "", "48:2:1:2:33"])
  func `Only the colour that was set counts as 24-bit colour`(text: String) {
    let replies: [TerminalReply] = [.version("x"), .attributes, .rendition(text), .attributes]
    #expect(Self.inquire(replies).inquiry.findings.directColour == .no)
  }

  @Test(arguments: ["0;48:2:1:2:3", "48;2;1;2;3", "0;1;48:2::1:2:3"])
  func `The colour is found in every form`(text: String) {
    let replies: [TerminalReply] = [.version("x"), .attributes, .rendition(text), .attributes]
    #expect(Self.inquire(replies).inquiry.findings.directColour == .yes)
  }

  @Test(arguments: Seeds.some(40))
  func `Replies in any order and number send at most one second stage and end in time`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var inquiry = TerminalInquiry()
    #expect(inquiry.take(.version("early"), at: 0).isEmpty)
    _ = inquiry.begin(at: 0)
    #expect(inquiry.begin(at: 0).isEmpty)
    var stages = 0
    var time = 0.0
    while time < 5 {
      let reply = (Self.full + [.scheme(.light)]).randomElement(using: &random) ?? .attributes
      if !inquiry.take(reply, at: time).isEmpty { stages += 1 }
      if let deadline = inquiry.deadlineSeconds {
        #expect(deadline > time && deadline <= 2 * TerminalInquiry.patienceSeconds)
      }
      time += Double.random(in: 0...0.4, using: &random)
    }
    inquiry.expire(at: time)
    #expect(stages <= 1 && !inquiry.isOpen)
  }

  @Test func `Terminals that print questions are not asked, nor any where it is forbidden`() {
    func isAllowed(_ variables: [String: String]) -> Bool {
      TerminalInquiry.isAllowed { variables[$0] }
    }
    for type in ["xterm", "xterm-256color", "xterm-kitty", "tmux-256color", "foot", "sterm"] {
      #expect(isAllowed(["TERM": type]), "\(type)")
      #expect(!isAllowed(["TERM": type, "PORTOLAN_ASK": "no"]), "\(type)")
      #expect(!isAllowed(["TERM": type, "TERM_PROGRAM": "Apple_Terminal"]), "\(type)")
    }
    for type in [
      "linux", "linux-16color", "screen", "screen-256color", "screen.xterm-256color", "rxvt",
      "rxvt-unicode-256color", "st", "st-256color", "dumb", "",
    ] {
      #expect(!isAllowed(["TERM": type]), "\(type)")
    }
  }

  @Test func `A background is light if black stands out from it`() {
    for (value, ground) in [
      (0x000000, Ground.dark), (0xFFFFFF, .light), (0x002B36, .dark), (0xFDF6E3, .light),
      (0x808080, .light), (0x282C34, .dark), (0x300A24, .dark),
    ] as [(UInt32, Ground)] {
      let colour = TerminalColour(
        red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
      #expect(Ground(background: colour) == ground, "\(value)")
    }
  }
}
