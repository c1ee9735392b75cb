/// The pending lines of scripts, and the jobs that the line before them waits for.
struct ScriptQueue: Sendable {
  /// A script around a line.
  struct Frame: Hashable, Sendable {
    var name: String
    /// The place of its `include`: `outer:12`, after those of the scripts around; empty for the
    /// first.
    var place = ""
    /// Whether its line is a `try`, which passes over its failure.
    var isTried = false
    /// The values that it was run with; they take the place of its own of these names.
    var given = ScriptNames()
  }

  /// A line, and the scripts around it, outermost first.
  struct Entry: Hashable, Sendable {
    var line: ScriptLine
    var frames: [Frame]
  }

  /// The pane of the next line; `nil` before the first.
  var place: PaneID?
  /// The pending lines, the next one last.
  var entries: [Entry] = []
  /// The line run last; `nil` when no script is under way.
  var current: Entry?
  /// Whether a failure of that line is passed over.
  var isTried = false
  /// The jobs of that line without a reply yet.
  var jobs: Set<JobID> = []
  /// The command of that line, if it has to finish after its jobs.
  var unfinished: (any FileCommand)?
  /// The values that its lines have named.
  var names = ScriptNames()
  /// The scripts around a verb on files of its own.
  var outer: [String] = []

  static let depthMax = 16
}
