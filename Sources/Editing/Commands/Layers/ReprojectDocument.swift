package import ArgumentParser
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange

/// Converts the document, or files, into another coordinate system.
package struct ReprojectDocument: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "reproject", abstract: "Convert a map into another coordinate system.",
    discussion: """
      reproject EPSG:25833 converts all layers, bookmarks and views of the document. Degrees, Web \
      Mercator and UTM on WGS 84 and ETRS89 are converted by Portolan itself, all else by PROJ \
      (libproj25). Vertices are converted, and long edges stay straight; results are rounded to a \
      tenth of a millimetre. As a verb: portolan reproject towns.geojson EPSG:25833 -o towns.gpkg; \
      export --crs does the same for layers and boxes. See Docs/coordinate-systems.md.
      """)

  @Argument(
    help: "The system: EPSG:CODE, ESRI:CODE or OGC:CRS84. As a verb files before it, as one map.",
    completion: .file())
  var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "The system that the coordinates are in, where the map does not tell.",
      valueName: "EPSG:CODE"),
    transform: SystemArgument.read)
  var from: SystemArgument?

  @OptionGroup var result: ResultOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package static var jsonOptions: [String] { ["--format geojson", "--format ndjson"] }
  package var inputs: [String] { Array(words.dropLast()) }
  package var needsInput: Bool { true }

  package func validate() throws {
    guard let name = words.last else {
      throw ValidationError("write reproject EPSG:25833, or reproject FILE EPSG:25833 -o FILE")
    }
    guard (try? SystemArgument.read(name)) != nil else {
      throw ValidationError(
        "“\(name)” names no coordinate system, which is the last word: EPSG:25833 or OGC:CRS84; "
          + "with --where, --bbox or --layers use export --crs")
    }
    _ = try result.exporter()
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    if inputs.isEmpty, result.target.output != nil {
      throw EditingError(.refused, "-o is for files that are named: :export --crs writes a file")
    }
    let wanted = try SystemArgument.read(words.last ?? "").system
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
    let source = from?.system ?? document.metadata.coordinateSystem
    let isConverted = !Reprojection.isSame(source, wanted)
    if !isConverted, Reprojection.isSame(document.metadata.coordinateSystem, wanted) {
      // Of files, what was asked for is there.
      if !inputs.isEmpty { return }
      throw EditingError(.refused, "the coordinates are of \(wanted.name) already")
    }
    try desk.edit(
      "reproject", isLong: vertices > 100_000,
      saying: isConverted
        ? "converted from \(source.name) into \(wanted.name)" : "the system is \(wanted.name)"
    ) { document, progress in
      if isConverted {
        try document.reproject(from: source, to: wanted) { try progress.report($0) }
      }
      document.take(wanted)
    } then: { desk in
      let isPlanar = desk.viewpoint.projection == .planar
      if wanted.isDegrees, isPlanar { desk.viewpoint.projection = .webMercator }
      desk.lookAnew()
    }
  }

  package func finish(in desk: inout Desk) throws {
    guard !inputs.isEmpty else { return }
    let path = try result.target.path(as: "reproject … -o FILE", in: desk)
    try result.write(to: path, in: &desk) { _ in true }
  }
}

extension Document {
  /// States the system that the coordinates are of.
  fileprivate mutating func take(_ system: CoordinateSystem) {
    metadata.take(system)
    for index in views.indices {
      guard var map = views[index] as? any MapShowing else { continue }
      if !system.isDegrees {
        map.projection = .planar
      } else if map.projection == .planar {
        map.projection = .webMercator
      }
      views[index] = map
    }
  }

  /// Converts the coordinates of all layers, bookmarks and views.
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
      for index in views.indices {
        guard var map = views[index] as? any MapShowing else { continue }
        map.center = reprojection.place(of: map.center) ?? map.center
        views[index] = map
      }
    } catch let error as ToolError {
      throw EditingError(.unsupported, error.description)
    }
  }
}
