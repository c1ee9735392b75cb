package import ArgumentParser
import PortolanDocuments

/// Takes a group away.
package struct UngroupLayers: Command {
  package static let configuration = CommandConfiguration(
    commandName: "ungroup", abstract: "Remove a group; its layers stay in place.")

  package static let completions = ["group": Completion.layers]

  @Argument(help: "Its name or number; without one, the active layer's group.")
  var group: String?

  package init() {}

  package func run(in desk: inout Desk) throws {
    let layer = try desk.layer(orActive: self.group)
    let around = desk.document.groups(around: layer).first
    guard let group = layer.isGroup ? layer : self.group == nil ? around : nil else {
      throw EditingError(.refused, "layer \(layer.name) is no group")
    }
    if desk.document.isProtected(group) { throw EditingError.locked(group.name) }
    try desk.edit("ungroup \(group.name)") { try $0.ungroup(group.id) }
    desk.say("group \(group.name) is gone, its layers stay")
  }
}
