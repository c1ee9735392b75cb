package import ArgumentParser

/// Chooses what new vertices stick to.
package struct Snap: Command {
  package static let configuration = CommandConfiguration(
    commandName: "snap", abstract: "Choose what vertices snap to; without a word, the next kind.")

  @Argument(help: "off, vertex, edge, grid or all.")
  var mode: SnapMode?

  package init() {}

  package func run(in session: inout Session) {
    let all = SnapMode.allCases
    let index = all.firstIndex(of: session.snap) ?? 0
    session.snap = mode ?? all[(index + 1) % all.count]
    session.say("snap: \(session.snap.rawValue)")
  }
}

extension SnapMode: ExpressibleByArgument {}
