package import ArgumentParser
import PortolanRendering
package import PortolanTerminals

/// Chooses the characters for the edges of areas.
package struct ChooseBlocks: Command {
  package static let configuration = CommandConfiguration(
    commandName: "blocks", abstract: "Choose how fine the edges of filled areas are.",
    discussion: """
      Where no line stands in a cell, block characters carry the edge of a filled area: half has \
      two parts in a cell, quadrant four, sextant six; none fills whole cells. auto, the \
      beginning, takes sextants where the terminal has told a version that draws them, else \
      quadrants. Without an argument the present choice is told. portolan --blocks begins with \
      one. Screens without colours have patterns, and no such edges.
      """)

  @Argument(
    help: "auto, none, half, quadrant or sextant.",
    completion: .list(BlockChoice.allCases.map(\.rawValue)))
  var choice: BlockChoice?

  package init() {}

  package func run(in desk: inout Desk) {
    if let choice {
      desk.session.capabilities.blocks = choice
      desk.session.chosenBlocks = choice
    }
    let capabilities = desk.session.capabilities
    let shown = capabilities.edgeBlocks.rawValue
    let chosen = capabilities.blocks.rawValue
    desk.say(
      "edges of areas: " + chosen + (capabilities.blocks == .auto ? ", now \(shown)" : ""))
  }
}

extension BlockChoice: ExpressibleByArgument {}
