import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping

/// Databases as sources of layers.
extension World {
  /// Asks a database.
  func read(
    _ source: EngineSource, _ reading: (any FormatOptions)?, _ work: Progress
  ) throws(Failure) -> ImportResult {
    do {
      let options = ImportOptions(
        name: source.layerName, firstLayerID: Document().nextID, own: reading)
      return try source.reader.wanted(
        of: FileSource([], path: source.line), options: options
      ) { try work.report($0) }
    } catch let error as ToolError where error.kind == .missing {
      throw Failure(.unsupported, subject: source.title, what: "\(error)")
    } catch {
      throw error as? Failure ?? Failure(.input, subject: source.title, what: "\(error)")
    }
  }

  /// The answer of a database as a document without a file.
  ///
  /// - Parameter wishes: what of the answer will be taken.
  func open(
    _ source: EngineSource, _ reading: (any FormatOptions)?, wishes: SourceWishes, _ work: Progress
  ) throws(Failure) -> OpenedFile {
    var wanted = reading as? ReadingOptions ?? ReadingOptions(table: reading?.ofTable)
    wanted.wishes = wishes
    if source.hasLayers { wanted.layers = wishes.layers }
    var result = try read(source, wanted, work)
    result.layers = layers(result.layers, of: source.line, reading)
    var file = OpenedFile(
      path: source.title, document: Self.document(of: result, title: source.layerName),
      isDocumentFile: false, notices: result.notices + (result.assumption.map { [$0] } ?? []))
    file.warnings = result.warnings
    return file
  }

  /// Throws where a file is read with what only databases know.
  static func checkFile(_ path: String, _ reading: (any FormatOptions)?) throws(Failure) {
    guard let reading = reading as? ReadingOptions, reading.asksDatabase else { return }
    throw Failure(
      .usage, subject: InputName.shown(path),
      what: "is a file: import --where is for databases (PG:…, duckdb:…); "
        + "export --where chooses features of files")
  }

  /// Layers that know where they were read.
  ///
  /// - Parameter path: the line of a database, or the path of a file.
  func layers(
    _ layers: [any Layer], of path: String, _ reading: (any FormatOptions)?
  ) -> [any Layer] {
    if path == "-" || FilePath.isDescriptor(path) { return layers }
    let isDatabase = EngineSource(path) != nil
    let source = isDatabase ? path : store.realPath(of: path)
    let options = reading?.importWords ?? []
    let isNamed =
      layers.count > 1 || path.utf8.starts(with: "PG:".utf8)
      || path.utf8.starts(with: "postgresql:".utf8)
      || (reading as? ReadingOptions)?.layers.isEmpty == false
    return layers.map { layer in
      guard var keeping = layer as? any OriginKeeping else { return layer }
      let name = isNamed ? ["--layers=" + LayerNames.quoted(layer.name)] : []
      keeping.origin = LayerOrigin(source: source, options: name + options)
      return keeping
    }
  }
}

extension FormatOptions {
  /// The options of `import` that read a file in this way, but for the names of layers.
  var importWords: [String] {
    let reading = self as? ReadingOptions
    var words: [String] = []
    func add(_ name: String, _ value: String?) {
      if let value { words.append("--\(name)=\(value)") }
    }
    add("from", reading?.format)
    add("crs", reading?.system?.name)
    add("bbox", reading?.box.map { "\($0.minX),\($0.minY),\($0.maxX),\($0.maxY)" })
    add("where", reading?.condition)
    add("limit", reading?.limit.map { "\($0)" })
    let table = ofTable
    add("x-column", table?.xColumn)
    add("y-column", table?.yColumn)
    add("wkt-column", table?.textColumn)
    add("point-column", table?.pointColumn)
    if table?.hasPositions == false { words.append("--no-positions") }
    add("id-column", table?.idColumn)
    add("encoding", table?.encoding?.name)
    add("input-separator", table?.separator.map(Self.separatorWord))
    return words
  }

  private static func separatorWord(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\t"): "tab"
    case UInt8(ascii: ","): "comma"
    case UInt8(ascii: ";"): "semicolon"
    case UInt8(ascii: "|"): "bar"
    default: String(Character(Unicode.Scalar(byte)))
    }
  }
}
