package import ArgumentParser

/// Changes the magnification.
package struct Zoom: CameraCommand {
  package enum Way: String, ExpressibleByArgument, CaseIterable, Sendable {
    case `in`, out, to
  }

  package static let configuration = CommandConfiguration(
    commandName: "zoom", abstract: "Zoom in or out at the cursor.",
    discussion: "A step is half a zoom: a factor of 1.41. `zoom to 0` shows the whole world 256 "
      + "dots wide.")

  @Argument(help: "in, out, or to.")
  var way: Way

  @Argument(help: "How many steps; or the zoom, from 0 to 22.")
  var amount: Double?

  @Option(
    parsing: .unconditional, help: "The cell that keeps its place: COLUMN,ROW of the map.")
  var at: CellArgument?

  package init() {}

  package var summary: String { way == .to ? "Zoom to a level." : "Zoom \(way.rawValue)." }

  package func run(in desk: inout Desk) throws {
    guard amount?.isFinite ?? (way != .to) else {
      throw EditingError(.usage, "zoom to LEVEL: a number from 0 to 22")
    }
    let kept = desk.cursor
    try desk.putCursor(on: at)
    switch way {
    case .in: desk.zoom(steps: amount ?? 1)
    case .out: desk.zoom(steps: -(amount ?? 1))
    case .to: desk.zoom(to: amount ?? 0)
    }
    if at != nil { desk.settleCursor(at: kept) }
  }
}
