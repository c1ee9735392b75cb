/// SHA-256 (FIPS 180-4), fed piece by piece: identifies a content reliably.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
    0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]
  /// The bytes that do not fill a block of 64 yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  package init() { rest.reserveCapacity(128) }

  /// The 32-byte digest of some bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.digest()
  }

  /// Appends bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count &+= UInt64(bytes.count)
    var bytes = bytes
    if !rest.isEmpty {
      let taken = min(64 - rest.count, bytes.count)
      rest.append(contentsOf: bytes[..<taken])
      bytes = UnsafeRawBufferPointer(rebasing: bytes[taken...])
      guard rest.count == 64 else { return }
      let full = rest
      full.withUnsafeBytes { compress($0) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = bytes.count & ~63
    if whole > 0 { compress(UnsafeRawBufferPointer(rebasing: bytes[..<whole])) }
    rest.append(contentsOf: bytes[whole...])
  }

  /// The 32-byte digest of all bytes appended.
  package func digest() -> [UInt8] {
    var last = self
    let bits = count &* 8
    var padding: [UInt8] = [0x80]
    let filled = (rest.count + 1) % 64
    padding += [UInt8](repeating: 0, count: (filled <= 56 ? 56 : 120) - filled)
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    padding.withUnsafeBytes { last.update($0) }
    return last.state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Processes whole blocks of 64 bytes.
  private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      Self.constants.withUnsafeBufferPointer { constants in
        state.withUnsafeMutableBufferPointer { state in
          for start in stride(from: 0, to: blocks.count, by: 64) {
            for index in 0..<16 {
              words[index] = UInt32(
                bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
            }
            for index in 16..<64 {
              let (near, far) = (words[index - 2], words[index - 15])
              let one = near.turned(17) ^ near.turned(19) ^ (near >> 10)
              let two = far.turned(7) ^ far.turned(18) ^ (far >> 3)
              words[index] = words[index - 16] &+ two &+ words[index - 7] &+ one
            }
            Self.mix(state, words, constants)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func mix(
    _ state: UnsafeMutableBufferPointer<UInt32>, _ words: UnsafeMutableBufferPointer<UInt32>,
    _ constants: UnsafeBufferPointer<UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let one = e.turned(6) ^ e.turned(11) ^ e.turned(25)
      let chosen = (e & f) ^ (~e & g)
      let first = h &+ one &+ chosen &+ constants[index] &+ words[index]
      let two = a.turned(2) ^ a.turned(13) ^ a.turned(22)
      let second = two &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ second)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
    0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

extension UInt32 {
  /// The bits rotated to the right.
  @inline(__always)
  fileprivate func turned(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
}
