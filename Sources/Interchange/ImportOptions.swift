/// The options of reading a file.
package struct ImportOptions: Sendable {
  /// The file's name without folder and extension; the default name of the layer.
  package var name: String
  /// The number of the first layer; further layers count on from it.
  package var firstLayerID: UInt64
  /// Those of one format alone; `nil` leaves everything to the reader.
  package var own: (any FormatOptions)?

  package init(name: String, firstLayerID: UInt64 = 1, own: (any FormatOptions)? = nil) {
    (self.name, self.firstLayerID, self.own) = (name, firstLayerID, own)
  }
}

/// How the files of one format are read: a type of that format's own.
package protocol FormatOptions: Sendable {
  /// Why they are nothing for files of other formats, to follow the name of a file.
  var refusal: String { get }
}

/// How tables are read.
package struct TableOptions: FormatOptions {
  /// The column of longitudes or x, if the guess is wrong.
  package var xColumn: String?
  /// The column of latitudes or y.
  package var yColumn: String?
  /// The column that holds each feature's `id`.
  package var idColumn: String?

  package init(xColumn: String? = nil, yColumn: String? = nil, idColumn: String? = nil) {
    (self.xColumn, self.yColumn, self.idColumn) = (xColumn, yColumn, idColumn)
  }

  package var refusal: String {
    "is no table: --x-column, --y-column and --id-column name columns of CSV and TSV"
  }
}

extension ImportOptions {
  var table: TableOptions { own as? TableOptions ?? TableOptions() }
}
