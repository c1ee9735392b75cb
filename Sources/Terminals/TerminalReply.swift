/// A reply or a report of the terminal; never a key.
package enum TerminalReply: Hashable, Sendable {
  /// The primary attributes (`CSI ? … c`): every terminal replies, so it closes a list of
  /// questions.
  case attributes
  /// The terminal's name and version (XTVERSION), such as `kitty(0.26.5)`.
  case version(String)
  /// The keyboard protocol is known (`CSI ? FLAGS u`).
  case keyboard
  /// Whether a private mode can be set (DECRPM: `CSI ? MODE ; STATE $ y`).
  case mode(Int, isSettable: Bool)
  /// The background (OSC 11).
  case background(TerminalColour)
  /// The user's choice of dark or light (`CSI ? 997 ; 1 n` or `2 n`).
  case scheme(Ground)
  /// The attributes and colours in force (DECRQSS `m`), as the parameters of SGR.
  case rendition(String)
  /// Whether a picture by kitty's protocol would be shown (`APC G i=31;OK`).
  case pictures(areShown: Bool)

  /// The longest kept reply, in bytes; longer ones are skipped up to their end.
  static let lengthMax = 1024

  /// The reply of a control sequence with private parameters; `nil` for others.
  init?(_ sequence: ControlSequence) {
    guard sequence.parameters.first == UInt8(ascii: "?") else { return nil }
    let text = String(decoding: sequence.parameters.dropFirst(), as: UTF8.self)
    let numbers = text.split(whereSeparator: { $0 == ";" || $0 == "$" }).map { Int($0) }
    switch sequence.final {
    case UInt8(ascii: "c"): self = .attributes
    case UInt8(ascii: "u"): self = .keyboard
    case UInt8(ascii: "y"):
      guard numbers.count == 2, text.hasSuffix("$"), let mode = numbers[0], let state = numbers[1]
      else { return nil }
      // 1 set, 2 reset, 3 always set; 0 unknown, 4 never set.
      self = .mode(mode, isSettable: (1...3).contains(state))
    case UInt8(ascii: "n"):
      switch numbers {
      case [997, 1]: self = .scheme(.dark)
      case [997, 2]: self = .scheme(.light)
      default: return nil
      }
    default: return nil
    }
  }

  /// The reply in a string sequence.
  ///
  /// - Parameters:
  ///   - introducer: the byte after ESC: `]` for OSC, `P` for DCS, `_` for APC.
  ///   - body: the bytes up to the end mark.
  init?(introducer: UInt8, body: ArraySlice<UInt8>) {
    guard body.count <= Self.lengthMax, body.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return nil
    }
    let text = String(decoding: body, as: UTF8.self)
    switch introducer {
    case UInt8(ascii: "]"):
      guard text.hasPrefix("11;"), let colour = Self.colour(text.dropFirst(3)) else { return nil }
      self = .background(colour)
    case UInt8(ascii: "P"):
      if text.hasPrefix(">|") {
        self = .version(String(text.dropFirst(2)))
      } else if text.hasPrefix("1$r"), text.hasSuffix("m") {
        self = .rendition(String(text.dropFirst(3).dropLast()))
      } else {
        return nil
      }
    case UInt8(ascii: "_"):
      let start = "Gi=\(TerminalInquiry.pictureNumber);"
      guard text.hasPrefix(start) else { return nil }
      self = .pictures(areShown: text.dropFirst(start.count) == "OK")
    default: return nil
    }
  }

  /// A colour as X11 writes it: `rgb:` or `rgba:` with one to four hexadecimal digits a channel, or
  /// `#` with two.
  private static func colour(_ text: Substring) -> TerminalColour? {
    var channels: [Substring]
    if text.first == "#", text.count == 7 {
      let digits = text.dropFirst()
      channels = [digits.prefix(2), digits.dropFirst(2).prefix(2), digits.suffix(2)]
    } else {
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
      channels = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      guard channels.count == (parts[0] == "rgb" ? 3 : 4) else { return nil }
    }
    let levels = channels.prefix(3).compactMap { level($0) }
    guard levels.count == 3 else { return nil }
    return TerminalColour(red: levels[0], green: levels[1], blue: levels[2])
  }

  /// The level of one to four hexadecimal digits, from 0 to 255.
  private static func level(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.count), digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    let most = (1 << (4 * digits.count)) - 1
    return UInt8(clamping: (value * 255 + most / 2) / most)
  }
}

extension Ground {
  /// The ground of a background colour: light if black stands out from it more than white does.
  package init(background: TerminalColour) {
    let black = TerminalColour(red: 0, green: 0, blue: 0)
    let white = TerminalColour(red: 255, green: 255, blue: 255)
    self =
      Palette.contrast(background, black) > Palette.contrast(background, white) ? .light : .dark
  }
}
