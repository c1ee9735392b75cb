import Foundation
import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanInterchange

@Suite struct FileFormatTests {
  /// Two towns, drawn in the editor.
  private static let towns: FeatureLayer = {
    var layer = FeatureLayer(
      id: LayerID(3), name: "towns", style: Style(name: "towns", mark: MarkStyle()))
    for (number, x, y) in [("1", 10.5, 60.0), ("2", 12, 42)] {
      _ = layer.add(geometry: .point(Coordinate(x: x, y: y)), attributes: [("n", .number(number))])
    }
    return layer
  }()

  /// The formats that are text of our own making.
  private static let own = FileFormats.exporters.filter { $0.isText && !($0 is BridgedWriter) }

  @Test(arguments: own.map(\.name))
  func `The comment of a format shows what it writes`(name: String) throws {
    let format = try #require(FileFormats.exporters.first { $0.isMeant(by: name) })
    var bytes: [UInt8] = []
    try format.write([Self.towns], options: ExportOptions()) { bytes += $0 }
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Interchange/Formats")
    let type = String(describing: type(of: format))
    let source = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: sources.appendingPathComponent($0), encoding: .utf8) }
      .first { $0.contains("struct \(type): ") }
    let shown = try #require(source).split(separator: "\n").filter { $0.hasPrefix("///     ") }
      .map {
        $0.dropFirst(8).replacingOccurrences(of: "→", with: "\t")
          .replacingOccurrences(of: "␞", with: "\u{1E}")
      }
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      #expect(shown.contains(String(line)), "\(type) writes \(line)")
    }
  }

  @Test func `Words and endings are those of one format each`() {
    let lists: [[any FileFormat]] = [FileFormats.importers, FileFormats.exporters]
    for list in lists {
      let words = list.flatMap { Set([$0.name] + $0.extensions) }
      #expect(Set(words).count == words.count)
    }
    for format in FileFormats.all {
      #expect(format.extensions.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty })
      #expect(format.isMeant(by: format.name.uppercased()))
      #expect(format.extensions.allSatisfy { format.isFor("/x/map." + $0) })
      #expect(!format.isFor("map") && !format.isFor("map.doc"))
      #expect(!ForeignFormat.isEnding(of: "map." + format.extensions[0]))
    }
    #expect(FileFormats.names([GeoJSONFormat()]) == "geojson" && FileFormats.names([]) == "")
    let three: [any FileFormat] = [GeoJSONFormat(), LinesFormat(), CSVFormat.comma]
    #expect(FileFormats.names(three) == "geojson, ndjson or csv")
  }

  @Test func `What a format cannot hold is passed over`() throws {
    var document = Document()
    document.layers = [Self.towns]
    try document.group([Self.towns.id], named: "group")
    for format in FileFormats.exporters where !(format is BridgedWriter) {
      #expect(document.layers.map(format.canHold) == [true, false])
      var whole: [UInt8] = []
      try format.write(document.layers, options: ExportOptions()) { whole += $0 }
      var alone: [UInt8] = []
      try format.write([Self.towns], options: ExportOptions()) { alone += $0 }
      #expect(whole == alone && !whole.isEmpty)
    }
  }
}
