package import ArgumentParser

/// Puts copied features into the active layer.
package struct Paste: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "paste", abstract: "Paste the copied features at the cursor.",
    discussion: """
      They go into the active layer. Features of several layers go back into their layers, in \
      another document into the layers of the same names. Layers that are missing are made, and \
      look like those of the copies. Who has copied nothing pastes what another person in the \
      same editor copied last; --theirs always does.
      """)

  package static let isRepeatable = true

  @Flag(help: "Where they were.")
  var inPlace = false

  @Flag(help: "All into the active layer, whatever layers they are from.")
  var intoActive = false

  @Flag(help: "What another person here copied last.")
  var theirs = false

  package init() {}

  package var summary: String {
    inPlace ? "Paste the copied features in place." : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws {
    try desk.pasteFeatures(inPlace: inPlace, intoActive: intoActive, isTheirs: theirs)
  }
}
