package import ArgumentParser

/// Centres the map.
package struct Center: Command {
  package static let configuration = CommandConfiguration(
    commandName: "center", abstract: "Centre the map on the cursor.")

  package init() {}

  package func run(in session: inout Session) {
    session.visit(session.cursor, centring: true)
  }
}
