/// Single positions with the features that they belong to.
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

  /// The set with positions snapped to a grid of 2^shift units, each kept once.
  func snapped(shift: Int32) -> DotSet {
    guard shift > 0, !rows.isEmpty || !spareRows.isEmpty else { return self }
    var result = DotSet()
    var seen = Set<UInt64>(minimumCapacity: min(rows.count, 4096))
    let half = Int32(1) << (shift - 1)
    for index in rows.indices {
      let x = coordinates[2 * index] >> shift
      let y = coordinates[2 * index + 1] >> shift
      let key = UInt64(UInt32(bitPattern: x)) << 32 | UInt64(UInt32(bitPattern: y))
      let (snappedX, snappedY) = ((x << shift) &+ half, (y << shift) &+ half)
      if seen.insert(key).inserted {
        result.append(x: snappedX, y: snappedY, row: Int(rows[index]))
      } else {
        result.addSpare(x: snappedX, y: snappedY, row: rows[index])
      }
    }
    for index in spareRows.indices {
      let x = spareCoordinates[2 * index] >> shift
      let y = spareCoordinates[2 * index + 1] >> shift
      result.addSpare(x: (x << shift) &+ half, y: (y << shift) &+ half, row: spareRows[index])
    }
    return result
  }

  private mutating func addSpare(x: Int32, y: Int32, row: UInt32) {
    spareCoordinates.append(x)
    spareCoordinates.append(y)
    spareRows.append(row)
  }
}
