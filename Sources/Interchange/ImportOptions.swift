package import PortolanDocuments
package import PortolanExpressions
package import PortolanGraphics

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

  private var reading: ReadingOptions? { own as? ReadingOptions }

  /// The names of the wanted layers; `nil` wants all.
  package var choice: [String]? { reading.flatMap { $0.layers.isEmpty ? nil : $0.layers } }

  /// Only features that touch this box are wanted, in the system of the file.
  package var box: Box? { reading?.box }

  /// The coordinate system that the numbers are in, whatever the file says.
  package var system: CoordinateSystem? { reading?.system }

  /// Only rows of a database that meet this condition are wanted, in its own words.
  package var condition: String? { reading?.condition }

  /// The most features of a layer that are wanted.
  package var limit: Int? { reading?.limit }

  /// What of a database or a file the verb will take.
  var wishes: SourceWishes { reading?.wishes ?? SourceWishes() }

  /// Those of the layers of a file that the verb will take: all if one of the names is of none, so
  /// that the verb tells what there is.
  func taken<Item>(_ items: [Item], _ name: (Item) -> String) -> [Item] {
    let names = Set(items.map(name))
    guard !wishes.layers.isEmpty, names.isSuperset(of: wishes.layers) else { return items }
    return items.filter { wishes.layers.contains(name($0)) }
  }

  /// The wanted ones of the layers of a file, in its order.
  ///
  /// - Throws: `ToolError` if there is none of a wanted name.
  func chosen<Item>(_ items: [Item], _ name: (Item) -> String) throws -> [Item] {
    guard let choice else { return taken(items, name) }
    let names = items.map(name)
    if let missing = choice.first(where: { wanted in !names.contains { $0 == wanted } }) {
      throw ToolError(
        .refused,
        "no layer is named \"\(missing)\": there are \(names.prefix(50).joined(separator: ", "))")
    }
    return items.filter { choice.contains(name($0)) }
  }
}

/// What is told about a file of any format when it is read.
package struct ReadingOptions: FormatOptions {
  /// The word for its form, whatever its name and its first bytes say.
  package var format: String?
  /// The coordinate system that its numbers are in.
  package var system: CoordinateSystem?
  /// The wanted layers; empty wants all.
  package var layers: [String]
  /// Only features that touch this box are wanted, in the system of the file.
  package var box: Box?
  /// Of a database: the condition that its rows must meet, in its own words.
  package var condition: String?
  /// The most features of a layer.
  package var limit: Int?
  /// What of a database or a file will be taken.
  package var wishes = SourceWishes()
  /// How it is read if it is a table.
  package var table: TableOptions?

  package init(
    format: String? = nil, system: CoordinateSystem? = nil, layers: [String] = [],
    box: Box? = nil, table: TableOptions? = nil
  ) {
    (self.format, self.system, self.layers) = (format, system, layers)
    (self.box, self.table) = (box, table)
  }

  package var refusal: String {
    "is a document: --from, --crs, --layers, --bbox and --limit are for reading map data"
  }

  /// Whether nothing is told.
  package var isEmpty: Bool { system == nil && isWhole && format == nil && table == nil }

  /// Whether all of the file is wanted.
  package var isWhole: Bool {
    layers.isEmpty && box == nil && limit == nil && !asksDatabase && wishes.layers.isEmpty
      && wishes.box == nil
  }

  /// Whether it has a condition, which a database alone knows.
  package var asksDatabase: Bool { condition != nil }
}

/// What a verb will take of a database, which may leave out all else: the verb chooses by itself
/// from what it gets, and only layers and a limit are final. Of a file only the layers count, which
/// are left out where all names are of layers, and the box where the file has an index of boxes.
package struct SourceWishes: Sendable {
  /// The layers by their names; empty takes all.
  package var layers: [String] = []
  /// The layers that the work is about: the map takes the system of the first of them.
  package var leading: [String] = []
  /// Only features that touch this box; `minX > maxX` spans the antimeridian.
  package var box: Box?
  /// Whether features without a place are wanted beside those in the box.
  package var keepsUnplaced = false
  /// Only rows that meet this condition, which asks for no figures and no places.
  package var condition: Expression?
  /// The attributes that are read; `nil` reads all.
  package var columns: [String]?
  /// At most so many rows of a layer; only where neither a box nor a condition is given.
  package var limit: Int?

  package init() {}

  /// The same of the first of several files: all of it is read.
  package var ofSeveral: SourceWishes {
    var wishes = SourceWishes()
    wishes.leading = leading
    return wishes
  }

  /// The same of a file, of which all attributes are read.
  package var ofFile: SourceWishes {
    var wishes = ofSeveral
    wishes.layers = layers
    if !keepsUnplaced { wishes.box = box }
    return wishes
  }

  /// Whether rows are left out by what they hold.
  var choosesRows: Bool { box != nil || condition != nil }

  /// The columns that are read: all of them if one of the wished names is not among them, so that
  /// the verb tells what there is.
  func taken<Column>(of all: [Column], _ name: (Column) -> String) -> [Column] {
    let names = Set(all.map(name))
    guard let columns, columns.allSatisfy(names.contains) else { return all }
    return all.filter { columns.contains(name($0)) }
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
  /// Whether it has columns of positions; without any it is a table of attributes.
  package var hasPositions = true

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
  package var isEmpty: Bool {
    encoding == nil && separator == nil && columns.isEmpty && hasPositions
  }

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
  var table: TableOptions { own?.ofTable ?? TableOptions() }
}

extension FormatOptions {
  /// Those of tables among them.
  package var ofTable: TableOptions? {
    self as? TableOptions ?? (self as? ReadingOptions)?.table
  }
}
