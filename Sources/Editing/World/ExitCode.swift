import PortolanTerminals
import PortolanTexts

/// The exit codes of every verb.
package enum ExitCode: Int32, Hashable, Sendable {
  case done = 0
  /// Success with findings: as with grep and diff.
  case findings = 1
  /// The command line or a script is wrong.
  case usage = 2
  /// The input is missing, unreadable or corrupt.
  case input = 3
  /// The output was not written; no half-written file is left.
  case output = 4
  /// The input needs a newer version, or has unsupported contents.
  case unsupported = 5
  case interrupted = 130

  /// Each code with its meaning, for programs.
  ///
  /// - Parameter findings: that of `findings`; without one a verb never ends with it.
  static func meanings(findings: String?) -> [(name: String, value: String)] {
    let words: [(ExitCode, String?)] = [
      (.done, "done"), (.findings, findings), (.usage, "usage or script error"),
      (.input, "input missing, unreadable or corrupt"), (.output, "output not written"),
      (.unsupported, "not supported"), (.interrupted, "interrupted"),
    ]
    return words.compactMap { code, words in
      words.map { (name: String(code.rawValue), value: SafeJSON.string($0)) }
    }
  }
}
