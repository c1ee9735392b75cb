package import ArgumentParser
import PortolanComparing

/// Decides conflicts of a merge.
package struct ResolveConflict: Command {
  package static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Decide a conflict of a merge: ours, theirs or both.",
    discussion: """
      ours keeps the feature as it is. theirs takes the other side's values where both sides \
      disagree, and keeps all merged values. both keeps two features; the second gets no id of the \
      first. If one side removed the feature, that side's choice removes it and the other side's \
      choice keeps it. resolve acts on the selected features, else on the conflict that ]c went \
      to.
      """)

  @Argument(help: "ours, theirs or both.")
  var decision: ConflictDecision

  @Flag(help: "All conflicts of the map.")
  var all = false

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.resolve(decision, all: all) }
}

extension ConflictDecision: ExpressibleByArgument {}
