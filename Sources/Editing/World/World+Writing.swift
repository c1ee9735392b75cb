import Documents
import Files
import Interchange
import Synchronization
import Terminals

/// Writing data and pictures.
extension World {
  /// Writes features; answers what was done.
  func export(_ request: ExportRequest) throws(Failure) -> String {
    let name = request.path == "-" ? Self.standardOutputName : request.path
    guard
      let format = request.format.map({ FileFormats.named($0) })
        ?? FileFormats.forPath(request.path) ?? FileFormats.all.first
    else {
      throw Failure(
        .usage, what: "no format “\(request.format ?? "")”: give \(FileFormats.names)")
    }
    let layers = request.layers.compactMap { id in
      (request.document[layer: id] as? FeatureLayer).map { chosen($0, request.features) }
    }
    var report = ExportReport()
    try write(to: request.path, overwrites: request.overwrites) { sink in
      do {
        report = try format.write(layers, options: request.options, to: sink)
      } catch let error as ExportError {
        let code: ExitCode =
          switch error.code {
          case .noSuchLayer, .nothingToWrite, .tooManyColumns, .tooSparse: .usage
          case .notWGS84, .mixedSystems, .noPlaceForSystem: .unsupported
          }
        throw Failure(code, subject: name, what: "\(error)")
      }
    }
    let count = layers.reduce(0) { $0 + $1.count }
    for note in report.notes { addChore { "\(name): \(note)" } }
    return "exported \(CountText.features(count)) to \(name)"
  }

  private func chosen(
    _ layer: FeatureLayer, _ features: Set<FeatureReference>?
  ) -> FeatureLayer {
    guard let features else { return layer }
    var chosen = layer
    let wanted = Set(features.filter { $0.layer == layer.id }.map(\.feature))
    let all = layer.blocks.flatMap(\.featureIDs)
    chosen.remove(Set(all).subtracting(wanted))
    return chosen
  }

  /// Draws the map and writes it as text.
  func render(_ request: RenderRequest) throws(Failure) -> String {
    let bytes = Array(MapPicture.text(request, depth: depth(of: request)).utf8)
    try write(to: request.path, overwrites: request.overwrites) { try $0(bytes) }
    return request.path == "-" ? "" : "rendered to \(request.path)"
  }

  /// Colours reach a terminal; a file gets them only when asked for.
  private func depth(of request: RenderRequest) -> Terminals.ColourDepth {
    switch request.colour {
    case .auto where request.isANSI: return .indexed
    case .auto where request.path != "-": return .mono
    default: return options.outputDepth(request.colour)
    }
  }

  /// Writes piece by piece, to standard output or whole or not at all into a file.
  func write(
    to path: String, overwrites: Bool, _ body: (([UInt8]) throws -> Void) throws -> Void
  ) throws(Failure) {
    do {
      if path == "-" {
        try body { try writeOutput($0) }
        return
      }
      // Without a lock, what a killed one left goes when it is old enough to be nobody's.
      for note in collectLeftovers(of: path, isExclusive: false) {
        addChore { "\(FilePath.shown(path)): \(note)" }
      }
      try writing.withLock { _ in
        let save = try AtomicSave(
          to: path, expecting: overwrites ? .anything : .absent, in: files)
        try body { bytes in
          if interruption.isCancelled { throw Failure(.interrupted, what: "interrupted") }
          try save.write(bytes)
        }
        _ = try save.commit()
      }
    } catch let failure as Failure {
      throw failure
    } catch let error as FileError {
      throw .writing(path, error)
    } catch {
      throw Failure(.output, subject: path, what: "\(error)")
    }
  }
}
