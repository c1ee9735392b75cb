package import PortolanDocuments
package import PortolanFiles

/// A format of files with map data: its names and its extensions.
///
/// To add one: `Formats/<Name>.swift` with a type that is an `Importer`, an `Exporter` or both, a
/// short example of its output in the type's comment, and a line in `FileFormats.importers`, or in
/// `FileFormats.all` if it is only written. The names and endings of formats are nowhere else.
package protocol FileFormat: Sendable {
  /// The word on the command line, such as `geojson`.
  var name: String { get }
  /// The name for people, such as `GeoJSON (RFC 7946)`.
  var title: String { get }
  /// File name extensions in lower case, the usual one first.
  var extensions: [String] { get }
}

extension FileFormat {
  /// Whether a word on the command line names this format: by its name or an extension.
  package func isMeant(by word: String) -> Bool {
    let word = word.lowercased()
    return name == word || extensions.contains(word)
  }

  /// Whether a file has an extension of this format.
  package func isFor(_ path: String) -> Bool {
    FilePath.ending(of: path).map(extensions.contains) ?? false
  }
}

/// A format that can be read: bytes in, layers out.
///
/// It opens no file, asks no clock and keeps no state, so any thread may use it.
package protocol Importer: FileFormat {
  /// Whether a file with this beginning looks like this format.
  ///
  /// - Parameter head: the first bytes of the file, at most `FileHead.count`.
  func recognizes(_ head: ArraySlice<UInt8>) -> Bool

  /// Whether what it recognizes is certain, whatever the name of the file is.
  var isCertain: Bool { get }

  /// Whether it knows options of this type.
  func takes(_ options: any FormatOptions) -> Bool

  /// Why a file with this beginning is certainly not of this format; `nil` if that depends on the
  /// rest.
  ///
  /// - Parameter head: the first bytes of the file, at most `FileHead.count`.
  func fault(in head: ArraySlice<UInt8>) -> ImportError?

  /// Reads the layers of a file.
  ///
  /// - Parameters:
  ///   - source: the file, and those beside it.
  ///   - options: the names of the layers and the interpretation of the file.
  ///   - progress: called now and then with the part that is done, 0 to 1; it cancels the reading
  ///     by throwing, and `read` then throws the same error.
  /// - Throws: `ImportError`, the error of a file beside it, or that of `progress`.
  func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult
}

extension Importer {
  package var isCertain: Bool { false }

  package func takes(_ options: any FormatOptions) -> Bool { false }

  package func fault(in head: ArraySlice<UInt8>) -> ImportError? { nil }

  /// Reads the layers of a file that has none beside it.
  package func read(
    _ bytes: [UInt8], options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    try read(FileSource(bytes), options: options, progress: progress)
  }
}

/// A format that can be written: layers in, bytes out.
///
/// It opens no file, asks no clock and keeps no state, so any thread may use it.
package protocol Exporter: FileFormat {
  /// Whether its files are text, which a terminal can show.
  var isText: Bool { get }

  /// Whether all is in one file; else `write(_:options:toFiles:)` writes those beside it too.
  var isSingleFile: Bool { get }

  /// The endings of files that programs use with the main one where they are.
  var companions: [String] { get }

  /// What of features it does not hold; `FormatLosses` counts and tells that.
  var limits: FormatLimits { get }

  /// Whether the format can hold a layer of this kind.
  func canHold(_ layer: any Layer) -> Bool

  /// Writes layers as one file, piece by piece.
  ///
  /// - Parameters:
  ///   - layers: the layers to write, from the bottom up; layers that the format cannot hold are
  ///     skipped.
  ///   - options: the parts of them to write, and the rules.
  ///   - sink: takes the bytes in order, in pieces of about a mebibyte.
  /// - Returns: the differences between the file and the layers.
  /// - Throws: `ExportError`, or the error of `sink`.
  @discardableResult
  func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport

  /// Writes layers as files of one name.
  ///
  /// - Parameter sink: takes bytes and the ending of their file, the pieces of each file in order.
  /// - Throws: `ExportError`, or the error of `sink`.
  @discardableResult
  func write(
    _ layers: [any Layer], options: ExportOptions,
    toFiles sink: (_ ending: String, [UInt8]) throws -> Void
  ) throws -> ExportReport

  /// Whether `rewrite` needs the bytes of the former file; else the layer is sufficient.
  var needsFormerBytes: Bool { get }

  /// Writes a layer back over its source file: unedited parts stay byte for byte.
  ///
  /// - Parameters:
  ///   - former: the file as last read or written.
  ///   - system: the coordinate system of the document.
  /// - Throws: `ExportError`.
  func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile
}

extension Exporter {
  package var isText: Bool { true }

  package var isSingleFile: Bool { true }

  package var companions: [String] { [] }

  package var limits: FormatLimits { FormatLimits() }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions,
    toFiles sink: (_ ending: String, [UInt8]) throws -> Void
  ) throws -> ExportReport {
    try write(layers, options: options) { try sink(extensions.first ?? "", $0) }
  }

  /// Feature layers, as in most formats.
  package func canHold(_ layer: any Layer) -> Bool { layer is any FeatureHolding }

  package var needsFormerBytes: Bool { false }

  package func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile {
    var bytes: [UInt8] = []
    try write([layer], options: ExportOptions(coordinateSystem: system)) { bytes += $0 }
    return RewrittenFile(bytes)
  }
}

/// A file of map data as last read or written.
package struct FormerFile: Sendable {
  /// Empty if the format does not need them.
  package var bytes: [UInt8]
  /// The layer in the file, its features in order.
  package var layer: any FeatureHolding
  /// The options of the format that it was read with.
  package var options: (any FormatOptions)?

  package init(
    _ bytes: [UInt8], _ layer: any FeatureHolding, options: (any FormatOptions)? = nil
  ) {
    self.bytes = bytes
    self.layer = layer
    self.options = options
  }
}

/// A layer as the bytes of its file.
package struct RewrittenFile: Sendable {
  package var bytes: [UInt8]
  /// The parts of the layer that are not in them, one phrase each.
  package var losses: [String] = []

  package init(_ bytes: [UInt8], losses: [String] = []) {
    self.bytes = bytes
    self.losses = losses
  }
}

/// The list of file formats.
package enum FileFormats {
  /// All formats, likeliest first: sniffing asks them in this order.
  package static let all: [any FileFormat] =
    importers.map { $0 } + [
      GeoPackageWriter(), ShapefileWriter(), TopoJSONWriter(), KMLWriter(),
      KMLWriter(isZipped: true), FlatGeobufWriter(),
    ] + BridgedWriter.all.map { $0 }

  /// The formats that can be read, likeliest first.
  package static let importers: [any Importer] =
    [
      GeoJSONFormat(), LinesFormat(), SequenceFormat(), WKTFormat(), CSVFormat.comma, CSVFormat.tab,
      ShapefileFormat(), DBFTableFormat(), GeoPackageFormat(), TopoJSONFormat(), WKBFormat(),
    ] + BridgedReader.all.map { $0 }

  /// The formats that can be written, the usual one first.
  package static let exporters: [any Exporter] = all.compactMap { $0 as? any Exporter }

  /// The reader of a file: by first bytes that are certain, its extension, else by its first bytes,
  /// else the usual one.
  ///
  /// - Parameter options: those that it is read with; they tell its format where nothing else does.
  package static func importer(
    ofFile path: String, head: ArraySlice<UInt8>, options: (any FormatOptions)? = nil,
    among importers: [any Importer] = importers
  ) -> (any Importer)? {
    importers.first { $0.isCertain && $0.recognizes(head) }
      ?? importers.first { $0.isFor(path) } ?? importers.first { $0.recognizes(head) }
      ?? importers.first { options.map($0.takes) ?? true }
  }

  /// The names of formats, for people: `a, b or c`.
  package static func names(_ formats: [any FileFormat]) -> String {
    let names = formats.map(\.name)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension EngineSource {
  /// What asks the database: the list of these.
  package var reader: any Importer {
    switch kind {
    case .postgres(let connection): PostgresReader(connection)
    case .duckDB(let sql): DuckQuery(sql)
    }
  }
}
