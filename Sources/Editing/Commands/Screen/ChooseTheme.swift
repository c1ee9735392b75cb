package import ArgumentParser
package import PortolanTerminals

/// Chooses the colours.
package struct ChooseTheme: Command {
  package static let configuration = CommandConfiguration(
    commandName: "theme", abstract: "Choose the colours: dark, light, contrast, safe or mono.",
    discussion: """
      dark and light fit the colours to the terminal's background; contrast gives at least 7 to 1; \
      safe uses colours that colour-blind people can tell apart (Okabe and Ito), for new layers \
      too; mono uses no colours. contrast and safe adapt to the terminal's background; \
      dark-contrast, light-safe and so on set both. At the start the editor uses --theme, else the \
      background that the terminal reports, else COLORFGBG, else dark; it follows a terminal that \
      reports a change until you choose a background. Without an argument, theme switches between \
      dark and light.
      """)

  @Argument(
    help: "dark, light, contrast, safe or mono.", completion: .list(Theme.all.map(\.name)))
  var theme: Theme?

  package init() {}

  package func run(in desk: inout Desk) throws {
    let former = desk.session.capabilities
    let theme =
      theme
      ?? Theme(
        palette: former.palette == .mono ? .standard : former.palette,
        ground: former.ground == .dark ? .light : .dark)
    desk.choose(theme)
    desk.say(theme.words)
  }
}

extension Desk {
  /// Shows a theme, whatever the terminal tells.
  mutating func choose(_ theme: Theme) {
    let own = session.terminalGround ?? session.capabilities.ground
    session.terminalGround = own
    session.capabilities.apply(theme)
    if theme.ground == nil { session.capabilities.ground = own }
    session.chosenTheme = theme
  }

  /// Shows the usual colours on the background of the terminal.
  mutating func forgetChosenTheme() {
    session.chosenTheme = nil
    session.capabilities.palette = .standard
    if let own = session.terminalGround { session.capabilities.ground = own }
  }
}

extension Theme: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package var defaultValueDescription: String { name }

  package static var allValueStrings: [String] { all.map(\.name) }
}

extension Ground: ExpressibleByArgument {}
