/// The questions to a terminal, in two stages, and its replies: a value without terminal or clock.
///
/// Stage one asks for the name; stage two, only for a terminal that told one and is not tmux, for
/// everything else. Each stage is closed by a question that every terminal knows. Until its reply
/// nothing waits, and after `patienceSeconds` nothing more is expected.
package struct TerminalInquiry: Sendable {
  /// The result for one ability.
  package enum Answer: Hashable, Sendable {
    /// Not asked, or no reply in time.
    case silence
    case no, yes
  }

  /// All results so far.
  package struct Findings: Hashable, Sendable {
    /// The name and version.
    package var version: String?
    /// Colours of 24 bits in SGR.
    package var directColour = Answer.silence
    /// Synchronized output, private mode 2026.
    package var synchronisation = Answer.silence
    /// Reports of a change between dark and light, private mode 2031.
    package var schemeReports = Answer.silence
    /// The keyboard protocol, `CSI > FLAGS u`.
    package var keyboard = Answer.silence
    /// Pictures by kitty's protocol.
    package var pictures = Answer.silence
    package var background: TerminalColour?

    package init() {}

    /// Whether a terminal of this name and version draws sextants itself, whatever its font has.
    ///
    /// tmux passes them on to a terminal whose name it does not tell.
    package var drawsSextants: Bool {
      let first: [(name: String, version: [Int])] = [
        ("foot", [1, 7]), ("ghostty", [1]), ("kitty", [0, 26]), ("vte", [7800]),
        ("wezterm", [2022_0101]),
      ]
      guard let known = first.first(where: { $0.name == name }) else { return false }
      return !numbers.isEmpty && !numbers.lexicographicallyPrecedes(known.version)
    }

    /// The numbers of the version: 0, 26 and 5 of `kitty(0.26.5)`.
    private var numbers: [Int] {
      let rest = (version ?? "").drop { !("0"..."9" ~= $0) }
      let digits = rest.prefix { "0"..."9" ~= $0 || $0 == "." }
      return digits.split(separator: ".").map { Int($0) ?? .max }
    }

    /// The name in lower case without the version: `kitty`, `tmux`, `xterm`.
    package var name: String? {
      version.map { String($0.lowercased().prefix { $0 != "(" && $0 != " " }) }
    }
  }

  /// The questions of interest beside those always asked.
  package struct Wishes: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The background, and reports of its change.
    package static let ground = Wishes(rawValue: 1)
    package static let directColour = Wishes(rawValue: 2)
    package static let pictures = Wishes(rawValue: 4)
  }

  private enum Stage { case unasked, first, second, closed }

  /// The time for the replies of one stage.
  package static let patienceSeconds = 2.0
  static let closing = "\u{1B}[c"
  /// The number of the picture of one pixel that is asked about.
  static let pictureNumber = 31
  static let probe: (red: UInt8, green: UInt8, blue: UInt8) = (1, 2, 3)

  package private(set) var findings = Findings()
  private let wishes: Wishes
  private var stage = Stage.unasked
  private var deadline = 0.0

  package init(_ wishes: Wishes = [.ground, .directColour, .pictures]) { self.wishes = wishes }

  /// Whether a terminal may be asked: not those that print a question as text, and not where the
  /// user has forbidden it (`PORTOLAN_ASK=no`).
  package static func isAllowed(_ environment: (String) -> String?) -> Bool {
    let type = environment("TERM") ?? ""
    let isDeaf = ["linux", "screen", "rxvt", "dumb"].contains { type.hasPrefix($0) }
    return !isDeaf && type != "st" && !type.hasPrefix("st-") && !type.isEmpty
      && environment("TERM_PROGRAM") != "Apple_Terminal" && environment("PORTOLAN_ASK") != "no"
  }

  /// Forgets everything: the questions can be asked anew.
  package mutating func reset() { self = TerminalInquiry(wishes) }

  /// Whether a reply is still expected.
  package var isOpen: Bool { stage == .first || stage == .second }

  /// When the terminal counts as silent, in seconds of the caller's clock; `nil` while nothing is
  /// expected.
  package var deadlineSeconds: Double? { isOpen ? deadline : nil }

  /// Begins the first stage; returns the bytes to send.
  package mutating func begin(at seconds: Double) -> [UInt8] {
    guard stage == .unasked else { return [] }
    stage = .first
    deadline = seconds + Self.patienceSeconds
    return Array(("\u{1B}[>q" + Self.closing).utf8)
  }

  /// Takes a reply; returns the bytes to send next, if any. Replies to questions that were not
  /// asked change nothing.
  package mutating func take(_ reply: TerminalReply, at seconds: Double) -> [UInt8] {
    expire(at: seconds)
    switch (stage, reply) {
    case (.first, .version(let version)): findings.version = version
    case (.first, .attributes): return beginSecond(at: seconds)
    case (.second, .attributes): close()
    case (.second, .background(let colour)) where wishes.contains(.ground):
      findings.background = colour
    case (.second, .keyboard): findings.keyboard = .yes
    case (.second, .mode(2026, let isSettable)):
      findings.synchronisation = isSettable ? .yes : .no
    case (.second, .mode(2031, let isSettable)) where wishes.contains(.ground):
      findings.schemeReports = isSettable ? .yes : .no
    case (.second, .rendition(let text)) where wishes.contains(.directColour):
      findings.directColour = Self.holdsProbe(text) ? .yes : .no
    case (.second, .pictures(let areShown)) where wishes.contains(.pictures):
      findings.pictures = areShown ? .yes : .no
    default: break
    }
    return []
  }

  /// Ends the inquiry if its time is over; later replies change nothing.
  package mutating func expire(at seconds: Double) {
    if isOpen, seconds >= deadline { stage = .closed }
  }

  private mutating func beginSecond(at seconds: Double) -> [UInt8] {
    guard let name = findings.name else {
      stage = .closed
      return []
    }
    if name == "tmux" {
      // It reduces the colours itself to those of the terminal around it.
      if wishes.contains(.directColour) { findings.directColour = .yes }
      if wishes.contains(.pictures) { findings.pictures = .no }
      stage = .closed
      return []
    }
    stage = .second
    deadline = seconds + Self.patienceSeconds
    var text = "\u{1B}[?u\u{1B}[?2026$p"
    if wishes.contains(.pictures) {
      text += "\u{1B}_Gi=\(Self.pictureNumber),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
    }
    if wishes.contains(.ground) { text += "\u{1B}]11;?\u{1B}\\\u{1B}[?2031$p" }
    if wishes.contains(.directColour) {
      // A colour is set, and asked back.
      let (red, green, blue) = Self.probe
      text += "\u{1B}[48;2;\(red);\(green);\(blue)m\u{1B}P$qm\u{1B}\\\u{1B}[m"
    }
    return Array((text + Self.closing).utf8)
  }

  /// What was not replied to before the closing reply is not there.
  private mutating func close() {
    stage = .closed
    func closed(_ answer: Answer, if isAsked: Bool = true) -> Answer {
      answer == .silence && isAsked ? .no : answer
    }
    findings.keyboard = closed(findings.keyboard)
    findings.synchronisation = closed(findings.synchronisation)
    findings.schemeReports = closed(findings.schemeReports, if: wishes.contains(.ground))
    findings.directColour = closed(findings.directColour, if: wishes.contains(.directColour))
    findings.pictures = closed(findings.pictures, if: wishes.contains(.pictures))
  }

  /// Whether the rendition in force holds the colour that was set: `48:2::1:2:3`, `48:2:1:2:3` or
  /// `48;2;1;2;3`.
  private static func holdsProbe(_ text: String) -> Bool {
    let numbers = text.split { $0 == ";" || $0 == ":" }.map { String($0) }
    let (red, green, blue) = probe
    let wanted = ["48", "2", "\(red)", "\(green)", "\(blue)"]
    return numbers.indices.contains { numbers[$0...].starts(with: wanted) }
  }
}
