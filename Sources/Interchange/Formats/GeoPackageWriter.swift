import PortolanDatabases
package import PortolanDocuments
import PortolanGraphics

/// Writes GeoPackages: a table a layer, its attributes typed, with an index of boxes. See
/// `Docs/formats/geopackage.md`.
///
///     53 51 4C 69 74 65 20 66 …   "SQLite format 3", with the mark "GPKG" at 68
package struct GeoPackageWriter: Exporter {
  /// The types of columns.
  private let types: WrittenTypes
  /// Whether ogr2ogr reads the file, once: it needs no index of boxes, and times in the form that
  /// every version of ogr2ogr knows.
  private let isForTools: Bool
  /// Whether ids that are different whole numbers are the numbers of the rows, which are in their
  /// order then; else they are an attribute.
  private let holdsIdentifiers: Bool
  /// Whether it is told where ids are an attribute.
  private let tellsIdentifiers: Bool

  package init() {
    types = WrittenTypes(
      narrowsIntegers: false, [.dates, .times, .paddedTimes, .wholeMilliseconds])
    isForTools = false
    (holdsIdentifiers, tellsIdentifiers) = (true, true)
  }

  /// The one of files that ogr2ogr converts, which tells short whole numbers from others.
  init(forTools writing: BridgeDriver.Writing) {
    types = WrittenTypes(
      narrowsIntegers: true, writing.timeForms, longNumberWords: writing.longNumbers)
    isForTools = true
    (holdsIdentifiers, tellsIdentifiers) = (writing.holdsIdentifiers, writing.holdsAttributes)
  }

  package var name: String { "gpkg" }
  package var title: String { "GeoPackage" }
  package var extensions: [String] { ["gpkg"] }
  package var isText: Bool { false }
  package var limits: FormatLimits { FormatLimits(holdsEmptyLayers: true, holdsLists: false) }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var report = ExportReport()
    let bytes = try bytes(layers, options, &report) { try sink([]) }
    for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
      try sink(Array(bytes[start..<min(start + 1 << 20, bytes.count)]))
    }
    return report
  }

  /// The file.
  ///
  /// - Parameter check: called now and then; throws to cancel.
  func bytes(
    _ layers: [any Layer], _ options: ExportOptions, _ report: inout ExportReport,
    check: () throws -> Void
  ) throws -> [UInt8] {
    let holding = layers.compactMap { $0 as? any FeatureHolding }
    if holding.isEmpty { throw ExportError(.nothingToWrite) }
    report.countJumps(holding, options)
    do {
      let database = try Database()
      var catalogue = try GeoPackageCatalogue(database)
      var names = TableNames()
      var writers = holding.map { layer in
        GeoPackageLayer(
          layer, layer.blocks.map { options.rows(of: $0, in: layer) },
          named: names.table(layer.name), types: types, hasIndex: !isForTools,
          holdsIdentifiers: holdsIdentifiers)
      }
      let isNew = !isForTools && writers.contains(where: \.needsNewVersion)
      if isNew { try database.run("PRAGMA user_version=10400") }
      for (index, layer) in holding.enumerated() {
        writers[index].isNew = isNew
        writers[index].system = try catalogue.number(of: options.system(of: layer))
        try writers[index].write(to: database, check: check)
        report.features += writers[index].count
        report.remarks += writers[index].remarks
        if tellsIdentifiers, let remark = writers[index].identifierRemark {
          report.remarks.append(remark)
        }
      }
      try database.run("COMMIT")
      return try database.bytes()
    } catch let error as DatabaseError {
      throw ToolError(error == .missing ? .missing : .refused, error.description)
    }
  }
}

/// Names that are unique whatever their capitals, as SQLite compares them.
struct TableNames {
  private var used: Set<String>

  /// - Parameter used: names in lower case that are given.
  init(_ used: Set<String> = []) { self.used = used }

  /// A name for a table: none of SQLite's or of the catalogue's own.
  mutating func table(_ name: String) -> String {
    var name = name.filter { $0 != "\0" }
    if name.isEmpty { name = "layer" }
    let lower = name.lowercased()
    if ["gpkg_", "sqlite_", "rtree_"].contains(where: lower.hasPrefix) { name = "layer_" + name }
    return unique(name)
  }

  /// The name, with a number behind it if it is used.
  mutating func unique(_ name: String) -> String {
    var (candidate, number) = (name, 1)
    while !used.insert(candidate.lowercased()).inserted {
      number += 1
      candidate = "\(name)_\(number)"
    }
    return candidate
  }
}
