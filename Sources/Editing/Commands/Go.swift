package import ArgumentParser

/// Goes to a place.
package struct Go: Command {
  package enum Place: String, ExpressibleByArgument, CaseIterable, Sendable {
    case to, name, id, home, previous, next
  }

  package static let configuration = CommandConfiguration(
    commandName: "go", abstract: "Go to a position, a name, an id, or a former view.",
    discussion: "`go to 13.4 52.5` (lon lat), `go to 52°31'N 13°24'E`, `go name Berlin`, "
      + "`go id 42`, `go home`, `go previous`.")

  @Argument(help: "to, name, id, home, previous or next.")
  var place: Place

  @Argument(parsing: .captureForPassthrough, help: "The position, name or id.")
  var words: [String] = []

  package init() {}

  package var summary: String {
    switch place {
    case .to: "Go to a position."
    case .name: "Go to a feature by its name."
    case .id: "Go to a feature by its id."
    case .home: "Go to the view of the document."
    case .previous: "Go back to the previous view."
    case .next: "Go forward to the next view."
    }
  }

  package func run(in session: inout Session) throws {
    let text = words.joined(separator: " ")
    switch place {
    case .to: session.visit(typed: try session.position(text))
    case .name, .id:
      if text.isEmpty { throw EditingError(.usage, "go \(place.rawValue) TEXT") }
      try session.go(to: place == .id ? .id(text) : .name(text))
    case .home: session.goHome()
    case .previous: try session.revisitViewpoint(forward: false)
    case .next: try session.revisitViewpoint(forward: true)
    }
  }
}
