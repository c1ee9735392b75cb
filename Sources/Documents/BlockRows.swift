package import PortolanExpressions
import PortolanGraphics

/// The rows of a block as expressions see them.
package struct BlockRows: ExpressionRows {
  package let block: FeatureBlock
  private let layer: String
  private let isGeographic: Bool
  /// How its features lie to others; `nil` where nobody asks.
  private let relations: (any BlockRelations)?

  /// - Parameters:
  ///   - layer: the name of its layer.
  ///   - isGeographic: whether coordinates are degrees: areas and lengths are then measured on the
  ///     earth, in metres, else in the units of the plane.
  package init(
    _ block: FeatureBlock, layer: String, isGeographic: Bool,
    relations: (any BlockRelations)? = nil
  ) {
    self.block = block
    self.layer = layer
    self.isGeographic = isGeographic
    self.relations = relations
  }

  package var rowCount: Int { block.rowCount }

  package func packedColumn(_ name: String) -> PackedColumn? {
    block.column(name).map { PackedColumn(kinds: $0.kinds, ends: $0.ends, bytes: $0.bytes) }
  }

  package func vector(_ name: String) -> ColumnVector? {
    block.derived.value(.vector(ExactText(name))) {
      packedColumn(name).map { ColumnVector($0) }
    }
  }

  /// The rows for which a condition holds, rising, if that was found when the block was read.
  package func kept(_ condition: BlockCondition, _ tally: inout Tally) -> [Int]? {
    let held: HeldRows? = block.derived.kept(condition.key)
    if let held { tally = tally + held.tally }
    return held?.rows
  }

  package func relation(_ relation: Relation) -> BoundExpression.Evaluator? {
    relations?.evaluator(relation, for: block)
  }

  package func distance(of row: Int, x: Double, y: Double) -> Double? {
    guard !isGeographic || y.magnitude <= 90 && x.isFinite, y.isFinite else { return nil }
    let place = Coordinate(x: x, y: y)
    let subject = ShapeIndex.Subject(block.geometry, row: row, isGeographic: isGeographic)
    return subject?.distance(to: place, isGeographic: isGeographic)
  }

  package func quality(_ quality: Quality, of row: Int) -> Value {
    let shapes = block.geometry
    switch quality {
    case .id: return Value(block.identifiers.value(row))
    case .layer: return .text(layer)
    case .type: return shapes.kinds[row].name.map { .text($0) } ?? .null
    case .vertices: return .number(.whole(Int128(shapes.vertexCount(ofFeature: row))))
    case .x: return Self.number(box(of: row).map { Self.middle(from: $0.minX, to: $0.maxX) })
    case .y: return Self.number(box(of: row)?.center.y)
    case .bbox:
      guard let box = box(of: row) else { return .null }
      let numbers = [box.minX, box.minY, box.maxX, box.maxY].map { NumberText.shortest($0) ?? "" }
      return .text(numbers.joined(separator: ","))
    case .area: return Self.number(area(of: shapes.geometry(ofFeature: row)))
    case .length: return Self.number(length(of: shapes.geometry(ofFeature: row)))
    case .bearing: return Self.number(bearing(of: shapes.geometry(ofFeature: row)))
    }
  }

  /// The box of a feature, `nil` without a shape; across the antimeridian `minX > maxX` (RFC 7946
  /// section 5.2).
  private func box(of row: Int) -> Box? {
    let box = block.geometry.boxes[row]
    if box.isEmpty { return nil }
    guard isGeographic, box.mayJump else { return box }
    var arc = LongitudeArc()
    block.geometry.addLongitudes(ofFeature: row, to: &arc)
    guard let (start, end) = arc.bounds, end > 180 else { return box }
    return Box(minX: start, minY: box.minY, maxX: end - 360, maxY: box.maxY)
  }

  private static func middle(from west: Double, to east: Double) -> Double {
    west <= east ? (west + east) / 2 : Longitude.onGlobe((west + east) / 2 + 180)
  }

  private static func number(_ value: Double?) -> Value {
    guard let value, value.isFinite else { return .null }
    return .number(.real(value))
  }

  /// Nothing for points and lines.
  private func area(of geometry: Geometry) -> Double? {
    guard geometry.paths.contains(where: { $0.role.isRing }) else { return nil }
    if isGeographic { return Geodesy.area(of: geometry) }
    return max(
      0,
      geometry.paths.reduce(0) { sum, path in
        guard path.role.isRing else { return sum }
        let area = Ring.signedArea(path.vertices).magnitude / 2
        return path.role.isHole ? sum - area : sum + area
      })
  }

  /// The length of lines, the boundary of areas; nothing for points.
  private func length(of geometry: Geometry) -> Double? {
    let paths = geometry.paths.filter { $0.role.kind.dimension != 0 }
    if paths.isEmpty { return nil }
    if isGeographic { return Geodesy.length(of: geometry) }
    return paths.reduce(0) { sum, path in
      sum
        + zip(path.vertices, path.vertices.dropFirst()).reduce(0) { sum, step in
          let (x, y) = (step.1.x - step.0.x, step.1.y - step.0.y)
          return sum + (x * x + y * y).squareRoot()
        }
    }
  }

  private func bearing(of geometry: Geometry) -> Double? {
    guard geometry.kind.dimension == 1, let first = geometry.paths.first?.vertices.first,
      let last = geometry.paths.last?.vertices.last, first != last
    else { return nil }
    if isGeographic { return Geodesy.initialBearing(from: first, to: last) }
    let degrees = Mathematics.angle(y: last.x - first.x, x: last.y - first.y) * (180 / .pi)
    return degrees < 0 ? degrees + 360 : degrees
  }
}

/// How the features of a block lie to others of its document.
package protocol BlockRelations: Sendable {
  /// The values of a relation for the rows of a block; `nil` if there is no such place.
  func evaluator(
    _ relation: Relation, for block: FeatureBlock
  ) -> BoundExpression.Evaluator?
}

extension FeatureHolding {
  /// The blocks as expressions see them.
  package func expressionRows(
    isGeographic: Bool, relations: (any BlockRelations)? = nil
  ) -> [BlockRows] {
    blocks.map { BlockRows($0, layer: name, isGeographic: isGeographic, relations: relations) }
  }
}

extension Value {
  /// The value of an attribute; a list or an object as its JSON text.
  package init(_ value: AttributeValue) {
    switch value {
    case .missing, .null: self = .null
    case .bool(let truth): self = .truth(truth)
    case .number(let text): self = Number(text).map { .number($0) } ?? .null
    case .string(let text), .json(let text): self = .text(text)
    }
  }

  /// The value as an attribute.
  package var attribute: AttributeValue {
    switch self {
    case .null: .null
    case .truth(let truth): .bool(truth)
    case .number(let number): number.text.map { .number($0) } ?? .null
    case .text(let text): .string(text.string)
    }
  }
}
