package import ArgumentParser
import PortolanDocuments
import PortolanFiles
package import PortolanInterchange
import PortolanKeeping

/// Reads data as new layers.
package struct ImportData: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Read map data as new layers on top.",
    discussion: """
      As a verb, import writes what it has read as a document: portolan import a.geojson b.geojson \
      -o map.doc. No earlier version of the output is kept: it can be imported again. A document \
      holds either planar coordinates or degrees. --layers, --bbox and --clip choose parts of the \
      files, --clip by cutting; --crs names the coordinate system of their numbers and converts \
      nothing. PG:dbname=NAME reads PostGIS, duckdb:SELECT … reads the rows of a DuckDB query; the \
      database applies --where, --bbox and --limit. Layers that are not cut remember their source, \
      for :refresh.
      """)

  @Argument(help: "Files of map data; - is standard input.", completion: .file())
  var paths: [String]

  @Option(name: .customLong("as"), help: "The name of the new layer; only for a single file.")
  var layerName: TextArgument?

  @Option(name: .shortAndLong, help: "Then save everything as this document.", completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Overwrite the document.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "The coordinate system that the numbers are in, whatever the file says.",
      valueName: "EPSG:CODE"),
    transform: SystemArgument.read)
  var crs: SystemArgument?

  @Option(help: "Only these layers of the file: names with commas between.")
  var layers: [String] = []

  @Option(
    parsing: .unconditional,
    help: "Only features that touch this box, in the system of the file: W,S,E,N.",
    transform: BoxArgument.read)
  var bbox: BoxArgument?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Of a database: only rows that meet this condition, in its SQL.", valueName: "sql"))
  var condition: TextArgument?

  @Option(parsing: .unconditional, help: "At most so many features of a layer.")
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: "Cut features along this box, in the system of the file: W,S,E,N.",
    transform: BoxArgument.read)
  var clip: BoxArgument?

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var versions: VersionOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    if paths.count > 1 && layerName != nil {
      throw ValidationError("--as names one layer: import the files one by one")
    }
    if let limit, limit < 1 { throw ValidationError("--limit is a number of features, 1 or more") }
  }

  package func checkAsVerb() throws {
    guard output == nil else { return }
    let words = paths.map { FilePath.quoted(InputName.shown($0)) }.joined(separator: " ")
    throw EditingError(
      .usage, "import into what? Give -o NAME.doc: portolan import \(words) -o NAME.doc")
  }

  package func run(in desk: inout Desk) throws {
    if output != nil && !desk.isHeadless {
      throw EditingError(.refused, "-o is for scripts: :import, then :w NAME.doc")
    }
    for path in paths {
      desk.request(
        ImportRequest(
          path: path, layerName: layerName?.text, reading: reading, clip: clip))
    }
  }

  /// How the files are read.
  package var reading: (any FormatOptions)? {
    if crs == nil, layers.isEmpty, bbox == nil, condition == nil, limit == nil {
      return columns.reading
    }
    let former = columns.reading
    var reading = former as? ReadingOptions ?? ReadingOptions(table: former?.ofTable)
    reading.system = crs?.system ?? reading.system
    reading.layers = layers.flatMap { LayerNames.split($0) }
    reading.box = bbox?.box
    reading.condition = condition?.text
    reading.limit = limit
    return reading
  }

  package func finish(in desk: inout Desk) throws {
    guard let output else { return }
    try desk.save(
      output, overwrites: force, thenQuits: false, versions: versions.noVersions ? .none : .replaced
    )
  }
}

extension LayerOrigin {
  /// How its source is read.
  ///
  /// - Throws: `Failure` if its options are none of `import`.
  func reading() throws(Failure) -> (any FormatOptions)? {
    do {
      return try ImportData.parse(["source"] + options).reading
    } catch {
      throw Failure(
        .input, subject: source,
        what: "cannot be read again: the options that the document keeps are none of import: "
          + options.joined(separator: " "))
    }
  }
}
