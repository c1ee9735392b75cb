import PortolanGraphics
import Synchronization

/// The rows of squares of levels, by shift: 8 MB for all shifts.
final class SquareRowsCache: Sendable {
  private let known = Mutex<[Int32: SquareRows]>([:])

  /// Rows, made now if they are not cached: those of the finest levels take some milliseconds.
  func rows(of shifts: [Int32]) -> [Int32: SquareRows] {
    known.withLock { known in
      var rows: [Int32: SquareRows] = [:]
      for shift in shifts {
        let made = known[shift] ?? SquareRows(shift: shift)
        (known[shift], rows[shift]) = (made, made)
      }
      return rows
    }
  }
}
