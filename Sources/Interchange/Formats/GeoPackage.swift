import PortolanDatabases
import PortolanDocuments
package import PortolanFiles
import PortolanGraphics

/// GeoPackages (OGC 12-128r18): layers in the tables of an SQLite database. See
/// `Docs/formats/geopackage.md`.
///
/// The bytes are read in memory, so that looking changes nothing. A geometry is a blob:
///
///     47 50 00 01 E6 10 00 00 01 01 00 00 00 x… y…   "GP", version, flags, system 4326, a point
package struct GeoPackageFormat: Importer {
  package init() {}

  package var name: String { "gpkg" }
  package var title: String { "GeoPackage" }
  package var extensions: [String] { ["gpkg", "gpkx"] }
  package var isCertain: Bool { true }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    head.starts(with: "SQLite format 3\0".utf8) && head.dropFirst(68).starts(with: "GP".utf8)
  }

  package func fault(in head: ArraySlice<UInt8>) -> ImportError? {
    if head.starts(with: "SQLite format 3\0".utf8) { return nil }
    return ImportError(
      code: head.isEmpty ? .empty : .notDatabase, offset: 0, line: 1, column: 1)
  }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let bytes = try source.bytes()
    if let fault = fault(in: bytes.prefix(FileHead.count)) { throw fault }
    do {
      let database = try Database(bytes)
      let tables = try GeoPackageTable.all(database)
      if tables.isEmpty { throw ToolError(.refused, "it has no table of features") }
      let wanted = try options.chosen(tables, \.name)
      var remarks: [String] = []
      if let log = try source.sibling((FilePath.ending(of: source.path) ?? "gpkg") + "-wal"),
        try !log.head().isEmpty
      {
        remarks.append(
          "another program keeps changes beside it (-wal), which are not read: close it there first"
        )
      }
      // A box is in the system of the result, into which tables of others are converted.
      let systems = Set(wanted.filter { $0.geometry != nil }.map(\.system))
      let takesBox = options.system != nil || systems.count <= 1
      var parts: [LayerPart] = []
      var room = Arcs.Room(bytes: database.byteCount)
      for (index, table) in wanted.enumerated() {
        var reader = GeoPackageReader(database, table)
        reader.room = room
        let name = tables.count == 1 && table.name.isEmpty ? options.name : table.name
        parts.append(
          try reader.read(named: name, box: takesBox ? options.box ?? options.wishes.box : nil) {
            try progress((Double(index) + $0) / Double(wanted.count))
          })
        room = reader.room
        remarks += reader.remarks
      }
      try progress(1)
      return try ImportResult(parts, remarks: remarks, options)
    } catch let error as DatabaseError {
      throw ToolError(error == .missing ? .missing : .refused, error.description)
    }
  }
}
