import ArchiveInspection
import PortolanFiles
import PortolanPrinting

/// The values of archives, written for programs.
extension World {
  /// Writes what was asked for; a broken part is told when everything else is written.
  func writeValues(_ request: ValuesRequest, _ work: Progress) throws(Failure) -> String {
    var options = request.options
    let file = try opened(request.path) { bytes in
      if request.form == .json || request.form == .exact {
        options.digest = SHA256.digest(of: bytes)
      }
      return try InspectedArchive(graphOf: bytes)
    }
    var broken: String?
    try write(to: request.output, overwrites: request.overwrites, as: .text, work) { send in
      do {
        let output = TextOutput(inputCount: file.header.byteCount, send: send)
        switch request.form {
        case .json: broken = try file.writeValues(at: request.place, options, to: output)
        case .exact: broken = try file.writeExact(options, to: output)
        case .text:
          broken = try file.writeTexts(
            at: request.place, isSafe: isTerminal(request.output), to: output)
        case .bytes:
          try file.extract(at: request.place, isSafe: isTerminal(request.output), to: output)
        case .hexDump: try file.writeHexDump(at: request.place, to: output)
        }
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

  /// Writes a line of JSON for each line of the input; bad lines are told at the end.
  func writeLines(_ request: ArchiveLinesRequest, _ work: Progress) throws(Failure) -> String {
    let name = InputName.shown(request.path)
    var bad: (count: Int, first: String)?
    try write(to: request.output, overwrites: request.overwrites, as: .text, work) { send in
      var lines = ArchiveLines(
        request.encoding, request.form, request.options, at: request.place, send: send)
      var failure: (any Error)?
      func add(_ piece: UnsafeRawBufferPointer) throws {
        do { try lines.add(piece) } catch {
          failure = error
          throw error
        }
      }
      do {
        if request.path == "-" {
          try files.readPieces(.standardInput, name: name, add)
        } else {
          try files.readPieces(of: request.path, add)
        }
      } catch let error as FileError where failure == nil {
        throw Failure.reading(name, error)
      }
      try lines.finish()
      if let first = lines.firstBad { bad = (lines.badCount, first) }
    }
    guard let bad else { return "" }
    let count = bad.count == 1 ? "1 line" : "\(bad.count) lines"
    throw Failure(
      .input, subject: name, what: "\(count) could not be read whole, the first: \(bad.first)")
  }

  /// Whether an output is the terminal, which texts of a file must not act on.
  func isTerminal(_ output: String) -> Bool {
    output == "-" && options.outputColumns() != nil
  }
}
