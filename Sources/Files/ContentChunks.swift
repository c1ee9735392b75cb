/// Cuts a content into pieces at places determined by the content itself.
///
/// A change moves only the cuts near it, so two versions of a file have all other pieces in common,
/// also after an insertion at the front.
struct ContentChunks {
  /// The average size of a piece; none has more than four times as much.
  let sizeAverage: Int

  private static let table: [UInt64] = {
    var state: UInt64 = 0x706F_7274_6F6C_616E
    return (0..<256).map { _ in
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }()

  /// Small contents are cut into pieces of 16 KiB, large ones into some hundred.
  init(contentSize: Int) {
    var size = 16_384
    while size < contentSize / 256, size < 1 << 22 { size *= 2 }
    sizeAverage = size
  }

  /// The ranges of the pieces, in order.
  func ranges(of bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    let mask = UInt64(sizeAverage - 1) << 24
    ContentChunks.table.withUnsafeBufferPointer { table in
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + sizeAverage * 4)
        // Skipping the front makes the sizes more even, and the walk shorter.
        var index = min(end, start + sizeAverage / 4)
        var hash: UInt64 = 0
        while index < end {
          hash = (hash << 1) &+ table[Int(bytes[index])]
          index += 1
          if hash & mask == 0 { break }
        }
        ranges.append(start..<index)
        start = index
      }
    }
    return ranges
  }
}
