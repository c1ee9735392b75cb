import PortolanDocuments
import PortolanGraphics

/// An operation that makes features of the features of a layer.
struct LayerOperation: Sendable {
  /// In one word, for the history and for new layers: `buffer`.
  var name: String
  /// What was done, to come before a count of features: `buffered`.
  var done: String
  /// The layer that is made, without its features, of the one before: whether it keeps its style.
  var keepsStyle: Bool
  /// Makes the features of one layer.
  ///
  /// - Parameters:
  ///   - source: the layer and its chosen features.
  ///   - builder: takes the result.
  var run: @Sendable (ChosenLayer, GeometryWork, inout ResultBuilder) throws -> Void
}

/// A layer of which some features are chosen.
struct ChosenLayer {
  let layer: any BlockHolding
  let features: Set<FeatureID>?
  /// Whether the result takes the place of the chosen features.
  let isInPlace: Bool
  let document: Document
  /// The part of all work that is done before and after this layer.
  let share: ClosedRange<Double>

  func isChosen(_ block: FeatureBlock, _ row: Int) -> Bool {
    features?.contains(block.featureIDs[row]) ?? true
  }

  /// Calls a body with each chosen row; rows that are not chosen stay, where the work is in place.
  func eachRow(
    _ work: GeometryWork, _ builder: inout ResultBuilder,
    _ body: (FeatureBlock, Int, inout ResultBuilder) throws -> Void
  ) throws {
    let total = Double(max(1, layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount }))
    var done = 0
    for block in layer.blocks {
      for row in 0..<block.rowCount {
        done += block.geometry.vertexCount(ofFeature: row)
        if row % 64 == 0 { try report(Double(done) / total, work) }
        if isChosen(block, row) {
          try work.naming(block, row, of: layer.name) { try body(block, row, &builder) }
        } else if isInPlace {
          builder.append(block, rows: row..<row + 1)
        }
      }
    }
  }

  /// Calls a body with each chosen row that has a shape; the others are counted.
  func eachChosen(
    _ work: GeometryWork, _ builder: inout ResultBuilder,
    _ body: (FeatureBlock, Int, inout ResultBuilder) throws -> Void
  ) throws {
    let alone = ChosenLayer(
      layer: layer, features: features, isInPlace: false, document: document, share: share)
    try alone.eachRow(work, &builder) { block, row, builder in
      if block.geometry.boxes[row].isEmpty {
        work.note { $0.unlocated += 1 }
      } else {
        try body(block, row, &builder)
      }
    }
  }

  /// Appends the rows that are not chosen, where the work is in place.
  func keepOthers(_ builder: inout ResultBuilder) {
    guard isInPlace, features != nil else { return }
    for block in layer.blocks {
      for row in 0..<block.rowCount where !isChosen(block, row) {
        builder.append(block, rows: row..<row + 1)
      }
    }
  }

  func report(_ fraction: Double, _ work: GeometryWork) throws {
    try work.report(
      share.lowerBound + (share.upperBound - share.lowerBound) * min(1, fraction))
  }
}

/// What becomes of one feature.
enum ShapeChange {
  case same
  case shape(FlatGeometry)
  /// A feature for each.
  case several([FlatGeometry])
  case nothing
}

extension LayerOperation {
  /// An operation on each feature by itself.
  ///
  /// - Parameter change: called with a row that has a shape.
  init(
    _ name: String, done: String, keepsStyle: Bool,
    eachShape change:
      @escaping @Sendable (GeometryWork) throws -> (FeatureBlock, Int) throws -> ShapeChange
  ) {
    self.init(name: name, done: done, keepsStyle: keepsStyle) { source, work, builder in
      let change = try change(work)
      try source.eachRow(work, &builder) { block, row, builder in
        if block.geometry.boxes[row].isEmpty {
          if source.isInPlace {
            work.note { $0.keptUnlocated += 1 }
            builder.append(block, rows: row..<row + 1)
          } else {
            work.note { $0.unlocated += 1 }
          }
          return
        }
        switch try work.change({ try change(block, row) }) {
        case .same: builder.append(block, rows: row..<row + 1)
        case .shape(let flat): builder.append(block, row: row, flat)
        case .several(let parts):
          for (index, part) in parts.enumerated() {
            builder.append(block, row: row, part, isFurther: index > 0)
          }
        case .nothing: work.note { $0.empty += 1 }
        }
      }
    }
  }
}
