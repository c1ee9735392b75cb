import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Each layer of an export is in the file, or a remark names it.
@Suite struct EmptyLayerLawTests {
  /// Layers of points, some without features, and some with all of them outside of the box.
  private static func layers(
    _ random: inout SeededGenerator
  ) -> (
    layers: [FeatureLayer], options: ExportOptions
  ) {
    var options = ExportOptions()
    if Bool.random(using: &random) { options.box = Box(minX: 0, minY: 0, maxX: 9, maxY: 9) }
    let names = ["towns", "roads", "lakes", "ports"].shuffled(using: &random)
    let layers = names.prefix(Int.random(in: 1...4, using: &random)).map { name in
      var layer = FeatureLayer(
        id: LayerID(1), name: "layer-of-\(name)", style: Style(name: "x", mark: MarkStyle()))
      let x = Int.random(in: 0...3, using: &random)
      if x > 1 {
        _ = layer.add(
          geometry: .point(Coordinate(x: x == 2 ? 2 : 50, y: 2)), attributes: [("n", .number("1"))])
      }
      return layer
    }
    return (layers, options)
  }

  @Test(arguments: FileFormats.exporters.map(\.name))
  func `Each layer is in the file or told`(_ name: String) throws {
    let format = try #require(FileFormats.exporters.first { $0.name == name })
    if format is BridgedWriter, !GeoPackageTests.hasOGR { return }
    for seed in Seeds.some(format is BridgedWriter ? 8 : 30) {
      var random = SeededGenerator(seed: seed)
      let (layers, options) = Self.layers(&random)
      let empty = layers.filter(options.isEmpty)
      var bytes: [UInt8] = []
      do {
        try format.write(layers, options: options, toFiles: { bytes += $1 })
      } catch {
        #expect(layers.count - empty.count > 1, "seed \(seed), \(name): \(error)")
        continue
      }
      var losses = FormatLosses(format.limits, name)
      for layer in layers { losses.add(layer, options) }
      let text = String(decoding: bytes, as: UTF8.self)
      let told = losses.notes.joined()
      let isAlone = empty.count == layers.count
      for layer in isAlone && !format.limits.holdsEmptyLayers ? empty.dropFirst() : empty[...] {
        // Markup and SQL may have it with other signs.
        let isWritten =
          text.contains(layer.name) || text.contains(layer.name.replacing("-", with: "_"))
        #expect(isWritten != told.contains(layer.name), "seed \(seed), \(name): \(told)")
      }
    }
  }

  @Test func `Several empty layers are told together`() {
    let style = Style(name: "x", mark: MarkStyle())
    var losses = FormatLosses(CSVFormat.comma.limits, "csv")
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
      losses.add(FeatureLayer(id: LayerID(1), name: name, style: style), ExportOptions())
    }
    #expect(
      losses.notes == [
        "6 layers have no feature to write: csv holds no empty layer beside others (b, c, d, e, f "
          + "and 1 more)"
      ])
  }

  @Test func `Layers that a box leaves without features are none of those to choose among`() throws
  {
    var random = SeededGenerator(seed: 1)
    var layers: [FeatureLayer] = []
    while layers.count < 2 || layers.contains(where: { $0.count == 0 }) {
      layers = Self.layers(&random).layers
    }
    layers = Array(layers.prefix(2))
    for (index, x) in [2.0, 50].enumerated() {
      layers[index].blocks = []
      _ = layers[index].add(geometry: .point(Coordinate(x: x, y: 2)), attributes: [])
    }
    let box = ExportOptions(box: Box(minX: 0, minY: 0, maxX: 9, maxY: 9))
    for format in [ShapefileWriter(), FlatGeobufWriter()] as [any Exporter] {
      #expect(throws: (any Error).self) {
        try format.write(layers, options: ExportOptions(), toFiles: { _, _ in })
      }
      #expect(try format.write(layers, options: box, toFiles: { _, _ in }).features == 1)
    }
  }
}
