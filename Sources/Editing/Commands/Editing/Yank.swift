package import ArgumentParser
import PortolanTerminals

/// Copies the selection, or the map as text.
package struct Yank: FeatureCommand {
  /// The form of a copied map.
  package enum Form: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, ansi
  }

  package static let configuration = CommandConfiguration(
    commandName: "yank", abstract: "Copy the selected features, or the map as text.",
    discussion: """
      Features are copied for paste. --view copies the map as it stands, without the cursor, to \
      the terminal's clipboard (OSC 52, which some terminals allow only when told to): as text, \
      or as ansi with its colours. A script without a screen has no clipboard: there `render` \
      writes the map.
      """)

  @Option(help: "Copy the map to the terminal's clipboard: text or ansi.")
  var view: Form?

  package init() {}

  package func run(in desk: inout Desk) throws {
    guard let view else { return try desk.yank() }
    if desk.isHeadless {
      throw EditingError(.refused, "no clipboard without a screen: render -o FILE writes the map")
    }
    let frame = MapPane.picture(of: desk)
    let look = desk.look
    let repertoire = look.capabilities.isUnicode ? Repertoire.unicode : .ascii
    let text =
      switch view {
      case .text: frame.plainText(repertoire)
      case .ansi: frame.ansiText(look.capabilities.depth, repertoire)
      }
    desk.send(.setClipboard(text))
    desk.say("the map is copied as \(view.rawValue), \(frame.size.columns)x\(frame.size.rows)")
  }
}
