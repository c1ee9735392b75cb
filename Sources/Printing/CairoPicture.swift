import PortolanCairo
import PortolanDocuments
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals

/// A map as pixels (PNG) or as a page to be printed (PDF), drawn by cairo as `SVGPicture` lays it
/// out.
///
/// Texts are shaped by Pango, in any script that the fonts of the system have. The beginnings of
/// the two kinds of files:
///
///     89 50 4E 47 0D 0A 1A 0A 00 00 00 0D 49 48 44 52
///     25 50 44 46 2D 31 2E 35 0A 25 B5 ED AE FB 0A 34
package struct CairoPicture: PictureFormat {
  /// The kinds of files.
  private enum Kind {
    case pixels, page
  }

  package let name: String
  package let title: String
  package var extensions: [String] { [name] }
  package let depth: ColourDepth? = .trueColour
  package let unit = PictureSize.Unit.pixels
  package let nature = OutputNature.binary
  private let kind: Kind

  package static let png = CairoPicture(name: "png", title: "pixels (PNG)", kind: .pixels)
  package static let pdf = CairoPicture(
    name: "pdf", title: "a page to be printed (PDF)", kind: .page)

  /// The most pixels of a picture: they take 400 MB of memory.
  private static let pixelsMax = 100_000_000

  package var hasDensity: Bool { kind == .pixels }

  package func mapSize(in size: PictureSize, _ parts: PictureParts) -> CellSize {
    PageLayout(size, parts).cells
  }

  package func size(around map: CellSize, _ parts: PictureParts) -> PictureSize {
    PageLayout.size(around: map, parts)
  }

  package func fault(of size: PictureSize) -> String? {
    let (width, height) = Self.pixels(of: size)
    guard kind == .pixels else { return nil }
    let option = size.raster == nil ? "--size" : "--dpi \(size.raster?.dotsPerInch ?? 96)"
    if let raster = size.raster {
      // The page would be narrower than its margins, or wider than pages can be.
      let limit = PictureSize.limit(of: .pixels)
      func units(_ pixels: Int) -> Double { Double(pixels) * 96 / Double(raster.dotsPerInch) }
      if units(min(width, height)) < 50 || units(max(width, height)) > Double(limit) {
        return "\(option): a picture of \(width)x\(height) pixels has no page of 50 to "
          + "\(limit) units of 1/96 inch"
      }
    }
    if max(width, height) > CairoSurface.pixelsMax {
      return "\(option): a PNG picture is at most \(CairoSurface.pixelsMax) pixels wide and "
        + "high"
    }
    guard width * height > Self.pixelsMax else { return nil }
    return "\(option): a PNG picture has at most \(Self.pixelsMax / 1_000_000) million pixels, as "
      + "in 10000x10000: give -o FILE.pdf or FILE.svg"
  }

  /// The number of pixels in a row and in a column.
  private static func pixels(of size: PictureSize) -> (width: Int, height: Int) {
    size.raster.map { ($0.width, $0.height) } ?? (size.width, size.height)
  }

  package func paper(for request: PictureRequest, depth: ColourDepth) -> PageCanvas {
    // Twice as many pixels an inch are a zoom.
    let density = Double(request.size.raster?.dotsPerInch ?? 96) / 96
    let zooms = Mathematics.logarithm(density) / Mathematics.logarithm(2)
    return PageCanvas(for: request, nearer: PageCanvas.usualNearness + max(0, zooms))
  }

  package func bytes(
    of paper: PageCanvas, for request: PictureRequest, depth: ColourDepth
  ) throws -> [UInt8] {
    let surface = try surface(for: request)
    CairoPainter.draw(paper, for: request, on: surface)
    Self.tellFonts(of: surface, request)
    guard kind == .pixels else { return try surface.pdf() }
    return try surface.png(dotsPerInch: request.size.raster?.dotsPerInch)
  }

  /// Tells the user that letters of the map's texts are in no installed font.
  static func tellFonts(of surface: CairoSurface, _ request: PictureRequest) {
    guard let text = surface.undrawnText else { return }
    let others = surface.undrawnCount > 1 ? " and \(surface.undrawnCount - 1) more texts" : ""
    request.remark(
      "no installed font has all letters of “\(text.prefix(40))”\(others): "
        + "apt-get install fonts-noto-core has most scripts")
  }

  private func surface(for request: PictureRequest) throws(CairoError) -> CairoSurface {
    let size = request.size
    if kind == .pixels {
      let (width, height) = Self.pixels(of: size)
      return try CairoSurface(
        width: width, height: height, horizontal: Double(width) / Double(size.width),
        vertical: Double(height) / Double(size.height))
    }
    // 72 points are an inch, as are 96 units.
    let unit = 72.0 / 96
    let points = 72 / 25.4
    let (width, height) =
      if let millimetres = size.millimetres {
        (Double(millimetres.width) * points, Double(millimetres.height) * points)
      } else {
        (Double(size.width) * unit, Double(size.height) * unit)
      }
    return try CairoSurface(
      pageWidth: width, height: height, unit: unit, title: request.parts.title)
  }
}
