package import PortolanTerminals

/// The signs on the screen, for terminals with and without Unicode.
///
/// Each carries its meaning without colour.
package struct ScreenSigns: Hashable, Sendable {
  package let isUnicode: Bool

  /// Those of pages, which have letters of any kind.
  package static let page = ScreenSigns(
    capabilities: ScreenCapabilities(depth: .trueColour, isUnicode: true))

  package init(capabilities: ScreenCapabilities) { isUnicode = capabilities.isUnicode }

  package var horizontal: String { isUnicode ? "─" : "-" }
  package var vertical: String { isUnicode ? "│" : "|" }
  package var topLeft: String { isUnicode ? "┌" : "+" }
  package var topRight: String { isUnicode ? "┐" : "+" }
  package var bottomLeft: String { isUnicode ? "└" : "+" }
  package var bottomRight: String { isUnicode ? "┘" : "+" }
  /// Before the focused line.
  package var pointer: String { isUnicode ? "▸" : ">" }
  package var visible: String { isUnicode ? "◉" : "*" }
  package var hidden: String { isUnicode ? "○" : "o" }
  /// After the active layer.
  package var pencil: String { isUnicode ? "✎" : "<" }
  package var locked: String { "L" }
  package var point: String { isUnicode ? "•" : "." }
  package var ellipsis: String { isUnicode ? "…" : "~" }
  package var dash: String { isUnicode ? "—" : "-" }
  package var barFull: String { isUnicode ? "█" : "#" }
  package var barEmpty: String { isUnicode ? "░" : "." }
  package var scaleLeft: String { isUnicode ? "├" : "|" }
  package var scaleRight: String { isUnicode ? "┤" : "|" }
  /// The view in the overview, if it is no larger than a cell.
  package var viewMark: String { isUnicode ? "▣" : "#" }
  package var crosshair: String { isUnicode ? "┼" : "+" }
}
