/// Pasted bytes up to the end mark, `ESC [ 201 ~`, in pieces of any size.
struct PasteBuffer: Sendable {
  static let start = Array("\u{1B}[200~".utf8)
  static let end = Array("\u{1B}[201~".utf8)
  private var bytes: [UInt8] = []
  /// Whether bytes were dropped: there were too many.
  private(set) var isCut = false
  /// The number of bytes of the end mark matched so far.
  private var matched = 0

  /// Takes bytes; returns the index after the end mark if it is among them.
  mutating func take(_ part: ArraySlice<UInt8>) -> Int? {
    for (index, byte) in zip(part.indices, part) {
      if byte == PasteBuffer.end[matched] {
        matched += 1
        if matched == PasteBuffer.end.count { return index + 1 }
        continue
      }
      for earlier in PasteBuffer.end.prefix(matched) { append(earlier) }
      matched = byte == PasteBuffer.end[0] ? 1 : 0
      if matched == 0 { append(byte) }
    }
    return nil
  }

  /// The text, with line feeds as line ends.
  func text(_ encoding: InputDecoder.Encoding) -> String {
    var lines: [UInt8] = []
    lines.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0D {
        lines.append(0x0A)
      } else if byte != 0x0A || index == 0 || bytes[index - 1] != 0x0D {
        lines.append(byte)
      }
    }
    switch encoding {
    case .utf8:
      return String(decoding: lines, as: UTF8.self)
    case .eightBit(let set):
      return set.text(lines)
    }
  }

  private mutating func append(_ byte: UInt8) {
    isCut = bytes.count >= InputDecoder.pasteMax
    if !isCut { bytes.append(byte) }
  }
}
