import PortolanFiles
import PortolanTestSupport
import Testing

/// Other bytes have another mark.
@Suite struct ContentMarkTests {
  @Test(arguments: Seeds.some(20))
  func `One other byte, an exchange or a cut is found`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...300, using: &random)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let mark = ContentMark(bytes)
    #expect(ContentMark(bytes) == mark)
    for place in bytes.indices {
      var other = bytes
      other[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      #expect(ContentMark(other) != mark)
      #expect(ContentMark(Array(bytes[..<place])) != mark)
      let partner = Int.random(in: 0..<count, using: &random)
      var swapped = bytes
      swapped.swapAt(place, partner)
      #expect((ContentMark(swapped) == mark) == (swapped == bytes))
    }
  }

  @Test func `Zeros of other counts have other marks`() {
    let marks = Set((0..<100).map { ContentMark([UInt8](repeating: 0, count: $0)) })
    #expect(marks.count == 100)
  }
}
