import PortolanGraphics
import PortolanTerminals

/// The turns in which features have their names: the first of them have their places first.
enum LabelTurn: Int, Comparable {
  /// What is selected or found: beyond the measure of letters.
  case chosen
  /// The few most important points of each layer.
  case foremost
  /// Areas that are important, or have room for their names.
  case area
  /// The other important points.
  case point
  /// The most important lines.
  case line
  /// All others: these leave coasts and borders free.
  case other

  static func < (one: LabelTurn, other: LabelTurn) -> Bool { one.rawValue < other.rawValue }
}

/// A feature to be labelled, and its approximate place.
struct LabelCandidate {
  var key: LabelKey
  /// The index of its label set.
  var set: Int
  var text: String
  var rank: Double
  /// The width of an area on the map or the length of a line in view, in dots; 0 for points.
  var size: Int
  /// The height of an area's box on the map, in dots.
  var height = 0
  /// The area of its box, of lines the length in view of all with its name, in world units; 0 for
  /// points.
  var extent = 0.0
  /// The place for grouping: the point itself, or the middle of the visible part of its box.
  var x: Int
  var y: Int
  var dimension: Int
  /// The number of the feature among those with names, the same in all copies of the world.
  var number = 0
  /// The number of the point in its block.
  var point = 0
  /// When it has its name.
  var turn = LabelTurn.other
  /// Whether its name may be nearer to the signs of lower points than to its own.
  var isAmongLower = false
  /// Whether its name may be beside its area.
  var mayStandOutside = false
  /// Whether places beside its area are meant.
  var isBeside = false

  /// Whether it is selected or found.
  var isChosen: Bool { turn == .chosen }
  /// Whether its name may lie upon signs of points without names.
  var coversSigns: Bool { dimension == 2 ? turn <= .area : isChosen }

  /// Whether it is placed before another one: by rank, then size, then order in the document.
  func precedes(_ other: LabelCandidate) -> Bool {
    if isChosen != other.isChosen { return isChosen }
    if rank != other.rank { return rank > other.rank }
    if extent != other.extent { return extent > other.extent }
    if dimension == 1, other.dimension == 1, size != other.size { return size > other.size }
    if set != other.set { return set < other.set }
    return (key.row, key.copy) < (other.key.row, other.key.copy)
  }
}

/// A name of lines, or of other features: a river may be called like a town.
struct NameKind: Hashable {
  let text: String
  let isOfLine: Bool

  init(_ candidate: LabelCandidate) {
    (text, isOfLine) = (candidate.text, candidate.dimension == 1)
  }
}

/// The feature of a label, and the copy of the world.
struct LabelKey: Hashable {
  var block: ObjectIdentifier
  var row: Int
  var copy: Int

  /// The same feature in another copy of the world.
  func inCopy(_ copy: Int) -> LabelKey { LabelKey(block: block, row: row, copy: copy) }
}

/// Keeps the best few candidates of each small part of the map, so that their number does not grow
/// with the data; the parts are fixed on the map, so that panning keeps the choice.
struct LabelGrid {
  private static let perPart = 8
  /// Most places of a line are in other parts.
  private static let linesPerPart = 3
  private static let partWidth = 16
  private static let partHeight = 8

  private let camera: Camera
  private let firstX: Int
  private let firstY: Int
  private let partsAcross: Int
  private var parts: [[LabelCandidate]]
  /// The rank below which no further candidate is taken, for each part.
  private var leastRanks: [Double]

  init(_ camera: Camera) {
    self.camera = camera
    firstX = camera.originX.floorDivided(by: Self.partWidth)
    firstY = camera.originY.floorDivided(by: Self.partHeight)
    let lastX = (camera.originX + camera.dotWidth).floorDivided(by: Self.partWidth)
    let lastY = (camera.originY + camera.dotHeight).floorDivided(by: Self.partHeight)
    partsAcross = lastX - firstX + 1
    parts = [[LabelCandidate]](repeating: [], count: partsAcross * (lastY - firstY + 1))
    leastRanks = [Double](repeating: -.infinity, count: parts.count)
  }

  /// All kept candidates, in the order of placing.
  var ordered: [LabelCandidate] {
    // Numbers are cheaper to sort than candidates.
    var order = parts.indices.flatMap { part in
      parts[part].indices.map { (part: part, index: $0) }
    }
    order.sort { parts[$0.part][$0.index].precedes(parts[$1.part][$1.index]) }
    return order.map {
      var candidate = parts[$0.part][$0.index]
      candidate.text = LabelName.inOneLine(candidate.text)
      return candidate
    }
  }

  /// Whether a point of a rank could be one of the best of its part.
  @inline(__always)
  func mayTake(rank: Double, x: Int, y: Int) -> Bool {
    let part = part(x: x, y: y)
    return part >= 0 && part < leastRanks.count && rank >= leastRanks[part]
  }

  @inline(__always)
  private func part(x: Int, y: Int) -> Int {
    let across = (camera.originX + x).floorDivided(by: Self.partWidth) - firstX
    let down = (camera.originY + y).floorDivided(by: Self.partHeight) - firstY
    return down * partsAcross + across
  }

  /// Offers a candidate; its text is read only if there is room for it.
  @inline(__always)
  mutating func offer(_ candidate: inout LabelCandidate, text: (Int) -> String?) {
    let part = part(x: candidate.x, y: candidate.y)
    guard part >= 0 && part < parts.count else { return }
    // A line takes the place of another line, or of the last one in a full part.
    var last = parts[part].count >= Self.perPart ? parts[part].count - 1 : nil
    if candidate.dimension == 1,
      parts[part].count(where: { $0.dimension == 1 }) >= Self.linesPerPart
    {
      last = parts[part].lastIndex { $0.dimension == 1 }
    }
    if let last, !candidate.precedes(parts[part][last]) { return }
    guard let label = text(candidate.key.row), !label.isEmpty else { return }
    candidate.text = label
    if let last { parts[part].remove(at: last) }
    let index = parts[part].firstIndex { candidate.precedes($0) } ?? parts[part].count
    parts[part].insert(candidate, at: index)
    if parts[part].count == Self.perPart, let last = parts[part].last, !last.isChosen {
      leastRanks[part] = last.rank
    }
  }
}

extension Int {
  /// The quotient rounded down, for a divisor above 0.
  func floorDivided(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }
}
