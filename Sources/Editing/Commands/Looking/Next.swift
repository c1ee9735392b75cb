package import ArgumentParser

/// The targets of `next` and `previous`.
package enum StepTarget: String, ExpressibleByArgument, CaseIterable, Sendable {
  case near, feature, layer, selected, vertex, match, finding
  case layerLine = "layer-line"

  var words: String {
    switch self {
    case .near: "feature by distance from the cursor"
    case .feature: "feature of the active layer"
    case .layer: "layer"
    case .selected: "selected feature"
    case .vertex: "vertex of the selected feature"
    case .match: "feature found"
    case .finding: "finding of check"
    case .layerLine: "line of the layers panel"
    }
  }
}

/// Steps forward.
package struct Next: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "next", abstract: "Step to the next feature, layer, vertex or match.")

  @Argument(help: "near, feature, layer, selected, vertex, match, finding or layer-line.")
  var target: StepTarget

  @Argument(help: "How many steps.")
  var steps = 1

  package init() {}

  package var summary: String { "Next \(target.words)." }

  package func run(in desk: inout Desk) throws {
    try desk.step(target, by: min(max(steps, 0), 100_000))
  }
}
