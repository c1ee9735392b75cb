package import ArgumentParser
import PortolanDocuments

/// Walks through the conflicts of a merge.
package struct GoToConflict: Command {
  package static let configuration = CommandConfiguration(
    commandName: "conflict", abstract: "Go to the next conflict of a merge, or list all.",
    discussion: """
      Both versions of the feature are on the map: ours selected, theirs dashed. :resolve decides.
      """)

  /// The action of the command.
  enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case next, previous, list
  }

  @Argument(help: "next, previous or list.")
  var action: Action = .next

  @Argument(help: "How many steps.")
  var steps = 1

  package init() {}

  package var summary: String {
    switch action {
    case .next: "Next conflict of a merge."
    case .previous: "Previous conflict of a merge."
    case .list: "List the conflicts of a merge."
    }
  }

  package func run(in desk: inout Desk) throws {
    let steps = min(max(steps, 0), 100_000)
    switch action {
    case .next: try desk.stepConflict(by: steps)
    case .previous: try desk.stepConflict(by: -steps)
    case .list:
      let document = desk.document
      let lines = document.conflictPlaces.map { place in
        let subject =
          place.reference.map { desk.describe($0) }
          ?? place.layer.flatMap { document[layer: $0]?.name } ?? "document"
        return "\(subject): \(place.words(in: document))"
      }
      desk.send(.print(lines.isEmpty ? ["no conflicts"] : lines))
    }
  }
}
