package import ArgumentParser

/// Shows letters on the visible features, to go to one.
package struct JumpToLabel: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "jump", abstract: "Go to a feature in view by letters shown on it.",
    discussion: """
      Up to 400 features get letters, the highest ranks of each layer first; typing the letters of \
      one puts the cursor on it, Enter then selects it. A capital as the last letter selects it at \
      once. Ctrl-O goes back.
      """)

  @Flag(help: "Take the last typed letter back.")
  var drop = false

  package init() {}

  package var summary: String {
    drop ? "Take the last letter back." : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws {
    if drop { desk.dropLabelLetter() } else { try desk.showLabels() }
  }
}
