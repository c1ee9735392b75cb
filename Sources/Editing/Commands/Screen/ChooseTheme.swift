package import ArgumentParser
package import PortolanTerminals

/// Chooses the colours.
package struct ChooseTheme: Command {
  package static let configuration = CommandConfiguration(
    commandName: "theme", abstract: "Choose the colours: dark, light, contrast, safe or mono.",
    discussion: """
      dark and light fit the colours to a terminal's background; contrast has at least 7 to 1; \
      safe has colours that colour-blind eyes tell apart (Okabe and Ito), new layers too; mono \
      has none. contrast and safe are fitted to the terminal's background; dark-contrast, \
      light-safe and so on choose both. The editor begins with --theme, else with the \
      background that the terminal tells when asked, else with COLORFGBG, else dark; it \
      follows a terminal that reports a change until a background is chosen. Without an \
      argument it changes between dark and light.
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
    let own = desk.session.terminalGround ?? former.ground
    desk.session.terminalGround = own
    desk.session.capabilities.apply(theme)
    if theme.ground == nil { desk.session.capabilities.ground = own }
    desk.session.chosenTheme = theme
    desk.say(theme.words)
  }
}

extension Theme: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package var defaultValueDescription: String { name }

  package static var allValueStrings: [String] { all.map(\.name) }
}

extension Ground: ExpressibleByArgument {}
