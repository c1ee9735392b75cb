package import ArgumentParser
package import PortolanDocuments
import PortolanFiles
package import PortolanGraphics
package import PortolanInterchange
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals

/// Draws the map as text or as a picture.
package struct RenderMap: MapVerb {
  package static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Draw the map as text, coloured or not, or as a picture (SVG, HTML, PNG, PDF).",
    discussion: """
      A file is fitted whole unless --bbox, --center, --fit or --view says otherwise. Colours are \
      sent only to a terminal, or where --color or --format ansi asks for them.
      """)

  @OptionGroup var target: OutputOptions

  @Option(
    help: """
      \(PictureFormats.names); by default from the output's extension \
      (\(PictureFormats.extensions.joined(separator: ", "))).
      """,
    completion: .list(PictureFormats.all.map(\.name)))
  var format: String?

  @Option(
    help: ArgumentHelp(
      """
      The size: WxH or the width alone, in cells of text (80x24), in pixels of a picture \
      (1200x800); WxHmm for paper.
      """, valueName: "WxH"))
  var size: SizeArgument?

  @Option(
    help: """
      The pixels an inch of PNG, 36 to 1200 (96 unless given): paper has as many more, \
      with --size in pixels texts and lines are as many wider.
      """)
  var dpi: Int?

  @Option(
    parsing: .unconditional, help: "Show this box: W,S,E,N; W > E reaches across 180 degrees.",
    transform: BoxArgument.read)
  var bbox: BoxArgument?

  @Option(
    parsing: .unconditional, help: "Centre the map on this position: LON,LAT.",
    transform: PairArgument.read)
  var center: PairArgument?

  @Option(parsing: .unconditional, help: "The zoom: 0 shows the world in 128 columns.")
  var zoom: Double?

  @Option(
    help: "The projection: web-mercator, equirectangular, equal-earth or planar; else the view's.")
  var projection: Projection?

  @Option(help: "Fit this layer.")
  var fit: String?

  @Option(help: "Use the camera of this view of the document; current is the editor's.")
  var view: String?

  @Option(
    help: "Draw only these layers: names with commas between; may be given several times.")
  var layers: [String] = []

  @Option(help: "Leave this layer out; may be given several times.")
  var hide: [String] = []

  @Option(help: "Draw this layer even if it is hidden; may be given several times.")
  var show: [String] = []

  @Flag(help: "Draw hidden layers too.")
  var ignoreVisibility = false

  @Option(help: "The characters of the dots: braille, quadrant, half or ascii.")
  var glyphs: GlyphSet = .braille

  @Option(help: "auto, never, always, 16, 256 or 24bit.")
  var color: ColourChoice = .auto

  @Option(help: "yes or no.")
  var labels: YesNo = .yes

  @Option(help: "A title above the map.")
  var title: String?

  @Option(help: "A line below the map: where the data is from.")
  var credit: String?

  @Flag(help: "Explain the marks below the map.")
  var legend = false

  @Flag(help: "Draw a scale bar.")
  var scalebar = false

  @Flag(help: "Draw lines of longitude and latitude (drawings only).")
  var graticule = false

  @Flag(help: "Draw an arrow to the north (drawings only).")
  var north = false

  @Option(help: "The ground: light (of drawings the default) or dark.")
  var paper: Ground?

  @Option(
    help: "The map behind the data: none, coast, countries, a file; auto is coast without land.",
    completion: .file())
  var base: BaseChoice = .none

  @Option(
    help: "Colour the sea, yes or no; else where land fills the map (drawings only).")
  var sea: YesNo?

  @OptionGroup package var map: MapOptions

  package init() {}

  package var wishes: SourceWishes { SourceWishes(about: layers) }

  /// A plain text asks for the coordinates of large layers only to draw them.
  package var needs: DocumentNeeds {
    guard map.condition.condition == nil, !legend, base == .none,
      (try? pictureFormat(for: target.output))?.unit == .cells
    else { return .all }
    return .picture
  }

  package func validate() throws {
    let framings = [bbox != nil, center != nil || zoom != nil, fit != nil, view != nil]
    if framings.filter({ $0 }).count > 1 {
      throw ValidationError("give only one of --bbox, --center with --zoom, --fit, --view")
    }
    let format = try pictureFormat(for: target.output)
    if dpi != nil, !format.hasDensity {
      throw ValidationError("--dpi is for PNG pictures alone, not for \(format.name)")
    }
    if let dpi, !(36...1200).contains(dpi) { throw ValidationError("--dpi is from 36 to 1200") }
    // Whether the map is planar is not known yet.
    let zooms = Camera.planarZoomMin...Camera.zoomRange.upperBound
    if let zoom, !zooms.contains(zoom) {
      throw ValidationError("--zoom is a number from 0 to 22, for planar maps from -40")
    }
  }

  /// The requested format, by its name or the output's ending.
  private func pictureFormat(for path: String?) throws -> any PictureFormat {
    let formats = PictureFormats.all
    if let format {
      if let named = formats.first(where: { $0.isMeant(by: format) }) {
        // Text may have colours, whatever the ending.
        guard let path, path != "-", !named.isFor(path),
          let other = formats.first(where: { $0.isFor(path) }),
          named.unit != .cells || other.unit != .cells
        else { return named }
        throw ValidationError(
          "\(path) is the name of a picture in \(other.name): leave out --format \(format), "
            + "or give another name")
      }
      throw ValidationError("no format “\(format)”: give --format \(PictureFormats.names)")
    }
    if let path, path != "-", let ending = FilePath.ending(of: path) {
      if let fitting = formats.first(where: { $0.isFor(path) }) { return fitting }
      let files = PictureFormats.extensions.joined(separator: " or ")
      throw ValidationError(
        "no picture is written as .\(ending): name a \(files) file, or give --format "
          + PictureFormats.names)
    }
    guard let usual = formats.first else { throw ValidationError("no format writes pictures") }
    return usual
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    let path = try target.path(as: "render -o FILE.txt", in: desk)
    let chosen = try chosenDocument(
      map.condition.part(of: desk.shownDocument, in: desk.document, telling: &desk))
    let format = try pictureFormat(for: path)
    if let missing = format.missing(of: parts(of: chosen)) {
      throw EditingError(.usage, "text shows no \(missing): give -o FILE.svg or --format svg")
    }
    let framed = try bestFramed(format, desk, chosen)
    desk.request(
      RenderRequest(
        path: path,
        picture: PictureRequest(
          format: format, document: framed.document, camera: framed.camera, size: framed.size,
          glyphs: glyphs, colour: color, hasLabels: labels == .yes, parts: framed.parts,
          paper: paper, sea: sea.map { $0 == .yes }, hasBase: base != .none),
        base: base, overwrites: target.force,
        emptiness: Self.emptiness(framed, chosen, of: desk.document)))
  }

  /// Why nothing of the data is in the picture; `nil` if something is.
  private static func emptiness(
    _ framed: Framed, _ chosen: Document, of document: Document
  ) -> String? {
    func isMarked(_ document: Document) -> Bool {
      document.shownLayers.contains { layer in
        (layer as? any FeatureHolding)?.hasFeatures(in: framed.camera.visible)
          ?? layer.extent.intersects(framed.camera.visible)
      }
    }
    if isMarked(framed.document) { return nil }
    if document.extent.isEmpty { return "nothing is drawn: no feature has a position" }
    let extent = chosen.visibleExtent
    if extent.isEmpty || isMarked(chosen) {
      return "nothing is drawn: all features are hidden, --ignore-visibility draws them"
    }
    if document.metadata.isGeographic, max(abs(extent.minY), abs(extent.maxY)) > 90 {
      return "nothing is drawn: there are latitudes beyond 90, as where latitude and longitude "
        + "have changed places"
    }
    let edges = [extent.minX, extent.minY, extent.maxX, extent.maxY]
    return "nothing is drawn: the data lies elsewhere, --bbox="
      + edges.map { Figures.short($0, decimals: 6) }.joined(separator: ",") + " shows it"
  }

  /// A document in its frame.
  private struct Framed {
    var document: Document
    var parts: PictureParts
    var size: PictureSize
    var camera: Camera
  }

  /// The frame with the legend below the map, or beside it where that makes a clearly larger map:
  /// of a region that is much narrower than the page.
  private func bestFramed(
    _ format: any PictureFormat, _ desk: Desk, _ chosen: Document
  ) throws -> Framed {
    let below = try framed(format, desk, chosen)
    guard legend, format.unit == .pixels, !below.parts.legend.isEmpty else { return below }
    var parts = below.parts
    parts.legendIsBeside = true
    // Before its marks are counted.
    let (_, camera) = try framing(format, parts, desk, chosen)
    let least = below.camera.zoom + Self.zoomBeside
    guard camera.zoom >= least else { return below }
    let beside = try framed(format, desk, chosen, legendIsBeside: true)
    return beside.camera.zoom >= least ? beside : below
  }

  /// The zooms that a map with the legend beside it is nearer: a tenth of its scale.
  private static let zoomBeside = 0.14

  /// The size of the map, and the legend that tells of it.
  ///
  /// The legend without layers that are hidden at the zoom, or have nothing in view, leaves more
  /// room for the map, and the marks that are left out depend on that. So rounds follow each other
  /// until nothing changes: the room of an entry only grows, and from the fourth round on such
  /// layers stay hidden.
  private func framed(
    _ format: any PictureFormat, _ desk: Desk, _ chosen: Document, legendIsBeside: Bool = false
  ) throws -> Framed {
    let memory = RenderMemory()
    var hidden: Set<LayerID> = []
    var parts = parts(of: chosen)
    parts.legendLetters = format.legendLetters(of: parts)
    parts.legendIsBeside = legendIsBeside
    var round = 0
    while true {
      let (size, camera) = try framing(format, parts, desk, chosen)
      let found = try outOfZoom(camera, in: desk.document).union(outOfView(camera, of: chosen))
      let next = round < 3 ? found : hidden.union(found)
      let document = chosen.hiding(next)
      var nextParts = self.parts(of: document, through: camera, format.unit, memory)
      let letters = format.legendLetters(of: nextParts)
      nextParts.legendLetters = max(next == hidden ? parts.legendLetters : 0, letters)
      nextParts.legendIsBeside = legendIsBeside
      if next == hidden, nextParts.legendLetters == parts.legendLetters {
        return Framed(document: document, parts: nextParts, size: size, camera: camera)
      }
      (hidden, parts, round) = (next, nextParts, round + 1)
    }
  }

  private func framing(
    _ format: any PictureFormat, _ parts: PictureParts, _ desk: Desk, _ document: Document
  ) throws -> (PictureSize, Camera) {
    let usual = try size(format, parts, desk)
    let size = dpi.map { usual.at(dotsPerInch: $0, keepsPixels: self.size != nil) } ?? usual
    if let fault = format.fault(of: size) { throw EditingError(.usage, fault) }
    let mapSize = format.mapSize(in: size, parts)
    return (size, try camera(desk, document, size: mapSize, format.unit))
  }

  /// The layers that are hidden at the zoom of a camera; never those of `--show`.
  private func outOfZoom(_ camera: Camera, in document: Document) throws -> Set<LayerID> {
    if ignoreVisibility { return [] }
    let shown = try LayerNames.ids(show, in: document)
    let hidden = document.layers.filter { layer in
      let names = [layer.id] + document.groups(around: layer).map(\.id)
      return !document.isInZoom(layer, at: camera.magnification)
        && !names.contains(where: shown.contains)
    }
    return Set(hidden.map(\.id))
  }

  /// The layers that have nothing on the map.
  private func outOfView(_ camera: Camera, of document: Document) -> Set<LayerID> {
    let visible = camera.visible
    let layers = document.shownLayers.compactMap { $0 as? any FeatureHolding }
    return Set(layers.filter { !$0.hasFeatures(in: visible) }.map(\.id))
  }

  private func parts(
    of document: Document, through camera: Camera? = nil, _ unit: PictureSize.Unit = .pixels,
    _ memory: RenderMemory = RenderMemory()
  ) -> PictureParts {
    var parts = PictureParts()
    parts.title = title ?? ""
    parts.credit = credit ?? ""
    parts.legend =
      legend ? PictureRequest.legend(of: document, through: camera, in: unit, memory) : []
    parts.hasScaleBar = scalebar
    parts.hasGraticule = graticule
    parts.hasNorthArrow = north
    return parts
  }

  /// The size of the picture: as requested, else around the editor's map, else the format's own.
  private func size(
    _ format: any PictureFormat, _ parts: PictureParts, _ desk: Desk
  ) throws -> PictureSize {
    if let size { return try size.size(in: format.unit) }
    if !desk.isHeadless { return format.size(around: desk.mapArea.size, parts) }
    return format.usualSize
  }

  /// The document with only the requested layers visible.
  private func chosenDocument(_ document: Document) throws -> Document {
    var document = document
    let only = layers.isEmpty ? nil : Set(try LayerNames.ids(layers, in: document))
    let hidden = Set(try LayerNames.ids(hide, in: document))
    let shown = Set(try LayerNames.ids(show, in: document))
    let whole = document
    for index in document.layers.indices {
      let layer = whole.layers[index]
      let names = [layer.id] + whole.groups(around: layer).map(\.id)
      var isVisible =
        whole.isShown(layer) || ignoreVisibility || names.contains(where: shown.contains)
      if let only { isVisible = names.contains(where: only.contains) }
      document.layers[index].isVisible = isVisible && !names.contains(where: hidden.contains)
      // Visibility is set layer by layer here, whatever the groups say.
      document.layers[index].parent = nil
    }
    return document
  }

  private func camera(
    _ desk: Desk, _ document: Document, size: CellSize, _ unit: PictureSize.Unit
  ) throws -> Camera {
    try projection?.check(in: desk)
    let plane = projection.map(desk.plane) ?? desk.plane
    func fitted(_ box: Box, _ plane: MapPlane) -> Camera {
      unit == .cells && scalebar
        ? ScaleBar.fitting(box, plane: plane, size: size)
        : Camera.fitting(box, plane: plane, size: size)
    }
    if let bbox {
      try bbox.check(in: document)
      try bbox.checkExtent()
      return Camera.fitting(bbox.box, plane: plane, size: size, margin: 0)
    }
    if center != nil || zoom != nil {
      if let center, document.metadata.isGeographic, abs(center.y) > 90 {
        throw EditingError(.usage, "--center is LON,LAT with a latitude up to 90")
      }
      let middle = center.map { Coordinate(x: $0.x, y: $0.y) } ?? document.visibleExtent.center
      let whole = fitted(document.visibleExtent.forFitting(on: plane), plane)
      return Camera(plane: plane, center: middle, zoom: zoom ?? whole.zoom, size: size)
    }
    if let fit {
      let layers = try LayerNames.ids([fit], in: document)
      let box = layers.compactMap { document[layer: $0]?.extent }.reduce(Box.empty) { $0.union($1) }
      return fitted(box, plane)
    }
    if view == "current" || (view == nil && !desk.isHeadless) {
      return projected(desk.camera.resized(to: size), desk)
    }
    if let view { return projected(try camera(ofView: view, desk, size: size), desk) }
    let extent = document.visibleExtent
    // Web Mercator would give half of a page to the Antarctic, or leave it out.
    let isWorld = projection == nil && extent.forFitting(on: plane) != extent
    return fitted(extent, isWorld ? MapPlane(projection: .equirectangular) : plane)
  }

  /// A camera on the requested projection.
  private func projected(_ camera: Camera, _ desk: Desk) -> Camera {
    guard let projection else { return camera }
    return Camera(
      plane: desk.plane(projection), center: camera.center, zoom: camera.zoom, size: camera.size)
  }

  private func camera(
    ofView name: String, _ desk: Desk, size: CellSize
  ) throws -> Camera {
    let document = desk.document
    let views = document.views.compactMap { $0 as? any MapShowing }
    guard let view = views.first(where: { $0.name == name }) else {
      let known = views.map(\.name).joined(separator: ", ")
      throw EditingError(.notFound, "no view “\(name)”: there are \(known)")
    }
    return Camera(
      plane: MapPlane(
        projection: document.metadata.isGeographic ? view.projection : .planar,
        reference: document.extent, isMetric: document.metadata.isMetric),
      center: view.center, zoom: desk.viewpoint(of: view).zoom, size: size)
  }
}

extension Document {
  /// The box of all visible layers.
  package var visibleExtent: Box {
    shownLayers.reduce(Box.empty) { $0.union($1.extent) }
  }

  /// The same without some layers, which are hidden.
  fileprivate func hiding(_ ids: Set<LayerID>) -> Document {
    var document = self
    for index in layers.indices where ids.contains(layers[index].id) {
      document.layers[index].isVisible = false
    }
    return document
  }
}

extension GlyphSet: ExpressibleByArgument {}
extension ColourChoice: ExpressibleByArgument {}
