/// A mark of some bytes by which to find out later whether others are the same.
///
/// For comparisons within one run of the program: at about the speed of memory, without any
/// protection against forgery. Bytes of another count are never the same.
package struct ContentMark: Hashable, Sendable {
  private var count = 0
  private var (one, two, three, four) = (odd, odd &* 3, odd &* 5, odd &* 7)

  /// The mark of no bytes.
  package init() {}

  package init(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  private static let odd: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Appends bytes; all calls but the last take a multiple of 32.
  ///
  /// - Complexity: O(bytes), 32 at a time in four sums that do not wait for each other.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var (one, two, three, four) = (one, two, three, four)
    var index = 0
    while bytes.count &- index >= 32 {
      one = Self.mixed(one, Self.word(bytes, index))
      two = Self.mixed(two, Self.word(bytes, index &+ 8))
      three = Self.mixed(three, Self.word(bytes, index &+ 16))
      four = Self.mixed(four, Self.word(bytes, index &+ 24))
      index &+= 32
    }
    while index < bytes.count {
      one = Self.mixed(one, UInt64(bytes[index]))
      index &+= 1
    }
    (self.one, self.two, self.three, self.four) = (one, two, three, four)
    count &+= bytes.count
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  /// Both steps can be undone, so that another word always gives another sum.
  @inline(__always)
  private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let product = (sum ^ word) &* odd
    return product ^ product >> 29
  }
}

extension FileSystem {
  /// Whether an open file, from its beginning, holds the content of a mark; the place in it is its
  /// beginning afterwards.
  func holds(_ mark: ContentMark, _ file: FileDescriptor) throws(FileError) -> Bool {
    let reader = FileReader(fileSystem: self, path: "", limit: .max)
    try seek(file, to: 0)
    var found = ContentMark()
    var isAtEnd = false
    while !isAtEnd {
      let chunk = try reader.chunk(of: file, room: 1 << 18)
      chunk.bytes.withUnsafeBytes { found.add($0) }
      isAtEnd = chunk.isAtEnd
    }
    try seek(file, to: 0)
    return found == mark
  }

  /// Whether a file, not the target of a link, holds the content of a mark.
  func holds(
    _ mark: ContentMark, _ path: String, in folder: FileDescriptor?
  ) throws(FileError) -> Bool {
    let file = try open(path, in: folder, .read)
    defer { try? close(file) }
    return try holds(mark, file)
  }

  /// Whether the file at a path, links followed, holds the content of a mark.
  package func holds(_ mark: ContentMark, at path: String) throws(FileError) -> Bool {
    try holds(mark, realPath(path), in: nil)
  }
}
