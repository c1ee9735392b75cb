package import ArgumentParser

/// Keeps the workspace when its terminal goes.
package struct Serve: Command {
  package static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Keep the workspace when its terminal closes; portolan attach shows it again.",
    discussion: """
      From then on the documents stay open in this process, with all panes, when the terminal is \
      closed, the connection breaks or :detach leaves; portolan attach shows them again, portolan \
      list names them. :q ends your session, and with the last session the workspace; :quit \
      --everyone ends it for all.
      """)

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.keepServed()
    desk.answer("served: portolan attach \(desk.sharing.process) shows it, :detach leaves it")
  }
}

extension Desk {
  /// Keeps the workspace when its terminal goes.
  mutating func keepServed() throws {
    try requireTakingPart()
    guard sharing.socket != nil else {
      throw EditingError(.refused, "this workspace cannot be served: \(sharing.trouble)")
    }
    sharing.stays = true
  }
}
