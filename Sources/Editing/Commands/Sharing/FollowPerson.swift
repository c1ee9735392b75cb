package import ArgumentParser

/// Lets the map go along with another person's.
package struct FollowPerson: Command {
  package static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Let your map follow another person's.",
    discussion: """
      Your map shows the place, the magnification and the projection that theirs shows, until you \
      move it; follow off ends it, too. NAME is their name in the title, the beginning of it, or \
      their number in portolan list. They see that you follow.
      """)

  package static let completions = [
    "name": Completion { desk, _ in ["off"] + desk.company.filter(\.isPresent).map(\.name) }
  ]

  @Argument(help: "The person, or off.")
  var name: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    let name = name.joined(separator: " ")
    if name == "off" { return desk.stopFollowing() }
    try desk.follow(name)
  }
}

extension Desk {
  fileprivate mutating func stopFollowing() {
    session.following = nil
    say("you follow nobody")
  }

  fileprivate mutating func follow(_ name: String) throws {
    if isHeadless { throw EditingError(.refused, "there is no map that could follow") }
    let person = try companion(named: name)
    guard pane.state.map != nil else {
      throw EditingError(.refused, "only a map follows: choose a pane with one")
    }
    guard person.documents.contains(file.id) else {
      throw EditingError(.refused, "\(person.name) does not show \(title)")
    }
    session.following = person.id
    say("following \(person.name) until you move the map")
  }

  /// The person at a terminal whom a name means; the only one without a name.
  private func companion(named name: String) throws -> Companion {
    let here = company.filter { $0.isPresent && !$0.isRemote }
    if here.isEmpty { throw EditingError(.notFound, "nobody else is here") }
    var found = here
    if !name.isEmpty {
      found = here.filter { $0.name == name || "\($0.id.rawValue)" == name }
      if found.isEmpty { found = here.filter { $0.name.hasPrefix(name) } }
    }
    if let one = found.first, found.count == 1 { return one }
    let names = here.map { "\($0.name) (\($0.id.rawValue))" }.joined(separator: ", ")
    throw EditingError(
      .notFound, found.isEmpty ? "no \(name) here: \(names)" : "which one? \(names)")
  }
}
