import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import Testing

@testable import PortolanEditing

/// A format whose names are in a file beside its positions, whole in this file: nothing else knows
/// of it.
@Suite struct ImporterTests {
  private static func world(_ files: [String: String]) throws -> World {
    let system = MemoryFileSystem()
    for (path, text) in files {
      try system.makeDirectories(FilePath.folder(of: path))
      _ = try system.save(Array(text.utf8), to: path, expecting: .absent)
    }
    var options = World.Options()
    options.importers = FileFormats.importers + [PlotFormat()]
    return World(files: system, options: options)
  }

  private static let plot = ["/m/a.plot": "plot\n1 2\n3 4\n", "/m/a.names": "one\ntwo\n"]

  private func run(_ lines: [String], in world: World) throws -> Document {
    var runner = HeadlessRunner(world: world) { _ in }
    for line in lines { try runner.run(line: line) }
    return runner.desk.document
  }

  private func names(_ document: Document) -> [String] {
    let layer = document.layers.last as? any FeatureHolding
    return layer?.blocks.flatMap { block in
      (0..<block.rowCount).map { block.attribute("name", row: $0).text }
    } ?? []
  }

  @Test(arguments: ["open /m/a.plot", "import /m/a.plot"])
  func `It is read with the file beside it`(line: String) throws {
    #expect(names(try run([line], in: Self.world(Self.plot))) == ["one", "two"])
  }

  @Test(arguments: ["NAMES", "Names"])
  func `The file beside it may be written in capitals`(ending: String) throws {
    let world = try Self.world(["/m/a.plot": "plot\n1 2\n", "/m/a.\(ending)": "one\n"])
    #expect(names(try run(["open /m/a.plot"], in: world)) == ["one"])
  }

  @Test func `Without the file beside it, and by its first bytes alone, it is read too`() throws {
    let world = try Self.world(["/m/a": "plot\n1 2\n"])
    #expect(names(try run(["open /m/a"], in: world)) == [""])
  }

  @Test func `Its own options reach it, those of others are refused`() throws {
    var files = Self.plot
    files["/m/b.geojson"] = #"{"type":"FeatureCollection","features":[]}"#
    let world = try Self.world(files)
    let turned = PlotOptions(isTurned: true)
    let file = try world.open("/m/a.plot", .none, reading: turned)
    let layer = try #require(file.document.layers.last as? any FeatureHolding)
    #expect(layer.extent == Box(minX: 2, minY: 1, maxX: 4, maxY: 3))
    for path in ["/m/b.geojson", "/m/a.plot"] {
      let options: any FormatOptions = path == "/m/a.plot" ? TableOptions() : turned
      let failure = #expect(throws: Failure.self) { try world.open(path, .none, reading: options) }
      #expect(failure?.what == options.refusal)
    }
  }

  @Test func `Its document is saved beside it alone`() throws {
    let world = try Self.world(Self.plot)
    #expect(try !world.open("/m/a.plot", .none).isDocumentFile)
  }
}

/// Positions as `x y`, one a line after the word plot; names in the file with the ending names.
private struct PlotFormat: Importer {
  let name = "plot"
  let title = "Plot"
  let extensions = ["plot"]

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.starts(with: "plot\n".utf8) }
  func takes(_ options: any FormatOptions) -> Bool { options is PlotOptions }

  func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    func lines(_ source: FileSource?) throws -> [Substring] {
      try String(decoding: source?.bytes() ?? [], as: UTF8.self).split(separator: "\n")
    }
    let names = try lines(source.sibling("names"))
    var layer = FeatureLayer(
      id: LayerID(options.firstLayerID), name: options.name,
      style: Style(name: options.name, mark: MarkStyle()))
    for (index, line) in try lines(source).dropFirst().enumerated() {
      var numbers = line.split(separator: " ").compactMap { Double($0) }
      if (options.own as? PlotOptions)?.isTurned == true { numbers.reverse() }
      _ = layer.add(
        geometry: .point(Coordinate(x: numbers[0], y: numbers[1])),
        attributes: [("name", .string(index < names.count ? String(names[index]) : ""))])
    }
    return ImportResult(layers: [layer], report: ImportReport())
  }
}

private struct PlotOptions: FormatOptions {
  var isTurned = false
  var refusal: String { "is no plot" }
}
