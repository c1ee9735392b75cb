import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// The names of the program's samples: the world with its great towns.
@Suite struct WorldNameTests {
  private static func world() throws -> Document {
    var document = Document()
    for name in ["ne_110m_countries", "ne_110m_rivers", "ne_110m_populated_places"] {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/portolan/Samples/\(name).geojson")
      let read = try GeoJSONFormat().read(
        Array(Data(contentsOf: file)), options: ImportOptions(name: name)
      ) { _ in }
      document.add(read.layers, hasLooks: false)
    }
    return document
  }

  /// The twenty greatest towns of the samples.
  private static func greatest(of document: Document) throws -> [String] {
    let towns = try #require(document.layers.last as? any FeatureHolding)
    var found: [(size: Double, name: String)] = []
    for block in towns.blocks {
      for row in 0..<block.rowCount {
        found.append(
          (
            block.attribute("pop_max", row: row).double ?? 0,
            block.attribute("name", row: row).text
          ))
      }
    }
    return found.sorted { $0.size > $1.size }.prefix(20).map(\.name)
  }

  /// The text of a picture of the world.
  private static func picture(_ options: String, of document: Document) throws -> String {
    var editor = Editor(document)
    try editor.run("render \(options)")
    let request = try #require(
      editor.effects.lazy.compactMap { effect -> PictureRequest? in
        if case .perform(let request as RenderRequest, _) = effect { request.picture } else { nil }
      }.first)
    let text = String(
      decoding: try request.format.picture(of: request, depth: .trueColour), as: UTF8.self)
    return text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }

  @Test(arguments: [
    ("-o a.svg --size 1200x700", 19), ("-o a.svg --size 1200x700 --title World --legend", 19),
    ("-o a.svg --size 297x210mm", 19), ("-o a.svg --size 210x297mm", 19),
    ("-o a.txt --size 120x40", 17),
  ])
  func `The world names its great towns`(options: String, least: Int) throws {
    let document = try Self.world()
    let text = try Self.picture(options, of: document)
    let missing = try Self.greatest(of: document).filter { !text.contains($0) }
    #expect(missing.count <= 20 - least, "without \(missing)")
  }

  @Test func `A picture of the world names its great countries and their capitals`() throws {
    let text = try Self.picture("-o a.svg --size 1200x700 --title World", of: Self.world())
    for name in ["UNITED STATES", "OF AMERICA", "CHINA", "INDIA", "Washington, D.C."] {
      #expect(text.contains(">\(name)</text>"), "\(name)")
    }
  }

  @Test(arguments: ["60x16", "80x24", "120x40", "200x60"])
  func `At most 18 of a hundred cells of the world are letters`(size: String) throws {
    let text = try Self.picture("-o a.txt --size \(size)", of: Self.world())
    let cells = size.split(separator: "x").compactMap { Int($0) }.reduce(1, *)
    let letters = text.count { $0.isLetter || $0.isNumber }
    #expect(100 * letters <= 18 * cells && 100 * letters > 5 * cells, "\(letters) of \(cells)")
  }
}
