import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import PortolanRendering
import PortolanTerminals

/// Writing data and pictures.
extension World {
  /// Writes features; returns the report.
  func export(_ request: ExportRequest, _ progress: Progress = .none) throws(Failure) -> String {
    let name = request.path == "-" ? Self.standardOutputName : request.path
    let layers = request.layers.compactMap { id in
      request.document[layer: id].map { chosen($0, request.features) }
    }
    var report = ExportReport()
    try write(to: request.path, overwrites: request.overwrites, as: .text) { sink in
      do {
        report = try request.format.write(layers, options: request.options) {
          try progress.check()
          try sink($0)
        }
      } catch let error as ExportError {
        let code: ExitCode =
          switch error.code {
          case .noSuchLayer, .nothingToWrite, .tooManyColumns, .tooSparse: .usage
          case .notWGS84, .mixedSystems, .noPlaceForSystem: .unsupported
          }
        throw Failure(code, subject: name, what: "\(error)")
      }
    }
    let count = report.features
    if count == 0, layers.contains(where: { $0.count > 0 }) {
      addChore { "\(name): no feature is written, none touches the box" }
    }
    for note in report.notes { addChore { "\(name): \(note)" } }
    let conflicts = request.document.openConflicts.count
    if conflicts > 0 {
      let words = CountText.text(conflicts, "conflict of a merge is", "conflicts of a merge are")
      addChore { "\(name): \(words) not in it: the features are as ours has them" }
    }
    return "exported \(CountText.features(count)) to \(name)"
  }

  private func chosen(
    _ layer: any Layer, _ features: Set<FeatureReference>?
  ) -> any Layer {
    guard let features, var chosen = layer as? any FeatureHolding else { return layer }
    let wanted = Set(features.filter { $0.layer == layer.id }.map(\.feature))
    let all = chosen.blocks.flatMap(\.featureIDs)
    chosen.remove(Set(all).subtracting(wanted))
    return chosen
  }

  /// Draws the map and writes it as a picture.
  func render(_ request: RenderRequest, _ progress: Progress = .none) throws(Failure) -> String {
    var request = request
    let isGeographic = request.document.metadata.isGeographic
    let hasNone =
      request.base == .automatic && (!isGeographic || request.document.nameOfLand != nil)
    if !hasNone, let base = try base(request.base, at: request.camera.zoom, .none) {
      guard isGeographic else {
        throw Failure(
          .usage, what: "--base: the document's coordinates are planar, those of the map degrees")
      }
      _ = request.document.add(base)
      if request.camera.zoom > base.zoomMax {
        addChore { [choice = request.base.word] in
          "--base \(choice): its lines are right up to zoom "
            + Figures.fixed(base.zoomMax, decimals: 0)
            + ", and this picture is nearer: give --base FILE, a finer map of your own"
        }
      }
    }
    request.remark = { [self] text in addChore { text } }
    if let emptiness = request.emptiness { request.remark(emptiness) }
    try write(
      to: request.path, overwrites: request.overwrites, as: request.format.nature
    ) { [request] sink in
      let picture = try request.format.picture(of: request, depth: depth(of: request))
      try progress.check()
      try sink(picture)
    }
    return request.path == "-" ? "" : "rendered to \(request.path)"
  }

  /// Colours go to a terminal; a file gets them only on request.
  private func depth(of request: RenderRequest) -> PortolanTerminals.ColourDepth {
    if request.colour == .auto {
      if let depth = request.format.depth { return depth }
      if request.path != "-" { return .mono }
    }
    return options.outputDepth(request.colour)
  }

  /// Writes piece by piece, to standard output or atomically into a file.
  ///
  /// Files and pipes get every byte as it is; on a terminal nothing acts but what is made for it.
  func write(
    to path: String, overwrites: Bool, as nature: OutputNature,
    _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws(Failure) {
    do {
      if path == "-" {
        try writeToOutput(as: nature, body)
        return
      }
      // Without a lock, the files of killed writers are removed when they are old enough.
      for note in store.collectLeftovers(of: path, isExclusive: false) {
        addChore { [self] in "\(FilePath.shown(path)): \(words(for: note))" }
      }
      try store.write(to: path, overwrites: overwrites, body)
    } catch let failure as Failure {
      throw failure
    } catch let error as StoreError {
      throw failure(error)
    } catch let error as FileError {
      throw .writing(path, error)
    } catch {
      throw Failure(.output, subject: path, what: "\(error)")
    }
  }

  private func writeToOutput(
    as nature: OutputNature, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    guard nature != .screen, options.outputColumns() != nil else {
      return try body { try writeOutput($0) }
    }
    guard nature == .text else {
      throw Failure(
        .usage, subject: Self.standardOutputName,
        what: "these bytes are no text for a screen: name a file, or send them into one with >")
    }
    var filter = TerminalFilter()
    try body { try writeOutput(filter.safe($0)) }
    try writeOutput(filter.rest())
  }
}

/// What bytes are for a terminal.
package enum OutputNature: Sendable {
  /// Text in UTF-8, in which controls may be.
  case text
  /// Made for a terminal: its controls are our own.
  case screen
  /// No text.
  case binary
}
