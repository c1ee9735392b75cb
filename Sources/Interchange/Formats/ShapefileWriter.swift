package import PortolanDocuments
import PortolanGraphics

/// Writes Shapefiles of Esri: a layer of one kind of geometry, as `.shp`, `.shx`, `.dbf`, `.cpg`
/// and `.prj`. See `Docs/formats/shapefile.md`.
///
/// It is no `Importer`, so that `save` never writes a document back over a Shapefile, which would
/// lose the names and texts that have no room in it.
///
///     00 00 27 0A … E8 03 00 00 05 00 00 00 …   the head of a .shp with areas
package struct ShapefileWriter: Exporter {
  package init() {}

  package var name: String { "shapefile" }
  package var title: String { "Esri Shapefile" }
  package var extensions: [String] { ["shp"] }
  package var isText: Bool { false }
  package var limits: FormatLimits {
    FormatLimits(heights: .eachVertex, holdsEmptyShapes: false, holdsLists: false)
  }
  package var isSingleFile: Bool { false }
  package var companions: [String] { ["dbf", "shx", "prj", "cpg", "qpj", "qix", "sbn", "sbx"] }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    try write(layers, options: options) { ending, bytes in
      if ending == "shp" { try sink(bytes) }
    }
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions,
    toFiles sink: (_ ending: String, [UInt8]) throws -> Void
  ) throws -> ExportReport {
    let filled = try options.filled(layers)
    guard let layer = filled.first, filled.count == 1 else {
      throw ExportError(.severalLayers, filled.map(\.name).joined(separator: ", "))
    }
    var report = ExportReport()
    let rows = layer.blocks.map { options.rows(of: $0, in: layer) }
    report.features = rows.reduce(0) { $0 + $1.count }
    var shapes = try ShapeWriter(layer, rows)
    var table = try ShapeTableWriter(layer, rows)
    for (block, rows) in zip(layer.blocks, rows) {
      for row in rows { shapes.append(block.geometry, row: row) }
      try table.append(block, rows)
      try sink("shp", [])
    }
    try sink("dbf", table.bytes)
    try sink("cpg", Array("UTF-8\n".utf8))
    let system = options.system(of: layer)
    if let text = ProjectionText.text(of: system) {
      try sink("prj", Array(text.utf8))
    } else {
      report.remarks.append(
        "no .prj is written: the coordinates are \(system.words), for which there is no well-known "
          + "text here")
    }
    let (main, index) = try shapes.files()
    try sink("shx", index)
    try sink("shp", main)
    report.remarks += shapes.remarks + table.remarks
    return report
  }
}
