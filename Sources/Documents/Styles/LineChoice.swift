import PortolanCartography
import PortolanGraphics
import Synchronization

/// Chooses the lines of a layer to draw where all of them would crowd: those of higher rank, then
/// the longer ones, by `LineThinning` from the whole layer.
final class LineChoice: Sendable {
  private let blocks: [FeatureBlock]
  private let plane: MapPlane
  private let ranking: LineRanking
  /// The first half step of each row of each block; .min for all but lines.
  private let first: [[Int8]]
  /// The groups of rows that were asked for last, by the number of the block.
  private let masks: Mutex<[Int: Mask]> = Mutex([:])

  private typealias Mask = (base: FeatureGroups, step: Int, groups: FeatureGroups)

  /// - Parameter measures: one for each block.
  /// - Complexity: O(vertices and cells of lines).
  init(
    _ blocks: [FeatureBlock], _ ranking: LineRanking, _ measures: [LineMeasure],
    on plane: MapPlane
  ) {
    (self.blocks, self.plane, self.ranking) = (blocks, plane, ranking)
    first = LineThinning.firstSteps(measures, rowCounts: blocks.map(\.rowCount)) {
      blocks.map { block in ranking.field.flatMap { block.ranks(by: $0, ranking.order) } }
    }
  }

  /// The choice of a later version of a layer: its lines keep their half steps, new ones are drawn
  /// from the farthest on, and no line of the layer is looked at again.
  ///
  /// - Complexity: O(blocks), and O(rows) of the changed ones.
  init(_ blocks: [FeatureBlock], after former: LineChoice) {
    (self.blocks, plane, ranking) = (blocks, former.plane, former.ranking)
    let present = Set(blocks.map { ObjectIdentifier($0) })
    var kept: [ObjectIdentifier: [Int8]] = [:]
    var steps: [FeatureID: Int8] = [:]
    for (block, first) in zip(former.blocks, former.first) {
      if present.contains(ObjectIdentifier(block)) {
        kept[ObjectIdentifier(block)] = first
      } else {
        for (id, step) in zip(block.featureIDs, first) { steps[id] = step }
      }
    }
    first = blocks.map { block in
      kept[ObjectIdentifier(block)]
        ?? zip(block.featureIDs, block.geometry.kinds).map { id, kind in
          kind.dimension == 1 ? steps[id] ?? .min : .min
        }
    }
  }

  /// Whether some blocks are a version of its layer that a few edits lead to.
  func leads(to blocks: [FeatureBlock], _ ranking: LineRanking, on plane: MapPlane) -> Bool {
    guard self.ranking == ranking, self.plane == plane else { return false }
    let known = Set(self.blocks.map { ObjectIdentifier($0) })
    return blocks.count { !known.contains(ObjectIdentifier($0)) } <= max(1, blocks.count / 4)
  }

  /// Whether the choice is the one for some blocks.
  func isFor(_ blocks: [FeatureBlock], _ ranking: LineRanking, on plane: MapPlane) -> Bool {
    self.ranking == ranking && self.plane == plane && self.blocks.count == blocks.count
      && zip(self.blocks, blocks).allSatisfy { $0 === $1 }
  }

  /// The first half step of each row of a block at which it is drawn.
  func firstSteps(part: Int) -> [Int8] { first[part] }

  /// The groups of a block's rows without the lines that are not drawn; all but lines are in one.
  ///
  /// - Parameter other: the group of all rows but lines; `nil` for that of `base`.
  func groups(part: Int, _ base: FeatureGroups, other: UInt8?, at step: Int) -> FeatureGroups {
    masks.withLock { masks in
      if let known = masks[part], known.base === base, known.step == step { return known.groups }
      let kinds = blocks[part].geometry.kinds
      let numbers = base.numbers.indices.map { row -> UInt8 in
        if kinds[row].dimension != 1 { return other ?? base.numbers[row] }
        return Int(first[part][row]) <= step ? base.numbers[row] : .max
      }
      let groups = FeatureGroups(numbers, count: base.counts.count)
      masks[part] = (base, step, groups)
      return groups
    }
  }
}

/// The attribute by which lines count; without one their length alone does.
struct LineRanking: Hashable {
  var field: String?
  var order: RankOrder

  static func == (one: LineRanking, other: LineRanking) -> Bool {
    one.order == other.order && (one.field ?? "").hasSameBytes(as: other.field ?? "")
      && (one.field == nil) == (other.field == nil)
  }
}

/// The choices of a layer's lines, shared by its versions: an edit measures the new block alone.
final class LineChoices: Sendable {
  private struct Known {
    var measures: [ObjectIdentifier: LineMeasure] = [:]
    var plane: MapPlane?
    var choices: [LineChoice] = []
  }

  private let known = Mutex(Known())
  /// Panes may show different versions.
  private static let kept = 2
  /// Layers of more vertices are chosen from as a whole once: it takes 0.7 µs a vertex, and an edit
  /// shall not be seen later for it.
  private static let largeLayer = 20_000

  /// The choice of some blocks' lines.
  func choice(
    of blocks: [FeatureBlock], _ ranking: LineRanking, on plane: MapPlane
  ) -> LineChoice {
    known.withLock { known in
      if let choice = known.choices.first(where: { $0.isFor(blocks, ranking, on: plane) }) {
        return choice
      }
      if blocks.reduce(0, { $0 + $1.geometry.vertexCount }) > Self.largeLayer,
        let former = known.choices.last(where: { $0.leads(to: blocks, ranking, on: plane) })
      {
        let choice = LineChoice(blocks, after: former)
        known.choices = known.choices.suffix(Self.kept - 1) + [choice]
        return choice
      }
      let former = known.plane == plane ? known.measures : [:]
      let measures = blocks.map {
        former[ObjectIdentifier($0.geometry)] ?? LineMeasure($0.geometry, on: plane)
      }
      known.plane = plane
      known.measures = Dictionary(
        measures.map { (ObjectIdentifier($0.geometry), $0) }, uniquingKeysWith: { $1 })
      let choice = LineChoice(blocks, ranking, measures, on: plane)
      known.choices = known.choices.suffix(Self.kept - 1) + [choice]
      return choice
    }
  }
}
