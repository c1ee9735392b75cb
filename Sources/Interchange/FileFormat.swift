package import Documents
import Files

/// A kind of file that layers come from and go to.
///
/// To add one: `Formats/<Name>.swift` with a conforming type, and a line in `FileFormats.all`.
/// A format is bytes in and bytes out: it opens no file, asks no clock and keeps no state, so any
/// thread may use it.
package protocol FileFormat: Sendable {
  /// The word on the command line, such as `geojson`.
  var name: String { get }
  /// What people call it, such as `GeoJSON (RFC 7946)`.
  var title: String { get }
  /// File name extensions in small letters, the usual one first.
  var extensions: [String] { get }

  /// Whether a file that begins with these bytes looks like this format.
  ///
  /// - Parameter head: the first bytes of the file, at most `FileFormats.headCount`.
  func recognizes(_ head: ArraySlice<UInt8>) -> Bool

  /// Why a file that begins with these bytes is surely none of this format; `nil` where the rest
  /// has to be seen.
  ///
  /// - Parameter head: the first bytes of the file, at most `FileFormats.headCount`.
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

  /// Writes layers as one file, piece by piece.
  ///
  /// - Parameters:
  ///   - layers: the layers to write, from the bottom up; kinds that the format cannot hold are
  ///     passed over.
  ///   - options: what to write of them, and how.
  ///   - sink: takes the bytes in order, in pieces of about a mebibyte.
  /// - Returns: what was not written as the layers keep it.
  /// - Throws: `ExportError`, or what `sink` threw.
  @discardableResult
  func write(
    _ layers: [FeatureLayer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport
}

/// The list of file formats.
package enum FileFormats {
  /// Every format, the likeliest first: sniffing asks them in this order.
  package static let all: [any FileFormat] = [
    GeoJSONFormat(), LinesFormat(), CSVFormat.comma, CSVFormat.tab,
  ]

  /// How many bytes of a file are enough to recognise it.
  package static let headCount = 4096

  /// The format of this word on the command line.
  package static func named(_ name: String) -> (any FileFormat)? {
    let name = name.lowercased()
    return all.first { $0.name == name || $0.extensions.contains(name) }
  }

  /// The names of all formats, for people: `a, b or c`.
  package static var names: String {
    let names = all.map(\.name)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// The format that a file's extension stands for.
  package static func forPath(_ path: String) -> (any FileFormat)? {
    guard let suffix = ending(of: path) else { return nil }
    return all.first { $0.extensions.contains(suffix) }
  }

  /// A file's extension in small letters; `nil` where it has none.
  package static func ending(of path: String) -> String? {
    FilePath.ending(of: path)
  }

  /// The format of a file: by its extension, else by its first bytes.
  package static func forFile(_ path: String, head: ArraySlice<UInt8>) -> (any FileFormat)? {
    forPath(path) ?? all.first { $0.recognizes(head) }
  }
}

/// How a file is to be read.
package struct ImportOptions: Hashable, Sendable {
  /// The file's name without folder and extension; names the layer where the file does not.
  package var name: String
  /// The number of the first layer; further layers count on from it.
  package var firstLayerID: UInt64
  /// The column of longitudes or x, where the format has columns and the guess is wrong.
  package var xColumn: String?
  /// The column of latitudes or y.
  package var yColumn: String?
  /// The column that holds each feature's `id`.
  package var idColumn: String?

  package init(
    name: String, firstLayerID: UInt64 = 1, xColumn: String? = nil, yColumn: String? = nil,
    idColumn: String? = nil
  ) {
    self.name = name
    self.firstLayerID = firstLayerID
    self.xColumn = xColumn
    self.yColumn = yColumn
    self.idColumn = idColumn
  }
}

/// What a file held.
package struct ImportResult: Sendable {
  package var layers: [FeatureLayer]
  package var report: ImportReport
  /// What the coordinates are.
  package var coordinateSystem: CoordinateSystem
  /// Whether the file leaves that open: its coordinates may be of any system.
  package var isSystemAssumed: Bool

  package init(
    layers: [FeatureLayer], report: ImportReport, coordinateSystem: CoordinateSystem = .crs84,
    isSystemAssumed: Bool = false
  ) {
    self.layers = layers
    self.report = report
    self.coordinateSystem = coordinateSystem
    self.isSystemAssumed = isSystemAssumed
  }

  /// What people should know of the file, one sentence each; another system than WGS 84 first.
  package var notices: [String] {
    let notes = report.notes.filter { $0.code != .assumedDegrees }
    guard let notice = coordinateSystem.notice else { return notes.map(\.text) }
    return [notice] + notes.filter { $0.code != .crsKept }.map(\.text)
  }

  /// What people should know where longitude and latitude are no more than likely.
  package var assumption: String? { report[.assumedDegrees]?.text }
}
