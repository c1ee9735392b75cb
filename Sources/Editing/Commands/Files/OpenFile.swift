package import ArgumentParser
import PortolanDocuments
import PortolanFiles
import PortolanInterchange

/// Opens another file in place of the document.
package struct OpenFile: Command {
  package static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a file in place of this document.",
    aliases: ["e", "edit"])

  @Argument(help: "The file.", completion: .file())
  var path: String

  @Flag(name: .shortAndLong, help: "Discard unsaved edits.")
  var force = false

  @OptionGroup var columns: ColumnOptions

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.open(
      path, reading: columns.reading, force: force, as: ":e! \(FilePath.quoted(path))")
  }
}

extension Desk {
  /// Opens another file in place of the document.
  ///
  /// - Parameters:
  ///   - force: whether unsaved edits are given up.
  ///   - command: the command that gives them up.
  mutating func open(
    _ path: String, reading: (any FormatOptions)? = nil, force: Bool,
    as command: String
  ) throws {
    try requireLeaving(force: force, as: command)
    if let other = others.first(where: { FilePath.isSame($0.path, path) }) { return show(other) }
    request(OpenRequest(paths: [path], reading: reading, givesUp: force ? GivenUp(self) : nil))
  }
}
