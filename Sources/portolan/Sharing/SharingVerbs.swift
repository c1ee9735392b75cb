import ArgumentParser
import PortolanEditing
import PortolanTerminals

/// Keeps files open in a process of its own.
struct ServeFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Keep files open in a process of their own, without a terminal.",
    discussion: """
      portolan attach shows them in a terminal, as often as wanted; a terminal that goes leaves \
      panes, prompt and unsaved edits as they are. :q ends a session, the last one the process; \
      portolan remote FILE quit --everyone ends it, too, and so does the time of the setting \
      serve-time. Where systemd runs, the process gets a scope of its own, so that the end of the \
      login that began it does not end it; loginctl enable-linger keeps it after the last logout.
      """)

  @Argument(help: "Documents and map data; the second and later ones become layers.")
  var files: [String]

  @OptionGroup var columns: ColumnOptions

  @Flag(help: "Keep no earlier versions of saved files.")
  var noVersions = false

  @Flag(help: "Stay in this process, as for a service manager; the socket is printed.")
  var foreground = false

  @Flag(help: "Be their socket on standard input and output, as ssh://HOST/PATH asks for.")
  var stdio = false

  @Flag(name: .customLong("daemon"), help: .hidden)
  var isDaemon = false

  @Flag(name: .customLong("scoped-daemon"), help: .hidden)
  var isScoped = false

  /// Whether it is the process that stays, and no terminal is to hear of it again.
  var staysBehind: Bool { isDaemon || isScoped }
}

/// Shows what another process has open.
struct AttachTerminal: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Show what another editor has open in this terminal.",
    discussion: """
      Takes up the session that no terminal shows: its panes, prompt, draft and selection; where \
      all are shown, a new one on the same document. Exit codes: 0 detached or ended, 254 the \
      editor stopped answering, 255 it cannot be reached.
      """)

  @Argument(
    help: """
      A file that is open there, a socket, or a number of portolan list; the only one if none. \
      ssh://HOST/PATH serves a file on another machine and shows it.
      """)
  var target: String?

  @Flag(help: "Only look: panes of your own, and nothing that you do changes a document.")
  var watch = false

  @Flag(help: "Begin a session of your own, although one has no terminal.")
  var new = false

  @Option(help: "auto, never, always, 16, 256 or 24bit.")
  var color: ColourChoiceArgument?

  @Option(help: "dark, light, contrast, safe or mono, as for the editor.")
  var theme: Theme?

  @Option(help: "The characters for the edges of areas, as for the editor.")
  var blocks: BlockChoice?

  @Option(help: "Pixels for a map at rest: auto, on or off.")
  var pictures: PictureChoice?

  @Flag(help: "Leave the mouse to the terminal.")
  var noMouse = false

  @Flag(help: "Ask the terminal nothing: colours and keys by its description alone.")
  var noAsk = false
}

/// Lists the editors that can be attached to.
struct ListServed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the editors that portolan attach can show.",
    discussion: """
      A line each: the number, the documents with + for unsaved edits, and who is there; a session \
      that no terminal shows is in parentheses. “may end at logout” stands behind a served editor \
      that has no systemd scope of its own.
      """)

  @Flag(help: "Print JSON, one object a line.")
  var json = false
}

/// Runs a command in another editor.
struct RemoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remote",
    abstract: "Run a command in an editor that has a file open.",
    discussion: """
      Prints what the command prints, and ends with its exit code. The command acts on the \
      document as the people there see it, with unsaved edits; they keep their cursors and \
      selections. Names of files are relative to the folder in which that editor runs. Example: \
      portolan remote site.doc query --where "name = 'Berlin'"
      """)

  @Option(
    help: "Act for the person of this number in portolan list: in their panes, on their selection.")
  var session: Int?

  @Argument(help: "A file that is open there, a socket, or a number of portolan list.")
  var target: String

  @Argument(
    parsing: .captureForPassthrough, help: "The command with its arguments; - reads a script.")
  var command: [String]
}
