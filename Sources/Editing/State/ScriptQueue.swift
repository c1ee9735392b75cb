/// The lines of scripts that are still to be run, and what the line before them waits for.
struct ScriptQueue: Sendable {
  /// A script around a line.
  struct Frame: Hashable, Sendable {
    var name: String
    /// Where it was included: `outer:12`, after those of the scripts around; empty for the first.
    var place = ""
    /// Whether the line that included it passes over its failure.
    var isTried = false
  }

  /// A line, and the scripts that it stands in, the outermost first.
  struct Entry: Hashable, Sendable {
    var line: ScriptLine
    var frames: [Frame]
  }

  /// The pane that the next line runs in; `nil` before the first.
  var place: PaneID?
  /// The next line comes last.
  var entries: [Entry] = []
  /// The line that was run last; `nil` when no script is under way.
  var current: Entry?
  /// Whether a failure of that line is passed over.
  var isTried = false
  /// What that line asked for and is not yet answered.
  var jobs: Set<JobID> = []
  /// The command of that line, where it has still to finish when its jobs are done.
  var unfinished: (any FileCommand)?
  /// The scripts that a verb on files of its own stands in.
  var outer: [String] = []

  static let depthMax = 16
}
