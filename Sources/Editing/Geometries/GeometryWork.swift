import PortolanDocuments
import PortolanGeometries
import PortolanGraphics

/// Operations on the shapes of a document, on the thread of the work: GEOS, the coordinates' kind,
/// and what is to be told at the end.
final class GeometryWork {
  private var made: Geos?
  /// Whether coordinates are degrees.
  let isGeographic: Bool
  private let progress: World.Progress
  /// What is told after the work.
  private(set) var notes = WorkNotes()

  init(_ document: Document, _ progress: World.Progress) {
    self.progress = progress
    isGeographic = document.metadata.coordinateSystem.isDegrees
  }

  /// GEOS, found when it is first wanted.
  var geos: Geos {
    get throws(GeometryError) {
      if let made { return made }
      let progress = progress
      let geos = try Geos { progress.cancellation.isCancelled }
      made = geos
      return geos
    }
  }

  func report(_ fraction: Double) throws { try progress.report(min(1, fraction)) }

  /// What a body returns; errors of GEOS name the feature.
  func naming<Result>(
    _ block: FeatureBlock, _ row: Int, of layer: String, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as GeometryError {
      throw Self.failure(error, "feature \(block.featureIDs[row].rawValue) of \(layer)")
    }
  }

  /// An error of GEOS as one of a command.
  static func failure(_ error: GeometryError, _ subject: String) -> any Error {
    switch error {
    case .interrupted: Failure(.interrupted, what: "cancelled")
    case .missing: EditingError(.unsupported, "\(error)")
    default: EditingError(.refused, "\(subject): \(error)")
    }
  }

  /// What a body returns; errors of GEOS name the layer.
  func naming<Result>(_ layer: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as GeometryError {
      throw Self.failure(error, "layer \(layer)")
    }
  }

  /// A shape with continued longitudes whose areas are valid; what was repaired is counted.
  func repaired(_ flat: FlatGeometry) throws(GeometryError) -> FlatGeometry {
    let flat = isGeographic ? flat.unwrapped : flat
    guard flat.dimension == 2 else { return flat }
    let raw = try geos.shape(flat)
    if try geos.isValid(raw) { return flat }
    notes.repaired += 1
    let repaired = try geos.flat(try geos.repaired(raw), dimension: flat.commonDimension)
    return repaired ?? FlatGeometry(flat.kind)
  }

  /// A shape whose areas are valid, in degrees between -180 and 180; what was repaired is counted.
  func soundShape(_ flat: FlatGeometry) throws(GeometryError) -> GeosShape {
    let sound = try repaired(flat)
    return isGeographic
      ? try geos.worldShape(sound, isUnwrapped: true) : try geos.shape(sound)
  }

  func note(_ change: (inout WorkNotes) -> Void) { change(&notes) }
}

/// What an operation tells at its end beside its result.
struct WorkNotes: Sendable {
  /// Features whose shape was invalid and repaired first.
  var repaired = 0
  /// Features without a shape.
  var unlocated = 0
  /// Features of which nothing is left.
  var empty = 0
  /// Further lines.
  var remarks: [String] = []

  /// In words; `nil` if there is nothing to tell.
  var words: String? {
    var words = remarks
    if repaired > 0 {
      words.append(
        "invalid shapes were repaired first (make-valid): \(CountText.features(repaired))")
    }
    if unlocated > 0 { words.append("without a shape: \(CountText.features(unlocated))") }
    if empty > 0 { words.append("nothing is left of \(CountText.features(empty))") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}
