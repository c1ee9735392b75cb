import PortolanDocuments
import PortolanGraphics

/// Narrow regions that belong to no polygon, or to several, given to one.
extension CoveragePass {
  mutating func assignRegions(_ table: ArcTable, _ progress: () throws -> Void) throws {
    let uses = table.uses
    let boxes = noded.map { rings in rings.joined().reduce(into: Box.empty) { $0.formUnion($1) } }
    let tree = BoxTree(boxes)
    for (number, region) in table.regions.enumerated() {
      if number & 255 == 0 { try progress() }
      let left = region.map { owners(of: $0, onLeft: true, table, uses) }
      if let first = left.first, first.count == 1, left.allSatisfy({ $0 == first }) { continue }
      let ring = table.coordinates(along: region)
      let plane = LocalPlane(around: ring[0], isGeographic: isGeographic)
      guard RegionWidth.isSliver(ring.map(plane.metres), narrowerThan: width) else { continue }
      let covering = covering(region, table, uses, tree)
      if Set(covering.map { shapes[$0].feature }).count > 1 {
        giveOverlap(region, of: covering, left, plane, table)
      } else if covering.isEmpty {
        giveGap(region, plane, table, uses)
      }
    }
  }

  private typealias Uses = [[(ring: Int, isReversed: Bool)]]

  /// The polygons on one side of a step that have it as their border, each once.
  private func owners(
    of step: ArcTable.Step, onLeft: Bool, _ table: ArcTable, _ uses: Uses
  ) -> [Int] {
    var owners: [Int] = []
    for use in uses[Int(step.arc)] where (use.isReversed == step.isReversed) == onLeft {
      let owner = table.rings[use.ring].owner
      if !owners.contains(owner) { owners.append(owner) }
    }
    return owners.sorted()
  }

  /// The polygons that the region lies in.
  private func covering(
    _ region: [ArcTable.Step], _ table: ArcTable, _ uses: Uses, _ tree: BoxTree
  ) -> [Int] {
    // The middle of the longest edge is on no other border.
    var longest = (square: -1.0, step: region[0], middle: Coordinate(x: 0, y: 0))
    for step in region {
      let along = table.coordinates(of: step)
      for (a, b) in zip(along, along.dropFirst()) {
        let square = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)
        if square > longest.square {
          let middle = Coordinate(x: a.x + (b.x - a.x) / 2, y: a.y + (b.y - a.y) / 2)
          longest = (square, step, middle)
        }
      }
    }
    let left = owners(of: longest.step, onLeft: true, table, uses)
    let right = owners(of: longest.step, onLeft: false, table, uses)
    var covering = left
    var near: [Int] = []
    tree.forEach(holding: longest.middle) { near.append($0) }
    for shape in near where !left.contains(shape) && !right.contains(shape) {
      if isInside(longest.middle, of: shape) { covering.append(shape) }
    }
    return covering.sorted()
  }

  private func isInside(_ place: Coordinate, of shape: Int) -> Bool {
    var isInside = false
    for ring in noded[shape] {
      for (a, b) in zip(ring, ring.dropFirst() + ring.prefix(1))
      where (a.y > place.y) != (b.y > place.y) {
        let side = Orientation.side(of: place, from: a, to: b)
        if (side > 0) == (b.y > a.y) { isInside.toggle() }
      }
    }
    return isInside
  }

  // MARK: Giving

  private mutating func giveGap(
    _ region: [ArcTable.Step], _ plane: LocalPlane, _ table: ArcTable, _ uses: Uses
  ) {
    var lengths: [Int: Double] = [:]
    for step in region {
      let length = plane.length(table.coordinates(of: step))
      for owner in owners(of: step, onLeft: false, table, uses) {
        lengths[owner, default: 0] += length
      }
    }
    // What one feature alone surrounds is a hole of it.
    let features = Set(lengths.keys.map { shapes[$0].feature })
    guard choice.contains(.gap), features.count > 1, features.isDisjoint(with: frozen),
      let taker = Self.longest(lengths)
    else { return }
    areas[taker] = (areas[taker] ?? steps(of: taker, table)) + region
    keep(region, table)
    let others = features.subtracting([shapes[taker].feature]).map(\.rawValue).sorted()
    let list = others.prefix(4).map { "\($0)" }.joined(separator: ", ")
    let words = "the gap beside feature\(others.count > 1 ? "s" : "") \(list) is part of this one"
    tell(.gap, words, taker, region, table)
  }

  private mutating func giveOverlap(
    _ region: [ArcTable.Step], of covering: [Int], _ left: [[Int]], _ plane: LocalPlane,
    _ table: ArcTable
  ) {
    var lengths: [Int: Double] = [:]
    for shape in covering { lengths[shape] = 0 }
    for (step, owners) in zip(region, left) {
      let length = plane.length(table.coordinates(of: step))
      for shape in covering where !owners.contains(shape) { lengths[shape, default: 0] += length }
    }
    let features = Set(covering.map { shapes[$0].feature })
    guard choice.contains(.overlap), features.isDisjoint(with: frozen),
      let keeper = Self.longest(lengths)
    else { return }
    keep(region, table)
    let back = region.map { ArcTable.Step(arc: $0.arc, isReversed: !$0.isReversed) }
    for shape in covering where shape != keeper {
      areas[shape] = (areas[shape] ?? steps(of: shape, table)) + back
      let words = "the overlap with feature \(shapes[keeper].feature.rawValue) is part of that one"
      tell(.overlap, words, shape, region, table)
    }
  }

  /// The one with the greatest length, of equal ones the first.
  private static func longest(_ lengths: [Int: Double]) -> Int? {
    lengths.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  private func steps(of shape: Int, _ table: ArcTable) -> [ArcTable.Step] {
    table.rings.filter { $0.owner == shape }.flatMap { table.steps[$0.steps] }
  }

  private mutating func keep(_ region: [ArcTable.Step], _ table: ArcTable) {
    kept.formUnion(table.coordinates(along: region))
  }

  private mutating func tell(
    _ code: FaultCode, _ message: String, _ shape: Int, _ region: [ArcTable.Step],
    _ table: ArcTable
  ) {
    let feature = shapes[shape].feature
    repairs.append(
      Finding(
        code, message, path: "\(layer.name), feature \(feature.rawValue)",
        position: table.coordinates(along: region).first.map(meridian.shown),
        feature: FeatureReference(layer: layer.id, feature: feature)))
  }
}
