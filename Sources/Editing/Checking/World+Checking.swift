import PortolanChecking
import PortolanDocuments
import PortolanExpressions
import PortolanFiles
import PortolanInterchange
import PortolanPrinting

/// Checking files.
extension World {
  /// Checks the files one after another; one that cannot be read does not hold up the others.
  func check(
    _ request: CheckRequest, _ progress: Progress
  ) throws(Failure) -> CheckRequest.Answer {
    var answer = CheckRequest.Answer(report: CheckReport([], least: request.least))
    var baseline = Baseline()
    if let path = request.baseline, !request.writesBaseline {
      do {
        if files.exists(path) {
          baseline = try Baseline(try read(path).bytes)
        } else {
          answer.remarks.append(
            "\(InputName.shown(path)): there is no such baseline, nothing is hidden: "
              + "--write-baseline writes it")
        }
      } catch let error as BaselineError {
        throw Failure(.usage, subject: path, what: error.description)
      } catch {
        throw Failure(error)
      }
    }
    let inputs = request.isStaged ? try staged(request.paths) : request.paths.map { Checked($0) }
    for (index, input) in inputs.enumerated() {
      do throws(Failure) {
        let bytes =
          if let staged = input.staged { try staged() } else { try read(input.path).bytes }
        if request.isStaged, request.paths.isEmpty, !Self.isMap(input.path, bytes) { continue }
        let file = try check(
          bytes, input.path, request, &baseline, &answer, progress.part(index, of: inputs.count))
        answer.report.files.append(file)
      } catch {
        if error.code == .interrupted || error.isBrokenPipe { throw error }
        if let failure = answer.failure { answer.remarks.append(failure.description) }
        answer.failure = error
      }
    }
    if let path = request.baseline, request.writesBaseline {
      let text = baseline.text
      try write(to: path, overwrites: true, as: .text) { try $0(Array(text.utf8)) }
      let count = answer.report.files.reduce(0) { $0 + $1.list.findings.count }
      answer.remarks.append("\(path): \(CountText.text(count, "finding", "findings")) written")
      for index in answer.report.files.indices {
        answer.report.files[index].list = FindingList()
      }
    }
    return answer
  }

  /// A file to be checked.
  private struct Checked {
    var path: String
    /// Reads the staged text; `nil` for a file.
    var staged: (() throws(Failure) -> [UInt8])?

    init(_ path: String, staged: (() throws(Failure) -> [UInt8])? = nil) {
      (self.path, self.staged) = (path, staged)
    }
  }

  /// The files that git is about to commit, but for removed ones.
  ///
  /// - Parameter words: those that are meant, as git takes them; empty for all.
  private func staged(_ words: [String]) throws(Failure) -> [Checked] {
    let repository = try Repository(of: "", run: options.runProgram)
    return try repository.staged(words).map { name in
      Checked(repository.shown(name)) { () throws(Failure) in
        try repository.bytes(of: name, in: "")
      }
    }
  }

  /// Whether a staged file that nobody named is a map: GeoJSON and lines of it by their endings,
  /// documents by their bytes too.
  private static func isMap(_ path: String, _ bytes: [UInt8]) -> Bool {
    if InputName.isDocument(path) { return FileKind.of(bytes) == .document }
    let named = FileFormats.importers.first { $0.isFor(path) }
    return named?.takesText == true && FilePath.ending(of: path) != "json"
  }

  private func check(
    _ bytes: [UInt8], _ path: String, _ request: CheckRequest, _ baseline: inout Baseline,
    _ answer: inout CheckRequest.Answer, _ progress: Progress
  ) throws(Failure) -> CheckedFile {
    let name = InputName.shown(path)
    var file: CheckedFile
    let text = MapText(bytes)
    if isGeoJSON(path, text, request.reading) {
      file = try checkText(text, path, request, &answer, progress)
    } else {
      file = try checkRead(bytes, path, request, progress)
    }
    file.name = name
    if request.writesBaseline {
      baseline.add(file.list.findings, in: text.bytes, name: name)
    } else if request.baseline != nil, !request.isFixing {
      file.list.findings = baseline.new(file.list.findings, in: text.bytes)
    }
    return file
  }

  /// Whether a file is checked as GeoJSON text: by --from, by its ending, else by what it is.
  private func isGeoJSON(
    _ path: String, _ text: MapText, _ reading: (any FormatOptions)?
  ) -> Bool {
    let head = text.bytes.prefix(FileHead.count)
    if let word = (reading as? ReadingOptions)?.format {
      return options.importers.first { $0.isMeant(by: word) }?.takesText ?? false
    }
    let named = FileFormats.importers.first { $0.isFor(path) }
    if let named { return named.takesText }
    if options.importers.contains(where: { $0.isCertain && $0.recognizes(head) }) { return false }
    let known = options.importers.first { $0.recognizes(head) }
    if let known, !known.takesText { return false }
    if InputName.isDocument(path) { return false }
    let first = text.bytes.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
    let isOther = ForeignFormat.of(text.bytes.prefix(FileHead.count), path: path) != nil
    return !isOther
      && (first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || text.bytes.first == 0x1E)
  }

  // MARK: Text

  private func checkText(
    _ text: MapText, _ path: String, _ request: CheckRequest,
    _ answer: inout CheckRequest.Answer, _ progress: Progress
  ) throws(Failure) -> CheckedFile {
    var options = CheckOptions()
    options.choice = request.choice
    options.keepsFeatures = request.asksFeatures
    options.keepsAll = request.writesBaseline
    let ending = FilePath.ending(of: path) ?? ""
    let from = (request.reading as? ReadingOptions)?.format
    options.isOfLines = FileFormats.importers.contains {
      ($0.name == "ndjson" || $0.name == "geojsonseq")
        && ($0.extensions.contains(ending) || from.map($0.isMeant) ?? false)
    }
    // A pipe has no name that tells.
    if path == "-" || FilePath.isDescriptor(path), from == nil {
      options.isOfLines = Self.isOfLines(text.bytes)
    }
    var checked: CheckedText
    var repairs: [Finding] = []
    var bytes = text.bytes
    do {
      if request.isFixing {
        let repaired = try MapRepair.repair(text, options) { try progress.report($0) }
        (checked, repairs, bytes) = (repaired.rest, repaired.repairs, repaired.bytes)
        if repairs.isEmpty, text.encoding == nil { bytes = text.bytes }
        if request.checksCoverage {
          let more = try repairCoverage(&bytes, path, checked, request, progress)
          if !more.isEmpty {
            checked = try MapText(bytes).check(options) { try progress.report($0) }
          }
          repairs += more
        }
        try writeRepaired(bytes, path, isChanged: !repairs.isEmpty, request)
      } else {
        checked = try text.check(options) { try progress.report($0) }
      }
    } catch {
      throw Failure(error)
    }
    if request.asksFeatures {
      try addQuestions(to: &checked, bytes, path, request, &answer, progress)
    }
    return CheckedFile(name: path, list: checked.list, repairs: repairs)
  }

  /// Whether the first line is an object of its own, with another one behind it.
  private static func isOfLines(_ bytes: [UInt8]) -> Bool {
    func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
    let text = bytes.drop { isBlank($0) || $0 == 0x1E }
    guard let end = text.firstIndex(of: 0x0A) else { return false }
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    let next = text[end...].first { !isBlank($0) && $0 != 0x1E }
    return text.first == open && text[..<end].last { !isBlank($0) } == close && next == open
  }

  private func writeRepaired(
    _ bytes: [UInt8], _ path: String, isChanged: Bool, _ request: CheckRequest
  ) throws(Failure) {
    if let output = request.output {
      try write(to: output, overwrites: request.overwrites, as: .text) { try $0(bytes) }
    } else if isChanged {
      try write(to: path, overwrites: true, as: .text) { try $0(bytes) }
    }
  }

  /// The reader of a file that is checked as a text.
  static func reader(of path: String) -> any Importer {
    FileFormats.importers.first { $0.isFor(path) && $0.takesText } ?? GeoJSONFormat()
  }

  /// Adds the findings that need the features as they are read, with their places in the text.
  private func addQuestions(
    to checked: inout CheckedText, _ bytes: [UInt8], _ path: String, _ request: CheckRequest,
    _ answer: inout CheckRequest.Answer, _ progress: Progress
  ) throws(Failure) {
    let name = InputName.shown(path)
    let result: ImportResult
    do {
      result = try Self.reader(of: path).read(
        FileSource(bytes, path: path), options: ImportOptions(name: InputName.stem(of: path))
      ) { try progress.report($0) }
    } catch let failure as Failure {
      throw failure
    } catch {
      answer.remarks.append("\(name): its features were not asked, they cannot be read: \(error)")
      if checked.list.findings.isEmpty {
        throw Failure(.input, subject: name, what: "\(error)")
      }
      return
    }
    var document = Document()
    document.layers = result.layers
    document.metadata.take(result.coordinateSystem)
    var findings = try questions(of: document, request, progress)
    Self.place(&findings, of: document.layers, in: checked)
    checked.list.findings += findings
    bytes.withUnsafeBufferPointer { checked.list.settlePlaces(in: $0) }
  }

  /// Gives findings about features as they are read their places in the text.
  static func place(
    _ findings: inout [Finding], of layers: [any Layer], in checked: CheckedText
  ) {
    let ids = layers.compactMap { $0 as? any FeatureHolding }
      .flatMap { $0.blocks.flatMap(\.featureIDs) }
    let numbers = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
    for index in findings.indices {
      guard let number = findings[index].feature.flatMap({ numbers[$0.feature] }),
        checked.features.indices.contains(number), ids.count == checked.features.count
      else { continue }
      findings[index].offset = checked.features[number].lowerBound
      findings[index].extent = checked.features[number]
      findings[index].path = checked.isCollection ? "$.features[\(number)]" : "$"
    }
  }

  // MARK: Files that are read

  /// Checks a file of another format as it is read.
  private func checkRead(
    _ bytes: [UInt8], _ path: String, _ request: CheckRequest, _ progress: Progress
  ) throws(Failure) -> CheckedFile {
    if request.isFixing {
      throw Failure(
        .unsupported, subject: InputName.shown(path),
        what: "only GeoJSON text is repaired: export it as that, or "
          + (request.checksCoverage
            ? "run a script: open FILE, check --coverage --fix, export -o FILE"
            : "mend it in the editor"))
    }
    let data = try importData(
      path, layerName: nil, progress, reading: request.reading, bytes: bytes)
    var document = Document()
    document.layers = data.layers
    document.conflicts = data.conflicts
    document.metadata.take(data.coordinateSystem)
    var options = DocumentCheck.Options()
    options.choice = request.choice
    options.checksWinding = false
    var list: FindingList
    do {
      list = try DocumentCheck.check(document, options) { try progress.report($0) }
    } catch {
      throw Failure(error)
    }
    if request.choice.contains(.reading) {
      list.findings = data.faults.map { Finding(.reading, $0, path: "$") } + list.findings
    }
    list.findings += try questions(of: document, request, progress)
    if document.layers.count == 1 {
      // The layer has the name of the file.
      for index in list.findings.indices {
        guard let feature = list.findings[index].feature else { continue }
        list.findings[index].path = "feature \(feature.feature.rawValue)"
      }
    }
    return CheckedFile(name: path, list: list)
  }

  private func questions(
    of document: Document, _ request: CheckRequest, _ progress: Progress
  ) throws(Failure) -> [Finding] {
    do {
      return try FeatureQuestions(
        expectations: request.expectations, uniqueNames: request.uniqueNames,
        checksCoverage: request.checksCoverage, choice: request.choice
      ).findings(in: document) { try progress.report($0) }
    } catch {
      throw Failure(error)
    }
  }
}

extension Importer {
  /// Whether its files are GeoJSON text.
  fileprivate var takesText: Bool {
    self is GeoJSONFormat || self is LinesFormat || self is SequenceFormat
  }
}

/// Questions about features beside their form.
struct FeatureQuestions: Sendable {
  var expectations: [String]
  var uniqueNames: [String]
  var checksCoverage: Bool
  var choice: CodeChoice

  /// - Throws: `EditingError` for an expression or a name that no layer can answer.
  func findings(
    in document: Document, progress: (Double) throws -> Void
  ) throws -> [Finding] {
    var findings: [Finding] = []
    let isGeographic = document.metadata.coordinateSystem.isDegrees
    for layer in document.layers.compactMap({ $0 as? any FeatureHolding }) where layer.count > 0 {
      if choice.contains(.expectation) {
        for text in expectations {
          findings += try QuestionedLayers.telling {
            try ExpectationCheck.features(of: layer, expecting: text, isGeographic: isGeographic)
          }
        }
      }
      if choice.contains(.notUnique) {
        let names = layer.fieldNames
        for name in uniqueNames {
          guard names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
            let near = Spelling.question(Spelling.nearest(to: name, among: names))
            throw EditingError(.usage, "--unique: no attribute “\(name)” in \(layer.name) \(near)")
          }
          findings += ExpectationCheck.features(of: layer, withoutUnique: name)
        }
      }
      if checksCoverage {
        findings += try CoverageCheck.check(
          layer, isGeographic: isGeographic, progress: progress
        ).filter { choice.contains($0.code) }
      }
      try progress(0.5)
    }
    return findings
  }
}
