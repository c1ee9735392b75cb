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
  ///
  /// - Parameter isOperand: whether it belongs to the other side of the operation.
  func repaired(
    _ flat: FlatGeometry, isOperand: Bool = false
  ) throws(GeometryError) -> FlatGeometry {
    let flat = isGeographic ? flat.unwrapped : flat
    guard flat.dimension == 2 else { return flat }
    let raw = try geos.shape(flat)
    if try geos.isValid(raw) { return flat }
    if isOperand { notes.repairedOperands += 1 } else { notes.repaired += 1 }
    let repaired = try geos.flat(try geos.repaired(raw), dimension: flat.commonDimension)
    return repaired ?? FlatGeometry(flat.kind)
  }

  /// A shape whose areas are valid, in degrees between -180 and 180; what was repaired is counted.
  func soundShape(
    _ flat: FlatGeometry, isOperand: Bool = false
  ) throws(GeometryError) -> GeosShape {
    try geos.shape(try soundFlat(flat, isOperand: isOperand))
  }

  /// The same in flat arrays.
  func soundFlat(
    _ flat: FlatGeometry, isOperand: Bool = false
  ) throws(GeometryError) -> FlatGeometry {
    let sound = try repaired(flat, isOperand: isOperand)
    return isGeographic ? try geos.inWorld(sound, isUnwrapped: true) : sound
  }

  func note(_ change: (inout WorkNotes) -> Void) { change(&notes) }

  /// What becomes of a feature; one that stays as it is counts as invalid, not as repaired.
  func change(_ feature: () throws -> ShapeChange) rethrows -> ShapeChange {
    let repaired = notes.repaired
    let change = try feature()
    if case .same = change, notes.repaired > repaired {
      notes.repaired = repaired
      notes.keptInvalid += 1
    }
    return change
  }
}

/// What an operation tells at its end beside its result.
struct WorkNotes: Sendable {
  /// Features whose shape was invalid and repaired first.
  var repaired = 0
  /// The same of the other side.
  var repairedOperands = 0
  /// Features that stay as they are, with an invalid shape.
  var keptInvalid = 0
  /// Features without a shape, which the result lacks.
  var unlocated = 0
  /// Features without a shape, which the result has.
  var keptUnlocated = 0
  /// Features of which nothing is left.
  var empty = 0
  /// Further lines.
  var remarks: [String] = []

  /// In words; `nil` if there is nothing to tell.
  var words: String? {
    var words = remarks
    if repaired + repairedOperands > 0 {
      words.append(
        "invalid shapes were repaired first (make-valid): "
          + CountText.features(repaired + repairedOperands))
    }
    if keptInvalid > 0 {
      words.append(
        "invalid and left as it was: \(CountText.features(keptInvalid)); make-valid repairs shapes")
    }
    if unlocated > 0 { words.append("left out without a shape: \(CountText.features(unlocated))") }
    if keptUnlocated > 0 {
      words.append("kept without a shape: \(CountText.features(keptUnlocated))")
    }
    if empty > 0 { words.append("nothing is left of \(CountText.features(empty))") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }
}
