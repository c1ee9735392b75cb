package import ArgumentParser

/// Steps backward.
package struct Previous: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "previous", abstract: "Step to the previous feature, layer, vertex or match.")

  @Argument(help: "near, feature, layer, selected, vertex, match, finding or layer-line.")
  var target: StepTarget

  @Argument(help: "How many steps.")
  var steps = 1

  package init() {}

  package var summary: String { "Previous \(target.words)." }

  package func run(in desk: inout Desk) throws {
    try desk.step(target, by: -min(max(steps, 0), 100_000))
  }
}
