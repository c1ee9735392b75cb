import ArchiveInspection
package import ArgumentParser
import PortolanFiles
import PortolanTerminals

/// Compares two maps, or two archives.
package struct DiffArchives: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell the differences between two maps or archives.",
    discussion: """
      Of maps of any format, documents of Portolan too, by feature: added, removed, changed, with \
      the attributes and the vertices that differ. Features are matched by a unique id (or --key \
      FIELD), else by equal contents, geometry or attributes, else by their order. From --format \
      json portolan patch makes the new file; geojson is a map of the difference, and so is \
      --render FILE.svg. Archives that are no maps are compared object by object: both must be of \
      one kind, keyed (binary or XML), typedstream, GNUstep, NIBArchive or plain property list; \
      --archive does that with documents, too. The exit code is 0 when they are equal, 1 when they \
      differ, and 2 or more when that is not known.
      """)

  package static let findings: String? = "the two differ"
  package static let jsonOptions = ["--format json", "--format geojson"]

  @Argument(help: "The old file; - is standard input.", completion: .file())
  var first: String

  @Argument(help: "The new file; - is standard input.", completion: .file())
  var second: String

  @Flag(help: "Compare the objects of the archives, of documents of Portolan too.")
  var archive = false

  @Option(help: "The attribute that features of maps are matched by, in the place of their id.")
  var key: String?

  @Option(
    help: "text or json; of maps geojson, too.", completion: .list(["text", "json", "geojson"]))
  var format: String = "text"

  @OptionGroup var picture: DifferencePictureOptions

  @Option(
    help: """
      Of archives, the width of a line, 40 to 1000, to which texts are cut: the terminal's; \
      nothing is cut in files and pipes.
      """)
  var width: Int?

  @Option(help: "auto, never, always, 16, 256 or 24bit.")
  var color: ColourChoice = .auto

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    guard format == "geojson" || ArchiveDifference.Form(rawValue: format) != nil else {
      throw ValidationError("no format “\(format)”: give text, json or geojson")
    }
    if archive, format == "geojson" || key != nil || picture.render != nil {
      throw ValidationError("--format geojson, --key and --render are for maps, not for --archive")
    }
    try ArchivePaths.check(width: width)
    _ = try picture.chosen()
    if first == "-", second == "-" {
      throw ValidationError("only one of the two can be standard input: name a file")
    }
  }

  package func run(in desk: inout Desk) throws {
    try ArchivePaths.refuseScreen(
      "-", in: desk, ":compare FILE shows it on the map; or run portolan diff in a shell")
    let request = DiffRequest(
      first: first, second: second, form: ArchiveDifference.Form(rawValue: format), key: key,
      picture: try picture.chosen(), isOfArchives: archive, width: width, colour: color)
    desk.request(request)
  }
}
