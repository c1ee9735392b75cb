import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Whole desks, a folder each: `in.geojson` is opened at 80x24, `keys` is typed (a line that
/// begins with `# ` is a comment), and the desk must then read as `out` says.
@Suite struct ScenarioTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Scenarios")

  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  @Test(arguments: names)
  func `A desk ends as its folder says`(name: String) throws {
    let folder = Self.folder.appendingPathComponent(name)
    let text = Self.text(of: try Self.play(folder))
    let golden = folder.appendingPathComponent("out")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try text.write(to: golden, atomically: true, encoding: .utf8)
      Issue.record("\(name)/out was written anew")
      return
    }
    #expect(try String(contentsOf: golden, encoding: .utf8) == text)
  }

  @Test func `There are scenarios`() { #expect(Self.names.count >= 8) }

  static func play(_ folder: URL) throws -> Desk {
    var desk = Desk(screenSize: CellSize(columns: 80, rows: 24))
    let input = folder.appendingPathComponent("in.geojson")
    if let bytes = try? Data(contentsOf: input) {
      let read = try GeoJSONFormat().read(
        [UInt8](bytes), options: ImportOptions(name: "in", firstLayerID: 3), progress: { _ in })
      var document = Document()
      document.layers = read.layers
      document.nextID = 100
      let job = desk.startJob("opening in.geojson")
      _ = desk.handle(
        .opened(
          job, OpenedFile(path: "in.geojson", document: document, isDocumentFile: false)))
    }
    let keys = try String(contentsOf: folder.appendingPathComponent("keys"), encoding: .utf8)
    for line in keys.split(separator: "\n") where !line.hasPrefix("# ") {
      for event in try EventNotation.events(String(line)) {
        _ = desk.handle(.terminal(event))
      }
    }
    return desk
  }

  /// A desk in words, coordinates with four decimals.
  static func text(of desk: Desk) -> String {
    let cursor = Positions.text(desk.cursor, isGeographic: desk.plane.isGeographic)
    var lines = [
      "mode \(desk.mode.title)\(desk.isEdited ? " [+]" : "")",
      "cursor \(cursor) at \(desk.cursorColumn),\(desk.cursorRow)",
      "undo \(desk.history.past.count) redo \(desk.history.future.count)",
      "selected \(desk.selection.count)", "says \(desk.message?.text ?? "")",
    ]
    for layer in desk.document.layers.reversed() {
      let marks =
        (layer.id == desk.activeLayer ? ["active"] : []) + (layer.isVisible ? [] : ["hidden"])
        + (layer.isLocked ? ["locked"] : [])
      lines.append("layer \(([layer.name] + marks).joined(separator: ", "))")
      for block in (layer as? FeatureLayer)?.blocks ?? [] {
        for row in 0..<block.rowCount { lines += text(of: block.feature(row: row)) }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(of feature: Feature) -> [String] {
    let attributes = feature.attributes.map { name, value in
      "\(name)=\(AttributeText.text(of: value))"
    }
    let head = "  #\(feature.id.rawValue) \(feature.geometry.kind.name ?? "none") "
    return [head + attributes.joined(separator: " ")]
      + feature.geometry.paths.map { path in
        "    " + (path.role.isHole ? "hole " : "")
          + path.vertices.map { vertex in
            "\(Figures.short(vertex.x, decimals: 4)),\(Figures.short(vertex.y, decimals: 4))"
          }.joined(separator: " ")
      }
  }
}
