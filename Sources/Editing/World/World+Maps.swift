import ArchiveInspection
import PortolanComparing
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import PortolanPrinting
import PortolanTerminals
import PortolanTexts
import PropertyLists

/// A file that is compared or merged.
struct ComparedFile: Sendable {
  var path: String
  var bytes: [UInt8]
  /// Whether it is an archive or a property list, and no map.
  var isArchive: Bool
  /// The revision that it is of; `nil` for a file of its own.
  var revision: String?

  /// What git's copy of a file is a copy of; `nil` for a file of its own.
  var shownName: String?

  /// The name for people.
  var name: String { shownName ?? InputName.shown(path) }
  /// The same with the revision.
  var title: String { revision.map { "\(name) in \($0)" } ?? name }
  /// Whether it is a document of Portolan.
  var isDocument: Bool { !isArchive && bytes.starts(with: BinaryPropertyList.magic) }
}

/// Maps as values: read, compared, merged.
extension World {
  /// Reads a file to be compared.
  ///
  /// - Parameter isEmptyMap: whether a file without a byte is a map without features.
  func readCompared(
    _ path: String, isEmptyMap: Bool = false
  ) throws(Failure) -> ComparedFile {
    let isNamed = options.importers.contains { $0.isFor(path) }
    let bytes = try read(path) { head in
      if isNamed || head.isEmpty { return nil }
      return Self.emptyHead(head, path)
    }.bytes
    return ComparedFile(
      path: path, bytes: bytes,
      isArchive: !(isEmptyMap && bytes.isEmpty) && isArchive(bytes, path))
  }

  /// Why a file that begins with NUL is nothing, before the rest of it is read.
  private static func emptyHead(_ head: ArraySlice<UInt8>, _ path: String) -> Failure? {
    // No archive begins with a NUL, but other bytes may stand before one.
    guard head.first == 0, head.firstRange(of: BinaryPropertyList.magic) == nil else { return nil }
    do {
      _ = try InspectedArchive(graphOf: Array(head))
      return nil
    } catch let error as InspectionError {
      return Failure(.input, subject: InputName.shown(path), what: error.description)
    } catch {
      return nil
    }
  }

  func isArchive(_ bytes: [UInt8], _ path: String) -> Bool {
    let head = bytes.prefix(FileHead.count)
    switch FileKind.of(bytes) {
    case .document: return false
    case .otherArchive, .binaryPropertyList, .xmlPropertyList, .typedstream: return true
    case .json: return Self.isTextList(head)
    default: break
    }
    if options.importers.contains(where: { $0.isFor(path) }) { return false }
    if ForeignFormat.of(head, path: path) != nil { return false }
    // A stream has no name that tells.
    return path != "-" && !FilePath.isDescriptor(path)
      || (try? InspectedArchive(graphOf: bytes)) != nil
      || !options.importers.contains { $0.recognizes(head) }
  }

  /// The map of a file.
  func document(of file: ComparedFile, _ work: Progress) throws(Failure) -> Document {
    do {
      let head = file.bytes.prefix(FileHead.count)
      switch try FoundFormat(head, file.path, nil, among: options.importers) {
      case .document:
        return try DocumentCodec().decode(file.bytes) { try work.report($0) }.document
      case .data(let importer):
        let result = try importer.read(
          FileSource(file.bytes, path: file.path, in: files),
          options: ImportOptions(name: InputName.stem(of: file.path))
        ) { try work.report($0) }
        return Self.document(of: result, title: "")
      }
    } catch let error as FileError {
      throw .reading(error.path, error)
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure(.input, subject: file.name, what: "\(error)")
    }
  }

  // MARK: Differences

  /// Writes the difference between two maps; a difference is a finding.
  func compareMaps(
    _ first: ComparedFile, _ second: ComparedFile, _ request: DiffRequest, _ work: Progress
  ) throws(Failure) {
    let old = try document(of: first, work.part(0, of: 3))
    let new = try document(of: second, work.part(1, of: 3))
    let difference = try self.difference(
      from: old, to: new, key: request.key,
      areDocuments: first.isDocument && second.isDocument, work.part(2, of: 3))
    if let picture = request.picture {
      try renderDifference(difference, new, picture, work)
    }
    if let key = request.key {
      let layers = (old.layers + new.layers).compactMap { $0 as? any FeatureHolding }
      if !layers.contains(where: { $0.fieldNames.contains(key) }) {
        addChore {
          "--key: no feature has an attribute “\(key)”: they are matched by what they are"
        }
      }
    }
    let names = (DisplayWidth.sanitised(first.name), DisplayWidth.sanitised(second.name))
    if difference.isEmpty {
      if request.form == .json || request.isMapWanted {
        try write(difference, first, second, new, request, work)
      }
      if first.bytes != second.bytes {
        addChore { "the maps are equal, their bytes are not" }
      }
      return
    }
    try write(difference, first, second, new, request, work)
    throw Failure(.findings, what: "\(names.0) and \(names.1) differ")
  }

  func difference(
    from old: Document, to new: Document, key: String?, areDocuments: Bool, _ work: Progress
  ) throws(Failure) -> MapDifference {
    do {
      return try MapDifference(
        from: old, to: new,
        options: MapDifference.Options(key: key, areDocuments: areDocuments)
      ) { try work.report($0) }
    } catch {
      throw Failure(error)
    }
  }

  private func write(
    _ difference: MapDifference, _ first: ComparedFile, _ second: ComparedFile, _ new: Document,
    _ request: DiffRequest, _ work: Progress
  ) throws(Failure) {
    if request.isMapWanted {
      let map = ComparisonMap.document(of: difference, like: new, hasSame: false)
      return try write(to: "-", overwrites: false, as: .text, work) { send in
        _ = try GeoJSONFormat().write(
          map.layers,
          options: ExportOptions(coordinateSystem: map.metadata.systemOfExports)
        ) { try send($0) }
      }
    }
    if request.form == .json {
      let isText = !first.isDocument && !second.isDocument
      return try write(to: "-", overwrites: false, as: .text, work) { send in
        try DifferenceFile.write(
          difference, from: DifferenceFile.Side(name: first.name, bytes: first.bytes),
          to: DifferenceFile.Side(name: second.name, bytes: second.bytes), patch: isText
        ) { try send($0) }
      }
    }
    var text = DifferenceText(difference)
    let lines = text.all((first.name, second.name))
    let hasColours = outputDepth(request.colour, to: "-") > .mono
    try write(to: "-", overwrites: false, as: .screen, work) { send in
      var bytes: [UInt8] = []
      for line in lines {
        let safe = DisplayWidth.sanitised(line.text)
        bytes += ((hasColours ? line.kind.coloured(safe) : safe) + "\n").utf8
        if bytes.count > 1 << 16 {
          try send(bytes)
          bytes = []
        }
      }
      try send(bytes)
    }
  }

  /// Writes the new file of a difference.
  func patch(_ request: PatchRequest, _ work: Progress) throws(Failure) -> String {
    let difference = try read(request.difference).bytes
    let old = try read(request.path).bytes
    let name = InputName.shown(request.path)
    let new: [UInt8]
    do {
      new = try DifferenceFile.apply(difference, to: old)
    } catch let refusal as DifferenceFile.Refusal {
      throw Self.failure(refusal, name, InputName.shown(request.difference))
    } catch let fault as JSONSpans.Fault {
      throw Failure(
        .input, subject: InputName.shown(request.difference),
        what: "at byte \(fault.offset) \(fault.what)")
    } catch {
      throw Failure(error)
    }
    try write(to: request.output, overwrites: request.overwrites, as: .text, work) { send in
      try send(new)
    }
    return request.output == "-" ? "" : "patched to \(request.output)"
  }

  private static func failure(
    _ refusal: DifferenceFile.Refusal, _ name: String, _ difference: String
  ) -> Failure {
    switch refusal {
    case .noDifference(let why):
      Failure(
        .input, subject: difference,
        what: "is no difference that portolan diff --format json writes: \(why)")
    case .hasNoPatch:
      Failure(
        .unsupported, subject: difference,
        what: "is of documents, and only texts are made from each other byte by byte: "
          + "portolan merge OLD MINE NEW -o OUT brings the changes from OLD to NEW into MINE, "
          + "or compare what portolan export makes of both")
    case .otherFile(let other):
      Failure(
        .input, subject: name,
        what: "is not the file that was compared (\(other)), or was changed since: "
          + "portolan merge brings edits of two files together")
    case .isNew: Failure(.input, subject: name, what: "is the new file already")
    case .damaged:
      Failure(.input, subject: difference, what: "is damaged: what it makes is not the new file")
    }
  }
}

extension DifferenceText.Line.Kind {
  /// A line with the colour of its kind.
  fileprivate func coloured(_ text: String) -> String {
    let code: String? =
      switch self {
      case .plain: nil
      case .added: "32"
      case .removed: "31"
      case .changed: "33"
      }
    return code.map { "\u{1B}[\($0)m\(text)\u{1B}[m" } ?? text
  }
}
