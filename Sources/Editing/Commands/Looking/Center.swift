package import ArgumentParser

/// Centres the map.
package struct Center: CameraCommand {
  package static let configuration = CommandConfiguration(
    commandName: "center", abstract: "Centre the map on the cursor.")

  package init() {}

  package func run(in desk: inout Desk) {
    desk.visit(desk.cursor, centring: true)
  }
}
