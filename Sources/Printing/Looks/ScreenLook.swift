package import PortolanDocuments
package import PortolanGraphics
import PortolanRendering
package import PortolanTerminals

/// The theme and the signs of one picture.
package struct ScreenLook: Sendable {
  package let theme: ScreenTheme
  package let signs: ScreenSigns
  package let capabilities: ScreenCapabilities

  package init(capabilities: ScreenCapabilities) {
    self.capabilities = capabilities
    theme = ScreenTheme(capabilities: capabilities)
    signs = ScreenSigns(capabilities: capabilities)
  }

  /// A colour of the map as that of text, where there are colours.
  package func ink(_ colour: Colour?) -> CellStyle { ink(MarkStyle(stroke: colour)) }

  /// The colour of a line or a sign as that of text: as much brighter or darker as on the map.
  private func ink(_ mark: MarkStyle) -> CellStyle {
    guard capabilities.depth > .mono, let colour = mark.stroke else { return .plain }
    return CellStyle(foreground: TerminalColour(ground.cells(mark).stroke ?? colour))
  }

  private var ground: GroundInk {
    GroundInk(capabilities.ground, palette: capabilities.palette, depth: capabilities.depth)
  }

  /// A column of a line.
  private func sample(_ line: MarkStyle) -> String {
    switch (line.dash, line.weight) {
    case (.solid, .bold): signs.isUnicode ? "━" : "="
    case (.solid, .normal): signs.isUnicode ? "─" : "-"
    case (.solid, .light), (.dotted, _): signs.isUnicode ? "·" : "."
    case (.dashed, .bold): signs.isUnicode ? "╍" : "-"
    case (.dashed, _): signs.isUnicode ? "╌" : "-"
    }
  }

  /// A legend's sample of a mark, two columns wide, told apart by shape as well as by colour.
  package func sample(_ entry: LegendEntry) -> (text: String, style: CellStyle) {
    let mark = entry.mark
    switch entry.dimension {
    case 0:
      let own = mark.shown(capabilities.depth).symbol
      let symbol = entry.sign.isEmpty ? own.isEmpty ? signs.point : own : entry.sign
      return (
        symbol + (entry.smaller.isEmpty ? " " : entry.smaller),
        ink(mark)
      )
    case 1:
      let weights = [mark.weight, entry.leastWeight ?? mark.weight]
      return (
        weights.map { sample(mark.with(weight: $0)) }.joined(),
        ink(mark)
      )
    default:
      if mark.showsValue, mark.fill != nil, !mark.isPattern(capabilities.depth) {
        return (
          signs.isUnicode ? "██" : "##",
          CellStyle(foreground: TerminalColour(ground.cells(mark).fill), attributes: .solid)
        )
      }
      let area =
        switch mark.pattern {
        case .none: signs.isUnicode ? "▢ " : "[]"
        case let pattern where !signs.isUnicode: String(repeating: "\(pattern.letter)", count: 2)
        case .sparse: "░░"
        case .medium: "▒▒"
        case .dense: "▓▓"
        case .hatched: "▨ "
        case .heavy: "▩ "
        case .full: "██"
        }
      return (area, ink(mark.ink(capabilities.depth)))
    }
  }
}
