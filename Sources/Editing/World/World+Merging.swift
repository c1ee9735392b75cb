import PortolanComparing
import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanPrinting

/// Merging maps.
extension World {
  /// Merges two edits of a map; conflicts are findings.
  func merge(_ request: MergeRequest, _ work: Progress) throws(Failure) -> String {
    var files = [
      try readCompared(request.base, isEmptyMap: true),
      try readCompared(request.ours, isEmptyMap: true),
      try readCompared(request.theirs, isEmptyMap: true),
    ]
    if let name = request.shownName {
      for (index, side) in ["base", "ours", "theirs"].enumerated() {
        files[index].shownName = "\(name) (\(side))"
      }
    }
    for file in files where file.isArchive {
      throw Failure(
        .unsupported, subject: file.name,
        what: "is no map: only maps are merged, feature by feature")
    }
    try work.checkFailure()
    let documents = files.filter(\.isDocument)
    let merged: MergedMap
    if documents.isEmpty {
      merged = try mergeTexts(files, request, work)
    } else {
      // An empty base is an empty map, whatever the others are.
      for file in files where !file.isDocument && !file.bytes.isEmpty {
        throw Failure(
          .unsupported, subject: file.name,
          what: "is no document, and \(documents[0].name) is one: export its layers first")
      }
      merged = try mergeDocuments(files, request, work)
    }
    try write(
      to: request.output, overwrites: request.overwrites, as: documents.isEmpty ? .text : .binary,
      work
    ) { send in
      try send(merged.bytes)
    }
    let name =
      request.shownName ?? (request.output == "-" ? Self.standardOutputName : request.output)
    for remark in merged.remarks.prefix(Self.conflictsMax) { addChore { "\(name): \(remark)" } }
    if merged.remarks.count > Self.conflictsMax {
      let more = merged.remarks.count - Self.conflictsMax
      addChore { "\(name): and \(more) more views and bookmarks" }
    }
    for conflict in merged.conflicts.prefix(Self.conflictsMax) {
      addChore { "\(name): conflict: \(conflict.text)" }
    }
    if merged.conflicts.count > Self.conflictsMax {
      addChore { "\(name): and \(merged.conflicts.count - Self.conflictsMax) more conflicts" }
    }
    if !merged.conflicts.isEmpty {
      let count = CountText.text(merged.conflicts.count, "conflict", "conflicts")
      throw Failure(
        .findings, subject: name,
        what: request.output == "-" && request.shownName == nil
          ? "\(count) to be decided: save it, open the file with portolan, then ]c and :resolve"
          : "\(count) to be decided: portolan \(FilePath.quoted(name)), then ]c and :resolve")
    }
    return request.output == "-"
      ? "" : "merged to \(name): \(CountText.features(merged.takenCount)) of theirs"
  }

  /// Merges lines as git does, with its marks, into the output of a driver that cannot merge
  /// features: else the output would be ours, and nothing would show that theirs is missing.
  ///
  /// - Returns: the failure, which says so.
  func leavingBoth(of request: MergeRequest, after failure: Failure) -> Failure {
    guard request.shownName != nil, request.output == request.ours,
      failure.code == .input || failure.code == .unsupported, let run = options.runProgram,
      let merged = try? run([
        "git", "merge-file", "-L", "ours", "-L", "base", "-L", "theirs", "--", request.ours,
        request.base, request.theirs,
      ]), merged.status >= 0, merged.status < 128
    else { return failure }
    var failure = failure
    failure.what += "; the file has both texts, merged by lines"
    return failure
  }

  /// The most conflicts that are listed one by one.
  private static let conflictsMax = 20

  struct MergedMap {
    var bytes: [UInt8]
    var conflicts: [MergeConflict]
    /// How many features were taken or merged of theirs.
    var takenCount: Int
    /// What is ours though both sides changed it.
    var remarks: [String] = []
  }

  private func mergeTexts(
    _ files: [ComparedFile], _ request: MergeRequest, _ work: Progress
  ) throws(Failure) -> MergedMap {
    var maps: [MapText] = []
    for file in files { maps.append(try mapText(of: file, named: request.shownName)) }
    let name = request.shownName ?? request.output
    let isOfLines =
      FilePath.ending(of: name).map { ["ndjson", "geojsonl", "jsonl", "geojsons"].contains($0) }
      ?? false
    var merge = MapMerge(
      base: maps[0], ours: maps[1], theirs: maps[2], options: request.options,
      isOfLines: isOfLines)
    do {
      let bytes = try merge.merged { try work.report($0) }
      return MergedMap(
        bytes: bytes, conflicts: merge.conflicts, takenCount: merge.takenCount + merge.mergedCount)
    } catch let error as MapMerge.SideFault {
      let file = files[error.side == .ours ? 1 : 2]
      throw Self.failure(error.fault, of: file)
    } catch {
      throw Failure(error)
    }
  }

  private func mapText(of file: ComparedFile, named name: String?) throws(Failure) -> MapText {
    do {
      return try MapText(file.bytes)
    } catch let fault as JSONSpans.Fault {
      let known = options.importers.first {
        $0.isFor(file.path) || name.map($0.isFor) ?? false
      }
      if let known, !["geojson", "ndjson", "geojsonseq"].contains(known.name) {
        throw Failure(
          .unsupported, subject: file.name,
          what: "is \(known.title): GeoJSON, features a line and documents are merged, "
            + "portolan export converts")
      }
      throw Self.failure(fault, of: file)
    } catch {
      throw Failure(error)
    }
  }

  static func failure(_ fault: JSONSpans.Fault, of file: ComparedFile) -> Failure {
    let (line, column) = MapText.line(of: fault.offset, in: file.bytes)
    return Failure(
      .input, subject: file.name, what: "line \(line), column \(column): \(fault.what)")
  }

  private func mergeDocuments(
    _ files: [ComparedFile], _ request: MergeRequest, _ work: Progress
  ) throws(Failure) -> MergedMap {
    var documents: [Document?] = []
    for (index, file) in files.enumerated() {
      documents.append(
        file.bytes.isEmpty ? nil : try writableDocument(of: file, work.part(index, of: 4)))
    }
    for file in files[1...] where file.bytes.isEmpty && !files[0].bytes.isEmpty {
      throw Failure(.input, subject: file.name, what: "is empty: there is no document to merge")
    }
    guard let ours = documents[1] ?? documents[2], let theirs = documents[2] ?? documents[1] else {
      return MergedMap(bytes: files[1].bytes, conflicts: [], takenCount: 0)
    }
    // Equal bytes are no edit.
    if files[0].bytes == files[2].bytes || files[1].bytes == files[2].bytes {
      return MergedMap(bytes: files[1].bytes, conflicts: [], takenCount: 0)
    }
    if files[0].bytes == files[1].bytes {
      return MergedMap(bytes: files[2].bytes, conflicts: [], takenCount: theirs.featureCount)
    }
    var merge = DocumentMerge(
      base: documents[0], ours: ours, theirs: theirs, options: request.options)
    do {
      let merged = try merge.merged { try work.part(3, of: 4).report($0) }
      return MergedMap(
        bytes: try DocumentFile.bytes(of: merged), conflicts: merge.conflicts,
        takenCount: merge.takenCount, remarks: merge.remarks)
    } catch let refusal as DocumentMerge.Refusal {
      throw Self.failure(refusal, files)
    } catch {
      throw error as? Failure ?? Failure(.input, subject: files[1].name, what: "\(error)")
    }
  }

  /// A document that may be written again.
  private func writableDocument(
    of file: ComparedFile, _ work: Progress
  ) throws(Failure) -> Document {
    let document = try document(of: file, work)
    if document.newerVersion != nil {
      throw Failure(
        .unsupported, subject: file.name, what: "is of a newer version of the format")
    }
    return document
  }

  private static func failure(
    _ refusal: DocumentMerge.Refusal, _ files: [ComparedFile]
  ) -> Failure {
    switch refusal {
    case .undecided(let side):
      Failure(
        .input, subject: files[side == .ours ? 1 : 2].name,
        what: "conflicts of an earlier merge are not decided: open it, then ]c and :resolve")
    case .systems(let ours, let theirs):
      Failure(
        .unsupported, subject: files[1].name,
        what: "its coordinates are of \(ours), those of \(files[2].name) of \(theirs)")
    }
  }
}

extension Document {
  fileprivate var featureCount: Int { layers.reduce(0) { $0 + $1.count } }
}
