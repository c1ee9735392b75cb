package import ArgumentParser
import PortolanDocuments

/// Lifts a document of an older version of the format to the present one.
package struct MigrateDocument: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Convert a document of an older version to the present one.",
    discussion: """
      Opening a document migrates it in memory, and the first save keeps the old file as \
      NAME.doc.vN; this verb does both at once. A document of the present version stays as it is.
      """)

  @Argument(help: "The document; - is standard input.", completion: .file())
  var input: String

  @Option(
    name: .shortAndLong, help: "Write this file and leave the document as it is.",
    completion: .file())
  var output: String?

  @Flag(help: "Print the steps and write nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Overwrite the file given with -o.")
  var force = false

  @OptionGroup var versions: VersionOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [input] }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    if !dryRun && output == nil && input == "-" {
      throw EditingError(.usage, "migrate - needs -o FILE, or --dry-run")
    }
    let present = Document.formatVersion
    if let newer = desk.document.newerVersion {
      throw Failure(
        .unsupported, subject: name,
        what: "is of version \(newer) of the format, and this Portolan writes version \(present):"
          + " save it with a newer Portolan, or export its layers")
    }
    // Standard output takes only the document when it is written there.
    let tells = output != "-" || dryRun
    if tells { Self.print(steps(of: desk), in: &desk) }
    if desk.migration.isEmpty && output == nil { return }
    if dryRun {
      Self.print(["nothing written"], in: &desk)
      return
    }
    try desk.save(
      output, overwrites: force, thenQuits: false, versions: versions.keeping)
    // A failed save ends the verb before this.
    if tells { Self.print(["\(output ?? name): saved in version \(present)"], in: &desk) }
  }

  private var name: String { InputName.shown(input) }

  private func steps(of desk: Desk) -> [String] {
    if desk.migration.isEmpty {
      return ["\(name): version \(Document.formatVersion): nothing to do"]
    }
    return desk.migration.flatMap { step in
      ["\(name): version \(step.version) to \(step.version + 1):"]
        + step.changes.map { "  " + $0 }
    }
  }

  private static func print(_ lines: [String], in desk: inout Desk) {
    desk.send(.print(lines))
  }
}
