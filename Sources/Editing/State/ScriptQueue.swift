/// The lines of scripts that are still to be run, and what the line before them waits for.
struct ScriptQueue: Hashable, Sendable {
  /// A line, and the scripts that it stands in, the outermost first.
  struct Entry: Hashable, Sendable {
    var line: ScriptLine
    var scripts: [String]
  }

  /// The next line comes last.
  var entries: [Entry] = []
  /// The line that was run last; `nil` when no script is under way.
  var current: Entry?
  /// Whether a failure of that line is passed over.
  var isTried = false
  /// What that line asked for and is not yet answered.
  var jobs: Set<JobID> = []

  static let depthMax = 16
}
