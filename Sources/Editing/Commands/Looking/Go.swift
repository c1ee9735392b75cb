package import ArgumentParser

/// Goes to a place.
package struct Go: Command {
  package enum Place: String, CaseIterable, Sendable {
    case to, name, id, feature, home, previous, next
  }

  /// The word after `go`, which may be no known one.
  package struct Word: ExpressibleByArgument, Sendable {
    let text: String
    var place: Place? { Place(rawValue: text) }

    package init(argument: String) { text = argument }

    package static var allValueStrings: [String] { Place.allCases.map(\.rawValue) }
  }

  package static let configuration = CommandConfiguration(
    commandName: "go", abstract: "Go to a position, a name, an id, or a former view.",
    discussion: "`go to 13.4 52.5` (lon lat), `go to 52°31'N 13°24'E`, `go name Berlin`, "
      + "`go 13.4 52.5` (a position that begins with a digit needs no `to`), "
      + "`go id 42`, `go home`, `go previous`. A name in full goes before names that only hold the "
      + "text. Where several features are meant the editor lists them, and a script ends with the "
      + "list: `go --layer cities name Berlin` looks in one layer, `go feature cities 42` takes "
      + "the feature of that number. Until one is chosen, the selection stays.")

  @Option(help: "Look for the name or id in this layer only; given before the word name or id.")
  var layer: String?

  @Argument(help: "to, name, id, feature, home, previous or next.")
  var place: Word

  @Argument(
    parsing: .captureForPassthrough, help: "The position, name or id; or a layer and a number.")
  var words: [String] = []

  package init() {}

  package var summary: String {
    switch place.place {
    case .to: "Go to a position."
    case .name: "Go to a feature by its name."
    case .id: "Go to a feature by its id."
    case .feature: "Go to a feature by its number in a layer."
    case .home: "Go to the view of the document."
    case .previous: "Go back to the previous view."
    case .next: "Go forward to the next view."
    case nil: Self.configuration.abstract
    }
  }

  package func run(in desk: inout Desk) throws {
    let text = words.joined(separator: " ")
    guard let place = place.place else {
      let words = [place.text] + words
      guard place.text.first?.isNumber == true else { throw Self.unknown(words) }
      return desk.visit(typed: try desk.position(words.joined(separator: " ")))
    }
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

  /// The error for an unknown word after `go`: it advises a position or a name.
  static func unknown(_ words: [String]) -> EditingError {
    let text = words.joined(separator: " ")
    let isPosition = text.first.map { "+-@.0123456789".contains($0) } ?? false
    return EditingError(
      .usage,
      isPosition
        ? "go to what? write go to \(text)"
        : "“\(words[0])” is no place to go: write go name \(text), or go to LON LAT; "
          + "the others are go id, feature, home, previous and next")
  }
}
