package import ArgumentParser

/// Lets the terminal go.
package struct Detach: Command {
  package static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Leave the terminal; the documents stay open, portolan attach brings them back.")

  package init() {}

  package func run(in desk: inout Desk) throws {
    if desk.isHeadless { throw EditingError(.refused, "there is no terminal to leave") }
    guard desk.sharing.socket != nil else {
      throw EditingError(.refused, "nothing would stay: \(desk.sharing.trouble)")
    }
    // Who only watches keeps nothing open.
    if !desk.session.isWatching { desk.sharing.stays = true }
    desk.send(.detach)
  }
}
