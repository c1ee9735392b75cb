package import ArgumentParser
import PortolanComparing

/// Decides conflicts of a merge.
package struct ResolveConflict: Command {
  package static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Decide a conflict of a merge: ours, theirs or both.",
    discussion: """
      ours keeps the feature as it is; theirs takes what the other side changed where both \
      disagree, and leaves what was merged; both keeps two features, the second without an id \
      that the first has. Of a feature that one side removed, that side removes it, and the \
      other keeps it. It acts on the selected features, else on the conflict that ]c went to.
      """)

  @Argument(help: "ours, theirs or both.")
  var decision: ConflictDecision

  @Flag(help: "All conflicts of the map.")
  var all = false

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.resolve(decision, all: all) }
}

extension ConflictDecision: ExpressibleByArgument {}
