package import ArgumentParser
import Documents

/// Takes a group away.
package struct UngroupLayers: Command {
  package static let configuration = CommandConfiguration(
    commandName: "ungroup", abstract: "Take a group away; its layers stay where they are.")

  package static let takesLayers = true

  @Argument(help: "Its name or number; without one, the active layer's group.")
  var group: String?

  package init() {}

  package func run(in session: inout Session) throws {
    let layer = try session.layer(orActive: self.group)
    let around = session.document.groups(around: layer).first
    guard let group = layer as? GroupLayer ?? (self.group == nil ? around : nil) else {
      throw EditingError(.refused, "layer \(layer.name) is no group")
    }
    if session.document.isProtected(group) { throw EditingError.locked(group.name) }
    try session.edit("ungroup \(group.name)") { try $0.ungroup(group.id) }
    session.say("group \(group.name) is gone, its layers stay")
  }
}
