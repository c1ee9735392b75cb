internal import PortolanTerminals

/// The private modes that we switch on and off beside curses, as bytes.
struct TerminalModes {
  /// Whether unknown private modes are safe: a terminal with an alternate screen or a mouse.
  var isModern: Bool
  var usesMouse: Bool
  var isSynchronised: Bool
  /// Whether the keyboard protocol is on: every key with a sequence of its own.
  var usesKeyboardProtocol = false
  /// Whether the terminal reports a change between dark and light.
  var reportsScheme = false
  /// Whether pictures are below the characters.
  var hasPictures = false

  /// The numbers of our pictures: no other program's.
  static let pictureNumbers = 1_349_480_001...1_349_480_008

  private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
  private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"
  private static let pasteOn = "\u{1B}[?2004h"
  private static let pasteOff = "\u{1B}[?2004l"
  /// Pushed upon the modes of whoever ran us, and popped.
  private static let keyboardOn = "\u{1B}[>1u"
  private static let keyboardOff = "\u{1B}[<u"
  private static let schemeOn = "\u{1B}[?2031h"
  private static let schemeOff = "\u{1B}[?2031l"

  /// Ends a sequence that was cut, as by a signal: CAN drops it, and where a string goes on all the
  /// same, ST ends it. Elsewhere they have no effect.
  private static let cut = "\u{18}\u{1B}\\"

  static let beginUpdate = Array("\u{1B}[?2026h".utf8)
  static let endUpdate = Array("\u{1B}[?2026l".utf8)

  /// Sent after curses has taken the screen.
  ///
  /// - Parameter keepsStack: whether the keyboard modes are still pushed, as after a repaint.
  func enter(keepsStack: Bool = false) -> [UInt8] {
    guard isModern else { return [] }
    let ownModes = Self.pasteOn + (usesMouse ? Self.mouseOn : "")
    return Array(ownModes.utf8) + learned(keepsStack: keepsStack)
  }

  /// The part of `enter` that the terminal's own replies allow.
  func learned(keepsStack: Bool = false) -> [UInt8] {
    let keyboard = usesKeyboardProtocol && !keepsStack ? Self.keyboardOn : ""
    return Array((keyboard + (reportsScheme ? Self.schemeOn : "")).utf8)
  }

  /// Sent before the screen is released.
  var leave: [UInt8] {
    var bytes: [UInt8] = []
    if isModern { bytes += Array(Self.cut.utf8) }
    if hasPictures {
      let removal = Self.pictureNumbers.map { KittyGraphics.removal(of: $0) }
      bytes += Array(removal.joined().utf8)
    }
    if isSynchronised { bytes += Self.endUpdate }
    if reportsScheme { bytes += Array(Self.schemeOff.utf8) }
    if usesKeyboardProtocol { bytes += Array(Self.keyboardOff.utf8) }
    if isModern { bytes += Array((Self.mouseOff + Self.pasteOff).utf8) }
    return bytes
  }

  /// The bytes that release the screen without curses, for signal handlers.
  func restore(_ capability: (String) -> String?) -> [UInt8] {
    var bytes = leave
    for name in ["sgr0", "cnorm", "rmkx", "rmcup"] {
      bytes += TerminalModes.withoutPadding(capability(name) ?? "")
    }
    // Without an alternate screen, at least a new line for the shell's prompt.
    if capability("rmcup") == nil { bytes += [0x0D, 0x0A] }
    return bytes
  }

  /// A capability's bytes without its delays (`$<5>`), which matter to no terminal of today.
  private static func withoutPadding(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isDelay = false
    let source = Array(text.utf8)
    for (index, byte) in source.enumerated() {
      let opens =
        byte == UInt8(ascii: "$") && source.dropFirst(index + 1).first == UInt8(ascii: "<")
      if opens { isDelay = true }
      if !isDelay { bytes.append(byte) }
      if byte == UInt8(ascii: ">") { isDelay = false }
    }
    return bytes
  }
}
