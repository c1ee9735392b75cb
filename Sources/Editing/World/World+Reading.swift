import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping
import Synchronization

/// Reading data.
extension World {
  /// - Parameter keepsOrigin: whether the layers know where they were read.
  func importData(
    _ path: String, layerName: String?, _ work: Progress,
    reading: (any FormatOptions)? = nil, keepsOrigin: Bool = false, isTable: Bool = false,
    bytes: [UInt8]? = nil
  ) throws(Failure) -> ImportedData {
    var reading = reading
    if let source = EngineSource(path) {
      var result = try read(source, reading, work)
      if keepsOrigin { result.layers = layers(result.layers, of: source.line, reading) }
      return Self.data(of: result, named: source.title, layerName)
    }
    try Self.checkFile(path, reading)
    let name = InputName.shown(path)
    let read: (bytes: [UInt8], identity: FileIdentity?, choice: FoundFormat)
    func found(_ head: ArraySlice<UInt8>) throws(Failure) -> FoundFormat {
      if isTable, reading == nil, isTableOfAttributes(head, path) {
        var own = TableOptions()
        own.hasPositions = false
        reading = own
      }
      return try FoundFormat(head, path, reading, among: options.importers)
    }
    if let bytes {
      read = (bytes, nil, try found(bytes.prefix(FileHead.count)))
    } else {
      do throws(StoreError) {
        read = try store.read(path) { head in try found(head) }
      } catch {
        throw failure(error)
      }
    }
    guard case .data(let importer) = read.choice else {
      return try importDocument(read.bytes, path)
    }
    var result: ImportResult
    do {
      let options = ImportOptions(name: InputName.stem(of: path), own: reading)
      result = try importer.wanted(
        of: FileSource(read.bytes, path: path, in: files), options: options
      ) { try work.report($0) }
    } catch let error as FileError {
      throw .reading(error.path, error)
    } catch let error as ToolError where error.kind == .missing {
      throw Failure(.unsupported, subject: name, what: "\(error)")
    } catch {
      throw error as? Failure ?? Failure(.input, subject: name, what: "\(error)")
    }
    if keepsOrigin { result.layers = layers(result.layers, of: path, reading) }
    return Self.data(of: result, named: FilePath.name(of: name), layerName)
  }

  /// Whether a file that is to be a table is one of a format of tables, or of no known form.
  private func isTableOfAttributes(_ head: ArraySlice<UInt8>, _ path: String) -> Bool {
    let found =
      options.importers.first { $0.isCertain && $0.recognizes(head) }
      ?? options.importers.first { $0.isFor(path) }
      ?? options.importers.first { $0.recognizes(head) }
    guard let found else { return FileKind.of(Array(head)) == .text }
    return found.takes(TableOptions())
  }

  private static func data(
    of result: ImportResult, named name: String, _ layerName: String?
  ) -> ImportedData {
    var result = result
    if let layerName {
      for index in result.layers.indices { result.layers[index].name = layerName }
    }
    var data = ImportedData(path: name, layers: result.layers, notices: result.notices)
    data.coordinateSystem = result.coordinateSystem
    data.isGeographic = result.coordinateSystem.isDegrees
    data.isSystemAssumed = result.isSystemAssumed
    data.assumption = result.assumption
    data.warnings = result.warnings
    data.faults =
      result.report.notes.filter {
        $0.code.isWarning || $0.code == .raggedRows || $0.code == .renamedColumns
      }.map(\.text)
    return data
  }

  private func importDocument(
    _ bytes: [UInt8], _ path: String
  ) throws(Failure) -> ImportedData {
    var opened: DecodedFile
    do {
      opened = try DocumentCodec().decode(bytes) { _ in }
    } catch {
      throw failure(StoreError(.decoding(error), path))
    }
    let place = path == "-" ? nil : store.realPath(of: path)
    opened.document = opened.document.mappingOrigins { OriginPaths.absolute($0, besides: place) }
    let (layers, damaged) = opened.soundLayers
    let dropped = damaged.map { "layer \($0) is damaged and was not added" }
    var data = ImportedData(
      path: FilePath.name(of: InputName.shown(path)), layers: layers, isStyled: true,
      notices: Self.misnamedLayers(in: opened.document) + dropped)
    data.warnings = dropped
    data.faults = dropped
    data.conflicts = opened.document.conflicts
    data.coordinateSystem = opened.document.metadata.coordinateSystem
    data.isGeographic = opened.document.metadata.isGeographic
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
}

/// What a file is: a document, or map data of a format.
///
/// It is found once for each opening, by the first bytes, the name and the options, and handed on.
enum FoundFormat {
  case document
  case data(any Importer)

  /// - Parameters:
  ///   - head: the first bytes of the file, at most `FileHead.count`.
  ///   - options: those that it is read with.
  /// - Throws: why it cannot be opened or imported, as far as that is known from these.
  init(
    _ head: ArraySlice<UInt8>, _ path: String, _ options: (any FormatOptions)?,
    among importers: [any Importer]
  ) throws(Failure) {
    let subject = InputName.shown(path)
    let reading = options as? ReadingOptions
    if head.isEmpty, path == "-", reading?.format == nil {
      throw Failure(
        .input, subject: subject,
        what: "nothing came: see what the command before it says; --from ndjson or --from csv "
          + "takes nothing for an empty map")
    }
    let isKnown = importers.contains { $0.isCertain && ($0.recognizes(head) || $0.isFor(path)) }
    if let word = reading?.format {
      guard let named = importers.first(where: { $0.isMeant(by: word) }) else {
        throw Failure(
          .usage, subject: subject,
          what: "no format “\(word)”: give --from \(FileFormats.names(importers))")
      }
      try Self.check(named, options, subject)
      self = .data(named)
      return
    }
    if !isKnown, let foreign = ForeignFormat.of(head, path: path) {
      throw Failure(.input, subject: subject, what: foreign.message(for: path))
    }
    guard isKnown || Self.isData(head, path: path) else {
      try Self.checkDocument(head, subject)
      if let options, reading.map({ $0.table != nil || !$0.isWhole || $0.system != nil }) ?? true {
        throw Failure(.usage, subject: subject, what: (options.ofTable ?? options).refusal)
      }
      self = .document
      return
    }
    let found = FileFormats.importer(
      ofFile: path, head: head, options: reading == nil ? options : reading?.table, among: importers
    )
    guard let found else {
      throw Failure(.unsupported, subject: subject, what: "no format reads this file")
    }
    // What an encoding makes of the bytes is seen by reading them.
    if options?.ofTable?.encoding == nil, let fault = found.fault(in: head) {
      let foreign = fault.code == .binary ? ForeignFormat.unknown : nil
      throw Failure(
        .input, subject: subject, what: foreign?.message(for: path) ?? fault.description)
    }
    try Self.check(found, options, subject)
    self = .data(found)
  }

  /// Throws if a format does not know the options of another.
  private static func check(
    _ importer: any Importer, _ options: (any FormatOptions)?, _ subject: String
  ) throws(Failure) {
    let own = (options as? ReadingOptions).map { $0.table } ?? options
    guard let own, !(own is ReadingOptions), !importer.takes(own) else { return }
    throw Failure(.usage, subject: subject, what: own.refusal)
  }

  /// Whether to read a file as map data; all others are read as documents, or rejected as none.
  private static func isData(_ head: ArraySlice<UInt8>, path: String) -> Bool {
    switch FileKind.of(Array(head)) {
    case .json: true
    case .text, .empty, .unknown: !InputName.isDocument(path)
    default: false
    }
  }

  /// No document begins with NUL.
  private static func checkDocument(
    _ head: ArraySlice<UInt8>, _ subject: String
  ) throws(Failure) {
    guard head.first == 0 else { return }
    do throws(DocumentFileError) {
      _ = try DocumentFile.open(Array(head))
    } catch {
      throw Failure(.input, subject: subject, what: error.description)
    }
  }
}

/// The options that files were opened with, by their paths.
final class Readings: Sendable {
  private let table = Mutex<[[UInt8]: any FormatOptions]>([:])
  private let wishes = Mutex<[[UInt8]: SourceWishes]>([:])

  subscript(path: String) -> (any FormatOptions)? {
    get { table.withLock { $0[FilePath.key(path)] } }
    set { table.withLock { $0[FilePath.key(path)] = newValue } }
  }

  /// Notes what a verb that is reading a file will take of it; `nil` when it has been read.
  func wish(_ wishes: SourceWishes?, of path: String) {
    self.wishes.withLock { $0[FilePath.key(path)] = wishes }
  }

  /// The options of a file with what a verb will take of it.
  func wished(_ path: String) -> (any FormatOptions)? {
    let told = self[path]
    guard let wishes = wishes.withLock({ $0[FilePath.key(path)] }),
      !wishes.leading.isEmpty || wishes.box != nil
    else { return told }
    var reading = told as? ReadingOptions ?? ReadingOptions(table: told?.ofTable)
    reading.wishes = wishes
    return reading
  }
}

/// The names of inputs.
enum InputName {
  static func isDocument(_ path: String) -> Bool {
    Array(path.lowercased().utf8.suffix(4)) == Array(".doc".utf8)
  }

  /// The arguments that name files: they end as maps do, have a slash or are `-`.
  static func files(among arguments: [String]) -> [String] {
    arguments.filter { argument in
      argument == "-" || argument.contains("/") || isDocument(argument)
        || EngineSource(argument) != nil
        || FileFormats.importers.contains { $0.isFor(argument) }
    }
  }

  /// The name shown to users.
  static func shown(_ path: String) -> String {
    path == "-" ? World.standardInputName : EngineSource(path)?.line ?? path
  }

  /// The name of a file without its folder and extension, used as a layer's name.
  static func stem(of path: String) -> String {
    path == "-" || isDescriptor(path) ? "input" : FilePath.stem(of: path)
  }

  /// Whether a path is that of an open file of the process, as the shell's `<(…)` gives it.
  private static func isDescriptor(_ path: String) -> Bool {
    path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}
