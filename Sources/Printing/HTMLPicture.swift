import PortolanDocuments
import PortolanFiles
import PortolanGraphics
package import PortolanRendering
package import PortolanTerminals
import PortolanTexts

/// A map as a page for browsers, in one file that needs no other: the SVG drawing, which is panned
/// and zoomed, with the layers to be switched in the legend and the attributes of what is touched.
///
/// It begins with
///
///     <!DOCTYPE html>
///
/// The policy of the page forbids everything from outside, and all programs but its own.
package struct HTMLPicture: PictureFormat {
  package let name = "html"
  package let title = "a page for browsers, to be panned and zoomed (HTML)"
  package let extensions = ["html", "htm"]
  package let depth: ColourDepth? = .trueColour
  package let unit = PictureSize.Unit.pixels
  package let nature = OutputNature.text

  /// Lines are as exact as on a screen that is this many zooms nearer.
  private static let nearer = 4.0

  package func mapSize(in size: PictureSize, _ parts: PictureParts) -> CellSize {
    PageLayout(size, Self.drawn(parts)).cells
  }

  package func size(around map: CellSize, _ parts: PictureParts) -> PictureSize {
    PageLayout.size(around: map, Self.drawn(parts))
  }

  package func paper(for request: PictureRequest, depth: ColourDepth) -> PageCanvas {
    PageCanvas(for: request, nearer: Self.nearer)
  }

  package func bytes(
    of paper: PageCanvas, for request: PictureRequest, depth: ColourDepth
  ) -> [UInt8] {
    let whole = request
    var request = request
    request.parts = Self.drawn(request.parts)
    let layout = PageLayout(request.size, request.parts)
    var painter = SVGPainter(request, layout, isInteractive: true)
    let levels = PageLevel.all(of: request, layout)
    for level in levels where level.number < 0 {
      for (_, sign) in level.signs {
        let key = PageLevel.Sign(sign)
        painter.leastLevels[key] = min(painter.leastLevels[key] ?? 0, level.number)
      }
    }
    painter.open()
    painter.drawBelowMap()
    paper.compose(on: &painter, at: layout.map)
    painter.leastLevels = [:]
    for level in levels {
      painter.paint(level.without(painter.drawnSigns))
    }
    painter.drawAboveMap()
    painter.close()
    var page = SVGWriter()
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.raw("<meta http-equiv=\"Content-Security-Policy\"")
    page.attribute("content", Self.policy)
    page.raw(
      ">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    let title = whole.parts.title
    page.element("title", [], text: title.isEmpty ? "Map" : title)
    page.raw("\n<style>\(HTMLPage.style)</style>\n</head>\n<body")
    page.attribute("class", (request.paper ?? .light).rawValue)
    page.raw(">\n")
    if !title.isEmpty {
      page.element("h1", [], text: title)
      page.raw("\n")
    }
    page.raw("<div id=\"page\">\n")
    page.raw(painter.svg)
    page.raw("</div>\n<div id=\"buttons\">\n")
    for (key, sign, title) in Self.buttons {
      page.element("button", [("data-key", key), ("title", title)], text: sign)
      page.raw("\n")
    }
    page.raw("</div>\n")
    writeLayers(request, layout, to: &page)
    if !whole.parts.credit.isEmpty {
      page.element("footer", [], text: whole.parts.credit)
      page.raw("\n")
    }
    page.raw("<div id=\"details\" hidden></div>\n")
    page.raw("<script type=\"application/json\" id=\"attributes\">")
    page.raw(HTMLAttributes(of: painter.drawn, in: request.document).json)
    page.raw("</script>\n<script>\(HTMLPage.program)</script>\n</body>\n</html>\n")
    return page.bytes
  }

  private static let buttons = [
    (key: "+", sign: "+", title: "nearer"), ("-", "\u{2212}", "farther"), ("0", "\u{2302}", "all"),
  ]

  /// The parts within the drawing: title, credit and legend stand around it.
  private static func drawn(_ parts: PictureParts) -> PictureParts {
    var parts = parts
    (parts.title, parts.credit, parts.legend) = ("", "", [])
    return parts
  }

  /// Nothing is loaded, sent or run but the page's own look and program, known by their digests.
  private static var policy: String {
    func digest(_ text: String) -> String {
      SHA256.digest(of: Array(text.utf8)).withUnsafeBytes {
        "'sha256-" + String(decoding: Base64.encode($0), as: UTF8.self) + "'"
      }
    }
    return "default-src 'none'; style-src \(digest(HTMLPage.style)); "
      + "script-src \(digest(HTMLPage.program)); base-uri 'none'; form-action 'none'"
  }

  // MARK: Legend

  /// Writes a switch for each layer, topmost first, and the samples of its marks.
  private func writeLayers(
    _ request: PictureRequest, _ layout: PageLayout, to page: inout SVGWriter
  ) {
    let memory = RenderMemory()
    let names = ShortNames(request.document, signs: .page)
    page.raw("<div id=\"layers\">\n")
    for (index, layer) in request.document.shownLayers.enumerated().reversed() {
      var legend = PictureRequest.legend(
        of: layer, through: request.camera, in: unit, memory)
      legend.belong(to: layer, names)
      let entries = legend.filter { !$0.isHeading }
      if entries.isEmpty { continue }
      page.raw("<div><label><input type=\"checkbox\" checked")
      page.attribute("value", "layer-\(index + 1)")
      page.raw(">")
      // Without a heading the first entry is the layer itself.
      let heading = legend.first { $0.isHeading }
      if let heading {
        page.element("b", [], text: PageLayout.text(of: heading))
        page.raw("</label>\n")
      }
      for (number, entry) in entries.enumerated() {
        let isLayer = heading == nil && number == 0
        if !isLayer { page.raw("<span>") }
        var sample = SVGPainter(request, layout)
        sample.drawSample(entry, x: 1, y: 8)
        page.raw("<svg width=\"26\" height=\"16\" aria-hidden=\"true\">")
        page.raw(sample.svg)
        page.raw("</svg>")
        page.element("i", [], text: PageLayout.text(of: entry))
        page.raw(isLayer ? "</label>\n" : "</span>\n")
      }
      page.raw("</div>\n")
    }
    page.raw("</div>\n")
  }
}
