import ArchiveInspection
package import ArgumentParser
import PortolanTerminals

/// Compares two archives.
package struct DiffArchives: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Tell the differences between two archives or documents.",
    discussion: """
      Objects are found by the ways that lead to them, so that numbers do not count; lists are \
      aligned. Both must be of one kind: keyed (binary or XML), typedstream, GNUstep, \
      NIBArchive or plain property list. Maps are not compared yet: of two documents of Portolan \
      the objects of their archives are, which is told unless --archive asks for that; files of \
      map data are refused. The exit code is 0 when they are equal, 1 when they differ, and 2 or \
      more when that is not known.
      """)

  package static let findings: String? = "the two differ"
  package static let jsonOptions = ["--format json"]

  @Argument(help: "The old archive; - is standard input.", completion: .file())
  var first: String

  @Argument(help: "The new archive; - is standard input.", completion: .file())
  var second: String

  @Flag(help: "Compare the objects of the archives, of documents of Portolan too.")
  var archive = false

  @Option(help: "text or json.", completion: .list(["text", "json"]))
  var format: String = "text"

  @Option(
    help: """
      The width of a line, 40 to 1000, to which texts are cut: the terminal's; nothing is cut in \
      files and pipes.
      """)
  var width: Int?

  @Option(help: "auto, never, always, 16, 256 or 24bit.")
  var color: ColourChoice = .auto

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    guard ArchiveDifference.Form(rawValue: format) != nil else {
      throw ValidationError("no format “\(format)”: give text or json")
    }
    try ArchivePaths.check(width: width)
    if first == "-", second == "-" {
      throw ValidationError("only one of the two can be standard input: name a file")
    }
  }

  package func run(in desk: inout Desk) throws {
    try ArchivePaths.refuseScreen("-", in: desk, "run portolan diff in a shell")
    let request = DiffRequest(
      first: first, second: second, form: ArchiveDifference.Form(rawValue: format) ?? .text,
      isOfArchives: archive, width: width, colour: color)
    desk.request(request)
  }
}
