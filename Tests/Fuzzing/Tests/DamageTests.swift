import Foundation
import PortolanProbes
import PortolanTestSupport
import Testing

/// Sound files, damaged: cut at every byte, with every bit flipped, with bytes changed at random.
///
/// Nothing is to be seen but that the process goes on; a trap ends it. `PORTOLAN_FULL` in the
/// environment runs every case; without it a part of them is run, another bit of each byte that has
/// its turn.
struct DamageTests {
  /// One of how many cases is run.
  static let sparseness: Int = {
    if ProcessInfo.processInfo.environment["PORTOLAN_FULL"] != nil { return 1 }
    #if DEBUG
      return 53
    #else
      return 11
    #endif
  }()

  @Test func `there are sound files of every kind`() {
    #expect(GoodFile.all.count == 45)
    #expect(Set(GoodFile.all.map(\.probe)) == Set(Probe.all.map(\.name)))
  }

  @Test(arguments: GoodFile.all)
  func `cutting a file anywhere is survived`(_ file: GoodFile) throws {
    let probe = try #require(Probe.named(file.probe))
    probe.run(file.bytes)
    for count in 0..<file.bytes.count where file.bytes.count < 2_000 || count % 7 == 0 {
      probe.run(Array(file.bytes[..<count]))
    }
  }

  @Test(arguments: GoodFile.all)
  func `flipping any bit of a file is survived`(_ file: GoodFile) throws {
    let probe = try #require(Probe.named(file.probe))
    // A longer file has its turn with fewer bits.
    let step = Self.sparseness * max(1, file.bytes.count / 1_500)
    for bit in stride(from: 0, to: file.bytes.count * 8, by: step) {
      var bytes = file.bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      probe.run(bytes)
    }
  }

  @Test(arguments: GoodFile.all)
  func `changing several bytes at random is survived`(_ file: GoodFile) throws {
    let probe = try #require(Probe.named(file.probe))
    var generator = SeededGenerator(seed: 20_010_324)
    for _ in 0..<max(100, 2_000 / Self.sparseness) {
      probe.run(Self.damaged(file.bytes, using: &generator))
    }
  }

  /// A file with some of its bytes changed, moved, doubled or taken away.
  private static func damaged(_ file: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = file
    for _ in 0..<Int.random(in: 1...6, using: &generator) where bytes.count > 1 {
      let place = Int.random(in: bytes.indices, using: &generator)
      let other = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: bytes[place] = 0xFF
      case 1: bytes[place] = bytes[other]
      case 2: bytes.swapAt(place, other)
      case 3: bytes[place] &+= 1
      case 4: bytes.insert(contentsOf: bytes[other..<min(other + 8, bytes.count)], at: place)
      case 5: bytes.removeSubrange(place..<min(place + 4, bytes.count))
      default: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
    }
    return bytes
  }
}
