package import ArgumentParser

/// Opens the command palette.
package struct OpenPalette: Command {
  package static let configuration = CommandConfiguration(
    commandName: "palette", abstract: "Find commands, layers, bookmarks and files by some letters.",
    discussion: """
      It finds names that hold the letters in their order. Letters at the starts of words count \
      most, then what was used last. Enter runs the chosen line, or puts it on the command line if \
      it needs more words.
      """)

  package static let isForKeys = true

  package init() {}

  package func run(in desk: inout Desk) throws {
    guard !desk.isScripted else {
      throw EditingError(.refused, "a script writes the command itself: help commands lists them")
    }
    desk.openPalette()
  }
}
