import PortolanDatabases
import PortolanDocuments
package import PortolanFiles
import PortolanGraphics

/// Formats that GDAL reads: `ogr2ogr` converts a copy of the file in a process of its own, and what
/// it writes is read here. See `Docs/formats/bridge.md`.
///
///     ogr2ogr -f GPKG -lco FID=portolan_fid … output.gpkg input.kml Towns
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
    if driver.name == "sqlite", FilePath.ending(of: source.path) == "mbtiles" {
      throw ToolError(
        .refused, "MBTiles are drawn tiles, which are not read: get the data that they show")
    }
    var tools = try OGRTools()
    tools.use(drivers: driver.drivers + ["GPKG", "GeoJSON"])
    let bytes = try source.bytes()
    if let cut = Database.cut(bytes) { throw ToolError(.refused, cut.description) }
    let copy = driver.copyName(source.path, bytes.prefix(FileHead.count))
    try tools.folder.write(bytes, to: copy)
    for ending in driver.companions {
      guard let companion = try source.sibling(ending) else { continue }
      try tools.folder.write(companion.bytes(), to: "input." + ending)
    }
    let transport = TransportReader(
      tools, place(in: copy, bytes),
      GeoPackageReader.Conversion(
        hasIdentifiers: driver.hasIdentifiers, hasNulls: driver.hasNulls))
    var parts: [LayerPart]
    do {
      parts = try transport.parts(options, progress)
    } catch let error as ToolError {
      throw tools.hasDriver(driver.drivers) ? error : ToolError(.missing, absence)
    }
    for index in parts.indices { parts[index].layer.remove(fillers: driver.fillers) }
    if driver.isDrawing {
      for index in parts.indices where parts[index].system == nil { parts[index].system = .planar }
    }
    return try ImportResult(parts, remarks: transport.remarks, options)
  }

  /// What ogr2ogr is to read: the copy, or the folder in an archive that holds the Shapefiles.
  private func place(in copy: String, _ bytes: [UInt8]) -> String {
    guard driver.name == "shapezip" else { return copy }
    let folder = ZipNames.folder(ofFiles: ".shp", in: bytes)
    let isSafe = !folder.isEmpty && !folder.split(separator: "/").contains("..")
    return isSafe ? "/vsizip/{\(copy)}/\(folder)" : copy
  }

  private var absence: String {
    driver.name == "parquet"
      ? ParquetReader.missing
      : "this ogr2ogr has no driver \(driver.drivers[0]), which reads \(driver.title)"
  }
}

extension BlockHolding {
  /// Removes columns whose every value is missing, null or the filler.
  fileprivate mutating func remove(fillers: [String: String]) {
    let names = fillers.filter { name, filler in
      blocks.allSatisfy { block in
        guard let column = block.column(name) else { return true }
        return (0..<column.rowCount).allSatisfy { row in
          let kind = column.kind(row)
          return kind == .missing || kind == .null
            || kind == .number && column.value(row).text == filler
        }
      }
    }
    if names.isEmpty { return }
    blocks = blocks.map { block in
      let kept = block.attributes.filter { names[$0.name] == nil }
      return kept.count == block.attributes.count ? block : block.replacingAttributes(kept)
    }
  }
}
