import PortolanCairo
import PortolanDocuments
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals
import PortolanTexts

/// A map as pixels for a terminal that shows pictures: the PNG picture in kitty's protocol
/// (https://sw.kovidgoyal.net/kitty/graphics-protocol/), or as sixels (DEC STD 070).
///
/// The beginnings of the two:
///
///     ESC_Ga=T,f=100,m=
///     ESCP0;1;0q"1;1;168;96
package struct TerminalPicture: PictureFormat {
  private enum Kind {
    case kitty, sixel
  }

  package let name: String
  package let title: String
  package let extensions: [String]
  package let depth: ColourDepth? = .trueColour
  package let unit = PictureSize.Unit.pixels
  package let nature = OutputNature.screen
  private let kind: Kind

  package static let kitty = TerminalPicture(
    name: "kitty", title: "pixels for terminals with kitty's protocol", extensions: [],
    kind: .kitty)
  package static let sixel = TerminalPicture(
    name: "sixel", title: "pixels for terminals with sixels, 256 colours",
    extensions: ["six", "sixel"], kind: .sixel)

  package let usualSize = PictureSize(900, 600, .pixels)
  /// The most pixels: more than any screen has.
  private static let pixelsMax = 25_000_000

  package func mapSize(in size: PictureSize, _ parts: PictureParts) -> CellSize {
    PageLayout(size, parts).cells
  }

  package func size(around map: CellSize, _ parts: PictureParts) -> PictureSize {
    PageLayout.size(around: map, parts)
  }

  package func fault(of size: PictureSize) -> String? {
    guard size.width * size.height > Self.pixelsMax else { return nil }
    return "--size: a picture for terminals has at most \(Self.pixelsMax / 1_000_000) million "
      + "pixels, as in 5000x5000: give -o FILE.png"
  }

  package func paper(for request: PictureRequest, depth: ColourDepth) -> PageCanvas {
    PageCanvas(for: request)
  }

  package func bytes(
    of paper: PageCanvas, for request: PictureRequest, depth: ColourDepth
  ) throws -> [UInt8] {
    let (width, height) = (request.size.width, request.size.height)
    let surface = try CairoSurface(width: width, height: height)
    CairoPainter.draw(paper, for: request, on: surface)
    CairoPicture.tellFonts(of: surface, request)
    return switch kind {
    case .kitty: Self.kitty(try surface.png())
    case .sixel: SixelWriter(try surface.pixels(), width: width).bytes
    }
  }

  /// The commands that show a PNG file.
  static func kitty(_ png: [UInt8]) -> [UInt8] {
    let base64 = png.withUnsafeBytes { Base64.encode($0) }
    return KittyGraphics.commands(sending: base64, "a=T,f=100") + [0x0A]
  }
}
