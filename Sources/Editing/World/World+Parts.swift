import PortolanComparing
import PortolanDocuments
import PortolanExpressions
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import PortolanPrinting

/// Exports in parts.
extension World {
  /// Reads a file in parts for what all its features have in common.
  ///
  /// - Returns: `nil` if it is to be read whole: it is small, of another format, or what is asked
  ///   for depends on all of it.
  func survey(_ export: PartExport, _ progress: Progress) throws(Failure) -> PartSurvey? {
    let path = export.input
    var found: (any PartImporter)?
    let source: StoredBytes?
    do throws(StoreError) {
      source = try store.parts(
        of: path, options.partialData, while: { !progress.isCancelled },
        onlyIf: { head in
          let format = try? FoundFormat(head, path, export.reading, among: options.importers)
          if case .data(let importer)? = format { found = importer as? any PartImporter }
          return found != nil
        })
    } catch {
      throw failure(error)
    }
    try progress.checkFailure()
    guard let source, let importer = found else { return nil }
    let wanted = export.wanted
    var facts = PartFacts()
    var choice = export.choice
    let memory = PartMemory()
    let result: ImportResult
    do {
      result = try importer.readParts(
        of: text(of: source), options: importOptions(of: export), memory: memory,
        progress: { try progress.report($0) },
        take: {
          facts.add($0, wanted: wanted)
          choice?.add($0)
        })
      try source.checkUnchanged()
    } catch is TextParts.NeedsWhole {
      return nil
    } catch is StoredBytes.Changed {
      return nil
    } catch let error as FileError {
      throw failure(StoreError(.reading(error), path))
    } catch {
      throw failure(StoreError(.decoding(error), path))
    }
    guard let layer = result.layers.first as? any FeatureHolding, result.coordinateSystem.isWGS84,
      [.lines, .sequence, .featureCollection].contains(layer.source.root), !facts.hasConflicts,
      !facts.isEmpty,
      !layer.source.members.contains(where: { $0.name == ConflictText.name }),
      // Whether numbers have a decimal comma depends on those that are written.
      !(importer is CSVFormat && export.format is CSVFormat),
      // The box of all features is that of the chosen ones.
      !export.choosesRows || !layer.source.members.contains(where: { $0.name == "bbox" })
    else { return nil }
    // A collection may have a name of its own, for which a condition may ask.
    if choice?.layerName != layer.name { choice = nil }
    memory.chosen = choice?.chosen
    let notices = result.notices + (result.assumption.map { [$0] } ?? [])
    return PartSurvey(
      source: source, importer: importer,
      document: Self.document(of: result, title: InputName.stem(of: path)), layer: layer,
      schema: facts.schema, choice: choice, memory: memory,
      remarks: Remark.notices(notices, of: InputName.shown(path), warnings: result.warnings))
  }

  private func text(of source: StoredBytes) -> TextSource {
    TextSource(byteCount: source.byteCount, pieceCount: options.partialData.pieceCount) {
      try source.read(at: $0, into: $1)
    }
  }

  private func importOptions(of export: PartExport) -> ImportOptions {
    ImportOptions(
      name: InputName.stem(of: export.input), firstLayerID: Document().nextID, own: export.reading)
  }

  /// Reads a surveyed file again, and writes it.
  ///
  /// - Returns: lines about the features.
  func write(
    _ export: PartExport, _ survey: PartSurvey, _ progress: Progress
  ) throws(Failure) -> [String] {
    var plan: PartPlan
    do { plan = try export.plan(for: survey) } catch { throw Failure(error) }
    let name = export.path == "-" ? Self.standardOutputName : export.path
    var report = ExportReport()
    let importOptions = importOptions(of: export)
    let options = plan.options
    let text = text(of: survey.source)
    let none = FormatLosses(export.format.limits.under(options), export.format.name)
    var losses = none
    do {
      try write(to: export.path, overwrites: export.verb.target.force, as: .text) { sink in
        do {
          report = try Self.exporting(to: name) {
            try export.format.write(
              survey.layer, options: options, to: { if !$0.isEmpty { try sink($0) } },
              features: { each in
                plan.restart()
                losses = none
                _ = try survey.importer.readParts(
                  of: text, options: importOptions, memory: survey.memory,
                  progress: { try progress.report($0) },
                  take: { block in
                    guard let part = plan.part(of: block, layer: survey.layer.name) else { return }
                    losses.add(part, rows: options.rows(of: part, in: survey.layer))
                    try each(part)
                  })
              })
          }
          if let jumps = plan.jumps { report.jumps = jumps }
          try survey.source.checkUnchanged()
        } catch  where error is StoredBytes.Changed || error is TextParts.NeedsWhole {
          throw Failure(
            .input, subject: InputName.shown(export.input),
            what: "was changed by another program while it was read: run it again")
        }
      }
    } catch {
      throw exportFailure(error, name)
    }
    var remarks = plan.words + (plan.limitWords.map { ["\(name): \($0)"] } ?? [])
    if report.features == 0, plan.count > 0 || export.verb.bbox != nil, export.verb.limit != 0 {
      let isChosen = export.verb.map.condition.condition != nil
      remarks.append("\(name): \(Self.nothingWritten(isChosen: isChosen))")
    }
    return remarks + (report.notes + losses.notes).map { "\(name): \($0)" }
  }
}

/// What blocks have in common.
private struct PartFacts {
  private(set) var schema = Schema(names: [], blocks: [], wanted: [])
  /// Whether there is no feature: everything can be asked of it.
  private(set) var isEmpty = true
  private(set) var hasConflicts = false
  private var seen = Set<String>()

  mutating func add(_ block: FeatureBlock, wanted: [String]) {
    if block.rowCount > 0 { isEmpty = false }
    for column in block.attributes where seen.insert(column.name).inserted {
      schema.add(name: column.name)
    }
    if !wanted.isEmpty {
      schema.add(BlockRows(block, layer: "", isGeographic: true), wanted: wanted)
    }
    if block.foreignMembers.contains(where: { $0.name == ConflictText.name }) {
      hasConflicts = true
    }
  }
}
