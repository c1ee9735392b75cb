package import PortolanDocuments
import PortolanFiles
import PortolanGraphics

/// Formats that GDAL writes: `ogr2ogr` converts a GeoPackage of the layers in a process of its own.
/// See `Docs/formats/bridge.md`.
///
///     ogr2ogr -preserve_fid -f FlatGeobuf output.fgb input.gpkg
package struct BridgedWriter: Exporter {
  let driver: BridgeDriver
  let writing: BridgeDriver.Writing
  /// Whether the file is read again whatever the features are.
  var readsAlways = false

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

  package var limits: FormatLimits {
    FormatLimits(
      heights: writing.heights, holdsEmptyShapes: writing.holdsEmptyShapes,
      holdsEmptyLayers: writing.holdsEmptyLayers, holdsLists: !writing.holdsAttributes)
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    let filled = try options.filled(layers)
    if !writing.holdsLayers, filled.count > 1 {
      throw ToolError(
        .refused,
        "\(driver.title) holds one layer, and these are \(filled.count): choose one with --layers, "
          + "or export a GeoPackage (-o NAME.gpkg)")
    }
    let holding =
      writing.holdsEmptyLayers ? layers.compactMap { $0 as? any FeatureHolding } : filled
    var tools = try OGRTools()
    tools.use(drivers: driver.drivers + ["GPKG", "GeoJSON"])
    var report = ExportReport()
    var (converted, options): ([any Layer], ExportOptions) = (holding, options)
    try checkPlaces(holding, options)
    try checkKinds(holding, options)
    if writing.isOfDegrees {
      converted = try inDegrees(holding, &options, &report) { try sink([]) }
    }
    if writing.holdsAttributes {
      converted = withUsableTexts(converted, writing.texts, &report)
    }
    let haveHeights = Set(converted.map { ($0 as? any FeatureHolding)?.hasHeights ?? false })
    if writing.heights == .eachLayer, haveHeights.count > 1 { converted = withHeights(converted) }
    let writer = GeoPackageWriter(forTools: writing)
    let bytes = try writer.bytes(writing.texts.quoting(converted), options, &report) {
      try sink([])
    }
    try tools.folder.write(bytes, to: "input.gpkg")
    let output = "output." + (driver.extensions.first ?? driver.name)
    var words = (writing.holdsIdentifiers ? ["-preserve_fid"] : []) + writing.options
    // GDAL would warn of types that are not written.
    if !writing.holdsAttributes { words += ["-mapFieldType", "Integer64=String"] }
    let given = converted.compactMap { $0 as? any FeatureHolding }
    if writing.needsKind, given.allSatisfy(options.isEmpty) { words += ["-nlt", "POINT"] }
    if !writing.mixesParts, given.contains(where: { Self.kinds(of: $0, options).count > 1 }) {
      words += ["-nlt", "PROMOTE_TO_MULTI"]
    }
    // It is for all layers.
    if writing.heights == .eachLayer, haveHeights == [true] { words += ["-dim", "XYZ"] }
    let warnings = try convert(tools, words + [output, "input.gpkg"]) { _ in try sink([]) }
    report.remarks += warnings.map { "ogr2ogr: " + $0 }
    tellDigits(of: given, options, &report)
    if !writing.holdsAttributes {
      let hasIdentifiers = given.contains { layer in
        layer.blocks.contains { block in
          options.rows(of: block, in: layer).contains { block.identifiers.kind($0) != .missing }
        }
      }
      report.remarks.append(
        "\(driver.title) does not hold attributes" + (hasIdentifiers ? ", nor ids of features" : "")
      )
    }
    try checkResult(of: given, options, in: output, tools, &report) { try sink([]) }
    let written = try tools.folder.read(output)
    for start in stride(from: 0, to: written.count, by: 1 << 20) {
      try sink(Array(written[start..<min(start + 1 << 20, written.count)]))
    }
    return report
  }

  /// Converts by the first of the driver's names that this ogr2ogr knows.
  private func convert(
    _ tools: OGRTools, _ words: [String], _ progress: (Double) throws -> Void
  ) throws -> [String] {
    for name in driver.drivers {
      do {
        return try tools.convert(["-f", name] + words, progress: progress)
      } catch let error as ToolError where error.description.contains("Unable to find driver") {
        continue
      }
    }
    throw ToolError(
      .missing, "this ogr2ogr has no driver \(driver.drivers[0]), which writes \(driver.title)")
  }

  /// Refuses features that GDAL does not write since they have no place.
  private func checkPlaces(_ layers: [any FeatureHolding], _ options: ExportOptions) throws {
    if writing.unplaced == .kept { return }
    let count = layers.reduce(0) { sum, layer in
      layer.blocks.reduce(sum) { sum, block in
        sum
          + options.rows(of: block, in: layer)
          .count { block.geometry.paths(ofFeature: $0).isEmpty }
      }
    }
    if count == 0 { return }
    throw ToolError(
      .refused,
      "features without a place cannot be written as \(driver.title), and the map has \(count): "
        + "leave \(count == 1 ? "it" : "them") out with --where '$vertices > 0'")
  }

  /// Refuses layers of kinds of shapes that the format does not hold together.
  private func checkKinds(_ layers: [any FeatureHolding], _ options: ExportOptions) throws {
    if writing.kinds.isEmpty { return }
    for layer in layers {
      let kinds = Self.kinds(of: layer, options)
      if writing.kinds.contains(where: kinds.isSubset) { continue }
      let held = writing.kinds.map { "of " + Self.list($0.compactMap(\.name), "and") }
      let found = GeometryKind.allCases.filter(kinds.contains).compactMap(\.name)
      throw ToolError(
        .refused,
        "\(driver.title) holds a layer \(Self.list(held, "or")), and \(layer.name) has "
          + "\(Self.list(found, "and")): choose features with --where ($type is their kind), or "
          + "export a GeoPackage (-o NAME.gpkg)")
    }
  }

  /// The kinds of shapes of the features to write.
  private static func kinds(
    of layer: any FeatureHolding, _ options: ExportOptions
  ) -> Set<GeometryKind> {
    var kinds: Set<GeometryKind> = []
    for block in layer.blocks {
      for row in options.rows(of: block, in: layer) { kinds.insert(block.geometry.kinds[row]) }
    }
    return kinds.subtracting([.none])
  }

  /// `a, b and c`.
  private static func list(_ names: [String], _ word: String) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  /// The layers with 0 for each height that is missing beside others of its layer.
  private func withHeights(_ layers: [any Layer]) -> [any Layer] {
    layers.map { layer in
      guard var holding = layer as? any BlockHolding, holding.hasHeights else { return layer }
      holding.blocks = holding.blocks.map { $0.withHeights }
      return holding
    }
  }
}

extension FeatureHolding {
  fileprivate var hasHeights: Bool {
    blocks.contains { block in block.geometry.elevations.contains { !$0.isNaN } }
  }
}

extension Exporter {
  /// The layers as longitude and latitude on WGS 84.
  func inDegrees(
    _ layers: [any FeatureHolding], _ options: inout ExportOptions, _ report: inout ExportReport,
    _ check: () throws -> Void
  ) throws -> [any Layer] {
    let filled = layers.filter { !options.isEmpty($0) }
    let systems = Set(filled.map { options.system(of: $0) }.filter { !$0.isWGS84 })
    if systems.isEmpty { return layers }
    if let unknown = systems.first(where: { $0.authority.isEmpty }) {
      throw ToolError(
        .refused,
        "\(title) knows longitude and latitude on WGS 84 only, and the coordinates are "
          + "\(unknown.words): say which system it is (--input-crs)")
    }
    let chosen = options.cut(layers)
    options.box = nil
    let reprojection = try Reprojection(from: options.coordinateSystem, to: .crs84)
    options.coordinateSystem = .crs84
    report.remarks.append(
      "converted from \(systems.map(\.name).sorted().joined(separator: ", ")) into longitude and "
        + "latitude")
    return try chosen.map { layer in
      // An empty layer may be of a system that nothing converts.
      if (layer as? any FeatureHolding)?.count == 0 { return layer }
      return try reprojection.layer(layer) { _ in try check() }
    }
  }
}

extension FeatureBlock {
  /// The block with 0 for each height that is missing.
  fileprivate var withHeights: FeatureBlock {
    let former = geometry
    let heights =
      former.elevations.isEmpty
      ? [Double](repeating: 0, count: former.vertexCount)
      : former.elevations.map { $0.isNaN ? 0 : $0 }
    let raised = GeometryBlock(
      unchecked: former.coordinates, elevations: heights, pathEnds: former.pathEnds,
      pathRoles: former.pathRoles, featureEnds: former.featureEnds, kinds: former.kinds,
      boxes: former.boxes)
    let block = FeatureBlock(
      geometry: raised, featureIDs: featureIDs, identifiers: identifiers, attributes: attributes,
      shapes: shapes, shapeIndices: shapeIndices)
    return block ?? self
  }
}
