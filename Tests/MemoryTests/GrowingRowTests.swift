import PortolanMemory
import PortolanTestSupport
import Testing

struct GrowingRowTests {
  @Test(arguments: [1, 15, 17, 131_071, 131_072, 131_073, 1_300_000])
  func `a row holds what was appended, in memory of any kind`(count: Int) {
    func number(_ place: Int) -> UInt64 { UInt64(place) &* 0x9E37_79B9_7F4A_7C15 }
    var row = GrowingRow<UInt64>()
    for place in 0..<count { row.append(number(place)) }
    let elements = row.withElements { Array($0) }
    #expect(elements == (0..<count).map(number))
    row[count - 1] = 7
    let last = row[count - 1]
    #expect(last == 7)
    row.removeAll()
    row.append(1)
    let again = row.withElements { Array($0) }
    #expect(again == [1])
  }

  @Test func `rows of bytes take numbers and other bytes, also at once beyond their room`() {
    var row = GrowingRow<UInt8>()
    row.append(0x0102_0304_0506_0708, bigEndian: 8)
    row.append(0x0506_0708, bigEndian: 4)
    row.append(0x0708, bigEndian: 2)
    row.append(0x08, bigEndian: 1)
    let many = [UInt8](repeating: 0xAB, count: 3 << 20)
    many.withUnsafeBufferPointer { row.append($0) }
    [UInt8]().withUnsafeBufferPointer { row.append($0) }
    let bytes = row.withBytes { Array($0) }
    #expect(bytes == [1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 7, 8, 7, 8, 8] + many)
  }

  @Test(arguments: 1...20)
  func `a row is as an array is, whatever is done to both`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var block = RowBlock(bytes: Int.random(in: 1...64, using: &generator))
    // In the block, where that has room, until it grows.
    var row = GrowingRow<UInt32>(capacity: 3, in: &block)
    row.append(repeating: 5, count: 3)
    var array = [UInt32](repeating: 5, count: 3)
    for _ in 0..<300 {
      let number = UInt32.random(in: 0...9, using: &generator)
      switch Int.random(in: 0...5, using: &generator) {
      case 0, 1:
        row.append(number)
        array.append(number)
      case 2:
        row.append(repeating: number, count: Int(number))
        array.append(contentsOf: repeatElement(number, count: Int(number)))
      case 3:
        let count = Int.random(in: 0...array.count, using: &generator)
        row.truncate(to: count)
        array.removeLast(array.count - count)
      case 4 where !array.isEmpty:
        let last = row.removeLast()
        #expect(last == array.removeLast())
      case 5 where !array.isEmpty:
        let place = Int.random(in: 0..<array.count, using: &generator)
        row[place] = number
        array[place] = number
      default: break
      }
      let elements = row.withElements { Array($0) }
      #expect(elements == array)
      let (count, isEmpty) = (row.count, row.isEmpty)
      #expect(count == array.count && isEmpty == array.isEmpty)
    }
  }

  @Test func `a row of objects keeps them alive until it ends`() {
    final class Part {}
    weak var part: Part?
    do {
      var row = ObjectRow()
      do {
        let made = Part()
        part = made
        row.append(made)
        row.append(made)
      }
      let (count, isSame) = (row.count, row[1] === row[0])
      #expect(count == 2 && isSame)
      #expect(part != nil)
    }
    #expect(part == nil)
  }

  @Test(arguments: [0, 1, 17, 200, 300, 200_000, 300_000])
  func `rows of zeros hold zeros, in a block and elsewhere, and do not share memory`(count: Int) {
    var block = RowBlock(bytes: 1_024)
    var row = GrowingRow<UInt32>(zeros: count, in: &block)
    var other = GrowingRow<UInt32>(zeros: count, in: &block)
    for place in 0..<count { row[place] = 7 }
    let zeros = other.withElements { Array($0) }
    #expect(zeros == [UInt32](repeating: 0, count: count))
    other.append(1)
    let elements = row.withElements { Array($0) }
    #expect(elements == [UInt32](repeating: 7, count: count))
  }
}
