package import ArgumentParser

/// Goes to a place.
package struct Go: Command {
  package enum Place: String, ExpressibleByArgument, CaseIterable, Sendable {
    case to, name, id, feature, home, previous, next
  }

  package static let configuration = CommandConfiguration(
    commandName: "go", abstract: "Go to a position, a name, an id, or a former view.",
    discussion: "`go to 13.4 52.5` (lon lat), `go to 52°31'N 13°24'E`, `go name Berlin`, "
      + "`go id 42`, `go home`, `go previous`. A name in full goes before names that only hold the "
      + "text. Where several features are meant the editor lists them, and a script ends with the "
      + "list: `go --layer cities name Berlin` looks in one layer, `go feature cities 42` takes "
      + "the feature of that number.")

  @Option(help: "Look for the name or id in this layer only; given before the word name or id.")
  var layer: String?

  @Argument(help: "to, name, id, feature, home, previous or next.")
  var place: Place

  @Argument(
    parsing: .captureForPassthrough, help: "The position, name or id; or a layer and a number.")
  var words: [String] = []

  package init() {}

  package var summary: String {
    switch place {
    case .to: "Go to a position."
    case .name: "Go to a feature by its name."
    case .id: "Go to a feature by its id."
    case .feature: "Go to a feature by its number in a layer."
    case .home: "Go to the view of the document."
    case .previous: "Go back to the previous view."
    case .next: "Go forward to the next view."
    }
  }

  package func run(in desk: inout Desk) throws {
    let text = words.joined(separator: " ")
    switch place {
    case .to: desk.visit(typed: try desk.position(text))
    case .name, .id:
      if text.isEmpty { throw EditingError(.usage, "go \(place.rawValue) TEXT") }
      try desk.go(to: place == .id ? .id(text) : .name(text), inLayer: layer)
    case .feature: try desk.go(toFeature: words)
    case .home: desk.goHome()
    case .previous: try desk.revisitViewpoint(forward: false)
    case .next: try desk.revisitViewpoint(forward: true)
    }
  }
}
