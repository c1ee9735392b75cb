internal import Glibc
internal import PortolanCSystem

/// Why there is no screen, with the remedy; for standard error and exit code 2.
package struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case noTerminal, noType, unknownType, incapableType, noDatabase, system
  }

  package var code: Code
  /// The value of TERM, or the call that failed.
  package var detail: String

  package init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  /// The failure of a system call, with the reason in `errno`.
  static func system(_ call: String) -> TerminalError {
    TerminalError(.system, "\(call): \(String(cString: portolan_error_text(errno)))")
  }

  /// One line without the program's name: the problem and the remedy.
  package var description: String {
    switch code {
    case .noTerminal:
      "\(detail) is not a terminal: edit in a terminal, or use `portolan render` in scripts"
    case .noType:
      "TERM is not set: set it to your terminal's type, such as TERM=xterm-256color"
    case .unknownType:
      "TERM=\(detail): unknown terminal type: try TERM=xterm-256color, or install ncurses-term"
    case .incapableType:
      "TERM=\(detail): this terminal cannot place text: use `portolan render` instead"
    case .noDatabase:
      "no terminal descriptions found: install ncurses-base, or set TERMINFO"
    case .system:
      "the terminal failed: \(detail)"
    }
  }
}
