package import ArgumentParser
import PortolanDocuments
import PortolanFiles

/// Opens another file in place of the document.
package struct OpenFile: Command {
  package static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a file in place of this document.",
    aliases: ["e", "edit"])

  @Argument(help: "The file.")
  var path: String

  @Flag(name: .shortAndLong, help: "Give up unsaved edits.")
  var force = false

  @OptionGroup var columns: ColumnOptions

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.requireLeaving(force: force, as: ":e! \(FilePath.quoted(path))")
    if let other = desk.others.first(where: { FilePath.isSame($0.path, path) }) {
      desk.show(other)
      return
    }
    desk.request(
      OpenRequest(
        paths: [path], reading: columns.reading, givesUp: force ? GivenUp(desk) : nil))
  }
}
