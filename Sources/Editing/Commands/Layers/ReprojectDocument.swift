package import ArgumentParser
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange

/// Converts the document into another coordinate system.
package struct ReprojectDocument: Command {
  package static let configuration = CommandConfiguration(
    commandName: "reproject", abstract: "Convert the document into another coordinate system.",
    discussion: """
      reproject EPSG:25833 converts all layers, bookmarks and views. Degrees, Web Mercator and \
      UTM on WGS 84 and ETRS89 are converted by Portolan itself, all else by PROJ (libproj25). \
      Vertices are converted, and long edges stay straight; results are rounded to a tenth of a \
      millimetre. \
      A file is converted by export --crs.
      """)

  @Argument(help: "The system: EPSG:CODE, ESRI:CODE or OGC:CRS84.", transform: SystemArgument.read)
  var system: SystemArgument

  @Option(
    help: ArgumentHelp(
      "The system that the coordinates are in, where the document does not tell.",
      valueName: "EPSG:CODE"),
    transform: SystemArgument.read)
  var from: SystemArgument?

  package init() {}

  package func run(in desk: inout Desk) throws {
    if desk.draft?.isEmpty == false {
      throw EditingError(.refused, "finish or discard the drawing first")
    }
    let document = desk.document
    if let locked = document.layers.first(where: { document.isProtected($0) }) {
      throw EditingError.locked(locked.name)
    }
    let vertices = document.layers.reduce(0) { sum, layer in
      let blocks = (layer as? any FeatureHolding)?.blocks ?? []
      return sum + blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    }
    let (target, stated) = (system.system, from?.system)
    let source = stated ?? document.metadata.coordinateSystem
    if Reprojection.isSame(source, target) {
      throw EditingError(.refused, "the coordinates are of \(target.name) already")
    }
    try desk.edit(
      "reproject", isLong: vertices > 100_000,
      saying: "converted from \(source.name) into \(target.name)"
    ) { document, progress in
      try document.reproject(from: source, to: target) { try progress.report($0) }
    } then: { desk in
      let isPlanar = desk.viewpoint.projection == .planar
      if target.isDegrees, isPlanar { desk.viewpoint.projection = .webMercator }
      desk.lookAnew()
    }
  }
}

extension Document {
  /// Converts all layers, bookmarks and views.
  fileprivate mutating func reproject(
    from source: CoordinateSystem, to target: CoordinateSystem,
    progress: (Double) throws -> Void
  ) throws {
    do {
      let reprojection = try Reprojection(from: source, to: target)
      for index in layers.indices {
        layers[index] = try reprojection.layer(layers[index]) {
          try progress((Double(index) + $0) / Double(layers.count))
        }
      }
      for index in bookmarks.indices {
        let place = bookmarks[index].place
        bookmarks[index].place = reprojection.place(of: place) ?? place
      }
      metadata.take(target)
      for index in views.indices {
        guard var map = views[index] as? any MapShowing else { continue }
        map.center = reprojection.place(of: map.center) ?? map.center
        map.projection = target.isDegrees ? .webMercator : .planar
        views[index] = map
      }
    } catch let error as ToolError {
      throw EditingError(.unsupported, error.description)
    }
  }
}
