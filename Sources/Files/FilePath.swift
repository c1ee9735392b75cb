/// Paths of the system, which are bytes, as text and back without loss.
///
/// Most paths are UTF-8 and stay unchanged. A byte outside of valid UTF-8 becomes one private
/// scalar, U+10FF00 plus the byte, and is converted back to that byte; so is each byte of such a
/// scalar itself, which makes the conversion exact for every path. Arguments and words of scripts
/// that name files come in through `text(of:)`; on display such a scalar is written as `\xE9`.
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

  // MARK: Parts

  /// The last part of a path.
  package static func name(of path: String) -> String {
    path.unicodeScalars.split(separator: "/").last.map { String($0) } ?? path
  }

  /// The folder of a path: everything before its last part, `.` if there is nothing.
  package static func folder(of path: String) -> String {
    var rest = path.unicodeScalars[...]
    while rest.count > 1, rest.last == "/" { rest.removeLast() }
    guard let slash = rest.lastIndex(of: "/") else { return "." }
    return slash == rest.startIndex ? "/" : String(rest[..<slash])
  }

  /// A name in a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    endsWithSlash(folder) ? folder + name : folder + "/" + name
  }

  /// Whether a path begins at the root.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// Whether a path can only mean a folder.
  static func endsWithSlash(_ path: String) -> Bool { path.utf8.last == slash }

  private static let slash = UInt8(ascii: "/")

  /// The extension of a name in lower case; `nil` if it has none.
  package static func ending(of path: String) -> String? {
    let name = name(of: path).unicodeScalars
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    return ending.isEmpty ? nil : String(ending).lowercased()
  }

  /// The name without folder and extension, for people; also of a name that is not UTF-8.
  package static func stem(of path: String) -> String { shown(withoutEnding(name(of: path))) }

  /// A name without its extension.
  static func withoutEnding(_ name: String) -> String {
    let name = name.unicodeScalars
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  // MARK: Comparing

  /// Whether two texts are the same path, byte for byte.
  ///
  /// Swift strings are also equal if an accent is part of the letter in one and follows it in the
  /// other: to the system these are two files.
  package static func isSame(_ path: String?, _ other: String?) -> Bool {
    guard let path, let other else { return path == nil && other == nil }
    return path.utf8.elementsEqual(other.utf8)
  }

  /// The key of a path in dictionaries.
  package static func key(_ path: String) -> [UInt8] { Array(path.utf8) }

  // MARK: Showing

  /// The text for people and for programs that read ours: bytes that are not UTF-8 as `\xE9`.
  package static func shown(_ path: String) -> String {
    guard path.unicodeScalars.contains(where: { escapes.contains($0.value) }) else { return path }
    var text = String.UnicodeScalarView()
    for scalar in path.unicodeScalars {
      if escapes.contains(scalar.value) {
        text.append(contentsOf: escaped(UInt8(truncatingIfNeeded: scalar.value)).unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// The path as one word, in quotes where needed, for a shell and for the command language.
  package static func quoted(_ path: String) -> String {
    let scalars = path.unicodeScalars
    if !scalars.isEmpty, scalars.first != "-", scalars.first != "~",
      scalars.allSatisfy({ plain.contains($0) || $0.value > 0xA0 && isVisible($0) })
    {
      return path
    }
    if scalars.allSatisfy({ $0 != "'" && isVisible($0) }) { return "'\(path)'" }
    var text = String.UnicodeScalarView()
    for scalar in scalars {
      if scalar == "'" || scalar == "\\" {
        text.append(contentsOf: ["\\", scalar])
      } else if isVisible(scalar) {
        text.append(scalar)
      } else {
        for byte in bytes(of: String(scalar)) {
          text.append(contentsOf: escaped(byte).unicodeScalars)
        }
      }
    }
    return "$'\(String(text))'"
  }

  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,+@%:=^~-".unicodeScalars)

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if escapes.contains(scalar.value) { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
    default: !scalar.properties.isWhitespace || scalar == " "
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  // MARK: The system

  /// Calls a C function with a path's bytes and a NUL.
  static func withBytes<Result>(
    of text: String, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    var bytes = bytes(of: text).map { CChar(bitPattern: $0) } + [0]
    // The system would read the text before a NUL, another file: nothing has the empty name.
    if bytes.dropLast().contains(0) { bytes = [0] }
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? body([0])
    }
  }

  /// The length of a well-formed UTF-8 sequence at an index; `nil` if there is none.
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
