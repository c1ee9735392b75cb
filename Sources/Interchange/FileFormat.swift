package import PortolanDocuments
import PortolanFiles

/// A kind of file with map data: what it is called and how its files end.
///
/// To add one: `Formats/<Name>.swift` with a type that is an `Importer`, an `Exporter` or both, a
/// short example of its output in the type's comment, and a line in `FileFormats.all`. Nothing else
/// knows names or endings of formats.
package protocol FileFormat: Sendable {
  /// The word on the command line, such as `geojson`.
  var name: String { get }
  /// What people call it, such as `GeoJSON (RFC 7946)`.
  var title: String { get }
  /// File name extensions in small letters, the usual one first.
  var extensions: [String] { get }
}

extension FileFormat {
  /// Whether a word on the command line means this format: its name or an extension.
  package func isMeant(by word: String) -> Bool {
    let word = word.lowercased()
    return name == word || extensions.contains(word)
  }

  /// Whether a file's extension stands for this format.
  package func isFor(_ path: String) -> Bool {
    FilePath.ending(of: path).map(extensions.contains) ?? false
  }
}

/// A format that layers come from: bytes in, layers out.
///
/// It opens no file, asks no clock and keeps no state, so any thread may use it.
package protocol Importer: FileFormat {
  /// Whether a file that begins with these bytes looks like this format.
  ///
  /// - Parameter head: the first bytes of the file, at most `FileHead.count`.
  func recognizes(_ head: ArraySlice<UInt8>) -> Bool

  /// Why a file that begins with these bytes is surely none of this format; `nil` where the rest
  /// has to be seen.
  ///
  /// - Parameter head: the first bytes of the file, at most `FileHead.count`.
  func fault(in head: ArraySlice<UInt8>) -> ImportError?

  /// Reads the layers of a file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - options: what the layers are called and how the file is to be understood.
  ///   - progress: called now and then with the part that is done, 0 to 1; it cancels the reading
  ///     by throwing, and `read` then throws the same error.
  /// - Throws: `ImportError`, or what `progress` threw.
  func read(
    _ bytes: [UInt8], options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult
}

extension Importer {
  package func fault(in head: ArraySlice<UInt8>) -> ImportError? { nil }
}

/// A format that layers go to: layers in, bytes out.
///
/// It opens no file, asks no clock and keeps no state, so any thread may use it.
package protocol Exporter: FileFormat {
  /// Whether the format can hold a layer of this kind.
  func canHold(_ layer: any Layer) -> Bool

  /// Writes layers as one file, piece by piece.
  ///
  /// - Parameters:
  ///   - layers: the layers to write, from the bottom up; those that the format cannot hold are
  ///     passed over.
  ///   - options: what to write of them, and how.
  ///   - sink: takes the bytes in order, in pieces of about a mebibyte.
  /// - Returns: what was not written as the layers keep it.
  /// - Throws: `ExportError`, or what `sink` threw.
  @discardableResult
  func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport

  /// Whether `rewrite` needs the bytes of the file that it goes by; else the layer tells all of it.
  var needsFormerBytes: Bool { get }

  /// Writes a layer back over the file that it came from: what was not edited stays byte for byte.
  ///
  /// - Parameters:
  ///   - former: the file as it was read or written last.
  ///   - system: what the coordinates of the document are.
  /// - Throws: `ExportError`.
  func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile
}

extension Exporter {
  /// Features, as most formats.
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

/// A file of map data as it was read or written last.
package struct FormerFile: Sendable {
  /// Empty where the format does not need them.
  package var bytes: [UInt8]
  /// The layer that the file holds, one feature after the other.
  package var layer: any FeatureHolding

  package init(_ bytes: [UInt8], _ layer: any FeatureHolding) {
    self.bytes = bytes
    self.layer = layer
  }
}

/// A layer as the bytes of its file.
package struct RewrittenFile: Sendable {
  package var bytes: [UInt8]
  /// What of the layer is not in them, one phrase each.
  package var losses: [String] = []

  package init(_ bytes: [UInt8], losses: [String] = []) {
    self.bytes = bytes
    self.losses = losses
  }
}

/// The list of file formats.
package enum FileFormats {
  /// Every format, the likeliest first: sniffing asks them in this order.
  package static let all: [any FileFormat] = [
    GeoJSONFormat(), LinesFormat(), CSVFormat.comma, CSVFormat.tab,
  ]

  /// Those that read, the likeliest first.
  package static let importers: [any Importer] = all.compactMap { $0 as? any Importer }

  /// Those that write, the usual one first.
  package static let exporters: [any Exporter] = all.compactMap { $0 as? any Exporter }

  /// The reader of a file: by its extension, else by its first bytes, else the usual one.
  package static func importer(
    ofFile path: String, head: ArraySlice<UInt8>
  ) -> (any Importer)? {
    importers.first { $0.isFor(path) } ?? importers.first { $0.recognizes(head) }
      ?? importers.first
  }

  /// The names of formats, for people: `a, b or c`.
  package static func names(_ formats: [any FileFormat]) -> String {
    let names = formats.map(\.name)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}
