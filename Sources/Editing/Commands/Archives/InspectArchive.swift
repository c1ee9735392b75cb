import ArchiveInspection
package import ArgumentParser
import PortolanTerminals

/// Shows the contents of an archive of any program.
package struct InspectArchive: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the contents of an archive or property list of any program.",
    discussion: """
      Read are keyed archives (binary and XML), typedstreams, GNUstep archives and plain property \
      lists; the classes of their objects need not be known. Each object is shown once, with its \
      number, its fields and its size in bytes; → #12 refers to one that was shown above, ×3 tells \
      how many places refer to it. A GNUstep archive is a list of items, without levels and paths.
      """)

  @Argument(help: "The archive; - is standard input.", completion: .file())
  var input: String

  @Flag(help: "As JSON that loses nothing, one object a line.")
  var json = false

  @Flag(help: "As it stands in the file, with offsets; nothing is cut.")
  var raw = false

  @Flag(help: "Counts and bytes per class; shared, repeated and largest objects.")
  var stats = false

  @Option(
    help: """
      Show only what is there: /root/layers/0. A step is a key or an index; ~1 is a / in a key, \
      ~0 a ~. /#12 is the object of that number.
      """)
  var path: String = "/"

  @Option(help: "How many levels of objects to show.")
  var depth: Int?

  @Flag(help: "Without numbers and sizes, which change with every edit: for git's textconv.")
  var stable = false

  @Option(
    help: """
      The width of a line, 40 to 1000, to which texts are cut: the terminal's; nothing is cut in \
      files and pipes, with --stable and with --path.
      """)
  var width: Int?

  @Option(help: "auto, never, always, 16, 256 or 24bit.")
  var color: ColourChoice = .auto

  @Option(
    name: .shortAndLong, help: "The file to write; - is standard output.", completion: .file())
  var output: String = "-"

  @Flag(name: .shortAndLong, help: "Overwrite the output.")
  var force = false

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth is a number of levels from 0") }
    if raw && (json || stats) || ((raw || stats) && path != "/") {
      throw ValidationError("--raw and --stats show the whole file, each alone or --stats --json")
    }
    try ArchivePaths.check(width: width)
  }

  private var form: InspectionForm {
    if raw { return .raw }
    if stats { return json ? .statisticsJSON : .statistics }
    return json ? .json : .tree
  }

  package func run(in desk: inout Desk) throws {
    try ArchivePaths.refuseScreen(output, in: desk)
    var options = TreeOptions()
    options.depthMax = depth
    options.isStable = stable
    let request = InspectRequest(
      path: input, output: output, form: form, place: InspectionPath(path), options: options,
      width: width, colour: color, overwrites: force)
    desk.request(request)
  }
}

/// Checks shared by the commands about archives.
enum ArchivePaths {
  static func check(width: Int?) throws {
    guard let width, !(40...1_000).contains(width) else { return }
    throw ValidationError("--width is a number of columns from 40 to 1000")
  }

  /// Standard output is the screen while the editor runs.
  static func refuseScreen(
    _ output: String, in desk: Desk, _ advice: String = "give -o FILE"
  ) throws {
    guard output == "-", !desk.isHeadless else { return }
    throw EditingError(.refused, "standard output is the screen here: \(advice)")
  }
}
