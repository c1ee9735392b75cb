package import ArgumentParser
import PortolanDocuments
import PortolanFiles

/// Shows the differences from a file on the map.
package struct CompareMap: WholeMapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Show on the map what changed since a file.",
    discussion: """
      compare draws the differences from FILE above the map, in colours and signs, until the \
      document is edited: added features (+), removed features (-), changed features (~) with \
      their former place dashed (o). Without a file it compares with the last file again. --list \
      prints every change.
      """)

  @Argument(help: "The former map, of any format.", completion: .file())
  var file: String?

  @Option(help: "The attribute that features are matched by, in the place of their id.")
  var key: String?

  @Flag(help: "List every change on a page.")
  var list = false

  @Flag(help: "Show the map alone again.")
  var off = false

  package init() {}

  package func validate() throws {
    if off, file != nil || list || key != nil {
      throw ValidationError("--off stands alone")
    }
  }

  package func run(in desk: inout Desk) throws {
    if off {
      guard desk.work.comparison != nil else {
        throw EditingError(.refused, "nothing is compared")
      }
      desk.work.comparison = nil
      return desk.say("compared no more")
    }
    guard let path = file ?? desk.work.comparedFile ?? desk.file.path else {
      throw EditingError(.usage, "compare with what? Give a file: :compare FILE")
    }
    desk.request(
      CompareRequest(
        path: path, key: key, document: desk.document, revision: desk.history.present.revision,
        title: desk.title, isDocument: !desk.file.isData, isListed: list))
  }
}
