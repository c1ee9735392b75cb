import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Notes upon the map as GeoJSON: exported and imported they are notes again.
@Suite struct NotesFileTests {
  private static func read(_ bytes: [UInt8]) throws -> any FeatureHolding {
    let result = try GeoJSONFormat().read(bytes, options: ImportOptions(name: "notes")) { _ in }
    return try #require(result.layers.first as? any FeatureHolding)
  }

  private static func text(
    _ layer: any FeatureHolding, _ options: ExportOptions = .init()
  ) throws
    -> String
  {
    var bytes: [UInt8] = []
    try GeoJSONFormat().write([layer], options: options) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func features(_ layer: any FeatureHolding) -> [Feature] {
    layer.blocks.flatMap { block in (0..<block.rowCount).map { block.feature(row: $0) } }
  }

  private static func notes(_ numbers: inout SeededGenerator) -> AnnotationLayer {
    var layer = AnnotationLayer(id: LayerID(7), name: "notes")
    let field = ["text", "Text \"a\"", "注", "portolan:notes"].randomElement(using: &numbers)
    layer.style = layer.style.changed { $0.labelField = field }
    func place() -> Coordinate {
      Coordinate(
        // Lines across the antimeridian would be cut.
        x: Double(Int.random(in: -800_000...800_000, using: &numbers)) / 1e4,
        y: Double(Int.random(in: -800_000...800_000, using: &numbers)) / 1e4)
    }
    let texts = ["", "Ferry", "Ice until\nApril", "\u{1}\u{7F}", "🗺 日本 \\n \"x\""]
    for _ in 0..<Int.random(in: 0...8, using: &numbers) {
      let (first, other) = (place(), place())
      let corners = [
        (first.x, first.y), (first.x + 2, first.y), (first.x + 2, first.y + 1),
        (first.x, first.y + 1), (first.x, first.y),
      ].map { Coordinate(x: $0.0, y: $0.1) }
      let shapes: [Geometry] = [.point(first), .line([first, other]), .polygon([corners])]
      let text = texts.randomElement(using: &numbers) ?? ""
      _ = layer.add(
        geometry: shapes.randomElement(using: &numbers) ?? .point(first),
        attributes: text.isEmpty ? [] : [(layer.textField, .string(text))])
    }
    return layer
  }

  @Test(arguments: Seeds.some(60))
  func `Exported notes are imported as notes with the same content`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let notes = Self.notes(&numbers)
    let text = try Self.text(notes)
    let again = try #require(try Self.read(Array(text.utf8)) as? AnnotationLayer)
    #expect(again.textField == notes.textField)
    #expect(again.style.mark == notes.style.mark)
    let (old, new) = (Self.features(notes), Self.features(again))
    #expect(old.map(\.geometry) == new.map(\.geometry))
    #expect(old.map { $0.attributes.map(\.name) } == new.map { $0.attributes.map(\.name) })
    #expect(old.map { $0.attributes.map(\.value) } == new.map { $0.attributes.map(\.value) })
    // Read and written once more, every byte stays.
    #expect(try Self.text(again) == text)
    // In a document they keep the look of notes.
    var document = Document()
    document.add([again], hasLooks: false)
    #expect(document.layers[0] is AnnotationLayer)
    #expect(document.layers[0].style.mark == notes.style.mark)
  }

  @Test func `The member that tells of notes follows the attribute of the texts`() throws {
    let file = """
      {"type":"FeatureCollection","portolan:notes":"te\\u0078t","a":1,"features":[
      {"type":"Feature","properties":{"text":"A","other":"B"},
      "geometry":{"type":"Point","coordinates":[1,2]}}]}
      """
    let notes = try #require(try Self.read(Array(file.utf8)) as? AnnotationLayer)
    #expect(notes.textField == "text")
    #expect(try Self.text(notes) == file)
    var changed = notes
    changed.style = changed.style.changed { $0.labelField = "other" }
    let text = try Self.text(changed)
    #expect(text.contains(#""portolan:notes":"other""#) && !text.contains("0078"))
    #expect((try Self.read(Array(text.utf8)) as? AnnotationLayer)?.textField == "other")
  }

  @Test(arguments: [
    #"{"type":"FeatureCollection","portolan:notes":7,"features":[]}"#,
    #"{"type":"FeatureCollection","portolan:notes":"","features":[]}"#,
    #"{"type":"FeatureCollection","portolan:notes":{"a":"b"},"features":[]}"#,
    #"{"type":"FeatureCollection","portolan":"text","features":[]}"#,
    #"{"type":"Feature","portolan:notes":"text","properties":{},"geometry":null}"#,
  ])
  func `Other members are kept and tell nothing`(file: String) throws {
    let layer = try Self.read(Array(file.utf8))
    #expect(layer is FeatureLayer)
    #expect(try Self.text(layer) == file)
  }

  @Test func `Notes among other layers, and layers without notes, get no such member`() throws {
    var numbers = SeededGenerator(seed: 1)
    let notes = Self.notes(&numbers)
    let roads = FeatureLayer(id: LayerID(8), name: "roads", style: notes.style)
    #expect(try !Self.text(roads).contains("portolan"))
    var bytes: [UInt8] = []
    try GeoJSONFormat().write([notes, roads], options: ExportOptions()) { bytes += $0 }
    #expect(!String(decoding: bytes, as: UTF8.self).contains("portolan:notes\":"))
  }
}
