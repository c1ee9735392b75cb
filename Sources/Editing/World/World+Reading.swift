import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping
import Synchronization

/// Reading data.
extension World {
  func importData(
    _ path: String, layerName: String?, _ work: Progress,
    reading: ImportOptions = ImportOptions(name: "")
  ) throws(Failure) -> ImportedData {
    let bytes = try read(path) { Self.fault(in: $0, path: path, reading) }.bytes
    let name = InputName.shown(path)
    guard Self.isData(bytes[...], path: path) else {
      try Self.check(reading, isTable: false, path)
      let opened: DecodedFile
      do throws(StoreError) {
        opened = try store.decode(bytes, of: path)
      } catch {
        throw failure(error)
      }
      let (layers, damaged) = opened.soundLayers
      let dropped = damaged.map { "layer \($0) is damaged and was not added" }
      var data = ImportedData(
        path: FilePath.name(of: name), layers: layers, isStyled: true,
        notices: Self.misnamedLayers(in: opened.document) + dropped)
      data.warnings = dropped
      data.coordinateSystem = opened.document.metadata.coordinateSystem
      data.isGeographic = opened.document.metadata.isGeographic
      return data
    }
    var result: ImportResult
    do {
      result = try Self.decodeData(bytes, path: path, firstLayerID: 1, reading) {
        try work.report($0)
      }
    } catch {
      throw error as? Failure ?? Failure(.input, subject: name, what: "\(error)")
    }
    if let layerName {
      for index in result.layers.indices { result.layers[index].name = layerName }
    }
    var data = ImportedData(
      path: FilePath.name(of: name), layers: result.layers, notices: result.notices)
    data.coordinateSystem = result.coordinateSystem
    data.isGeographic = result.coordinateSystem.isDegrees
    data.isSystemAssumed = result.isSystemAssumed
    data.assumption = result.assumption
    data.warnings = result.warnings
    return data
  }

  /// The layers of planar data in a document whose coordinates are declared as degrees: former
  /// versions imported them so.
  static func misnamedLayers(in document: Document) -> [String] {
    guard document.metadata.isGeographic else { return [] }
    return document.layers.compactMap { layer in
      let source = (layer as? any FeatureHolding)?.source
      guard let system = source?.namedSystem, !system.isDegrees else { return nil }
      let own = system == .planar ? "" : " of \(system.name)"
      return "layer \(layer.name) holds planar coordinates\(own), though the document "
        + "says \(document.metadata.coordinateSystem.name): import its data again"
    }
  }

  static func document(of result: ImportResult, title: String) -> Document {
    var document = Document()
    for layer in result.layers {
      var layer = layer
      layer.takeStandardLook(above: document.layers)
      document.layers.append(layer)
      document.nextID = max(document.nextID, layer.id.rawValue + 1)
    }
    document.metadata.title = title
    document.metadata.take(result.coordinateSystem)
    if !document.metadata.isGeographic {
      for index in document.views.indices {
        guard var map = document.views[index] as? any MapShowing else { continue }
        map.projection = .planar
        document.views[index] = map
      }
    }
    return document
  }

  /// Why a file with these first bytes cannot be opened or imported, as far as they tell.
  static func fault(
    in head: ArraySlice<UInt8>, path: String, _ reading: ImportOptions
  ) -> Failure? {
    let subject = InputName.shown(path)
    if let foreign = ForeignFormat.of(head, path: path) {
      return Failure(.input, subject: subject, what: foreign.message(for: path))
    }
    let start = Array(head)
    if isData(head, path: path) {
      let format = FileFormats.importer(
        ofFile: path, head: head, namesColumns: reading.namesColumns)
      return format?.fault(in: head).map {
        Failure(.input, subject: subject, what: $0.description)
      }
    }
    // No document begins with NUL.
    guard head.first == 0 else { return nil }
    do throws(DocumentFileError) {
      _ = try DocumentFile.open(start)
      return nil
    } catch {
      return Failure(.input, subject: subject, what: error.description)
    }
  }

  /// Whether to read a file as map data; all others are read as documents, or rejected as none.
  static func isData(_ bytes: ArraySlice<UInt8>, path: String) -> Bool {
    switch FileKind.of(Array(bytes)) {
    case .json: true
    case .text, .empty, .unknown: !InputName.isDocument(path)
    default: false
    }
  }

  static func decodeData(
    _ bytes: [UInt8], path: String, firstLayerID: UInt64, _ reading: ImportOptions,
    progress: (Double) throws -> Void
  ) throws -> ImportResult {
    guard
      let format = FileFormats.importer(
        ofFile: path, head: bytes.prefix(FileHead.count), namesColumns: reading.namesColumns)
    else {
      throw Failure(
        .unsupported, subject: InputName.shown(path), what: "no format reads this file")
    }
    try check(reading, isTable: format.isTable, path)
    var options = reading
    options.name = InputName.stem(of: path)
    options.firstLayerID = firstLayerID
    return try format.read(bytes, options: options, progress: progress)
  }

  /// Throws if columns are named of a file that has none.
  static func check(
    _ reading: ImportOptions, isTable: Bool, _ path: String
  ) throws(Failure) {
    if isTable || !reading.namesColumns { return }
    throw Failure(
      .usage, subject: InputName.shown(path),
      what: "is no table: --x-column, --y-column and --id-column name columns of CSV and TSV")
  }
}

/// How tables are read, by their paths.
final class Readings: Sendable {
  private let table = Mutex<[[UInt8]: ImportOptions]>([:])

  subscript(path: String) -> ImportOptions {
    get { table.withLock { $0[FilePath.key(path)] } ?? ImportOptions(name: "") }
    set { table.withLock { $0[FilePath.key(path)] = newValue.namesColumns ? newValue : nil } }
  }
}

/// The names of inputs.
enum InputName {
  static func isDocument(_ path: String) -> Bool {
    Array(path.lowercased().utf8.suffix(4)) == Array(".doc".utf8)
  }

  /// The name shown to users.
  static func shown(_ path: String) -> String { path == "-" ? World.standardInputName : path }

  /// The name of a file without its folder and extension, used as a layer's name.
  static func stem(of path: String) -> String {
    path == "-" || isDescriptor(path) ? "input" : FilePath.stem(of: path)
  }

  /// Whether a path is that of an open file of the process, as the shell's `<(…)` gives it.
  private static func isDescriptor(_ path: String) -> Bool {
    path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}
