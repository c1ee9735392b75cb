package import ArgumentParser

/// Recovers unsaved work after a crash.
package struct RecoverWork: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Bring back unsaved work that was left by a crash.",
    discussion: """
      In the editor it works on the open document. As a verb without -o it prints the changes; the \
      work stays until it is written to FILE itself or discarded. Of several journals the newest \
      is used; --journal names another.
      """)

  package static let findings: String? = "unsaved work is left"

  @Argument(
    help: "The document; none with --list, or for documents without a name.", completion: .file())
  var path: String?

  @Flag(help: "List all unsaved work, and the documents open in editors now.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "Of several, this journal: its name in the list, without the folder.", valueName: "name"))
  var journal: String?

  @Option(
    name: .shortAndLong, help: "Write the recovered document to this file.", completion: .file())
  var output: String?

  @Flag(help: "Delete the unsaved work.")
  var discard = false

  @Flag(help: "In the editor: ask before --discard.")
  var ask = false

  @Flag(help: "In the editor: show the changes that recovery would make.")
  var differences = false

  @Flag(help: "In the editor: open the file as it is and decide later.")
  var later = false

  @Flag(help: "In the editor: ask about the next of several.")
  var next = false

  @Flag(name: .shortAndLong, help: "Overwrite an existing file.")
  var force = false

  @OptionGroup var versions: VersionOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func run(in desk: inout Desk) throws {
    if desk.isHeadless || list || path != nil || output != nil || journal != nil {
      let request = RecoverRequest(
        path: list ? nil : path ?? "", journal: list ? nil : journal, output: output,
        discards: discard, overwrites: force,
        versions: versions.keeping(in: desk))
      desk.request(request)
    } else if discard {
      if ask { try desk.confirmDiscarding() } else { try desk.discardLeftWork() }
    } else if differences {
      try desk.showLeftWork()
    } else if next {
      try desk.offerNextWork()
    } else if later {
      try desk.leaveWork()
    } else {
      try desk.recover()
    }
  }
}
