import PortolanMemory
import PortolanTestSupport
import Testing

struct ShortTextTests {
  @Test(arguments: 1...200)
  func `up to fifteen bytes of ASCII are a short text, others are none`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let highest: UInt8 = Bool.random(using: &generator) ? 0x7F : 0xFF
    let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
      UInt8.random(in: 0...highest, using: &generator)
    }
    let short = bytes.withUnsafeBytes { ShortText($0) }
    let isShort = bytes.count <= 15 && bytes.allSatisfy { $0 < 0x80 }
    #expect((short != nil) == isShort)
    guard let short else { return }
    #expect(short.count == bytes.count)
    #expect(Array(short.string.utf8) == bytes)
    #expect(ShortText(short.string) == short)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(short.string == text && short.string.hashValue == text.hashValue)
    #expect(ShortText(text) == short)
    #expect(short != .other)
    var memory = [UInt8](repeating: 0xAA, count: 16)
    memory.withUnsafeMutableBufferPointer { $0.baseAddress.map { short.copyWords(to: $0) } }
    #expect(Array(memory.prefix(bytes.count)) == bytes)
  }

  @Test(arguments: 1...200)
  func `two texts are equal when their bytes are`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 1...15, using: &generator)).map { _ in
      UInt8.random(in: 0...0x7F, using: &generator)
    }
    var other = bytes
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0...2, using: &generator) {
    case 0: other[place] ^= 1
    case 1: other.remove(at: place)
    default: other = Array((other + [0]).prefix(15))
    }
    let texts = [bytes, other].map { $0.withUnsafeBytes { ShortText($0) } }
    #expect((texts[0] == texts[1]) == (bytes == other))
  }

  @Test func `a constant is the text that it shows, and longer texts are none`() {
    #expect(ShortText(constant: "$classname") == ShortText("$classname"))
    #expect(ShortText(constant: "").count == 0)
    #expect(ShortText("sixteen letters!") == nil)
    #expect(ShortText("Zürich") == nil)
    #expect(ShortText("") == ShortText(constant: ""))
    // In memory of its own, although it is short.
    var roomy = "Bern"
    roomy.reserveCapacity(64)
    #expect(ShortText(roomy) == ShortText(constant: "Bern"))
    let part = "a text of which a part is short".dropFirst(26)
    #expect(ShortText(String(part)) == ShortText(constant: "short"))
  }
}
