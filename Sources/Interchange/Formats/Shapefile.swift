import PortolanDocuments
package import PortolanFiles
import PortolanGraphics
import PropertyLists

/// Shapefiles of Esri, which are only read: shapes (.shp, .shx), their rows (.dbf, .cpg) and their
/// coordinate system (.prj). See `Docs/formats/shapefile.md`.
///
/// Heads are big-endian, shapes little-endian:
///
///     00 00 27 0A … 00 00 00 32 E8 03 00 00 01 00 00 00 …   the head: code, words, version, points
///     00 00 00 01 00 00 00 0A 01 00 00 00 x… y…             record 1: 10 words, a point
package struct ShapefileFormat: Importer {
  package init() {}

  package var name: String { "shapefile" }
  package var title: String { "Esri Shapefile" }
  package var extensions: [String] { ["shp"] }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: [0, 0, 0x27, 0x0A])
  }

  /// Of the options of tables it knows the encoding.
  package func takes(_ options: any FormatOptions) -> Bool {
    guard var table = options as? TableOptions, table.encoding != nil else { return false }
    table.encoding = nil
    return table.isEmpty
  }

  package func fault(in head: ArraySlice<UInt8>) -> ImportError? {
    guard !recognizes(head) else { return nil }
    return ImportError(
      code: head.isEmpty ? .empty : .notShapes, offset: 0, line: 1, column: 1)
  }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let bytes = try source.bytes()
    if let fault = fault(in: bytes.prefix(FileHead.count)) { throw fault }
    var notes: [ImportNoteCode: Int] = [:]
    let index = try source.sibling("shx")?.bytes()
    let shapes = ShapeRecords(bytes, index: index, &notes)
    guard shapes.count > 0 || bytes.count >= ShapeRecords.headerCount else {
      throw ImportError(code: .cut, offset: bytes.count, line: 1, column: 1)
    }
    let table = try source.sibling("dbf").map {
      ShapefileTable(
        try $0.bytes(), told: options.table.encoding,
        codepage: try Self.text(source.sibling("cpg")), &notes)
    }
    if table == nil { notes[.noTable] = 1 }
    var builder = FeatureBlockBuilder()
    let names = table?.names ?? []
    var reader = ShapeReader(bytes)
    let count = max(shapes.count, table?.rowCount ?? 0)
    for row in 0..<count {
      if row & 1023 == 0 { try progress(Double(row) / Double(count)) }
      if table?.isDeleted(row) == true {
        notes[.deletedRows, default: 0] += 1
        continue
      }
      let kind = shapes[row].map { reader.read($0, into: &builder.geometry, &notes) }
      if kind == nil { notes[.surplusRows, default: 0] += 1 }
      if builder.row == 0 { for name in names { _ = builder.attributes.place(of: name) } }
      if table?.append(row, to: &builder, &notes) == false { notes[.missingRows, default: 0] += 1 }
      var shape = FeatureShape.plain
      shape.isCutOnExport = false
      builder.endRow(kind ?? .none, shape: shape)
    }
    try progress(1)
    let projection = try Self.text(source.sibling("prj"))
    let named = projection.flatMap { ProjectionText.system($0, &notes) }
    var declared = DeclaredForm()
    declared.types = table?.declaredTypes ?? [:]
    // The type of all shapes; lines and areas have any number of parts.
    switch ByteReader(bytes).byte(at: 32) {
    case 1, 11, 21: declared.kinds = [.point]
    case 3, 13, 23: declared.kinds = [.multiLineString]
    case 5, 15, 25: declared.kinds = [.multiPolygon]
    case 8, 18, 28: declared.kinds = [.multiPoint]
    default: break
    }
    return Self.result(builder, options, named, notes, declared)
  }

  /// - Parameter named: the coordinate system, if the file names one.
  static func result(
    _ builder: FeatureBlockBuilder, _ options: ImportOptions, _ named: CoordinateSystem?,
    _ found: [ImportNoteCode: Int], _ declared: DeclaredForm
  ) -> ImportResult {
    var (builder, notes) = (builder, found)
    let blocks = builder.finish()
    var system = named ?? .crs84
    if named == nil {
      let test = DegreesTest(blocks, claim: .open)
      if test.arePlanar {
        system = .planar
        notes[.beyondDegrees] = test.beyondCount
      } else if test.locatedCount > 0 {
        notes[.noProjection] = 1
      }
    }
    var layer = FeatureLayer(
      id: LayerID(options.firstLayerID), name: options.name,
      style: LayerDefaults(blocks: blocks).style(named: options.name),
      source: .plain, blocks: blocks, nextFeatureID: builder.nextFeatureID)
    layer.declared = declared
    let told = ImportNoteCode.allCases.compactMap { code in
      notes[code].map { ImportReport.Note(code: code, count: $0) }
    }
    return ImportResult(
      layers: [layer],
      report: ImportReport(
        notes: told, featureCount: blocks.reduce(0) { $0 + $1.rowCount },
        vertexCount: blocks.reduce(0) { $0 + $1.geometry.vertexCount }),
      coordinateSystem: system, isSystemAssumed: named == nil && system == .crs84)
  }

  static func text(_ source: FileSource?) throws -> String? {
    try source.map { String(decoding: try $0.head(), as: UTF8.self) }
  }
}
