package import ArgumentParser
import PortolanGraphics

/// Goes to a place.
package struct Go: MapCommand {
  package enum Place: String, CaseIterable, Sendable {
    case to, name, id, feature, bookmark, home, previous, next
  }

  /// A word after `go`: the first one is a place or begins a position.
  package struct Word: ExpressibleByArgument, Sendable {
    let text: String

    package init(argument: String) { text = argument }

    package static var allValueStrings: [String] { Place.allCases.map(\.rawValue) }
  }

  package static let configuration = CommandConfiguration(
    commandName: "go", abstract: "Go to a position, a name, an id, or a former view.",
    discussion: """
      `go to 13.4 52.5` (lon lat), `go to 52°31'N 13°24'E`, `go name Berlin`, `go -95 40` (a \
      position in numbers needs no `to`), `go id 42`, `go bookmark a`, `go home`, `go previous 3`. \
      A whole name is preferred to names that contain the text. Where several features are meant \
      the editor lists them, and a script ends with the list: `go --layer cities name Berlin` \
      looks in one layer, `go feature cities 42` takes the feature of that number. Until one is \
      chosen, the selection stays.
      """)

  @Option(help: "Look for the name or id in this layer only; given before the word name or id.")
  var layer: String?

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp(
      "to, name, id, feature, bookmark, home, previous or next, then the position, name or id, "
        + "a layer and a number, or how many jumps; or a position.", valueName: "place"))
  var words: [Word] = []

  package init() {}

  private var place: Place? { words.first.flatMap { Place(rawValue: $0.text) } }

  package var summary: String {
    switch place {
    case .to: "Go to a position."
    case .name: "Go to a feature by its name."
    case .id: "Go to a feature by its id."
    case .feature: "Go to a feature by its number in a layer."
    case .bookmark: "Go to a bookmark."
    case .home: "Go to the view of the document."
    case .previous: "Go back to the previous view."
    case .next: "Go forward to the next view."
    case nil: Self.configuration.abstract
    }
  }

  package func run(in desk: inout Desk) throws {
    let rest = words.dropFirst().map(\.text)
    let text = rest.joined(separator: " ")
    switch place {
    case .to: desk.visit(typed: try desk.position(text))
    case .name, .id:
      let isID = place == .id
      if text.isEmpty { throw EditingError(.usage, "go \(isID ? "id" : "name") TEXT") }
      try desk.go(to: isID ? .id(text) : .name(text), inLayer: layer)
    case .feature: try desk.go(toFeature: rest)
    case .home: desk.goHome()
    case .bookmark:
      if text.isEmpty { throw EditingError(.usage, "go bookmark NAME") }
      try desk.go(toBookmark: text)
    case .previous: try desk.revisit(try jumps(rest), forward: false)
    case .next: try desk.revisit(try jumps(rest), forward: true)
    case nil: desk.visit(typed: try position(on: desk))
    }
  }

  /// The number of jumps after `previous` or `next`.
  private func jumps(_ words: [String]) throws -> Int {
    if words.isEmpty { return 1 }
    guard words.count == 1, let count = Int(words[0]), (1...100_000).contains(count) else {
      throw EditingError(.usage, "go previous or next, and how many jumps")
    }
    return count
  }

  /// The position that the words are.
  ///
  /// - Throws: advice, if they do not begin like one.
  private func position(on desk: Desk) throws -> Coordinate {
    let text = words.map(\.text).joined(separator: " ")
    if text.isEmpty { throw EditingError(.usage, "go where? write go name TEXT, or go LON LAT") }
    guard text.first.map({ "+-@.0123456789".contains($0) }) == true else {
      throw EditingError(
        .usage,
        "“\(words[0].text)” is no place to go: write go name \(text), or go LON LAT; "
          + "the others are go id, feature, bookmark, home, previous and next")
    }
    return try desk.position(text)
  }
}
