/// A fast digest of a content, to compare two: 128 bits, not secret.
///
/// It guards against accidents (a short write, a corrupted page), not against two contents made to
/// have the same digest.
package struct ContentDigest: Hashable, Sendable {
  private var first: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var second: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  /// Bytes that do not fill a word yet, the first one lowest.
  private var tail: UInt64 = 0
  private var tailCount: UInt64 = 0
  /// The number of bytes added.
  package private(set) var count: UInt64 = 0

  package init() {}

  /// The digest of these bytes.
  package init(_ bytes: UnsafeRawBufferPointer) { add(bytes) }

  /// The digest of these bytes.
  package init(_ bytes: [UInt8]) {
    self.init()
    bytes.withUnsafeBytes { add($0) }
  }

  /// Appends bytes; the way in which they are split into calls makes no difference.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var index = 0
    while tailCount != 0, index < bytes.count {
      put(bytes[index])
      index += 1
    }
    // In variables of its own: memory that others might look at is written for each word.
    var words = self
    let end = bytes.count - 8
    while index <= end {
      words.mix(
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
    }
    (first, second) = (words.first, words.second)
    while index < bytes.count {
      put(bytes[index])
      index += 1
    }
  }

  private mutating func put(_ byte: UInt8) {
    tail |= UInt64(byte) << (tailCount * 8)
    tailCount += 1
    guard tailCount == 8 else { return }
    mix(tail)
    tail = 0
    tailCount = 0
  }

  private mutating func mix(_ word: UInt64) {
    first = (first ^ word) &* 0x9FB2_1C65_1E98_DF25
    first ^= first >> 29
    second = (second &+ word) &* 0xD6E8_FEB8_6659_FD93
    second ^= second >> 32
  }

  /// The digest as 32 hexadecimal digits.
  package var text: String {
    var ended = self
    ended.mix(tail)
    ended.mix(count)
    ended.mix(ended.first &+ ended.second)
    return ContentDigest.digits(ended.first) + ContentDigest.digits(ended.second)
  }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
