import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanKeeping
import PortolanPrinting
import PortolanRendering
import PortolanTerminals
import PortolanTexts

/// Writing data and pictures.
extension World {
  /// The remark on an export of no feature.
  ///
  /// - Parameter isChosen: whether something else than the box chooses features, too.
  static func nothingWritten(isChosen: Bool) -> String {
    "no feature is written, none \(isChosen ? "that is chosen " : "")touches the box"
  }

  /// Writes features; returns the report.
  func export(_ request: ExportRequest, _ progress: Progress = .none) throws(Failure) -> String {
    let name = request.path == "-" ? Self.standardOutputName : request.path
    let keepsColumns = !request.format.limits.holdsMembers
    var layers = request.layers.compactMap { id in
      request.document[layer: id].map {
        chosen($0, request.features, keepsColumns: keepsColumns)
      }
    }
    var options = request.options
    let (whole, asked) = (layers, options)
    if let areas = request.cut {
      // A box chooses features as they are.
      layers = try cut(options.cut(layers), of: request.document, along: areas, name, progress)
      options.box = nil
    }
    let hasFeatures = layers.contains { $0.count > 0 }
    let limitWords = limit(&layers, for: request, options)
    let losses = Self.losses(of: request, whole, left: layers, asked)
    if let target = request.target {
      do {
        layers = try converted(layers, &options, into: target, progress)
      } catch {
        throw error as? Failure ?? Failure(.unsupported, subject: name, what: "\(error)")
      }
    }
    if keepsColumns { layers = layers.map { withColumns($0, of: request.document) } }
    if options.precision != nil, !request.format.isText {
      throw Failure(
        .usage, subject: name,
        what: "--precision is for text: \(request.format.title) holds numbers of eight bytes")
    }
    var report = ExportReport()
    let nature: OutputNature = request.format.isText ? .text : .binary
    do {
      if request.format.isSingleFile {
        try write(to: request.path, overwrites: request.overwrites, as: nature) {
          [options, layers] sink in
          report = try Self.exporting(to: name) {
            try request.format.write(layers, options: options) {
              try progress.check()
              // An empty piece asks whether the write was interrupted.
              try sink($0)
            }
          }
        }
      } else {
        report = try exportFiles(request, layers, options, progress)
      }
    } catch {
      throw exportFailure(error, name)
    }
    for words in limitWords { addChore { "\(name): \(words)" } }
    let count = report.features
    if count == 0, hasFeatures || asked.box != nil, request.limit != 0 {
      addChore { "\(name): \(Self.nothingWritten(isChosen: request.features != nil))" }
    }
    for note in report.notes { addChore { "\(name): \(note)" } }
    for note in losses.notes { addChore { "\(name): \(note)" } }
    let conflicts = request.document.openConflicts.count
    if conflicts > 0 {
      let words = CountText.text(conflicts, "conflict of a merge is", "conflicts of a merge are")
      addChore { "\(name): \(words) not in it: the features are as ours has them" }
    }
    return "exported \(CountText.features(count)) to \(name)"
  }

  /// Keeps the first features of each layer that the options choose, as many as are asked for.
  ///
  /// - Returns: a remark on each layer that had more.
  private func limit(
    _ layers: inout [any Layer], for request: ExportRequest, _ options: ExportOptions
  ) -> [String] {
    guard let limit = request.limit else { return [] }
    let isBoxed = options.box != nil || request.cut != nil
    var words: [String] = []
    layers = options.cut(layers).map { layer in
      guard var limited = layer as? any BlockHolding else { return layer }
      let count = limited.keepFirst(limit)
      guard count > limit else { return layer }
      words.append(LimitText.words(limit, of: count, limited.name, isBoxed: isBoxed))
      return limited
    }
    return words
  }

  /// What the format does not hold of the features that are written, as they are before their
  /// shapes change.
  ///
  /// - Parameters:
  ///   - whole: the layers before a cut and a limit.
  ///   - layers: what these leave of them.
  private static func losses(
    of request: ExportRequest, _ whole: [any Layer], left layers: [any Layer],
    _ options: ExportOptions
  ) -> FormatLosses {
    // Texts of shapes, with numbers beyond the third, go where shapes change.
    var limits = request.format.limits.under(options)
    let changesShapes = request.cut != nil || request.target != nil
    if changesShapes { limits.holdsFurtherNumbers = false }
    var losses = FormatLosses(limits, request.format.name)
    var left = FeatureChoice()
    let isPart = request.cut != nil || request.limit != nil
    for case let layer as any BlockHolding in layers where isPart {
      left.add(layer.blocks.flatMap(\.featureIDs), of: layer.id)
    }
    for layer in whole {
      if isPart, var part = layer as? any BlockHolding {
        part.keep(left)
        losses.add(part, options)
      } else if let layer = layer as? any FeatureHolding {
        losses.add(layer, options)
      }
    }
    return losses
  }

  /// Writes files that belong together: all are whole before the first one takes its place, and the
  /// one that others are found by comes last.
  private func exportFiles(
    _ request: ExportRequest, _ layers: [any Layer], _ options: ExportOptions, _ progress: Progress
  ) throws -> ExportReport {
    guard request.path != "-" else {
      throw Failure(
        .usage, subject: Self.standardOutputName,
        what: "\(request.format.title) is several files: name one, as -o NAME."
          + (request.format.extensions.first ?? ""))
    }
    let ending = FilePath.ending(of: request.path) ?? ""
    let stem = request.path.dropLast(ending.isEmpty ? 0 : ending.count + 1)
    var report = ExportReport()
    try store.writeTogether(of: request.path, overwrites: request.overwrites) { sink in
      var written: Set<String> = []
      let isUpper = !ending.isEmpty && ending == ending.uppercased()
      func path(_ part: String) -> String {
        let isMain = part == request.format.extensions.first
        return isMain ? request.path : stem + "." + (isUpper ? part.uppercased() : part)
      }
      report = try Self.exporting(to: request.path) {
        try request.format.write(layers, options: options) { part, bytes in
          try progress.check()
          if !bytes.isEmpty { written.insert(part) }
          try sink(path(part), bytes)
        }
      }
      for part in request.format.companions where !written.contains(part) {
        guard files.exists(path(part)) else { continue }
        throw Failure(
          .output, subject: path(part),
          what: "it belongs to a former \(request.format.title) of this name, and programs would "
            + "use it with the new one: remove it, or choose another name")
      }
    }
    return report
  }

  /// What a body returns; the errors of a format as failures of a file.
  static func exporting<Value>(
    to name: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as ToolError {
      throw Failure(.unsupported, subject: name, what: "\(error)")
    } catch let error as ExportError {
      let code: ExitCode =
        switch error.code {
        case .notWGS84, .mixedSystems, .noPlaceForSystem, .mixedKinds, .tooLong: .unsupported
        default: .usage
        }
      throw Failure(code, subject: name, what: "\(error)")
    }
  }

  func exportFailure(_ error: any Error, _ name: String) -> Failure {
    switch error {
    case let failure as Failure: failure
    case let error as StoreError: failure(error)
    case let error as FileError: .writing(error.path.isEmpty ? name : error.path, error)
    default: Failure(.output, subject: name, what: "\(error)")
    }
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
    _ layer: any Layer, _ features: FeatureChoice?, keepsColumns: Bool
  ) -> any Layer {
    guard var chosen = layer as? any BlockHolding else { return layer }
    if chosen.count == 0, !keepsColumns { chosen.blocks = [] }
    guard let features else { return chosen }
    chosen.keep(features)
    return chosen
  }

  /// The layer with the columns that it has in the document, if it has lost all features.
  private func withColumns(_ layer: any Layer, of document: Document) -> any Layer {
    guard var holding = layer as? any BlockHolding, holding.count == 0,
      let names = (document[layer: layer.id] as? any FeatureHolding)?.fieldNames, !names.isEmpty,
      let block = FeatureBlock.ofColumns(names)
    else { return layer }
    holding.blocks = [block]
    return holding
  }

  /// Draws the map and writes it as a picture.
  func render(_ request: RenderRequest, _ progress: Progress = .none) throws(Failure) -> String {
    var picture = request.picture
    let isGeographic = picture.document.metadata.isGeographic
    let hasNone =
      request.base == .automatic && (!isGeographic || picture.document.nameOfLand != nil)
    if !hasNone, let base = try base(request.base, at: picture.camera.zoom, .none) {
      guard isGeographic else {
        throw Failure(
          .usage, what: "--base: the document's coordinates are planar, those of the map degrees")
      }
      _ = picture.document.add(base)
      if picture.camera.zoom > base.zoomMax {
        addChore { [choice = request.base.word] in
          "--base \(choice): its lines are right up to zoom "
            + Figures.fixed(base.zoomMax, decimals: 0)
            + ", and this picture is nearer: give --base FILE, a finer map of your own"
        }
      }
    }
    picture.remark = { [self] text in addChore { text } }
    if let emptiness = request.emptiness { picture.remark(emptiness) }
    try write(
      to: request.path, overwrites: request.overwrites, as: picture.format.nature
    ) { [picture] sink in
      let bytes = try picture.format.picture(of: picture, depth: depth(of: request))
      do { try DocumentArchive.checkDrawn(picture.document) } catch {
        throw Failure(
          .input, what: "the document could not be read for the picture (\(error)): run it again")
      }
      try progress.check()
      try sink(bytes)
    }
    return request.path == "-" ? "" : "rendered to \(request.path)"
  }

  /// Colours go to a terminal; a file gets them only on request.
  private func depth(of request: RenderRequest) -> PortolanTerminals.ColourDepth {
    if request.picture.colour == .auto {
      if let depth = request.picture.format.depth { return depth }
      if request.path != "-" { return .mono }
    }
    return options.outputDepth(request.picture.colour)
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
      // The device that keeps nothing, for the messages alone.
      if path == "/dev/null" { return try body { _ in } }
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
      throw Failure(.output, subject: path == "-" ? "" : path, what: "\(error)")
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

extension FeatureBlock {
  /// A block without rows, which has the names of columns alone.
  static func ofColumns(_ names: [String]) -> FeatureBlock? {
    let geometry = GeometryBlock(
      coordinates: [], elevations: [], pathEnds: [], pathRoles: [], featureEnds: [], kinds: [])
    guard let geometry else { return nil }
    return FeatureBlock(
      geometry: geometry, featureIDs: [], identifiers: .missing(name: "id", rows: 0),
      attributes: names.map { .missing(name: $0, rows: 0) }, shapes: [.plain], shapeIndices: [])
  }
}
