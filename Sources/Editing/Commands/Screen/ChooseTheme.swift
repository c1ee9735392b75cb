package import ArgumentParser
import PortolanTerminals

/// Fits the colours to a dark or a light terminal.
package struct ChooseTheme: Command {
  package static let configuration = CommandConfiguration(
    commandName: "theme", abstract: "Fit the colours to a dark or a light terminal.",
    discussion: """
      The editor begins with --theme, else with what the terminal tells in COLORFGBG, else dark. \
      Without an argument it changes from one to the other.
      """)

  @Argument(help: "dark or light.", completion: .list(Ground.allCases.map(\.rawValue)))
  var ground: Ground?

  package init() {}

  package func run(in desk: inout Desk) throws {
    let former = desk.session.capabilities.ground
    let ground = ground ?? (former == .dark ? .light : .dark)
    desk.session.capabilities.ground = ground
    desk.session.chosenGround = ground
    desk.say("colours for a \(ground.rawValue) terminal")
  }
}

extension Ground: ExpressibleByArgument {}
