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
    var layers = request.layers.compactMap { id in
      request.document[layer: id].map { chosen($0, request.features) }
    }
    var options = request.options
    if let target = request.target {
      do {
        layers = try converted(layers, &options, into: target, progress)
      } catch {
        throw error as? Failure ?? Failure(.unsupported, subject: name, what: "\(error)")
      }
    }
    var report = ExportReport()
    let nature: OutputNature = request.format.isText ? .text : .binary
    try write(to: request.path, overwrites: request.overwrites, as: nature) {
      [options, layers] sink in
      do {
        report = try request.format.write(layers, options: options) {
          try progress.check()
          if !$0.isEmpty { try sink($0) }
        }
      } catch let error as ToolError {
        throw Failure(.unsupported, subject: name, what: "\(error)")
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
    return "exported \(CountText.features(count)) to \(name)"
  }

  /// The layers in another coordinate system; a box chooses features before.
  private func converted(
    _ layers: [any Layer], _ options: inout ExportOptions, into target: CoordinateSystem,
    _ progress: Progress
  ) throws -> [any Layer] {
    let reprojection = try Reprojection(from: options.coordinateSystem, to: target)
    let cut = options.cut(layers)
    options.box = nil
    options.coordinateSystem = target
    return try cut.enumerated().map { index, layer in
      let part = progress.part(index, of: cut.count)
      return try reprojection.layer(layer) { try part.report($0) }
    }
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
