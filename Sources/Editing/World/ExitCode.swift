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
}
