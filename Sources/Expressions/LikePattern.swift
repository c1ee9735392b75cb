/// The pattern of `like`: `%` stands for any text, `_` for one code point; `\` takes the next one
/// as it is.
///
/// It is compared with the bytes of UTF-8: a code point begins at a byte that continues none.
struct LikePattern: Sendable {
  private enum Kind {
    case letters, anyOne, any
  }

  private struct Part: Sendable {
    var kind: Kind
    /// The bytes of `letters` that stand for themselves.
    var range: Range<Int>
  }

  private let parts: [Part]
  private let letters: [UInt8]
  private let ignoresCase: Bool

  init(_ text: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    var parts: [Part] = []
    var letters: [UInt8] = []
    func takeLetter(_ scalar: Unicode.Scalar) {
      let start = parts.last?.kind == .letters ? parts.removeLast().range.lowerBound : letters.count
      letters += Array(String(Character(scalar)).utf8)
      parts.append(Part(kind: .letters, range: start..<letters.count))
    }
    func takeSign(_ kind: Kind) {
      if kind == .any, parts.last?.kind == .any { return }
      parts.append(Part(kind: kind, range: letters.count..<letters.count))
    }
    var isEscaped = false
    for scalar in (ignoresCase ? text.lowercased() : text).unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        takeLetter(scalar)
        isEscaped = false
      case "\\": isEscaped = true
      case "%": takeSign(.any)
      case "_": takeSign(.anyOne)
      default: takeLetter(scalar)
      }
    }
    if isEscaped { takeLetter("\\") }
    self.parts = parts
    self.letters = letters
  }

  /// Whether a whole text fits.
  ///
  /// - Complexity: O(bytes · parts) at worst: after a `%` only the last one is tried again.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard ignoresCase else { return fits(bytes) }
    if bytes.contains(where: { $0 >= 0x80 }) {
      var lower = String(decoding: bytes, as: UTF8.self).lowercased()
      return lower.withUTF8 { fits($0) }
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { room in
      for (place, byte) in bytes.enumerated() {
        room[place] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      return fits(UnsafeBufferPointer(room))
    }
  }

  private func fits(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    parts.withUnsafeBufferPointer { parts in
      letters.withUnsafeBufferPointer { letters in
        Self.fits(bytes, parts, letters)
      }
    }
  }

  private static func fits(
    _ bytes: UnsafeBufferPointer<UInt8>, _ parts: UnsafeBufferPointer<Part>,
    _ letters: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (place, part) = (0, 0)
    // The part behind the last `%`, and where it was tried.
    var retry: (part: Int, place: Int)?
    while true {
      if part == parts.count {
        if place == bytes.count { return true }
      } else {
        switch parts[part].kind {
        case .any:
          part += 1
          if part == parts.count { return true }
          retry = (part, place)
          continue
        case .anyOne where place < bytes.count:
          place = next(place, bytes)
          part += 1
          continue
        case .letters where begins(bytes, at: place, with: letters, parts[part].range):
          place += parts[part].range.count
          part += 1
          continue
        case .anyOne, .letters: break
        }
      }
      guard let last = retry, last.place < bytes.count else { return false }
      var start = next(last.place, bytes)
      let wanted = parts[last.part]
      if wanted.kind == .letters {
        while start < bytes.count, bytes[start] != letters[wanted.range.lowerBound] { start += 1 }
        if start + wanted.range.count > bytes.count { return false }
      }
      retry = (last.part, start)
      (part, place) = (last.part, start)
    }
  }

  /// Where the next code point begins.
  private static func next(_ place: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var next = place + 1
    while next < bytes.count, bytes[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  private static func begins(
    _ bytes: UnsafeBufferPointer<UInt8>, at place: Int,
    with letters: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard range.count <= bytes.count - place else { return false }
    for offset in range.indices where bytes[place + offset - range.lowerBound] != letters[offset] {
      return false
    }
    return true
  }
}
