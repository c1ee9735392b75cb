import Documents
import Files
import Graphics
import Interchange
import Keeping
import Synchronization

/// Reading documents and data.
extension World {
  func open(
    _ path: String, _ work: Progress, isReload: Bool = false
  ) throws(Failure) -> OpenedFile {
    let settled = settleInterrupted(path)
    let file: (bytes: [UInt8], identity: FileIdentity?)
    do throws(Failure) {
      file = try read(path) { fault(in: $0, path: path) }
    } catch {
      if error.code == .input, !error.isNoSuchFile, !isReload, InputName.isDocument(path) {
        throw tellingOfLeftWork(error, on: path)
      }
      guard options.beginsNewDocuments, !isReload, error.isNoSuchFile, InputName.isDocument(path)
      else { throw error }
      known.withLock { $0[FilePath.key(path)] = KnownFile() }
      return guarded(
        withLeftWork(
          OpenedFile(
            path: path, document: Document(), isDocumentFile: true, notices: ["new document"]),
          identity: nil, bytes: []),
        identity: nil)
    }
    guard isData(file.bytes, path: path) else {
      let opened: DocumentArchive.Opened
      do throws(Failure) {
        opened = try decodeDocument(file.bytes, name: InputName.shown(path))
      } catch {
        throw tellingOfLeftWork(error, on: path)
      }
      if path != "-" {
        known.withLock {
          $0[FilePath.key(path)] = KnownFile(
            identity: file.identity, migratedFrom: opened.migratedFrom)
        }
      }
      let notice = opened.migratedFrom.map {
        "was written in version \($0) of the format; the first save keeps it beside the new file"
      }
      let result = OpenedFile(
        path: path, document: opened.document, isDocumentFile: path != "-",
        readOnlyReason: Self.readOnlyReason(of: opened), migration: opened.steps,
        notices: settled + (notice.map { [$0] } ?? []) + Self.misnamedLayers(in: opened.document))
      if path == "-" { return result }
      if isReload { return guarded(result, identity: file.identity, leavesWord: false) }
      return guarded(
        withLeftWork(result, identity: file.identity, bytes: file.bytes), identity: file.identity)
    }
    let fresh = Document()
    let result = try decodeData(
      file.bytes, path: path, name: nil, firstLayerID: fresh.nextID, work)
    return withLeftWork(
      OpenedFile(
        path: path, document: document(of: result, from: fresh, title: InputName.stem(of: path)),
        isDocumentFile: false,
        notices: result.notices + (result.assumption.map { [$0] } ?? [])),
      identity: nil, bytes: [])
  }

  /// Why a document that was opened can only be looked at.
  private static func readOnlyReason(of opened: DocumentArchive.Opened) -> String? {
    if let version = opened.document.newerVersion {
      return
        "version \(version) of the format, newer than this Portolan: some of it may not be shown; "
        + Desk.exportAdvice
    }
    return opened.damage.map {
      "a part that this Portolan does not know is damaged, so that it cannot be saved (\($0)): "
        + Desk.exportAdvice
    }
  }

  func importData(
    _ path: String, layerName: String?, _ work: Progress
  ) throws(Failure) -> ImportedData {
    let bytes = try read(path) { fault(in: $0, path: path) }.bytes
    let name = InputName.shown(path)
    guard isData(bytes, path: path) else {
      let opened = try decodeDocument(bytes, name: name)
      let (layers, damaged) = opened.soundLayers
      var data = ImportedData(
        path: FilePath.name(of: name), layers: layers, isStyled: true,
        notices: Self.misnamedLayers(in: opened.document)
          + damaged.map { "layer \($0) is damaged and was not added" })
      data.coordinateSystem = opened.document.metadata.coordinateSystem
      data.isGeographic = opened.document.metadata.isGeographic
      return data
    }
    let result = try decodeData(bytes, path: path, name: layerName, firstLayerID: 1, work)
    var data = ImportedData(
      path: FilePath.name(of: name), layers: result.layers, notices: result.notices)
    data.coordinateSystem = result.coordinateSystem
    data.isGeographic = result.coordinateSystem.isDegrees
    data.isSystemAssumed = result.isSystemAssumed
    data.assumption = result.assumption
    return data
  }

  /// Layers of planar data in a document that says its coordinates are degrees: former versions
  /// imported them so.
  private static func misnamedLayers(in document: Document) -> [String] {
    guard document.metadata.isGeographic else { return [] }
    return document.layers.compactMap { layer in
      let source = (layer as? any FeatureHolding)?.source
      guard let system = source?.namedSystem, !system.isDegrees else { return nil }
      let own = system == .planar ? "" : " of \(system.name)"
      return "layer \(layer.name) holds planar coordinates\(own), though the document "
        + "says \(document.metadata.coordinateSystem.name): import its data again"
    }
  }

  private func document(of result: ImportResult, from fresh: Document, title: String) -> Document {
    var document = fresh
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

  /// Why a file that begins with these bytes cannot be opened or imported, as far as they tell.
  private func fault(in head: ArraySlice<UInt8>, path: String) -> Failure? {
    let subject = InputName.shown(path)
    if let foreign = ForeignFormat.of(head, path: path) {
      return Failure(.input, subject: subject, what: foreign.message(for: path))
    }
    let start = Array(head)
    if isData(start, path: path) {
      let format = FileFormats.importer(ofFile: path, head: head)
      return format?.fault(in: head).map {
        Failure(.input, subject: subject, what: $0.description)
      }
    }
    // A document begins with no NUL.
    guard head.first == 0 else { return nil }
    do throws(Failure) {
      _ = try decodeDocument(start, name: subject)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a file is to be read as map data; all else is a document, or told to be none.
  private func isData(_ bytes: [UInt8], path: String) -> Bool {
    switch FileKind.of(bytes) {
    case .json: true
    case .text, .empty, .unknown: !InputName.isDocument(path)
    default: false
    }
  }

  private func decodeData(
    _ bytes: [UInt8], path: String, name: String?, firstLayerID: UInt64, _ work: Progress
  ) throws(Failure) -> ImportResult {
    let subject = InputName.shown(path)
    guard
      let format = FileFormats.importer(ofFile: path, head: bytes.prefix(FileHead.count))
    else { throw Failure(.unsupported, subject: subject, what: "no format reads this file") }
    do {
      var result = try format.read(
        bytes,
        options: ImportOptions(name: InputName.stem(of: path), firstLayerID: firstLayerID),
        progress: { try work.report($0) })
      if let name {
        for index in result.layers.indices { result.layers[index].name = name }
      }
      return result
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.input, subject: subject, what: "\(error)")
    }
  }
}

/// The names of inputs as they are given.
enum InputName {
  static func isDocument(_ path: String) -> Bool {
    Array(path.lowercased().utf8.suffix(4)) == Array(".doc".utf8)
  }

  /// What people are told of it.
  static func shown(_ path: String) -> String { path == "-" ? World.standardInputName : path }

  /// The name of a file without its folder and extension; names a layer.
  static func stem(of path: String) -> String {
    path == "-" ? "input" : FilePath.stem(of: path)
  }
}
