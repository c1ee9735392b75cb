import ArchiveInspection
package import ArgumentParser
import PortolanFiles

/// Writes an archive in another notation.
package struct ConvertArchive: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write an archive as keyed binary, keyed XML, typedstream or JSON.",
    discussion: """
      Keyed archives keep all objects under their numbers; a typedstream that stays one keeps \
      every byte. From keyed to typedstream and back go strings, numbers, data, dates, \
      collections, URLs, attributed strings, structures, decimal numbers and colours: the first \
      object that cannot is named with the reason, and nothing is written. What XML drops, \
      fractions of seconds and control characters, is told. json are the values of inspect \
      --values, of any archive, NIBArchives too; JSON of inspect --exact becomes an archive again.
      """)

  package static let jsonOptions = ["--format json"]

  @Argument(help: "The archive; - is standard input.", completion: .file())
  var input: String

  @OptionGroup var target: OutputOptions

  @Option(
    help: "keyed, xml, typedstream or json; else the output's ending tells.",
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
