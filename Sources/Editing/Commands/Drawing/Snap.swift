package import ArgumentParser

/// Chooses the snap targets of new vertices.
package struct Snap: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "snap", abstract: "Choose the targets of snapping; without an argument, the next.")

  @Argument(help: "off, vertex, edge, grid or all.")
  var mode: SnapMode?

  package init() {}

  package func run(in desk: inout Desk) {
    let all = SnapMode.allCases
    let index = all.firstIndex(of: desk.snap) ?? 0
    desk.snap = mode ?? all[(index + 1) % all.count]
    desk.say("snap: \(desk.snap.rawValue)")
  }
}

extension SnapMode: ExpressibleByArgument {}
