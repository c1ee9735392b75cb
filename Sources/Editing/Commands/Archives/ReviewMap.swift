package import ArgumentParser
import PortolanComparing
import PortolanFiles

/// Shows the changed features of two versions of a map, for a review.
package struct ReviewMap: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "review",
    abstract: "Show changed features with maps before and after, as text or one HTML file.",
    discussion: """
      review OLD NEW compares two files; review REV..REV -- FILE compares a file of a git \
      repository in two revisions (REV.. is up to HEAD). -o review.html makes one page for \
      browsers that loads nothing, for a pull request; text goes to a terminal. Features are \
      matched as diff does. The exit code is 0 whether there are changes or not.
      """)

  @Argument(help: "The old and the new file, or REV..REV and a file.", completion: .file())
  var files: [String]

  @OptionGroup var target: OutputOptions

  @Option(
    help: "html or text; else the output's ending tells.", completion: .list(["html", "text"]))
  var format: String?

  @Option(help: "The attribute that features are matched by, in the place of their id.")
  var key: String?

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    guard files.count == 2 else {
      throw ValidationError("give two files, or REV..REV -- FILE")
    }
    if files[0] == "-", files[1] == "-" {
      throw ValidationError("only one of the two can be standard input: name a file")
    }
    _ = try isPage()
  }

  private func isPage() throws -> Bool {
    if let format {
      guard ["html", "text"].contains(format) else {
        throw ValidationError("no format “\(format)”: give html or text")
      }
      return format == "html"
    }
    guard let output = target.output, output != "-", let ending = FilePath.ending(of: output) else {
      return false
    }
    switch ending {
    case "html", "htm": return true
    case "txt", "text": return false
    default: throw ValidationError("a review is written as .html or .txt, not as .\(ending)")
    }
  }

  package func run(in desk: inout Desk) throws {
    let path = try target.path(as: "review OLD NEW -o review.html", in: desk)
    desk.request(
      ReviewRequest(
        first: files[0], second: files[1], key: key, isPage: try isPage(), output: path,
        overwrites: target.force))
  }
}

/// Two versions of a map to be reviewed.
struct ReviewRequest: Request {
  var first: String
  var second: String
  var key: String?
  var isPage: Bool
  var output: String
  var overwrites: Bool

  var name: String { "reviewing \(second)" }
  var isWriting: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.review(self, progress)
  }
}
