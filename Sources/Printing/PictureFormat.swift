package import PortolanDocuments
package import PortolanGraphics
package import PortolanInterchange
package import PortolanRendering
package import PortolanTerminals

/// A format of pictures: a canvas for the map, and its encoding.
///
/// To add one: `Printing/<Name>Picture.swift` with a conforming type, a short example of its output
/// in the type's comment, and a line in `PictureFormats.all`. The names and endings of picture
/// formats are nowhere else.
package protocol PictureFormat: FileFormat {
  associatedtype Paper: Canvas

  /// The default colour depth; `nil` for that of the terminal it is written to, and none in a file.
  var depth: ColourDepth? { get }

  /// What its pictures are for a terminal.
  var nature: OutputNature { get }

  /// The unit of the sizes of its pictures.
  var unit: PictureSize.Unit { get }

  /// Whether its pictures can have another number of pixels an inch than 96.
  var hasDensity: Bool { get }

  /// The size of a picture if none is requested.
  var usualSize: PictureSize { get }

  /// The size of the map's window in a picture, without the parts around it.
  func mapSize(in size: PictureSize, _ parts: PictureParts) -> CellSize

  /// The size of a picture whose map has a window of some size.
  func size(around map: CellSize, _ parts: PictureParts) -> PictureSize

  /// The parts that this format cannot show, for people; `nil` if it shows all that are wanted.
  func missing(of parts: PictureParts) -> String?

  /// Why no picture can have a size, for people; `nil` if one can.
  func fault(of size: PictureSize) -> String?

  /// The letters of the longest entry of a legend, without the samples of marks.
  func legendLetters(of parts: PictureParts) -> Int

  /// The canvas for the layers.
  func paper(for request: PictureRequest, depth: ColourDepth) -> Paper

  /// The bytes of the picture, after all layers are drawn: with legend and scale bar, if requested.
  ///
  /// - Throws: if the format cannot hold such a picture.
  func bytes(of paper: Paper, for request: PictureRequest, depth: ColourDepth) throws -> [UInt8]
}

extension PictureFormat {
  package var depth: ColourDepth? { nil }

  package var hasDensity: Bool { false }

  package var usualSize: PictureSize {
    unit == .cells ? PictureSize(80, 24, .cells) : PictureSize(1200, 800, .pixels)
  }

  package func missing(of parts: PictureParts) -> String? { nil }

  package func fault(of size: PictureSize) -> String? { nil }

  package func legendLetters(of parts: PictureParts) -> Int { PageLayout.legendLetters(of: parts) }

  /// Draws a map; equal requests give equal pictures.
  package func picture(of request: PictureRequest, depth: ColourDepth) throws -> [UInt8] {
    var paper = paper(for: request, depth: depth)
    MapLayers.draw(request.drawnDocument.shownLayers, on: &paper)
    return try bytes(of: paper, for: request, depth: depth)
  }
}

/// The list of picture formats.
package enum PictureFormats {
  /// All formats, the default first.
  package static let all: [any PictureFormat] = [
    TextPicture.plain, TextPicture.ansi, SVGPicture(), HTMLPicture(), CairoPicture.png,
    CairoPicture.pdf, TerminalPicture.kitty, TerminalPicture.sixel,
  ]

  /// The names of all formats, for people: `a, b or c`.
  package static var names: String { FileFormats.names(all) }

  /// The usual extension of each, for people: `.a, .b`.
  package static var extensions: [String] {
    all.compactMap { $0.extensions.first.map { "." + $0 } }
  }
}

extension PictureRequest {
  /// The document to draw: without labels if none are requested.
  var drawnDocument: Document {
    if hasLabels { return document }
    var document = document
    for index in document.layers.indices {
      document.layers[index].style = document.layers[index].style.changed { $0.labelField = nil }
    }
    return document
  }

  /// The legend of the picture, topmost layer first.
  ///
  /// - Parameters:
  ///   - camera: of the map, to tell the points and lines that are left out; `nil` tells none.
  ///   - unit: of the sizes of the picture.
  package static func legend(
    of document: Document, through camera: Camera? = nil, in unit: PictureSize.Unit = .pixels,
    _ memory: RenderMemory = RenderMemory()
  ) -> [LegendEntry] {
    let names = ShortNames(document, signs: .page)
    return document.shownLayers.reversed().flatMap { layer in
      var entries = legend(of: layer, through: camera, in: unit, memory)
      entries.belong(to: layer, names)
      return entries
    }
  }

  /// The entries of a layer, with the numbers of points and lines that are left out, where that is
  /// a quarter or more of them.
  static func legend(
    of layer: any Layer, through camera: Camera?, in unit: PictureSize.Unit,
    _ memory: RenderMemory
  ) -> [LegendEntry] {
    var entries = layer.legend(in: nil)
    guard let camera else { return entries }
    if entries.contains(where: { $0.dimension == 0 }) {
      var signs = SignCountCanvas(camera: camera, memory: memory)
      layer.draw(on: &signs, labelPriority: 0)
      entries.tell(missed((signs.count.shown, signs.count.all)), dimension: 0)
    }
    let lines = layer.lineCount(in: camera.visible, at: camera.detail(in: unit))
    entries.tell(missed(lines), dimension: 1)
    return entries
  }

  /// Counts whose marks a reader of the map would miss; `nil` where few are left out.
  private static func missed(_ count: (shown: Int, all: Int)?) -> (shown: Int, all: Int)? {
    count.flatMap { 4 * $0.shown <= 3 * $0.all ? $0 : nil }
  }
}

extension Camera {
  /// The choice of lines in a picture with sizes in a unit.
  package func detail(in unit: PictureSize.Unit) -> MapDetail {
    unit == .pixels ? pageDetail : detail
  }
}
