import ArchiveInspection
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import PortolanPrinting
import PortolanTerminals
import PortolanTexts
import PropertyLists

/// Archives of any program: shown, converted, compared.
extension World {
  /// Writes in pieces, and stops between two of them when the work is cancelled.
  func write(
    to path: String, overwrites: Bool, as nature: OutputNature, _ work: Progress,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws(Failure) {
    try write(to: path, overwrites: overwrites, as: nature) { send in
      try withoutActuallyEscaping(send) { send in
        try body { piece in
          if work.cancellation.isCancelled { throw Failure(.interrupted, what: "cancelled") }
          try send(piece)
        }
      }
    }
  }

  /// The differences between two maps or two archives; a difference is a finding.
  func compare(_ request: DiffRequest, _ work: Progress) throws(Failure) -> String {
    let (first, second) = (try readCompared(request.first), try readCompared(request.second))
    if !request.isOfArchives {
      if !first.isArchive, !second.isArchive {
        try compareMaps(first, second, request, work)
        return ""
      }
      if first.isArchive != second.isArchive {
        let (map, other) = first.isArchive ? (second, first) : (first, second)
        throw Failure(
          .usage, subject: map.name,
          what: "is a map, and \(other.name) is an archive of something else: they have nothing "
            + "in common to be compared")
      }
    }
    if request.form == nil || request.picture != nil || request.key != nil {
      throw Failure(
        .usage, subject: first.name,
        what: "is no map: --format geojson, --render and --key are for maps")
    }
    try compareArchives(first, second, request, work)
    return ""
  }

  private func compareArchives(
    _ old: ComparedFile, _ new: ComparedFile, _ request: DiffRequest, _ work: Progress
  ) throws(Failure) {
    func archive(_ file: ComparedFile) throws(Failure) -> InspectedArchive {
      do {
        return try InspectedArchive(graphOf: file.bytes)
      } catch let error as InspectionError {
        throw failure(error, of: file.path)
      } catch {
        throw Failure(.input, subject: file.name, what: "\(error)")
      }
    }
    let (first, second) = (try archive(old), try archive(new))
    let names = (DisplayWidth.sanitised(old.name), DisplayWidth.sanitised(new.name))
    let hasColours = outputDepth(request.colour, to: "-") > .mono
    var count = 0
    try write(to: "-", overwrites: false, as: .screen, work) { send in
      do {
        var difference = ArchiveDifference(
          first, second, names: names, form: request.form ?? .text, hasColours: hasColours,
          columns: width(request.width, to: "-"), send: send)
        count = try difference.write()
      } catch let error as InspectionError {
        throw failure(error, of: request.second)
      }
    }
    for (file, archive) in [(old, first), (new, second)] {
      guard let broken = archive.firstBroken else { continue }
      throw Failure(
        .input, subject: file.name, what: "\(broken): what could be read was compared")
    }
    if count > 0 { throw Failure(.findings, what: "\(names.0) and \(names.1) differ") }
  }

  /// Whether a file that begins like JSON is a property list in the text notation, where `=` or `;`
  /// stands behind a key.
  static func isTextList(_ head: ArraySlice<UInt8>) -> Bool {
    var isQuoted = false
    var isEscaped = false
    for byte in head {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case _ where isQuoted: break
      case UInt8(ascii: ":"): return false
      case UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "("): return true
      default: break
      }
    }
    return false
  }

  func convert(_ request: ConvertRequest, _ work: Progress) throws(Failure) -> String {
    let input = try read(request.path).bytes
    var notes: [String] = []
    var values = ValueOptions()
    if request.notation == .json { values.digest = SHA256.digest(of: input) }
    let isText = request.notation == .xml || request.notation == .json
    try write(
      to: request.output, overwrites: request.overwrites, as: isText ? .text : .binary, work
    ) { send in
      do {
        // An incomplete file is removed after an error; standard output cannot be taken back.
        notes = try ArchiveConversion.convert(
          input, to: request.notation, checksFirst: request.output == "-", values: values,
          send: send)
      } catch let error as InspectionError {
        throw failure(error, of: request.path)
      } catch let error as FileError {
        throw error
      } catch let error as Failure {
        throw error
      } catch {
        throw Failure(.input, subject: InputName.shown(request.path), what: "\(error)")
      }
    }
    let name = InputName.shown(request.path)
    for note in notes { addChore { "\(name): \(note)" } }
    return request.output == "-" ? "" : "converted to \(request.output)"
  }

  func inspect(_ request: InspectRequest, _ work: Progress) throws(Failure) -> String {
    let file = try inspected(request)
    var options = request.options
    options.hasColours = outputDepth(request.colour, to: request.output) > .mono
    // Texts for comparison must not depend on the terminal; one part is asked for to be seen whole.
    let isWhole = options.isStable || !request.place.steps.isEmpty
    var columns = isWhole ? request.width : width(request.width, to: request.output)
    if options.elementCountMax != nil { columns = columns ?? options.columns }
    options.columns = columns ?? 80
    options.cutsTexts = columns != nil
    var broken: String?
    try write(to: request.output, overwrites: request.overwrites, as: .screen, work) { send in
      do {
        broken = try Inspector(file).write(
          request.form, at: request.place, options,
          to: TextOutput(inputCount: file.header.byteCount, send: send))
      } catch let error as InspectionError {
        throw failure(error, of: request.path)
      }
    }
    if let broken {
      throw Failure(
        .input, subject: InputName.shown(request.path),
        what: "\(broken): what could be read is shown")
    }
    return ""
  }

  /// The archive to be shown; of a large one only the shown part is read, if its form allows that.
  private func inspected(_ request: InspectRequest) throws(Failure) -> InspectedArchive {
    var limits = options.partialReading
    limits.countMin = limits.inspectedCountMin
    let source = request.path == "-" ? nil : StoredBytes(request.path, in: files, limits)
    let large = source.flatMap { source in
      (try? source.head())?.starts(with: BinaryPropertyList.magic) == true ? source : nil
    }
    let isPart = large != nil || request.options.elementCountMax != nil
    let survey: InspectedArchive.Survey =
      isPart && !request.options.isStable && (request.form == .tree || request.form == .raw)
      ? .none : .whole
    guard let large else {
      return try opened(request.path) { bytes in
        survey == .none
          ? try InspectedArchive(graphOf: ByteReader(bytes), survey: .none)
          : try InspectedArchive(graphOf: bytes, isRaw: request.form == .raw)
      }
    }
    do {
      return try InspectedArchive(graphOf: ByteReader(large), survey: survey)
    } catch let error as InspectionError {
      throw failure(error, of: request.path)
    } catch {
      throw Failure(.input, subject: InputName.shown(request.path), what: "\(error)")
    }
  }

  /// The width of a line as it was asked for, or that of the terminal; `nil` where there is none.
  private func width(_ asked: Int?, to output: String) -> Int? {
    if let asked { return asked }
    return output == "-" ? options.outputColumns().map { min(max($0, 40), 1_000) } : nil
  }

  /// - Parameter refusal: an error by the first bytes and the name, before the rest is read.
  func opened<Opened>(
    _ path: String, refusal: (ArraySlice<UInt8>, String) -> Failure? = { _, _ in nil },
    _ open: ([UInt8]) throws -> Opened
  ) throws(Failure) -> Opened {
    // No archive begins with a NUL, but other bytes may stand before one: a file without any is
    // recognised without reading all of it.
    let bytes = try read(path) { head in
      if let failure = refusal(head, path) { return failure }
      guard head.first == 0, head.firstRange(of: BinaryPropertyList.magic) == nil else {
        return nil
      }
      do {
        _ = try open(Array(head))
      } catch let error as InspectionError {
        return failure(error, of: path)
      } catch {}
      return nil
    }.bytes
    do {
      return try open(bytes)
    } catch let error as InspectionError {
      throw failure(error, of: path)
    } catch {
      throw Failure(.input, subject: InputName.shown(path), what: "\(error)")
    }
  }

  func failure(_ error: InspectionError, of path: String) -> Failure {
    let code: ExitCode =
      switch error.code {
      case .unreadable: .input
      case .usage: .usage
      case .unsupported: .unsupported
      }
    return Failure(code, subject: InputName.shown(path), what: error.description)
  }

  /// Colours go to a terminal; a file gets them only on request.
  func outputDepth(_ choice: ColourChoice, to path: String) -> PortolanTerminals.ColourDepth {
    choice == .auto && path != "-" ? .mono : options.outputDepth(choice)
  }
}
