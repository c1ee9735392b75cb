import Foundation
import FoundationXML
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct HTMLPictureTests {
  private func page(_ line: String, _ document: Document = .towns) throws -> String {
    var editor = Editor(document)
    try editor.run(line)
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    let request = asked.picture
    let bytes = try request.format.picture(of: request, depth: .trueColour)
    return try #require(String(validating: bytes, as: UTF8.self))
  }

  /// The text between two others, each of which stands there once.
  private func part(_ page: String, _ start: String, _ end: String) throws -> String {
    let pieces = page.components(separatedBy: start)
    try #require(pieces.count == 2, "\(start)")
    return try #require(pieces[1].components(separatedBy: end).first)
  }

  private static let start = "<script type=\"application/json\" id=\"attributes\">"

  private func attributes(_ page: String) throws -> [String: [String: Any]] {
    let text = try part(page, Self.start, "</script>")
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: [String: Any]])
  }

  @Test(arguments: Seeds.some(30))
  func `Whatever a document says is text of the page`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let pieces = [
      "</script>", "<img src=x onerror=alert(1)>", "<!--", "-->", "<script>", "]]>", "\"", "'",
      "&lt;", "\u{0}", "\u{1B}", "\u{2028}", "</title>", "</svg>", "\\", "é", "日本", "javascript:",
      "</STYLE>",
    ]
    func text() -> String {
      (0..<Int.random(in: 1...5, using: &numbers))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &numbers)] }.joined()
    }
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: text())
    var values: [UInt64: [String]] = [:]
    let field = text() + "field"
    for index in 0..<12 {
      let (name, other) = (text() + "\(index)", text())
      let middle = Coordinate(x: Double(index) * 3, y: Double(index % 7) * 4)
      let end = Coordinate(x: middle.x + 1, y: middle.y + 1)
      let id = layer.add(
        geometry: index % 2 == 0 ? .point(middle) : .line([middle, end]),
        attributes: [("name", .string(name)), (field, .string(other))])
      values[id.rawValue] = [name, other]
    }
    layer.style = Style(
      name: "", mark: MarkStyle(stroke: Colour(hex: "#f0b429"), symbol: "•"), labelField: "name")
    document.layers = [layer]
    var editor = Editor(document)
    try editor.run("render -o a.html --legend --graticule --north --scalebar")
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    var request = asked.picture
    (request.parts.title, request.parts.credit) = (text(), text())
    let bytes = try request.format.picture(of: request, depth: .trueColour)
    let page = try #require(String(validating: bytes, as: UTF8.self))
    let lower = page.lowercased()
    func count(_ word: String) -> Int { lower.components(separatedBy: word).count - 1 }
    #expect(count("<script") == 2 && count("</script") == 2 && count("<style") == 1)
    #expect(count("<img") == 0 && count("<!--") == 0 && count("</style") == 1)
    #expect(count("<meta") == 3 && count("</body") == 1)
    #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A })
    let shown = try #require(try attributes(page)["layer-1"])
    #expect(shown["name"] as? String == layer.name)
    #expect(shown["fields"] as? [String] == ["name", field])
    let features = try #require(shown["features"] as? [String: [String]])
    #expect(features == Dictionary(uniqueKeysWithValues: values.map { ("\($0)", $1) }))
  }

  @Test func `The policy lets nothing in but the page's own look and program`() throws {
    let page = try page("render -o a.html --legend --title T")
    func digest(_ text: String) -> String {
      "'sha256-\(Data(SHA256.digest(of: Array(text.utf8))).base64EncodedString())'"
    }
    let style = digest(try part(page, "<style>", "</style>"))
    let program = digest(try part(page, "<script>", "</script>"))
    let policy =
      "default-src 'none'; style-src \(style); script-src \(program); base-uri 'none'; "
      + "form-action 'none'"
    #expect(page.contains("http-equiv=\"Content-Security-Policy\" content=\"\(policy)\""))
    let outside = page.replacingOccurrences(of: "xmlns=\"http://www.w3.org/2000/svg\"", with: "")
      .replacingOccurrences(of: "url(#map)", with: "")
      .replacingOccurrences(of: "href=\"#", with: "")
      .replacingOccurrences(of: "use.getAttribute('href')", with: "")
    for word in ["http:", "https:", "src=", "href", "url(", "@import", "//www"] {
      #expect(!outside.contains(word), "\(word)")
    }
    #expect(outside.firstMatch(of: #/\son[a-z]+=/#) == nil, "a handler in an attribute")
    #expect(!outside.contains(" style=\""))
  }

  @Test func `Equal requests give equal bytes, and the drawing in them is sound`() throws {
    let line = "render -o a.html --legend --scalebar --graticule --north --title T --credit C"
    let first = try page(line)
    #expect(try page(line) == first)
    let start = try #require(first.range(of: "<svg xmlns"))
    let end = try #require(first.range(of: "</svg>\n</div>"))
    let drawing = first[start.lowerBound..<end.upperBound].dropLast("\n</div>".count)
    let parser = XMLParser(data: Data(drawing.utf8))
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(drawing.contains("<g id=\"view\">") && drawing.contains("data-at="))
  }

  @Test func `Every layer has a switch, and its labels are its own`() throws {
    let document = Document.towns
    let page = try page("render -o a.html")
    for index in document.shownLayers.indices {
      #expect(page.contains("<input type=\"checkbox\" checked value=\"layer-\(index + 1)\">"))
      #expect(page.contains("<g id=\"layer-\(index + 1)\""))
    }
    let labels = page.matches(of: /data-of="(layer-\d+)"/).map { String($0.output.1) }
    #expect(!labels.isEmpty)
    let known = Set(document.shownLayers.indices.map { "layer-\($0 + 1)" })
    #expect(known.isSuperset(of: labels))
  }

  @Test func `Zooming shows more names, each in one place, and signs once`() throws {
    var document = Document()
    var towns = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns",
      style: .standard(forDimension: 0, index: 0, labelField: "name"))
    var random = SeededGenerator(seed: 7)
    for number in 0..<400 {
      let place = Coordinate(
        x: .random(in: 0...8, using: &random), y: .random(in: 0...6, using: &random))
      _ = towns.add(geometry: .point(place), attributes: [("name", .string("Town \(number)"))])
    }
    document.layers = [towns]
    let page = try page("render -o a.html --size 600x400", document)
    let levels = page.components(separatedBy: " data-level=\"").dropFirst().map { part in
      (Int(part.prefix { $0 != "\"" }) ?? 99, part.components(separatedBy: "<text").count - 1)
    }.sorted { $0.0 < $1.0 }
    #expect(levels.map(\.0) == [-2, -1, 0, 1, 2, 3])
    for (one, other) in zip(levels, levels.dropFirst()) { #expect(one.1 <= other.1) }
    #expect((levels.last?.1 ?? 0) > 3 * levels[2].1)
    let signs = page.matches(of: /data-feature="(\d+)"/).map { String($0.output.1) }
    #expect(Set(signs).count == signs.count)
    #expect(page.contains("\"title\":\"towns\",\"label\":0"))
  }

  @Test func `The attributes in a page are bounded`() throws {
    var document = Document()
    var builder = FeatureBlockBuilder()
    for index in 0..<400 {
      builder.geometry.appendPaths(
        of: .point(Coordinate(x: Double(index % 20), y: Double(index / 20))))
      for field in 0..<100 {
        builder.setAttribute("field\(field)", to: .string(String(repeating: "x", count: 1_000)))
      }
      builder.endRow(.point, shape: .plain)
    }
    let style = Style(
      name: "", mark: MarkStyle(stroke: Colour(hex: "#f0b429"), symbol: "•"), labelField: nil)
    document.layers = [
      FeatureLayer(
        id: LayerID(document.makeID()), name: "many", style: style, blocks: builder.finish(),
        nextFeatureID: builder.nextFeatureID)
    ]
    let page = try page("render -o a.html", document)
    #expect(page.utf8.count < HTMLAttributes.bytesMax + 500_000)
    let shown = try #require(try attributes(page)["layer-1"])
    let fields = try #require(shown["fields"] as? [String])
    #expect(fields.count == HTMLAttributes.fieldsMax)
    let features = try #require(shown["features"] as? [String: [String]])
    #expect(features.count > 100 && features.count <= 400)
    #expect(features.values.joined().allSatisfy { $0.count == HTMLAttributes.scalarsMax + 1 })
  }
}
