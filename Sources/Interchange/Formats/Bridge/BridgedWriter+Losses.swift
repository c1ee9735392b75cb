import PortolanDocuments
import PortolanGraphics

/// How many features have shapes of points, of lines and of areas.
private struct ShapeCounts {
  private(set) var counts = [0, 0, 0]
  /// The number of the first of each.
  private(set) var first: [Int?] = [nil, nil, nil]
  private(set) var features = 0

  mutating func add(_ layer: any FeatureHolding, _ rows: (FeatureBlock) -> [Int]) {
    for block in layer.blocks {
      for row in rows(block) {
        features += 1
        let paths = block.geometry.paths(ofFeature: row)
        let dimensions = Set(paths.compactMap { block.geometry.pathRoles[$0].kind.dimension })
        for dimension in dimensions where counts.indices.contains(dimension) {
          counts[dimension] += 1
          if first[dimension] == nil { first[dimension] = features }
        }
      }
    }
  }
}

/// How often each text stands in each column, before and after a conversion: drivers write features
/// in an order of their own.
private struct WrittenTexts {
  private var counts: [String: [ArraySlice<UInt8>: Int]] = [:]
  /// The prefix that the driver gives some names, such as `ogr_`.
  let prefix: String

  init(prefix: String) { self.prefix = prefix }

  private func ownName(_ name: String) -> String {
    !prefix.isEmpty && name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }

  /// Adds the written texts.
  mutating func add(_ block: FeatureBlock, _ rows: [Int]) { count(block, rows, 1) { $0 } }

  /// Removes the texts that are read again, but not those of columns with another name in the file.
  mutating func remove(_ layers: [any FeatureHolding]) {
    let names = Set(layers.flatMap(\.fieldNames).map(ownName))
    counts = counts.filter { names.contains($0.key) }
    for block in layers.flatMap(\.blocks) {
      count(block, Array(0..<block.rowCount), -1, ownName)
    }
  }

  private mutating func count(
    _ block: FeatureBlock, _ rows: [Int], _ step: Int, _ named: (String) -> String
  ) {
    for column in block.attributes {
      let name = named(column.name)
      var texts = counts.removeValue(forKey: name) ?? [:]
      for row in rows where column.kind(row) == .string {
        let text = column.bytes[column.textRange(row)]
        // Few formats have empty texts beside no value.
        if !text.isEmpty { texts[text, default: 0] += step }
      }
      counts[name] = texts
    }
  }

  /// The remark on texts that are not found again; `nil` if all are.
  func words(_ title: String) -> String? {
    let lost = counts.mapValues { $0.values.reduce(0) { $0 + max(0, $1) } }.filter { $0.value > 0 }
    let count = lost.values.reduce(0, +)
    guard count > 0, let name = lost.keys.min() else { return nil }
    return "\(CountText.text(count, "text comes", "texts come")) back changed from \(title) as "
      + "ogr2ogr writes it, as in \(name): GeoPackage (-o NAME.gpkg) keeps them"
  }
}

extension BridgedWriter {
  /// Reads the file again where it is not of usual features: drivers leave out or change shapes and
  /// texts that their formats do not hold, at most with a warning. Changed texts are told.
  ///
  /// - Parameter check: called now and then; throws to cancel.
  /// - Throws: `ToolError` if features with points, lines or areas have lost them.
  func checkResult(
    of layers: [any FeatureHolding], _ options: ExportOptions, in output: String,
    _ tools: OGRTools, _ report: inout ExportReport, check: () throws -> Void
  ) throws {
    guard driver.isRead, readsAlways || !areUsual(layers, options) else { return }
    var (given, found) = (ShapeCounts(), ShapeCounts())
    for layer in layers { given.add(layer) { options.rows(of: $0, in: layer) } }
    if given.features == 0 { return }
    let transport = TransportReader(tools, output, .init(hasIdentifiers: false, hasNulls: true))
    let parts = try transport.parts(ImportOptions(name: "output")) { _ in try check() }
    for part in parts { found.add(part.layer) { Array(0..<$0.rowCount) } }
    let words = ["points", "lines", "areas"]
    for (dimension, word) in words.enumerated() {
      let (wanted, count) = (given.counts[dimension], found.counts[dimension])
      guard count < wanted, let first = given.first[dimension] else { continue }
      let which = count == 0 ? ", the first one is feature \(first)" : ""
      throw ToolError(
        .refused,
        "of \(CountText.features(wanted)) with \(word), \(driver.title) as ogr2ogr writes it holds "
          + "the \(word) of \(count)\(which): choose features with --where, or another format")
    }
    var texts = WrittenTexts(prefix: writing.texts.prefix)
    for layer in layers {
      for block in layer.blocks {
        texts.add(block, options.rows(of: block, in: layer))
      }
    }
    texts.remove(parts.map(\.layer))
    if let words = texts.words(title) { report.remarks.append(words) }
  }

  /// Tells of numbers with more digits than the driver writes.
  func tellDigits(
    of layers: [any FeatureHolding], _ options: ExportOptions, _ report: inout ExportReport
  ) {
    guard let digits = writing.digits else { return }
    var count = 0
    for layer in layers {
      for block in layer.blocks {
        let rows = options.rows(of: block, in: layer)
        for column in block.attributes {
          count += rows.count { row in
            guard column.kind(row) == .number else { return false }
            let text = column.bytes[column.textRange(row)]
            // Whole numbers are of a type of their own.
            guard text.count > digits, text.contains(where: { $0 &- 0x30 > 9 && $0 != 0x2D }) else {
              return false
            }
            return DoubleText.digitCount(text) > digits
          }
        }
      }
    }
    if count == 0 { return }
    report.remarks.append(
      "\(CountText.text(count, "number has", "numbers have")) more digits than the \(digits) that "
        + "ogr2ogr writes as \(driver.title): GeoPackage (-o NAME.gpkg) keeps them")
  }
}
