internal import Glibc

/// Sets how characters are coded, for curses and the C library.
enum TerminalLocale {
  /// Takes the user's choice, and says whether it is UTF-8.
  ///
  /// Only the coding of characters: numbers are written with a point in every language. A language
  /// that is not installed here (as happens over SSH) still says which coding the terminal has.
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
