package import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Changes the map projection.
package struct ChooseProjection: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "projection", abstract: "Choose the map projection.")

  @Argument(help: "web-mercator, equirectangular or planar.")
  var projection: Projection

  package init() {}

  package func run(in desk: inout Desk) throws {
    guard desk.isGeographic || projection == .planar else {
      let system = desk.document.metadata.coordinateSystem.name
      throw EditingError(
        .refused,
        "the coordinates are planar (\(system)), not degrees: there is no projection to choose")
    }
    desk.rememberJump()
    let kept = desk.cursor
    desk.viewpoint.projection = projection
    desk.settleCursor(at: kept)
    desk.say("projection: \(projection.rawValue)")
  }
}

extension Projection: ExpressibleByArgument {}
