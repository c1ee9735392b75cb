package import PortolanDocuments
import PortolanFiles

/// Formats that GDAL writes: `ogr2ogr` converts a GeoPackage of the layers in a process of its own.
/// See `Docs/formats/bridge.md`.
///
///     ogr2ogr -preserve_fid -f FlatGeobuf output.fgb input.gpkg
package struct BridgedWriter: Exporter {
  private let driver: BridgeDriver
  private let writing: BridgeDriver.Writing

  private init?(_ driver: BridgeDriver) {
    guard let writing = driver.writing else { return nil }
    (self.driver, self.writing) = (driver, writing)
  }

  /// All formats that are written through the bridge.
  package static let all = BridgeDriver.all.compactMap { BridgedWriter($0) }

  package var name: String { driver.name }
  package var title: String { driver.title }
  package var extensions: [String] { driver.extensions }
  package var isText: Bool { ["gpx", "gml", "dxf", "jml", "gmt", "sql"].contains(name) }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    let holding = layers.compactMap { $0 as? any FeatureHolding }.filter { $0.count > 0 }
    if holding.isEmpty { throw ExportError(.nothingToWrite) }
    if !writing.holdsLayers, holding.count > 1 {
      throw ToolError(
        .refused,
        "\(driver.title) holds one layer, and these are \(holding.count): choose with --layers")
    }
    var tools = try OGRTools { _ in try sink([]) }
    guard let gdal = tools.driver(driver.drivers) else {
      throw ToolError(
        .missing, "this ogr2ogr has no driver \(driver.drivers[0]), which writes \(driver.title)")
    }
    tools.use(drivers: [gdal, "GPKG"])
    var report = ExportReport()
    var (converted, options): ([any Layer], ExportOptions) = (holding, options)
    if writing.isOfDegrees {
      converted = try inDegrees(holding, &options, &report) { try sink([]) }
    }
    let bytes = try GeoPackageWriter(narrowsIntegers: true).bytes(converted, options, &report) {
      try sink([])
    }
    try tools.folder.write(bytes, to: "input.gpkg")
    let output = "output." + (driver.extensions.first ?? driver.name)
    var words = ["-preserve_fid", "-f", gdal] + writing.options
    if !writing.holdsLongNumbers { words += ["-mapFieldType", "Integer64=String"] }
    let warnings = try tools.convert(words + [output, "input.gpkg"]) { _ in try sink([]) }
    let hasIdentifiers = holding.contains { layer in
      layer.blocks.contains { $0.identifiers.kinds.contains { $0 != 0 } }
    }
    if hasIdentifiers, warnings.contains(where: { $0.contains("id not preserved") }) {
      report.remarks.append("\(driver.title) does not hold the ids of features")
    }
    report.remarks += warnings.filter { !$0.contains("id not preserved") }.map { "ogr2ogr: " + $0 }
    if let loss = writing.loss { report.remarks.append("\(driver.title) does not hold \(loss)") }
    let written = try tools.folder.read(output)
    for start in stride(from: 0, to: written.count, by: 1 << 20) {
      try sink(Array(written[start..<min(start + 1 << 20, written.count)]))
    }
    return report
  }

  /// The layers as longitude and latitude on WGS 84.
  private func inDegrees(
    _ layers: [any FeatureHolding], _ options: inout ExportOptions, _ report: inout ExportReport,
    _ check: () throws -> Void
  ) throws -> [any Layer] {
    let systems = Set(layers.map { options.system(of: $0) }.filter { !$0.isWGS84 })
    if systems.isEmpty { return layers }
    if let unknown = systems.first(where: { $0.authority.isEmpty }) {
      throw ToolError(
        .refused,
        "\(driver.title) knows longitude and latitude on WGS 84 only, and the coordinates are "
          + "\(unknown.words): say which system it is (--input-crs)")
    }
    let chosen = options.cut(layers)
    options.box = nil
    let reprojection = try Reprojection(from: options.coordinateSystem, to: .crs84)
    options.coordinateSystem = .crs84
    report.remarks.append(
      "converted from \(systems.map(\.name).sorted().joined(separator: ", ")) into longitude and "
        + "latitude")
    return try chosen.map { try reprojection.layer($0) { _ in try check() } }
  }
}
