package import PortolanDocuments
package import PortolanGraphics
package import PortolanInterchange
import PortolanRendering
package import PortolanTerminals

/// A format of pictures: a canvas that a map is drawn on, and the bytes of it.
///
/// To add one: `Pictures/<Name>Picture.swift` with a conforming type, a short example of its output
/// in the type's comment, and a line in `PictureFormats.all`. Nothing else knows names or endings
/// of picture formats.
package protocol PictureFormat: FileFormat {
  associatedtype Paper: Canvas

  /// The colours of a picture where nobody chooses any; `nil` for as many as the terminal has that
  /// it is written to, and none in a file.
  var depth: ColourDepth? { get }

  /// The part of a picture that the map takes: what the legend leaves.
  func mapSize(in size: CellSize, legend: [LegendEntry]) -> CellSize

  /// The canvas that the layers are drawn on.
  func paper(for request: RenderRequest, depth: ColourDepth) -> Paper

  /// The picture, once all layers are drawn: with legend and scale bar, where they are wanted.
  ///
  /// - Throws: where the format cannot hold such a picture.
  func bytes(of paper: Paper, for request: RenderRequest, depth: ColourDepth) throws -> [UInt8]
}

extension PictureFormat {
  package var depth: ColourDepth? { nil }

  package func mapSize(in size: CellSize, legend: [LegendEntry]) -> CellSize { size }

  /// Draws a map; the same for the same request, wherever it is drawn.
  package func picture(of request: RenderRequest, depth: ColourDepth) throws -> [UInt8] {
    var paper = paper(for: request, depth: depth)
    MapMarks.drawLayers(of: request.drawnDocument, on: &paper)
    return try bytes(of: paper, for: request, depth: depth)
  }
}

/// The list of picture formats.
package enum PictureFormats {
  /// Every format, the usual one first.
  package static let all: [any PictureFormat] = [TextPicture.plain, TextPicture.ansi]

  /// The names of all formats, for people: `a, b or c`.
  package static var names: String { FileFormats.names(all) }

  /// The usual extension of each, for people: `.a, .b`.
  package static var extensions: [String] {
    all.compactMap { $0.extensions.first.map { "." + $0 } }
  }
}

extension RenderRequest {
  /// The document as it is drawn: without labels where none are wanted.
  var drawnDocument: Document {
    if hasLabels { return document }
    var document = document
    for index in document.layers.indices {
      let style = document.layers[index].style
      document.layers[index].style = Style(name: style.name, mark: style.mark)
    }
    return document
  }

  /// The legend of the picture, the topmost layer first.
  package static func legend(of document: Document) -> [LegendEntry] {
    document.shownLayers.reversed().flatMap(\.legend)
  }
}
