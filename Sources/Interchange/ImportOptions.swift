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
  /// The column of well-known text.
  package var textColumn: String?
  /// The column of pairs: latitude and longitude in one text.
  package var pointColumn: String?
  /// The encoding of a table; `nil` is UTF-8, or UTF-16 with its byte order mark.
  package var encoding: TextEncoding?
  /// The byte between the fields of a table; `nil` finds it out.
  package var separator: UInt8?

  package init(
    xColumn: String? = nil, yColumn: String? = nil, idColumn: String? = nil,
    textColumn: String? = nil, pointColumn: String? = nil, encoding: TextEncoding? = nil,
    separator: UInt8? = nil
  ) {
    (self.xColumn, self.yColumn, self.idColumn) = (xColumn, yColumn, idColumn)
    (self.textColumn, self.pointColumn) = (textColumn, pointColumn)
    (self.encoding, self.separator) = (encoding, separator)
  }

  package var refusal: String {
    "is no table: --x-column, --encoding and the like are for CSV and TSV"
  }

  /// Whether nothing is told.
  package var isEmpty: Bool { encoding == nil && separator == nil && columns.isEmpty }

  /// The columns that are named.
  var columns: [String] {
    [xColumn, yColumn, idColumn, textColumn, pointColumn].compactMap { $0 }
  }

  /// Whether the columns of positions are named.
  var namesPositions: Bool {
    xColumn != nil || yColumn != nil || textColumn != nil || pointColumn != nil
  }
}

extension ImportOptions {
  var table: TableOptions { own as? TableOptions ?? TableOptions() }
}
