import ArgumentParser
import PortolanEditing
import PortolanTerminals

/// The program's command line: the verbs are commands of the editor's own language.
struct Portolan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "portolan",
    abstract: "Open map data in a terminal, look at it, change it, keep it as one document.",
    usage: """
      portolan [FILE ...]
      portolan VERB ...
      """,
    discussion: """
      Without a verb the files are opened in the editor: documents (.doc), and map data as \
      GeoJSON, CSV, shapefiles, GeoPackages and whatever GDAL reads. - is standard input or \
      standard output. portolan VERB --json-usage tells programs what a verb takes, portolan \
      option shows the configuration. Exit codes: 0 done, 1 differences found (diff), 2 usage or \
      script error, 3 input missing or corrupt, 4 output not written, 5 not supported, \
      130 interrupted.
      """,
    version: "portolan 0.1.0",
    subcommands: verbs + sharing + [PrintManual.self, EditFiles.self],
    defaultSubcommand: EditFiles.self)

  /// The verbs about editors that run.
  static let sharing: [any ParsableCommand.Type] = [
    ServeFiles.self, AttachTerminal.self, ListServed.self, RemoteCommand.self,
  ]

  /// The commands that are also verbs of the program.
  ///
  /// Element by element: a cast of the list looks for a conformance of each command.
  static var verbs: [any ParsableCommand.Type] {
    Commands.all.compactMap { $0.isVerb ? $0 : nil }
  }

  /// The command of some arguments.
  ///
  /// A verb is parsed by itself, in half the time; what it does not take is told by the parser of
  /// all.
  static func command(_ arguments: [String]) throws -> any ParsableCommand {
    let verb = verbs.first { $0.configuration.commandName == arguments.first }
    if let verb, let command = try? verb.parse(Array(arguments.dropFirst())) { return command }
    return try parseAsRoot(arguments)
  }
}

/// Opens files in the editor.
struct EditFiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Open files in the editor; the same as no verb.")

  @Argument(help: "Documents and map data; the second and later ones become layers.")
  var files: [String] = []

  @Option(help: "auto, never, always, 16, 256 or 24bit.")
  var color: ColourChoiceArgument?

  @Option(
    help: """
      dark, light, contrast, safe (for colour-blind eyes) or mono; without dark or light in it, on \
      the background that the terminal tells, else COLORFGBG, else dark.
      """)
  var theme: Theme?

  @Option(
    help: """
      The characters for the edges of filled areas: auto, none, half, quadrant or sextant (finer, \
      where the terminal's font has them).
      """)
  var blocks: BlockChoice?

  @Option(
    help: """
      Pixels for the lines and areas of a map at rest, in terminals with kitty's graphics \
      protocol: auto, on or off.
      """)
  var pictures: PictureChoice?

  @Option(help: "The map behind the data: auto, none, coast, countries, or the name of a file.")
  var base: BaseChoice?

  @OptionGroup var columns: ColumnOptions

  @Flag(help: "Leave the mouse to the terminal.")
  var noMouse = false

  @Flag(help: "Ask the terminal nothing: colours and keys by its description alone.")
  var noAsk = false

  @Flag(help: "Keep no earlier versions of saved files.")
  var noVersions = false

  @Flag(name: .customLong("private"), help: "Let no other terminal join.")
  var isPrivate = false
}

/// Prints the manual page.
struct PrintManual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page: portolan manual | man -l -")
}
