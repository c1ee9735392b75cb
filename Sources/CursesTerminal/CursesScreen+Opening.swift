internal import Glibc
internal import PortolanCNCurses
internal import PortolanCSystem
internal import PortolanTerminals

extension CursesScreen {
  /// Descriptors of our own for keys and pictures.
  static func openTerminal() throws(TerminalError) -> (input: Int32, output: Int32) {
    guard isatty(STDOUT_FILENO) == 1 else {
      throw TerminalError(.noTerminal, "standard output")
    }
    waitForForeground(STDOUT_FILENO)
    let input =
      isatty(STDIN_FILENO) == 1
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open("/dev/tty", O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw TerminalError(.noTerminal, "standard input") }
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard output >= 0 else {
      let error = TerminalError.system("dup")
      Glibc.close(input)
      throw error
    }
    return (input, output)
  }

  /// The terminal opened once more, so that writing waits for nobody: the description that the
  /// shell has is not changed. The descriptor itself where the system does not open it.
  static func opened(_ terminal: Int32) -> Int32 {
    // `ttyname` has no name in another mount, and one of another person after `su`.
    for name in [ttyname(terminal).map { String(cString: $0) }, "/dev/tty"].compactMap(\.self) {
      let own = open(name, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if own < 0 { continue }
      if isSame(own, terminal) { return own }
      Glibc.close(own)
    }
    return terminal
  }

  /// Whether two descriptors are of one terminal: they have one foreground group.
  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    let group = tcgetpgrp(one)
    return group > 0 && group == tcgetpgrp(other)
  }

  /// In the background, stops as any program that needs the terminal, until it is in the
  /// foreground.
  private static func waitForForeground(_ terminal: Int32) {
    for _ in 0..<10 {
      let foreground = tcgetpgrp(terminal)
      if foreground == -1 || foreground == getpgrp() { return }
      kill(0, SIGTTIN)
    }
  }

  /// The terminal's type, checked: curses would exit the process for some of the errors.
  static func type(
    _ colour: ColourChoice, _ output: Int32, _ environment: (String) -> String?
  ) throws(TerminalError) -> String {
    guard let type = environment("TERM"), !type.isEmpty else { throw TerminalError(.noType) }
    switch Int(portolan_check_type(type, output)) {
    case Int(PORTOLAN_TYPE_FINE): break
    case Int(PORTOLAN_TYPE_INCAPABLE): throw TerminalError(.incapableType, type)
    case Int(PORTOLAN_TYPE_NO_DATABASE): throw TerminalError(.noDatabase)
    default: throw TerminalError(.unknownType, type)
    }
    guard colour == .trueColour, !type.contains("direct") else { return type }
    let direct = (type.split(separator: "-").first.map { String($0) } ?? type) + "-direct"
    return Int(portolan_check_type(direct, output)) == Int(PORTOLAN_TYPE_FINE) ? direct : type
  }

  static func modes(_ options: TerminalOptions) -> TerminalModes {
    let hasOtherScreen = portolan_string_capability("smcup").map { String(cString: $0) } ?? ""
    let isModern =
      hasOtherScreen.contains("[?") || portolan_string_capability("kmous") != nil
    let isSynchronised =
      switch options.synchronisation {
      case .auto: isModern
      case .on: true
      case .off: false
      }
    return TerminalModes(
      isModern: isModern, usesMouse: options.usesMouse && isModern,
      isSynchronised: isSynchronised)
  }

  static func colours(
    _ choice: ColourChoice, _ environment: (String) -> String?
  ) -> ColourPairs {
    let isColoured = has_colors() && start_color() == OK
    let count = isColoured ? Int(portolan_colour_count()) : 0
    let wanted = ColourDepth(choice: choice, terminalColours: count, environment: environment)
    let depth = min(wanted, ColourDepth(count: count))
    let hasStandard = isColoured && use_default_colors() == OK
    return ColourPairs(
      depth: depth, pairsMax: Int(portolan_pair_count()), hasStandard: hasStandard)
  }
}

/// The key sequences of the terminal's description.
enum TerminalKeys {
  private static let names: [(name: String, key: Key)] =
    [
      ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcub1", Key(.left)), ("kcuf1", Key(.right)),
      ("khome", Key(.home)), ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)),
      ("kich1", Key(.insert)), ("kdch1", Key(.delete)), ("kcbt", Key(.tab, .shift)),
      ("kLFT", Key(.left, .shift)), ("kRIT", Key(.right, .shift)), ("kri", Key(.up, .shift)),
      ("kind", Key(.down, .shift)),
    ] + (1...12).map { ("kf\($0)", Key(.function($0))) }

  static func sequences() -> [[UInt8]: Key] {
    var sequences: [[UInt8]: Key] = [:]
    for (name, key) in names {
      guard let text = portolan_string_capability(name) else { continue }
      sequences[Array(String(cString: text).utf8)] = key
    }
    return sequences
  }
}
