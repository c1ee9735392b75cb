import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
import Synchronization

/// Features, or a position, that others are related to.
final class RelatedPlace: Sendable {
  private let layers: [any FeatureHolding]
  private let rows: [BlockRows]
  /// Made when the first value is asked for; `nil` for a position.
  private let madeIndex = Mutex<ShapeIndex?>(nil)
  private let position: Coordinate?
  private let isGeographic: Bool
  /// The places of the blocks among those of all layers.
  private let numbers: [ObjectIdentifier: Int]

  /// All features of some layers.
  init(_ layers: [any FeatureHolding], _ isGeographic: Bool) {
    self.layers = layers
    rows = layers.flatMap { $0.expressionRows(isGeographic: isGeographic) }
    numbers = Dictionary(
      rows.enumerated().map { (ObjectIdentifier($1.block), $0) },
      uniquingKeysWith: { first, _ in
        first
      })
    position = nil
    self.isGeographic = isGeographic
  }

  /// One feature of a layer.
  init(_ layer: any FeatureHolding, _ feature: FeatureID, _ isGeographic: Bool) {
    layers = [layer]
    self.isGeographic = isGeographic
    position = nil
    let place = layer.blocks.lazy.compactMap { block in
      block.featureIDs.firstIndex(of: feature).map { (block, $0) }
    }.first
    let alone = place.map { block, row in block.keeping { $0 == row } } ?? nil
    rows = alone.map { [BlockRows($0, layer: layer.name, isGeographic: isGeographic)] } ?? []
    numbers = [:]
  }

  init(_ position: Coordinate, _ isGeographic: Bool) {
    self.position = position
    self.isGeographic = isGeographic
    (layers, rows, numbers) = ([], [], [:])
  }

  private var index: ShapeIndex {
    madeIndex.withLock { index in
      if let index { return index }
      let made = ShapeIndex(rows.map(\.block.geometry), isGeographic: isGeographic)
      index = made
      return made
    }
  }

  // MARK: Types

  /// Throws where no feature can ever have the relation.
  func requireShapes(for relation: Relation) throws(RelationFault) {
    if position != nil {
      throw RelationFault("nothing is within a position: write distance('…') < 500")
    }
    let shapes = rows.map(\.block.geometry)
    let hasAreas = shapes.contains { $0.pathRoles.contains(where: \.isRing) }
    if relation.kind == .within, !hasAreas, shapes.contains(where: { !$0.box.isEmpty }) {
      let name = layers.first?.name ?? ""
      throw RelationFault(
        "“\(name)” has no areas: write intersects(…), or distance(…) <= 500 for what is near")
    }
  }

  func types(of quality: Quality) throws(RelationFault) -> ValueTypes {
    if position != nil { throw RelationFault("a position has no attributes") }
    return quality.types
  }

  func types(ofAttribute name: String) throws(RelationFault) -> ValueTypes {
    if position != nil { throw RelationFault("a position has no attributes") }
    var names: [String] = []
    for field in layers.flatMap(\.fieldNames) where !names.contains(field) { names.append(field) }
    let schema = Schema(names: names, blocks: rows, wanted: [name])
    if let types = schema.types(of: name) { return types }
    if layers.allSatisfy({ $0.count == 0 }) { return [] }
    let near = NearNames.of(name, among: names).map { "“\($0)”" }
    throw RelationFault(
      "“\(layers.map(\.name).joined(separator: ", "))” has no attribute “\(name)”: "
        + (near.isEmpty
          ? "there are " + names.prefix(20).joined(separator: ", ")
          : "did you mean \(near.joined(separator: " or "))?"))
  }

  // MARK: Values

  func evaluator(_ relation: Relation, for block: FeatureBlock) -> BoundExpression.Evaluator {
    let geometry = block.geometry
    let isGeographic = isGeographic
    func subject(of row: Int) -> ShapeIndex.Subject? {
      ShapeIndex.Subject(geometry, row: row, isGeographic: isGeographic)
    }
    if let position {
      return { row, _ in
        guard let subject = subject(of: row) else { return .null }
        return Self.number(subject.distance(to: position, isGeographic: isGeographic))
      }
    }
    let index = index
    let left = own(block, index)
    let asked = relation.member.map { values(of: $0) }
    if relation.kind == .distance {
      return { row, tally in
        guard let subject = subject(of: row),
          let near = index.nearest(to: subject, besides: left(row))
        else { return .null }
        return asked?(near.feature, &tally) ?? Self.number(near.distance)
      }
    }
    let kind: ShapeIndex.Relation = relation.kind == .within ? .within : .intersecting
    let limit = asked == nil ? 1 : 2
    return { row, tally in
      guard let subject = subject(of: row) else { return .null }
      let found = index.features(kind, subject, besides: left(row), limit: limit)
      guard let asked else { return .truth(!found.isEmpty) }
      if found.count > 1 { tally.severalMatches += 1 }
      guard let first = found.first else { return .null }
      return asked(first, &tally)
    }
  }

  /// The number of a row's own feature: in a layer no feature is related to itself.
  private func own(_ block: FeatureBlock, _ index: ShapeIndex) -> (Int) -> Int? {
    guard let number = numbers[ObjectIdentifier(block)] else { return { _ in nil } }
    return { row in index.number(ofBlock: number, row: row) }
  }

  /// The values of what is asked of the features, by their numbers.
  private func values(of member: Relation.Member) -> BoundExpression.Evaluator {
    let rows = rows
    let index = index
    switch member {
    case .attribute(let name):
      let columns = rows.map { $0.packedColumn(name) }
      return { feature, _ in
        let place = index.place(of: feature)
        return columns[place.block]?.value(place.row) ?? .null
      }
    case .quality(let quality):
      return { feature, _ in
        let place = index.place(of: feature)
        return rows[place.block].quality(quality, of: place.row)
      }
    }
  }

  private static func number(_ distance: Double?) -> Value {
    guard let distance, distance.isFinite else { return .null }
    return .number(.real(distance))
  }
}
