package import ArgumentParser

/// Opens the attribute form.
package struct EditAttributes: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "attributes", abstract: "Edit the attributes of the selection in a form.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.openForm() }
}
