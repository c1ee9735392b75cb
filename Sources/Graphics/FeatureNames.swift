/// The names of a block's rows as numbers: rows with the same name have the same number.
package final class FeatureNames: Sendable {
  private let numbers: [UInt64]

  /// - Parameter numbers: one a row; 0 for a row without a name.
  package init(_ numbers: [UInt64]) { self.numbers = numbers }

  /// The number of a row's name; `nil` for none, and outside of the block.
  @inline(__always)
  package subscript(row: Int) -> UInt64? {
    numbers.indices.contains(row) && numbers[row] != 0 ? numbers[row] : nil
  }

  /// The number of a name's bytes: FNV-1a in 64 bits, never 0.
  package static func number(of bytes: some Sequence<UInt8>) -> UInt64 {
    let start: UInt64 = 0xCBF2_9CE4_8422_2325
    return max(1, bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}
