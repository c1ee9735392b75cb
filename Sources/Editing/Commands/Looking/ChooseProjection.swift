package import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Changes the map projection.
package struct ChooseProjection: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "projection", abstract: "Choose the map projection.",
    discussion: """
      Of coordinates in degrees; views are saved with it. equal-earth shows areas in their sizes: \
      the world has an edge at 180 degrees, across which shapes go on outside of it.
      """)

  @Argument(help: "web-mercator, equirectangular, equal-earth or planar.")
  var projection: Projection

  package init() {}

  package func run(in desk: inout Desk) throws {
    try projection.check(in: desk)
    desk.rememberJump()
    let kept = desk.cursor
    desk.viewpoint.projection = projection
    desk.settleCursor(at: kept)
    desk.say("projection: \(projection.rawValue)")
  }
}

extension Projection: ExpressibleByArgument {
  /// - Throws: `EditingError` for one of the globe where there is none.
  func check(in desk: Desk) throws {
    guard !desk.isGeographic, self != .planar else { return }
    let system = desk.document.metadata.coordinateSystem.name
    throw EditingError(
      .refused,
      "the coordinates are planar (\(system)), not degrees: there is no projection to choose")
  }
}
