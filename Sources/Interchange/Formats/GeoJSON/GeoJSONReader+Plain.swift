import PortolanDocuments
import PortolanGraphics

/// Positions as most files have them, `[x,y],[x,y]`, without white space: the bulk of a map, read
/// in one loop.
extension GeoJSONReader {
  /// Whether positions of an array, and the numbers within them, have no white space as far as the
  /// file is known.
  func arePlain(_ positions: GeoJSONLayout.Container, in line: GeoJSONLayout.Container) -> Bool {
    builder.geometry.elevations.isEmpty
      && learner.isEmpty(positions, .afterOpen) && learner.isEmpty(positions, .beforeComma)
      && learner.isEmpty(positions, .afterComma) && learner.isEmpty(positions, .beforeClose)
      && learner.isEmpty(line, .beforeComma) && learner.isEmpty(line, .afterComma)
  }

  /// Reads positions of two plain numbers that are followed by another position, up to the first
  /// that is not; the position is at the bracket of one, before and after.
  ///
  /// - Returns: whether there were any.
  mutating func readPlainPositions() -> Bool {
    // The one before may have been the first with a height.
    guard builder.geometry.elevations.isEmpty else { return false }
    let first = scanner.position
    withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.plainCount) { room in
      var isAtEnd = false
      while !isAtEnd {
        var count = 0
        while count < room.count {
          guard let (x, y) = plainPosition() else {
            isAtEnd = true
            break
          }
          room[count] = x
          room[count + 1] = y
          count += 2
        }
        builder.geometry.coordinates.append(
          contentsOf: UnsafeBufferPointer(rebasing: room[..<count]))
      }
    }
    return scanner.position > first
  }

  /// The numbers that are appended at once: even, and of a size that needs no memory of its own.
  private static let plainCount = 128

  @inline(__always)
  private mutating func plainPosition() -> (x: Double, y: Double)? {
    var at = scanner.position
    // Room for two numbers of the longest kind and what is around them.
    guard scanner.count - at > 2 * PlainNumber.lengthMax + 8, scanner.base[at] == 0x5B else {
      return nil
    }
    at += 1
    guard let x = PlainNumber(scanner.base, at), scanner.base[x.end] == 0x2C else { return nil }
    guard let y = PlainNumber(scanner.base, x.end + 1) else { return nil }
    let close = scanner.base + y.end
    guard close[0] == 0x5D, close[1] == 0x2C, close[2] == 0x5B else { return nil }
    scanner.position = y.end + 2
    item.traits.note(x)
    item.traits.note(y)
    return (x.value(scanner.powers), y.value(scanner.powers))
  }
}

extension LayoutLearner {
  /// Whether a place was met and had no white space at first.
  func isEmpty(_ container: GeoJSONLayout.Container, _ gap: GeoJSONLayout.Gap) -> Bool {
    length(at: GeoJSONLayout.place(container, gap)) == 0
  }
}

extension NumberTraits {
  @inline(__always)
  fileprivate mutating func note(_ number: PlainNumber) {
    note(decimals: number.decimals, last: number.last)
  }
}

/// A number of up to seven digits before a point and up to 15 in all, without an exponent: read
/// eight bytes at a time.
private struct PlainNumber {
  /// How many bytes may be looked at.
  static let lengthMax = 1 + 8 + 1 + 8 + 8

  let isNegative: Bool
  let mantissa: UInt64
  let decimals: Int
  /// Its last digit.
  let last: UInt8
  /// The offset after it.
  let end: Int

  /// - Parameter at: the offset of its first byte; all bytes up to `lengthMax` can be read.
  /// - Returns: `nil` for any other text.
  @inline(__always)
  init?(_ base: UnsafePointer<UInt8>, _ start: Int) {
    var at = start
    isNegative = base[at] == 0x2D
    if isNegative { at += 1 }
    let whole = Self.digits(base, at)
    guard whole.count > 0, whole.count < 8, base[at] != 0x30 || whole.count == 1 else {
      return nil
    }
    at += whole.count
    var (mantissa, decimals) = (whole.value, 0)
    if base[at] == 0x2E {
      let fraction = Self.digits(base, at + 1)
      guard fraction.count > 0 else { return nil }
      mantissa = mantissa &* Self.power(fraction.count) &+ fraction.value
      decimals = fraction.count
      at += 1 + fraction.count
      if decimals == 8 {
        let rest = Self.digits(base, at)
        guard rest.count < 8, whole.count + 8 + rest.count <= 15 else { return nil }
        mantissa = mantissa &* Self.power(rest.count) &+ rest.value
        decimals += rest.count
        at += rest.count
      }
    }
    guard base[at] | 0x20 != 0x65 else { return nil }
    (self.mantissa, self.decimals, last, end) = (mantissa, decimals, base[at - 1], at)
  }

  @inline(__always)
  func value(_ powers: UnsafePointer<Double>) -> Double {
    let value = Double(Int64(bitPattern: mantissa)) / powers[decimals]
    return isNegative ? -value : value
  }

  @inline(__always)
  private static func power(_ count: Int) -> UInt64 {
    // 10 to the power of 0 to 8.
    if count == 8 { return 100_000_000 }
    let steps: (UInt64, UInt64, UInt64) = (
      count & 1 != 0 ? 10 : 1, count & 2 != 0 ? 100 : 1, count & 4 != 0 ? 10_000 : 1
    )
    return steps.0 &* steps.1 &* steps.2
  }

  /// The digits at an offset, up to eight, and the number that they are.
  @inline(__always)
  private static func digits(
    _ base: UnsafePointer<UInt8>, _ at: Int
  ) -> (count: Int, value: UInt64) {
    let word = UInt64(
      littleEndian: UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self))
    // 0 to 9 in each byte of a digit; a high bit in the others.
    let values = word ^ 0x3030_3030_3030_3030
    let others = ((values &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
    let count = others.trailingZeroBitCount / 8
    guard count > 0 else { return (0, 0) }
    // Zeros before the digits; then pairs, fours and all.
    var digits = values << UInt64(64 &- 8 &* count)
    digits = digits &* 10 &+ digits >> 8
    let low = (digits & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = (digits >> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (count, (low &+ high) >> 32)
  }
}
