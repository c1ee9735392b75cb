import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct PictureFormatTests {
  @Test(arguments: [
    ("map.geojson", ":export -o map.geojson writes geojson"),
    ("map.tab", ":export -o map.tab writes tab"),
    ("map.ans", ":render -o map.ans writes a picture"),
    ("map.asc", ":render -o map.asc writes a picture"), ("map.gif", "nothing is written as .gif"),
    ("map.shp", ":export -o map.shp writes shp"), ("map.dbf", "nothing is written as .dbf"),
  ])
  func `A document is not saved under the name of another format`(name: String, way: String) {
    var editor = Editor()
    let error = #expect(throws: EditingError.self) { try editor.run("save \(name)") }
    #expect(error.map { "\($0)".contains(way) } == true, "\(String(describing: error))")
    #expect(throws: Never.self) { try editor.run("save map.portolan") }
  }

  @Test func `Every picture format is known by its words and its endings`() throws {
    let words = PictureFormats.all.flatMap { Set([$0.name] + $0.extensions) }
    #expect(Set(words).count == words.count)
    for format in PictureFormats.all {
      let endings = format.extensions.map { "render -o a.\($0)" }
      for line in endings + ["render -o b --format \(format.name)"] {
        #expect(try request(line).format.name == format.name)
      }
    }
    #expect(throws: (any Error).self) { try Commands.parse("render -o a.gif") }
    #expect(throws: (any Error).self) { try Commands.parse("render -o a.txt --format gif") }
    for format in PictureFormats.all {
      for other in PictureFormats.all
      where other.name != format.name && [format.unit, other.unit] != [.cells, .cells] {
        for ending in other.extensions where !format.extensions.contains(ending) {
          #expect(throws: (any Error).self, "\(format.name) as .\(ending)") {
            try Commands.parse("render -o a.\(ending) --format \(format.name)")
          }
        }
      }
    }
  }

  @Test(arguments: ["a.svg --size 1200x800", "a.svg --size 800x900", "a.txt --size 100x30"])
  func `A file of the whole world is fitted whole`(output: String) throws {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "world")
    let corners = [(-180.0, -90.0), (180, -90), (180, 83.6), (-180, 83.6), (-180, -90)]
    _ = layer.add(
      geometry: .polygon([corners.map { Coordinate(x: $0.0, y: $0.1) }]), attributes: [])
    document.layers = [layer]
    let camera = try request("render -o \(output)", document, isHeadless: true).camera
    #expect(camera.visible.minY <= -85 && camera.visible.maxY >= 83.6)
    #expect(camera.visible.minX <= -180 && camera.visible.maxX >= 180)
    let sides = [-85.0, 85].compactMap { camera.dot(at: Coordinate(x: 0, y: $0))?.y }
    try #require(sides.count == 2)
    #expect(abs(sides[1] + sides[0] - Double(camera.dotHeight)) < 16, "in the middle")
  }

  /// Bytes as hexadecimal numbers, 16 a line.
  private static func numbers(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 16).map { start in
      bytes[start..<min(start + 16, bytes.count)]
        .map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        .joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// The request that a line of the command language makes.
  private func request(
    _ line: String, _ document: Document = .towns, isHeadless: Bool = false
  ) throws -> PictureRequest {
    var editor = Editor(document)
    editor.desk.isHeadless = isHeadless
    try editor.run(line)
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    let request = asked.picture
    return request
  }

  @Test(arguments: Cairo.usable(PictureFormats.all.map(\.name)))
  func `The comment of a format shows what it writes`(name: String) throws {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "map")
    for (name, x, y) in [("Oslo", 10.75, 59.91), ("Rome", 12.5, 41.9)] {
      _ = layer.add(
        geometry: .point(Coordinate(x: x, y: y)), attributes: [("name", .string(name))])
    }
    let line = [(0, 40), (5, 50), (20, 55), (25, 42)].map { Coordinate(x: $0.0, y: $0.1) }
    _ = layer.add(geometry: .line(line), attributes: [])
    layer.style = Style(
      name: "", mark: MarkStyle(stroke: Colour(hex: "#f0b429"), symbol: "•"), labelField: "name")
    document.layers = [layer]
    let format = try #require(PictureFormats.all.first { $0.name == name })
    let size = format.unit == .cells ? "24x6" : "168x96"
    let request = try request(
      "render -o map --format \(name) --size \(size) --bbox -2,38,28,62", document)
    let depth = request.format.depth ?? .mono
    let bytes = try request.format.picture(of: request, depth: depth)
    let picture = String(validating: bytes, as: UTF8.self) ?? Self.numbers(bytes)
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Printing")
    let type = String(describing: type(of: request.format))
    let source = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8) }
      .first { $0.contains("struct \(type): ") }
    let shown = try #require(source).split(separator: "\n").filter { $0.hasPrefix("///     ") }
      .map { $0.dropFirst(8).replacingOccurrences(of: "ESC", with: "\u{1B}") }
    let lines = picture.split(separator: "\n").filter { !$0.allSatisfy { $0 == " " } }
    // Of a coloured picture one line is enough.
    for line in lines.prefix(depth == .mono ? 6 : 1) {
      let isShown = shown.contains { depth == .mono ? $0 == line : line.hasPrefix($0) }
      #expect(isShown, "\(type) writes \(line.debugDescription)")
    }
    #expect(lines.count >= 5 || picture.utf8.count > 1000)
  }
}
