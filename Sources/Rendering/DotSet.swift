/// Single positions with their features.
///
/// `spare` holds the positions of features that another feature of the block already marks at this
/// level: they matter only when some features are left out.
struct DotSet: Sendable {
  var coordinates: [Int32] = []
  var rows: [UInt32] = []
  var spareCoordinates: [Int32] = []
  var spareRows: [UInt32] = []

  var isEmpty: Bool { rows.isEmpty }
  var byteCount: Int { (rows.count + spareRows.count) * 12 }

  mutating func append(x: Int32, y: Int32, row: Int) {
    coordinates.append(x)
    coordinates.append(y)
    rows.append(UInt32(truncatingIfNeeded: row))
  }

  /// The set with one position, the first, in each square of 2^shift units.
  ///
  /// Positions are unchanged: a symbol must not leave the place of its label.
  func thinned(shift: Int32) -> DotSet {
    guard shift > 0, !rows.isEmpty else { return self }
    var result = DotSet()
    result.spareCoordinates = spareCoordinates
    result.spareRows = spareRows
    var seen = Set<UInt64>(minimumCapacity: min(rows.count, 4096))
    for index in rows.indices {
      let (x, y) = (coordinates[2 * index], coordinates[2 * index + 1])
      let square = (UInt32(bitPattern: x >> shift), UInt32(bitPattern: y >> shift))
      if seen.insert(UInt64(square.0) << 32 | UInt64(square.1)).inserted {
        result.append(x: x, y: y, row: Int(rows[index]))
      } else {
        result.addSpare(x: x, y: y, row: rows[index])
      }
    }
    return result
  }

  /// The set with positions moved to the middles of squares of 2^shift units, each kept once.
  func snapped(shift: Int32) -> DotSet {
    guard shift > 0 else { return self }
    let half = Int32(1) << (shift - 1)
    var moved = self
    moved.coordinates = coordinates.map { (($0 >> shift) << shift) &+ half }
    moved.spareCoordinates = spareCoordinates.map { (($0 >> shift) << shift) &+ half }
    return moved.thinned(shift: shift)
  }

  private mutating func addSpare(x: Int32, y: Int32, row: UInt32) {
    spareCoordinates.append(x)
    spareCoordinates.append(y)
    spareRows.append(row)
  }
}
