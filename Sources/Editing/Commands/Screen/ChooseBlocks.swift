package import ArgumentParser
import PortolanRendering
package import PortolanTerminals

/// Chooses the characters for the edges of areas.
package struct ChooseBlocks: Command {
  package static let configuration = CommandConfiguration(
    commandName: "blocks", abstract: "Choose how fine the edges of filled areas are.",
    discussion: """
      Where a cell has no line, block characters draw the edge of a filled area: half splits a \
      cell in two parts, quadrant in four, sextant in six; none fills whole cells. auto (the \
      default) uses sextants in terminals whose version draws them, else quadrants. Without an \
      argument, blocks shows the present choice; portolan --blocks sets it at the start. Screens \
      without colours draw patterns, without such edges.
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
