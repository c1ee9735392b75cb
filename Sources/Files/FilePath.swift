/// Paths of the system, which are bytes, as text and back without loss.
///
/// Most paths are UTF-8 and stay what they are. A byte that is not part of valid UTF-8 becomes one
/// private scalar, U+10FF00 and the byte, and comes back as that byte; so does each byte of such a
/// scalar itself, which makes the way there and back exact for every path.
package enum FilePath {
  private static let escapes: ClosedRange<UInt32> = 0x10FF80...0x10FFFF

  /// The text for a path's bytes.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    var text = String.UnicodeScalarView()
    var index = 0
    while index < bytes.count {
      let length = scalarLength(bytes, index)
      let scalar = length.flatMap {
        String(decoding: bytes[index..<index + $0], as: UTF8.self).unicodeScalars.first
      }
      if let length, let scalar, !escapes.contains(scalar.value) {
        text.append(scalar)
        index += length
      } else {
        text.append(Unicode.Scalar(0x10FF00 + UInt32(bytes[index])) ?? "\u{FFFD}")
        index += 1
      }
    }
    return String(text)
  }

  /// The bytes of a path's text.
  package static func bytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if escapes.contains(scalar.value) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
      }
    }
    return bytes
  }

  /// The last part of a path.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }

  /// The folder of a path: everything before its last part, `.` when there is nothing.
  package static func folder(of path: String) -> String {
    var rest = Substring(path)
    while rest.count > 1, rest.last == "/" { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  /// A name in a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// Calls a function of C with a path's bytes and a NUL.
  static func withBytes<Result>(
    of text: String, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    var bytes = bytes(of: text).map { CChar(bitPattern: $0) } + [0]
    // The system would take what stands before a NUL, another file: nothing has the empty name.
    if bytes.dropLast().contains(0) { bytes = [0] }
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? body([0])
    }
  }

  /// The length of a well-formed UTF-8 sequence at an index; `nil` when there is none.
  private static func scalarLength(_ bytes: [UInt8], _ index: Int) -> Int? {
    let length =
      switch bytes[index] {
      case 0..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 0
      }
    guard length > 0, index + length <= bytes.count else { return nil }
    let part = bytes[index..<index + length]
    return String(validating: part, as: UTF8.self) == nil ? nil : length
  }
}
