import PortolanDocuments
package import PortolanFiles
import PortolanGraphics

/// Tables of dBASE without shapes (.dbf, .cpg), as those of Shapefiles are, which are only read:
/// features without positions. See `Docs/formats/shapefile.md`.
///
///     03 7E 01 01 02 00 00 00 41 00 0B 00 …   version, date, 2 rows from 65, 11 bytes each
package struct DBFTableFormat: Importer {
  package init() {}

  package var name: String { "dbf" }
  package var title: String { "a table of dBASE" }
  package var extensions: [String] { ["dbf"] }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool { false }

  package func takes(_ options: any FormatOptions) -> Bool { ShapefileFormat().takes(options) }

  /// The versions that are known.
  private static let versions: Set<UInt8> = [
    0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x7B, 0x83, 0x8B, 0x8C, 0x8E, 0xCB, 0xE5,
    0xF5, 0xFB,
  ]

  package func fault(in head: ArraySlice<UInt8>) -> ImportError? {
    let isTable = head.first.map(Self.versions.contains) ?? false
    if isTable, head.count > 32 { return nil }
    let code: ImportError.Code = head.isEmpty ? .empty : isTable ? .cut : .notRows
    return ImportError(code: code, offset: isTable ? head.count : 0, line: 1, column: 1)
  }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    if let shapes = try source.sibling("shp") {
      throw ToolError(
        .refused,
        "this is a part of a Shapefile: open the whole by its shapes: portolan "
          + FilePath.quoted(shapes.path))
    }
    let bytes = try source.bytes()
    if let fault = fault(in: bytes.prefix(FileHead.count)) { throw fault }
    var notes: [ImportNoteCode: Int] = [:]
    let table = ShapefileTable(
      bytes, told: options.table.encoding,
      codepage: try ShapefileFormat.text(source.sibling("cpg")), &notes)
    var builder = FeatureBlockBuilder()
    for row in 0..<table.rowCount {
      if row & 1023 == 0 { try progress(Double(row) / Double(table.rowCount)) }
      if table.isDeleted(row) {
        notes[.deletedRows, default: 0] += 1
        continue
      }
      if builder.row == 0 { for name in table.names { _ = builder.attributes.place(of: name) } }
      _ = table.append(row, to: &builder, &notes)
      builder.endRow(.none, shape: .plain)
    }
    try progress(1)
    var declared = DeclaredForm()
    (declared.kinds, declared.types) = ([], table.declaredTypes)
    return ShapefileFormat.result(builder, options, .crs84, notes, declared)
  }
}
