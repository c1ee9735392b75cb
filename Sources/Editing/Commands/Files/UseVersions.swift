package import ArgumentParser
import PortolanFiles

/// Lists, shows and restores earlier versions.
package struct UseVersions: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "versions",
    abstract: "List the earlier versions of a document, compare with one, restore one.",
    discussion: """
      Every save keeps the document as a version in the state folder \
      ($XDG_STATE_HOME/portolan/versions), each part stored once; the oldest go when all versions \
      together take more than 1 GiB. In the editor --restore makes the version the document, which \
      can be undone; as a verb it writes it into the file, whose content becomes a version first.
      """)

  package static let jsonOptions = ["--json"]

  @Argument(help: "The document; the one that is open unless given.", completion: .file())
  var file: String?

  @Option(help: "Bring back the version of this number.")
  var restore: Int?

  @Option(help: "Compare the document with the version of this number.")
  var compare: Int?

  @Option(
    name: .shortAndLong, help: "Write the restored version to this file instead.",
    completion: .file())
  var output: String?

  @Flag(help: "As JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Overwrite the output, or a document that is open elsewhere.")
  var force = false

  @OptionGroup package var common: CommonOptions

  package init() {}

  /// The document is not opened first: a version can be restored where the file is lost or damaged.
  package var inputs: [String] { compare == nil ? [] : file.map { [$0] } ?? [] }

  package func validate() throws {
    if restore != nil && compare != nil {
      throw ValidationError("--restore and --compare exclude each other")
    }
  }

  package func run(in desk: inout Desk) throws {
    guard let path = file ?? desk.file.path else {
      throw EditingError(.usage, "versions of what? Give a document: versions FILE.doc")
    }
    if !desk.isHeadless, let file, !FilePath.isSame(file, desk.file.path) {
      throw EditingError(
        .refused, "this works on the open document: :open \(FilePath.quoted(file)) first")
    }
    guard let number = restore ?? compare else {
      desk.request(ListVersionsRequest(path: path, isJSON: json))
      return
    }
    var use = VersionRequest.Use.restore
    if compare != nil {
      try desk.requireRead()
      use = .compare(desk.document)
    } else if let output {
      use = .write(path: output, overwrites: force)
    } else if desk.isHeadless && !FilePath.isSame(desk.file.path, path) {
      use = .write(path: path, overwrites: true)
    }
    desk.request(
      VersionRequest(path: path, number: number, use: use, isForced: force))
  }
}
