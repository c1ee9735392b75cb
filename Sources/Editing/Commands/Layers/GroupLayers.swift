package import ArgumentParser
import PortolanDocuments

/// Puts layers into a group.
package struct GroupLayers: Command {
  package static let configuration = CommandConfiguration(
    commandName: "group",
    abstract: "Put layers into a new group: they are hidden, locked and moved together.")

  @Argument(help: "The name of the group.")
  var name: String

  @Argument(help: "Names, or numbers from the top; without one, the active layer.")
  var layers: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    if name.isEmpty { throw EditingError(.usage, "a group needs a name") }
    if desk.document.layers.contains(where: { $0.name == name }) {
      throw EditingError(.refused, "there is a layer “\(name)” already")
    }
    let members =
      try layers.isEmpty
      ? [desk.requireActiveLayer()] : layers.map { try desk.layer(named: $0) }
    guard members.allSatisfy({ $0.parent == members.first?.parent }) else {
      throw EditingError(.refused, "only layers that stand side by side can be grouped")
    }
    try desk.edit("group \(name)") { try $0.group(members.map(\.id), named: name) }
    desk.say("group \(name): " + members.map(\.name).joined(separator: ", "))
  }
}
