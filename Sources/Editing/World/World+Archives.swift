import ArchiveInspection
import PortolanFiles
import PortolanTerminals

/// Archives of any program: shown, converted, compared.
extension World {
  /// Writes in pieces, and stops between two of them when the work is cancelled.
  func write(
    to path: String, overwrites: Bool, _ work: Progress,
    _ body: (@escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws(Failure) {
    try write(to: path, overwrites: overwrites) { send in
      try withoutActuallyEscaping(send) { send in
        try body { piece in
          if work.cancellation.isCancelled { throw Failure(.interrupted, what: "cancelled") }
          try send(piece)
        }
      }
    }
  }

  /// The differences between two archives; a difference is a finding.
  func compare(_ request: DiffRequest, _ work: Progress) throws(Failure) -> String {
    let (first, second) = (
      try opened(request.first) { try InspectedArchive(graphOf: $0) },
      try opened(request.second) { try InspectedArchive(graphOf: $0) }
    )
    let names = (
      DisplayWidth.sanitised(InputName.shown(request.first)),
      DisplayWidth.sanitised(InputName.shown(request.second))
    )
    let hasColours = depth(request.colour, to: "-") > .mono
    var count = 0
    try write(to: "-", overwrites: false, work) { send in
      do {
        var difference = ArchiveDifference(
          first, second, names: names, form: request.form, hasColours: hasColours,
          columns: width(request.width, to: "-"), send: send)
        count = try difference.write()
      } catch let error as InspectionError {
        throw failure(error, of: request.second)
      }
    }
    for (path, file) in [(request.first, first), (request.second, second)] {
      guard let broken = file.firstBroken else { continue }
      throw Failure(
        .input, subject: InputName.shown(path), what: "\(broken): what could be read was compared")
    }
    if count > 0 { throw Failure(.findings, what: "\(names.0) and \(names.1) differ") }
    return ""
  }

  func convert(_ request: ConvertRequest, _ work: Progress) throws(Failure) -> String {
    let input = try read(request.path).bytes
    var notes: [String] = []
    var values = ValueOptions()
    if request.notation == .json { values.digest = SHA256.digest(of: input) }
    try write(to: request.output, overwrites: request.overwrites, work) { send in
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
    let file = try opened(request.path) {
      try InspectedArchive(graphOf: $0, isRaw: request.form == .raw)
    }
    var options = request.options
    options.hasColours = depth(request.colour, to: request.output) > .mono
    // Texts for comparison must not depend on the terminal; one part is asked for to be seen whole.
    let isWhole = options.isStable || !request.place.steps.isEmpty
    let columns = isWhole ? request.width : width(request.width, to: request.output)
    options.columns = columns ?? 80
    options.cutsTexts = columns != nil
    var broken: String?
    try write(to: request.output, overwrites: request.overwrites, work) { send in
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

  /// The width of a line as it was asked for, or that of the terminal; `nil` where there is none.
  private func width(_ asked: Int?, to output: String) -> Int? {
    if let asked { return asked }
    return output == "-" ? options.outputColumns().map { min(max($0, 40), 1_000) } : nil
  }

  func opened<Opened>(
    _ path: String, _ open: ([UInt8]) throws -> Opened
  ) throws(Failure) -> Opened {
    // No archive begins with a NUL: such a file is recognised without reading all of it.
    let bytes = try read(path) { head in
      guard head.first == 0 else { return nil }
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
  private func depth(_ choice: ColourChoice, to path: String) -> PortolanTerminals.ColourDepth {
    choice == .auto && path != "-" ? .mono : options.outputDepth(choice)
  }
}
