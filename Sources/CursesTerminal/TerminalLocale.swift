internal import Glibc
internal import PortolanCNCurses
internal import PortolanTerminals

/// Sets the character encoding, for curses and the C library.
enum TerminalLocale {
  /// The decoding of typed bytes that are not UTF-8: by the adopted locale; if that leaves it open,
  /// as Latin-1.
  static func encoding(isUTF8: Bool) -> InputDecoder.Encoding {
    if isUTF8 { return .utf8 }
    // C libraries differ about bytes beyond ASCII in the C locale.
    let name = setlocale(LC_CTYPE, nil).map { String(cString: $0) } ?? "C"
    if name == "C" || name == "POSIX" { return .latin1 }
    return .eightBit(
      EightBitSet { byte in
        UInt32(exactly: portolan_scalar(Int32(byte))).flatMap { Unicode.Scalar($0) }
      })
  }

  /// Adopts the user's locale, and returns whether it is UTF-8.
  ///
  /// Only the character encoding: numbers are written with a point in every language. A language
  /// that is not installed here (as happens over SSH) still names the terminal's encoding.
  static func adopt(_ environment: (String) -> String?) -> Bool {
    if setlocale(LC_CTYPE, "") == nil {
      let wanted = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment)
        .first { !$0.isEmpty }
      let coding = wanted?.uppercased() ?? ""
      guard coding.contains("UTF-8") || coding.contains("UTF8"),
        setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "C.utf8") != nil
      else { return false }
    }
    guard let coding = nl_langinfo(Int32(CODESET)) else { return false }
    return String(cString: coding).uppercased() == "UTF-8"
  }
}
