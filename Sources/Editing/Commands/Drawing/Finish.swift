package import ArgumentParser

/// Makes a feature of the draft.
package struct Finish: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "finish", abstract: "Finish the draft: it becomes a feature.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.finishDraft() }
}
