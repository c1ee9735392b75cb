import PortolanGraphics

/// A feature to be labelled, and its approximate place.
struct LabelCandidate {
  var key: LabelKey
  /// The index of its label set.
  var set: Int
  var text = ""
  var weight: LabelWeight
  /// The width of an area on the map or the length of a line in view, in dots; 0 for points.
  var size = 0
  /// The height of an area's box on the map, in dots.
  var height = 0
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

  var rank: Double { weight.rank }
  /// Whether it is selected or found.
  var isChosen: Bool { turn == .chosen }
  /// Whether its name may lie upon signs of points without names.
  var coversSigns: Bool { dimension == 2 ? turn <= .area : isChosen }

  var order: LabelOrder {
    LabelOrder(isChosen: isChosen, weight: weight, set: set, row: key.row, copy: key.copy)
  }
}

/// The importance of a feature among those of its layer.
struct LabelWeight {
  var rank: Double
  /// The area of its box, of lines the length in view of all with its name, in world units; 0 for
  /// points.
  var extent = 0.0
  /// The length of a line in view, in dots; 0 for others.
  var length = 0

  /// Less than any feature's.
  static let none = LabelWeight(rank: -.infinity, extent: -1)

  @inline(__always)
  func isLess(than other: LabelWeight) -> Bool {
    if rank != other.rank { return rank < other.rank }
    if extent != other.extent { return extent < other.extent }
    return length < other.length
  }
}

/// The place of a feature in the order of naming: by rank, then size, then order in the document.
struct LabelOrder {
  let isChosen: Bool
  let weight: LabelWeight
  let set: Int
  let row: Int
  let copy: Int

  func precedes(_ other: LabelOrder) -> Bool {
    if isChosen != other.isChosen { return isChosen }
    if other.weight.isLess(than: weight) { return true }
    if weight.isLess(than: other.weight) { return false }
    return (set, row, copy) < (other.set, other.row, other.copy)
  }
}

/// The feature of a label, and the copy of the world.
struct LabelKey: Hashable {
  var block: ObjectIdentifier
  var row: Int
  var copy: Int

  /// One word is cheaper to hash than three.
  func hash(into hasher: inout Hasher) {
    let number = UInt(bitPattern: block) &* 0x9E37_79B9_7F4A_7C15
    hasher.combine(number &+ UInt(bitPattern: row &* 4 &+ copy))
  }

  /// The same feature in another copy of the world.
  func inCopy(_ copy: Int) -> LabelKey { LabelKey(block: block, row: row, copy: copy) }
}
