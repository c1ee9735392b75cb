import ArchiveInspection
package import ArgumentParser
import PortolanFiles

/// Writes an archive in another notation.
package struct ConvertArchive: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write an archive as keyed binary, keyed XML, typedstream or JSON.",
    discussion: """
      Between keyed archives all objects keep their numbers; a typedstream converted to a \
      typedstream keeps every byte. Between keyed archives and typedstreams, strings, numbers, \
      data, dates, collections, URLs, attributed strings, structures, decimal numbers and colours \
      are converted; for any other object convert names the first one with the reason and writes \
      nothing. It warns about losses in XML (fractions of seconds, control characters). json \
      writes the values of inspect --values, of NIBArchives too; JSON of inspect --exact becomes \
      an archive again.
      """)

  package static let jsonOptions = ["--format json"]

  @Argument(help: "The archive; - is standard input.", completion: .file())
  var input: String

  @OptionGroup var target: OutputOptions

  @Option(
    help: "keyed, xml, typedstream or json; by default from the output's extension.",
    completion: .list(ArchiveNotation.allCases.map(\.rawValue)))
  var format: String?

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws { _ = try notation }

  /// The requested notation, or that of the output's ending.
  private var notation: ArchiveNotation {
    get throws {
      if let format {
        guard let notation = ArchiveNotation(rawValue: format) else {
          throw ValidationError("no format “\(format)”: give keyed, xml, typedstream or json")
        }
        return notation
      }
      let output = target.output ?? "-"
      guard let notation = ArchiveNotation.ofEnding(FilePath.ending(of: output)) else {
        throw ValidationError(
          "\(output == "-" ? "standard output" : "the ending of \(output)") does not tell the "
            + "format: give --format keyed, xml, typedstream or json")
      }
      return notation
    }
  }

  package func run(in desk: inout Desk) throws {
    let output = try target.path(as: "convert FILE -o NAME.plist", in: desk)
    let request = ConvertRequest(
      path: input, output: output, notation: try notation, overwrites: target.force)
    desk.request(request)
  }
}
