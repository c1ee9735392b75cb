package import ArgumentParser
import Documents
import Graphics

/// Changes how the round earth becomes a flat map.
package struct ChooseProjection: Command {
  package static let configuration = CommandConfiguration(
    commandName: "projection", abstract: "Choose the map projection.")

  @Argument(help: "web-mercator, equirectangular or planar.")
  var projection: Projection

  package init() {}

  package func run(in session: inout Session) throws {
    guard session.isGeographic || projection == .planar else {
      let system = session.document.metadata.coordinateSystem.name
      throw EditingError(
        .refused,
        "the coordinates are planar (\(system)), not degrees: there is no projection to choose")
    }
    session.rememberViewpoint()
    session.planeReference = session.document.extent
    let kept = session.cursor
    session.viewpoint.projection = projection
    session.settleCursor(at: kept)
    session.say("projection: \(projection.rawValue)")
  }
}

extension Projection: ExpressibleByArgument {}
