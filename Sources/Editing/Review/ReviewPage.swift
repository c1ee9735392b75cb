import PortolanComparing
import PortolanDocuments
import PortolanPrinting
import PortolanTerminals
import PortolanTexts
import PropertyLists

/// A review as one file for browsers, which loads nothing: the changed features, each with a map
/// before and after and its changed attributes.
struct ReviewPage {
  let difference: MapDifference
  let names: (String, String)
  let maps: ReviewMaps

  private static let size = PictureSize(360, 240, .pixels)

  /// Writes the page in pieces.
  func write(_ send: ([UInt8]) throws -> Void) throws {
    var page = SVGWriter()
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    // Nothing is loaded or run.
    page.raw(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        + "img-src data:; style-src 'unsafe-inline'\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    page.element("title", [], text: "Review: \(names.0) to \(names.1)")
    page.raw("\n<style>\(Self.style)</style>\n</head>\n<body>\n")
    page.element("h1", [], text: "\(names.0) → \(names.1)")
    page.raw("\n")
    page.element("p", [], text: DifferenceText.summary(difference))
    page.raw("\n")
    list(difference.notes, to: &page)
    try send(page.bytes)
    for layer in difference.layers where !layer.isEmpty {
      var page = SVGWriter()
      if difference.layers.count > 1 { page.element("h2", [], text: "Layer \(layer.name)") }
      var notes = layer.notes
      if layer.movedCount > 0 {
        notes.append("\(CountText.features(layer.movedCount)) at another place in the order")
      }
      list(notes, to: &page)
      try send(page.bytes)
      for feature in layer.features { try send(section(feature)) }
    }
    try send(Array("</body>\n</html>\n".utf8))
  }

  private func list(_ items: [String], to page: inout SVGWriter) {
    if items.isEmpty { return }
    page.raw("<ul>\n")
    for item in items {
      page.element("li", [], text: item)
      page.raw("\n")
    }
    page.raw("</ul>\n")
  }

  private func section(_ change: MapDifference.FeatureChange) throws -> [UInt8] {
    var page = SVGWriter()
    page.raw("<section class=\"\(change.change.rawValue)\">\n")
    page.element("h3", [], text: "\(Self.sign(change.change)) \(change.label)")
    page.raw("\n<div class=\"maps\">")
    let pictures = try maps.pictures(
      of: change, as: SVGPicture(), Self.size, paper: .light)
    figure(pictures.before, "before", change.change == .added, to: &page)
    figure(pictures.after, "after", change.change == .removed, to: &page)
    page.raw("</div>\n")
    table(change, to: &page)
    page.raw("</section>\n")
    return page.bytes
  }

  private func figure(
    _ picture: [UInt8]?, _ word: String, _ isAbsent: Bool, to page: inout SVGWriter
  ) {
    page.raw("<figure>")
    if let picture {
      let text = picture.withUnsafeBytes { Base64.encode($0) }
      page.raw("<img alt=\"\(word)\" width=\"360\" height=\"240\" src=\"data:image/svg+xml;base64,")
      page.raw(String(decoding: text, as: UTF8.self))
      page.raw("\">")
    } else {
      page.element("p", [], text: isAbsent ? "not there" : "no geometry")
    }
    page.element("figcaption", [], text: word)
    page.raw("</figure>")
  }

  /// The attributes: the changed ones of a changed feature, all of an added or removed one.
  private func table(_ change: MapDifference.FeatureChange, to page: inout SVGWriter) {
    var rows: [(String, String, String)] = []
    switch change.change {
    case .changed:
      let changes = [change.identifier].compactMap { $0 } + change.attributes + change.members
      rows = changes.map { ($0.name, Self.text($0.old), Self.text($0.new)) }
    case .added, .removed:
      guard let row = change.new ?? change.old else { return }
      rows = row.block.feature(row: row.row).attributes.map { attribute in
        let value = Self.text(attribute.value)
        return (
          attribute.name, change.change == .added ? "" : value,
          change.change == .added ? value : ""
        )
      }
    }
    if !rows.isEmpty {
      page.raw("<table><tr><th>attribute</th><th>before</th><th>after</th></tr>\n")
      for (name, old, new) in rows {
        page.raw("<tr>")
        page.element("td", [], text: name)
        page.element("td", [("class", "old")], text: old)
        page.element("td", [("class", "new")], text: new)
        page.raw("</tr>\n")
      }
      page.raw("</table>\n")
    }
    if change.geometry != nil {
      let lines = DifferenceText.details(
        of: change, isGeographic: difference.isGeographic, verticesMax: 5)
      let shape = lines.drop { !$0.hasPrefix("geometry: ") }
      page.element("p", [("class", "shape")], text: shape.joined(separator: "\n"))
      page.raw("\n")
    }
  }

  private static func text(_ value: AttributeValue) -> String {
    if value.kind == .missing { return "" }
    let text = value.json
    return text.count > 500 ? text.prefix(499) + "…" : text
  }

  static func sign(_ change: MapDifference.Change) -> String {
    switch change {
    case .added: "+"
    case .removed: "\u{2212}"
    case .changed: "~"
    }
  }

  private static let style = """
    body{font:15px/1.4 sans-serif;max-width:60em;margin:1em auto;padding:0 1em;color:#222}
    section{border-top:3px solid #999;padding:.3em 0 1em}
    section.added{border-color:#009e73}section.removed{border-color:#d55e00}
    section.changed{border-color:#56b4e9}
    h1{font-size:1.4em}h3{font-size:1.1em;margin:.4em 0}
    .maps{display:flex;flex-wrap:wrap;gap:1em}figure{margin:0}figcaption{color:#555}
    img{border:1px solid #ccc;max-width:100%;height:auto}
    table{border-collapse:collapse;margin:.6em 0}
    th,td{border:1px solid #ccc;padding:.15em .5em;text-align:left;overflow-wrap:anywhere}
    td.old{background:#fdeee5}td.new{background:#e5f4ef}.shape{white-space:pre-wrap}

    """
}
