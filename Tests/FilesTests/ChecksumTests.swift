import Testing

@testable import PortolanFiles

@Suite struct ChecksumTests {
  @Test(
    arguments: [
      ("", 0),
      ("123456789", 0xE306_9283),
      ("The quick brown fox jumps over the lazy dog", 0x2262_0404),
    ] as [(String, UInt32)])
  func `CRC-32C gives the published values`(text: String, expected: UInt32) {
    #expect(Checksum.crc32c(Array(text.utf8)) == expected)
  }

  @Test func `A checksum can be taken in pieces`() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let whole = Checksum.crc32c(bytes)
    for cut in [0, 1, 7, 8, 9, 64, 999, 1000] {
      let head = Checksum.crc32c(Array(bytes[..<cut]))
      #expect(Checksum.crc32c(Array(bytes[cut...]), after: head) == whole)
    }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA-256 gives the published values`(text: String, expected: String) {
    #expect(hex(SHA256.digest(of: Array(text.utf8))) == expected)
  }

  @Test func `A digest can be taken in pieces of any size`() {
    let bytes = [UInt8](repeating: 0x61, count: 1_000)
    let whole = SHA256.digest(of: bytes)
    for size in [1, 3, 55, 56, 63, 64, 65, 119, 120, 128, 999] {
      var hash = SHA256()
      for start in stride(from: 0, to: bytes.count, by: size) {
        Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { hash.update($0) }
      }
      #expect(hash.digest() == whole)
    }
    #expect(
      hex(whole) == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
  }

  private func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
