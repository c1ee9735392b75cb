/// The coordinates of one geometry, as they are nested in the text.
struct CoordinateBuffer {
  /// A run of positions: the array that holds them.
  struct Path {
    /// The position after its last one.
    var end: Int
    /// The offset of its opening bracket.
    var open: Int
    /// The offset of its closing bracket.
    var close: Int
  }

  /// An array without elements.
  struct Empty {
    var offset: Int
    var depth: Int
    /// How many positions were before it.
    var position: Int
  }

  /// Two doubles a position, x then y.
  var xy: [Double] = []
  /// The third number of each position; NaN without one.
  var z: [Double] = []
  /// How many numbers each position has, at most 255.
  var sizes: [UInt8] = []
  /// The offset of each position's opening bracket.
  var offsets: [Int] = []
  /// Arrays of positions in order.
  var paths: [Path] = []
  /// Arrays of those: the path after the last one of each.
  var groupEnds: [Int] = []
  /// The first empty arrays.
  var empties: [Empty] = []
  /// The brackets around a number; 0 before the first position.
  var depth = 0
  /// Whether something was found that leaves no sound positions.
  var isBroken = false
  /// Whether some positions have two numbers and some more.
  var isMixed = false
  var content = ContentBox()

  var count: Int { offsets.count }

  mutating func clear() {
    xy.removeAll(keepingCapacity: true)
    z.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
    groupEnds.removeAll(keepingCapacity: true)
    empties.removeAll(keepingCapacity: true)
    depth = 0
    isBroken = false
    isMixed = false
    content = ContentBox()
  }

  /// The first position of a path.
  func start(ofPath index: Int) -> Int { index > 0 ? paths[index - 1].end : 0 }

  /// The indices that lead to a position, such as `[2][0][17]`.
  ///
  /// - Complexity: O(log paths).
  func indices(ofPosition position: Int) -> String {
    if depth <= 1 { return "" }
    if depth == 2 { return "[\(position)]" }
    let path = index(in: paths.count, of: position) { paths[$0].end }
    let start = start(ofPath: path)
    return indices(ofPath: path) + "[\(position - start)]"
  }

  /// The indices that lead to a path, such as `[2][0]`.
  func indices(ofPath path: Int) -> String {
    if depth <= 2 { return "" }
    if depth == 3 { return "[\(path)]" }
    let group = index(in: groupEnds.count, of: path) { groupEnds[$0] }
    let start = group > 0 ? groupEnds[group - 1] : 0
    return "[\(group)][\(path - start)]"
  }

  /// The index of the first run whose end is beyond an element.
  private func index(in count: Int, of element: Int, end: (Int) -> Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if end(middle) > element { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
