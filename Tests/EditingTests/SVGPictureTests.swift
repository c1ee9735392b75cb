import Foundation
import FoundationXML
import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import PortolanTexts
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct SVGPictureTests {
  /// What an XML reader finds.
  private final class Drawing: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String], text: String)] = []
    private var open: [Int] = []

    init(_ bytes: [UInt8]) throws {
      super.init()
      let parser = XMLParser(data: Data(bytes))
      parser.delegate = self
      let isWhole = parser.parse()
      try #require(isWhole, "\(String(describing: parser.parserError))")
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      open.append(elements.count)
      elements.append((name, attributes, ""))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if let last = open.last { elements[last].text += text }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      open.removeLast()
    }
  }

  private func picture(_ line: String, _ document: Document = .towns) throws -> [UInt8] {
    var editor = Editor(document)
    try editor.run(line)
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    let request = asked.picture
    return try request.format.picture(of: request, depth: .trueColour)
  }

  @Test(arguments: Seeds.some(20))
  func `Any text of a document is text of the drawing`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let pieces = [
      "<", "&", "\"", "'", "]]>", "\u{0}", "\u{1B}[31m", "\u{9B}", "é", "日本", "🗺", "--",
      "\u{202E}", "\u{2066}", "\u{200F}",
    ]
    func text() -> String {
      (0..<Int.random(in: 1...6, using: &numbers))
        .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &numbers)] }.joined()
    }
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: text())
    var names: [String] = []
    for index in 0..<20 {
      let name = text() + "\(index)"
      names.append(name)
      let middle = Coordinate(x: Double(index) * 3, y: Double(index % 7) * 4)
      let other = Coordinate(x: middle.x + 1, y: middle.y + 1)
      _ = layer.add(
        geometry: index % 2 == 0 ? .point(middle) : .line([middle, other]),
        attributes: [("name", .string(name))])
    }
    layer.style = Style(
      name: "", mark: MarkStyle(stroke: Colour(hex: "#f0b429"), symbol: "•"), labelField: "name")
    document.layers = [layer]
    let title = text()
    var editor = Editor(document)
    try editor.run("render -o a.svg --legend --graticule --north --scalebar")
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    var request = asked.picture
    request.parts.title = title
    request.parts.credit = title
    let bytes = try request.format.picture(of: request, depth: .trueColour)
    #expect(!bytes.contains { $0 < 0x20 && $0 != 0x0A })
    let drawing = try Drawing(bytes)
    func shown(_ text: String) -> String {
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.map {
            $0.properties.generalCategory == .control || ScalarKind.isOverride($0)
              ? "\u{FFFD}" : $0
          }))
    }
    let titles = drawing.elements.filter { $0.name == "title" }.map(\.text)
    #expect(titles.first == shown(title))
    #expect(Set(titles.dropFirst()) == Set(names.map(shown)))
    #expect(drawing.elements.contains { $0.attributes["data-layer"] == shown(layer.name) })
    let numbersOfFeatures = drawing.elements.compactMap { $0.attributes["data-feature"] }
    #expect(Set(numbersOfFeatures).count == 20)
  }

  @Test(arguments: Seeds.some(20))
  func `The numbers of a path are its points, to a twentieth of a unit`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let paths = (0..<5).map { _ in
      PagePath(
        points: (0..<Int.random(in: 1...40, using: &numbers)).map { _ in
          PagePoint(
            x: Double.random(in: -40...2000, using: &numbers),
            y: Double.random(in: -40...2000, using: &numbers))
        }, isClosed: Bool.random(using: &numbers))
    }
    var writer = SVGWriter()
    writer.path(paths)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    try #require(text.hasPrefix(" d=\"M") && text.hasSuffix("\""))
    let pieces = text.dropFirst(5).dropLast().split(separator: "M")
    try #require(pieces.count == paths.count)
    for (piece, path) in zip(pieces, paths) {
      #expect(piece.hasSuffix("z") == path.isClosed)
      let values = piece.matches(of: /-?(\d+\.\d|\d+|\.\d)/).compactMap { Double($0.output.0) }
      if path.points.count == 1 { continue }
      try #require(values.count == 2 * path.points.count)
      var (x, y) = (0.0, 0.0)
      for (index, point) in path.points.enumerated() {
        (x, y) = (x + values[2 * index], y + values[2 * index + 1])
        #expect(abs(x - point.x) <= 0.0501 && abs(y - point.y) <= 0.0501)
      }
    }
  }

  @Test func `Every colour stands out from the paper`() {
    var numbers = SeededGenerator(seed: 7)
    func terminal(_ colour: Colour) -> TerminalColour {
      TerminalColour(red: colour.red, green: colour.green, blue: colour.blue)
    }
    for paper in Ground.allCases {
      let ink = GroundInk(paper)
      let ground = terminal(ink.paper)
      for _ in 0..<2000 {
        let colour = Colour(
          red: .random(in: 0...255, using: &numbers), green: .random(in: 0...255, using: &numbers),
          blue: .random(in: 0...255, using: &numbers))
        #expect(Palette.contrast(terminal(ink.line(colour)), ground) >= 3)
        #expect(Palette.contrast(terminal(ink.text(colour)), ground) >= 7)
        if Palette.contrast(terminal(colour), ground) >= 3 { #expect(ink.line(colour) == colour) }
      }
      #expect(Palette.contrast(terminal(ink.strong), ground) >= 7)
      #expect(Palette.contrast(terminal(ink.faint), ground) >= 4.5)
    }
  }

  @Test func `A labelled point among lines has one sign`() throws {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "mixed")
    for index in 0..<5 {
      let middle = Coordinate(x: Double(index) * 7.3, y: Double(index % 2) * 9.1)
      _ = layer.add(geometry: .point(middle), attributes: [("name", .string("P\(index)"))])
    }
    let line = [Coordinate(x: -10, y: -10), Coordinate(x: 40, y: -5)]
    _ = layer.add(geometry: .line(line), attributes: [])
    layer.style = Style(
      name: "", mark: MarkStyle(stroke: Colour(hex: "#f0b429"), symbol: "•"), labelField: "name")
    document.layers = [layer]
    let drawing = try Drawing(try picture("render -o a.svg", document))
    #expect(drawing.elements.filter { $0.name == "circle" }.count == 5)
    #expect(drawing.elements.filter { $0.name == "text" }.count == 5)
  }

  @Test(arguments: ["#2a9d8f", "none"])
  func `An area cut at 180 degrees has no line there`(fill: String) throws {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "islands")
    let ring = [(170.0, 0.0), (180, 1), (180, 9), (171, 8)].map { Coordinate(x: $0, y: $1) }
    _ = layer.add(geometry: .polygon([ring]), attributes: [("name", .string("West"))])
    layer.style = Style(
      name: "", mark: MarkStyle(stroke: Colour(hex: "#f0b429"), fill: Colour(hex: fill)),
      labelField: "name")
    document.layers = [layer]
    let drawing = try Drawing(try picture("render -o a.svg --bbox=160,-10,-160,20", document))
    let start = try #require(drawing.elements.firstIndex { $0.attributes["data-feature"] != nil })
    let parts = drawing.elements[start...].prefix(4)
    #expect(parts.first?.name == "g")
    let paths = parts.dropFirst().filter { $0.name == "path" }.map { $0.attributes["d"] ?? "" }
    // One line with four corners: the ring without one of its edges.
    let numbers = paths.last?.matches(of: /-?(\d+\.\d|\d+|\.\d)/).count
    #expect(paths.count == (fill == "none" ? 1 : 2) && numbers == 8)
    #expect(paths.last?.hasSuffix("z") == false)
    #expect(drawing.elements.contains { $0.name == "title" && $0.text == "West" })
  }

  @Test(arguments: ["Amundsen–Scott", "Tōkyō—Ōsaka", "Saint‐Jérôme", "a−b", "‘Ewa"])
  func `Dashes and quotes of names are those of the data`(name: String) throws {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "stations")
    _ = layer.add(
      geometry: .point(Coordinate(x: 0, y: 0)), attributes: [("name", .string(name))])
    layer.style = Style(
      name: "", mark: MarkStyle(stroke: Colour(hex: "#f0b429"), symbol: "•"), labelField: "name")
    document.layers = [layer]
    let drawing = try Drawing(try picture("render -o a.svg", document))
    #expect(drawing.elements.contains { $0.name == "text" && $0.text == name })
  }

  @Test func `Equal requests give equal bytes`() throws {
    let line = "render -o a.svg --legend --scalebar --graticule --north --title T --credit C"
    #expect(try picture(line) == picture(line))
  }

  @Test(arguments: [
    ("--size 600x300", "600", "300", "0 0 600 300"), ("--size 600", "600", "400", "0 0 600 400"),
    ("--size 210x297mm", "210mm", "297mm", "0 0 794 1123"),
  ])
  func `A drawing has the size that was asked for`(
    size: String, width: String, height: String, box: String
  ) throws {
    let drawing = try Drawing(try picture("render -o a.svg \(size)"))
    let root = try #require(drawing.elements.first)
    #expect(root.attributes["width"] == width && root.attributes["height"] == height)
    #expect(root.attributes["viewBox"] == box)
  }

  @Test(arguments: [
    ("render -o a.txt --size 210x297mm", "cells"), ("render -o a.txt --size 5000", "4096 cells"),
    ("render -o a.svg --size 30000x10", "20000 pixels"),
    ("render -o a.svg --size 6000x10mm", "5000mm"), ("render -o a.txt --graticule", "graticule"),
    ("render -o a.txt --north", "north arrow"),
  ])
  func `What cannot be is refused with the way out`(line: String, words: String) throws {
    var editor = Editor()
    let error = #expect(throws: EditingError.self) { try editor.run(line) }
    #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
  }

  @Test func `In the editor a drawing shows the part of the map on the screen`() throws {
    var editor = Editor()
    try editor.run("render -o a.svg")
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    let request = asked.picture
    #expect(request.camera == editor.desk.camera)
  }
}
