import Glibc
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange

/// Archiving and editing of a document as large as the coasts of the world: 153,123 polygons of
/// 1.9 million vertices with three attributes each.
struct DocumentBenchmarks: BenchmarkSuite {
  let name = "documents"

  func run() throws {
    let clock = ContinuousClock()
    var layer: FeatureLayer?
    let building = clock.measure { layer = Self.coast() }
    guard let layer else { return }
    let vertices = layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    print(
      "documents build: \(Self.text(building)) (\(layer.count) features, \(vertices) vertices, "
        + "\(layer.blocks.count) blocks)")
    var document = Document()
    document.layers = [layer]
    var bytes: [UInt8] = []
    try Self.report("encode") { bytes = try DocumentArchive.bytes(of: document) }
    print("documents size: \(bytes.count) bytes")
    try Self.report("decode") { document = try DocumentArchive.open(bytes).document }
    try measureEdits(document)
    try measureFiles()
  }

  /// Documents of the files in `PORTOLAN_DATA`: size, time, and whether GeoJSON comes out of the
  /// opened document as it went in.
  private func measureFiles() throws {
    guard let folder = getenv("PORTOLAN_DATA").map({ String(cString: $0) }) else {
      print("documents files: skipped; set PORTOLAN_DATA to a folder of unpacked GeoJSON files")
      return
    }
    let fileSystem = RealFileSystem()
    for name in try fileSystem.names(in: folder) where name.hasSuffix(".geojson") {
      let source = try fileSystem.read("\(folder)/\(name)", limit: 1 << 30)
      let format = GeoJSONFormat()
      var document = Document()
      document.layers =
        try format.read(source, options: ImportOptions(name: name)) { _ in }.layers
      var bytes: [UInt8] = []
      print("documents \(name): \(source.count) bytes of GeoJSON")
      try Self.report("  encode") { bytes = try DocumentFile.bytes(of: document) }
      try Self.report("  decode") { document = try DocumentFile.open(bytes).document }
      let isStable = try DocumentFile.bytes(of: document) == bytes
      var written: [UInt8] = []
      let layers = document.layers.compactMap { $0 as? FeatureLayer }
      try format.write(layers, options: ExportOptions()) { written += $0 }
      print(
        "documents   \(bytes.count) bytes, archive \(isStable ? "stable" : "NOT STABLE"), "
          + "GeoJSON \(written == source ? "same" : "OTHER") after reopening")
    }
  }

  private func measureEdits(_ document: Document) throws {
    guard let layer = document.layers.first as? FeatureLayer else { return }
    let ids = (0..<50).map { FeatureID(UInt64(1 + $0 * layer.count / 50)) }
    var history = History(document)
    var changed = layer
    var times: [Duration] = []
    for id in ids {
      guard var geometry = changed.feature(id)?.geometry else { continue }
      times.append(
        try ContinuousClock().measure {
          geometry.paths[0].vertices[0].x += 0.001
          try changed.setGeometry(geometry, of: id)
          var next = history.value
          next.layers[0] = changed
          history.record(next, title: "move vertex")
        })
    }
    times.sort()
    print("documents edit one vertex: median \(Self.text(times[25])), max \(Self.text(times[49]))")
    guard let large = layer.blocks.first(where: { $0.geometry.vertexCount > 50_000 }),
      let row = large.geometry.boxes.indices.max(by: {
        large.geometry.vertexCount(ofFeature: $0) < large.geometry.vertexCount(ofFeature: $1)
      })
    else { return }
    var coast = large.geometry.geometry(ofFeature: row)
    coast.paths[0].vertices[30_000].x += 0.001
    try Self.report("edit one vertex of a ring of 60,000") {
      try changed.setGeometry(coast, of: large.featureIDs[row])
    }
    times = try ids.map { id in
      try ContinuousClock().measure {
        try changed.setAttribute("name", to: .string("edited"), of: [id])
      }
    }.sorted()
    print(
      "documents edit one attribute: median \(Self.text(times[25])), max \(Self.text(times[49]))")
    let frame = ContinuousClock().measure {
      var canvas = RecordingCanvas(visible: Box(minX: -180, minY: -90, maxX: 180, maxY: 90))
      changed.draw(on: &canvas, labelPriority: 0)
      _ = (changed.extent, changed.count, changed.kindCode, changed.fieldNames, canvas.marks.count)
    }
    print("documents visit for a frame: \(Self.text(frame))")
  }

  /// Rings of 4 to some thousand vertices, most of them small, as real coasts have.
  static func coast() -> FeatureLayer {
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape(
      members: ["type", "properties", "geometry"], geometryMembers: ["type", "coordinates"],
      numberStyle: .decimals(6))
    let values: [(String, AttributeValue)] = [
      ("id", .number("1234567")), ("level", .number("1")), ("name", .string("an island")),
    ]
    let role = PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true)
    for index in 0..<153_123 {
      let count = index % 15_000 == 7 ? 60_000 : 5 + index % 8
      var pairs: [Double] = []
      pairs.reserveCapacity(2 * count)
      for vertex in 0..<count {
        pairs.append(Double((index * 7_919 + vertex) % 360_000) / 1_000 - 180)
        pairs.append(Double((index * 104_729 + vertex * 3) % 170_000) / 1_000 - 85)
      }
      builder.geometry.appendPath(role, pairs: pairs)
      for (name, value) in values { builder.setAttribute(name, to: value) }
      builder.endRow(.polygon, shape: shape)
    }
    let blocks = builder.finish()
    return FeatureLayer(
      id: LayerID(3), name: "coast", style: .standard(forDimension: 2, index: 0), blocks: blocks,
      nextFeatureID: builder.nextFeatureID)
  }

  private static func report(_ what: String, _ body: () throws -> Void) rethrows {
    var times: [Duration] = []
    for _ in 0..<5 { times.append(try ContinuousClock().measure(body)) }
    times.sort()
    print("documents \(what): median \(text(times[2])), best \(text(times[0]))")
  }

  private static func text(_ duration: Duration) -> String {
    let microseconds = duration / .microseconds(1)
    return "\((microseconds / 10).rounded() / 100) ms"
  }
}
