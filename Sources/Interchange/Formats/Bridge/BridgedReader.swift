import PortolanDocuments
package import PortolanFiles
import PortolanGraphics

/// Formats that GDAL reads: `ogr2ogr` converts a copy of the file in a process of its own, and what
/// it writes is read here. See `Docs/formats/bridge.md`.
///
///     ogrinfo -ro -so -al -nomd input.kml
///     ogr2ogr -preserve_fid -f GeoJSON -lco SIGNIFICANT_FIGURES=22 0.geojson input.kml Towns
package struct BridgedReader: Importer {
  private let driver: BridgeDriver

  init(_ driver: BridgeDriver) { self.driver = driver }

  /// All formats that are read through the bridge.
  package static let all = BridgeDriver.all.filter(\.isRead).map { BridgedReader($0) }

  package var name: String { driver.name }
  package var title: String { driver.title }
  package var extensions: [String] { driver.extensions }
  package var isCertain: Bool { true }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool { driver.recognizes(head) }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    if driver.name == "parquet", let result = try ParquetReader.read(source, options, progress) {
      return result
    }
    if driver.name == "parquet", ChildProcess(named: "ogr2ogr") == nil {
      throw ToolError(.missing, absence)
    }
    var tools = try OGRTools(progress: progress)
    guard let gdal = tools.driver(driver.drivers) else {
      throw ToolError(.missing, absence)
    }
    tools.use(drivers: [gdal, "GeoJSON", "CSV"])
    let bytes = try source.bytes()
    let copy = driver.copyName(source.path, bytes.prefix(FileHead.count))
    try tools.folder.write(bytes, to: copy)
    for ending in driver.companions {
      guard let companion = try source.sibling(ending) else { continue }
      try tools.folder.write(companion.bytes(), to: "input." + ending)
    }
    let layers = try tools.layers(of: copy, progress: progress)
    return try result(of: layers, in: copy, tools, options, progress)
  }

  /// Every double comes back from 17 digits, but below 22 GDAL drops digits behind `000000` and
  /// `999999` until these are gone: 0.1000000000000002 would become 0.1.
  private static let figures = "SIGNIFICANT_FIGURES=22"

  private var absence: String {
    driver.name == "parquet"
      ? ParquetReader.missing
      : "this ogr2ogr has no driver \(driver.drivers[0]), which reads \(driver.title)"
  }

  private func result(
    of all: [OGRTools.Layer], in copy: String, _ tools: OGRTools, _ options: ImportOptions,
    _ progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let wanted = try options.chosen(all, \.name)
    let full = wanted.filter { $0.count != 0 }
    // A track has no waypoints: layers without features are left out beside others.
    let layers = full.isEmpty || options.choice != nil ? wanted : full
    if layers.isEmpty { throw ToolError(.refused, "ogrinfo finds no layer in it") }
    var parts: [LayerPart] = []
    var remarks: [String] = []
    for (index, layer) in layers.enumerated() {
      // The one layer of a file needs no name, whatever that is.
      let names = all.count == 1 ? [] : [layer.name]
      if !names.isEmpty, layer.name.hasPrefix("-") || layer.name.isEmpty {
        throw ToolError(.refused, "ogr2ogr cannot be asked for the layer \"\(layer.name)\"")
      }
      let target = "\(index).geojson"
      var words = ["-preserve_fid", "-f", "GeoJSON", "-lco", Self.figures]
      var cut = ["-spat"]
      if let box = options.box, box.minX <= box.maxX { cut += box.numbers } else { cut = [] }
      words += cut
      let warnings = try tools.convert(words + [target, copy] + names) {
        try progress((Double(index) + 0.7 * $0) / Double(layers.count))
      }
      remarks += warnings.map { "ogr2ogr: " + $0 }
      if layer.geometry.contains("Measured") {
        remarks.append("layer \(layer.name): measures (M) are left out")
      }
      let bytes = try tools.folder.read(target)
      let name = layers.count == 1 && all.count == 1 ? options.name : layer.name
      var read = try self.part(
        bytes, layer, ImportOptions(name: name, firstLayerID: options.firstLayerID)
      ) {
        try progress((Double(index) + 0.7 + 0.3 * $0) / Double(layers.count))
      }
      if read.layer.blocks.contains(where: { $0.hasValuesOfText(layer.texts) }) {
        let table = "\(index).csv"
        _ = try tools.convert(
          ["-f", "CSV", "-lco", "STRING_QUOTING=ALWAYS"] + cut + [table, copy] + names
        ) { _ in try progress((Double(index) + 0.9) / Double(layers.count)) }
        if try !read.layer.restoreTexts(layer.texts, from: tools.folder.read(table)) {
          remarks.append("layer \(layer.name): texts such as [1] became lists, {} objects")
        }
      }
      parts.append(read)
    }
    return try ImportResult(parts, remarks: remarks, options)
  }

  /// A layer as ogr2ogr wrote it.
  private func part(
    _ bytes: [UInt8], _ layer: OGRTools.Layer, _ options: ImportOptions,
    _ progress: (Double) throws -> Void
  ) throws -> LayerPart {
    let read = try GeoJSONFormat().read(bytes, options: options, progress: progress)
    guard var holding = read.layers.first as? FeatureLayer else {
      throw ToolError(.refused, "ogr2ogr wrote no layer")
    }
    var notes: [ImportNoteCode: Int] = [:]
    let named = layer.system.isEmpty ? nil : ProjectionText.system(layer.system, &notes)
    let told = holding.source.namedSystem
    holding.source = .plain
    holding.blocks = holding.blocks.map {
      driver.hasIdentifiers ? $0.plain : $0.plain.withoutIdentifiers
    }
    var part = LayerPart(holding, told ?? named)
    if part.system == nil, driver.isDrawing { part.system = .planar }
    part.notes = read.report.notes.filter { [.nestedCollections, .emptyParts].contains($0.code) }
    if told == nil { part.notes += notes.map { ImportReport.Note(code: $0.key, count: $0.value) } }
    return part
  }
}

extension Box {
  /// The arguments of `-spat`.
  fileprivate var numbers: [String] { [minX, minY, maxX, maxY].map { "\($0)" } }
}
