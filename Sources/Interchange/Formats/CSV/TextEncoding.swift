import PortolanFiles

/// The encoding of a table's text: UTF-8, UTF-16, one byte a character, or what else the system
/// knows.
package struct TextEncoding: Hashable, Sendable {
  private enum Form: Hashable {
    case utf8
    case utf16(isBig: Bool)
    /// The place among `ByteEncodings.all`.
    case bytes(Int)
    /// The system's name of it.
    case system(String)
  }

  private let form: Form
  package let name: String

  package static let utf8 = TextEncoding(form: .utf8, name: "utf-8")

  private init(form: Form, name: String) {
    self.form = form
    self.name = name
  }

  /// An encoding by its name, whatever its capitals; `utf-16` is that of the byte order mark, else
  /// little-endian.
  package init?(name: String) {
    let word = name.lowercased().replacing("_", with: "-")
    switch word {
    case "utf-8", "utf8": self = .utf8
    case "utf-16", "utf16", "utf-16le", "utf16le", "unicode":
      self.init(form: .utf16(isBig: false), name: "utf-16le")
    case "utf-16be", "utf16be": self.init(form: .utf16(isBig: true), name: "utf-16be")
    default:
      let place = ByteEncodings.all.firstIndex { $0.names.contains(word) }
      if let place {
        self.init(form: .bytes(place), name: ByteEncodings.all[place].names[0])
        return
      }
      // Those of a .cpg; every one has the letters of ASCII, so that separators are found.
      guard let known = ShapeEncoding.name(of: word), !known.hasPrefix("UTF"),
        TextConverter(from: known)?.text(Self.probe) == Self.probe
      else { return nil }
      self.init(form: .system(known), name: known.lowercased())
    }
  }

  private static let probe = Array("aZ09,;\"\t|\r\n".utf8)

  /// The usual names.
  package static let names =
    ["utf-8", "utf-16", "utf-16be"] + ByteEncodings.all.map { $0.names[0] }

  /// The encoding that a byte order mark tells; `nil` for UTF-8 and for none.
  static func marked(_ bytes: some Collection<UInt8>) -> TextEncoding? {
    if bytes.starts(with: [0xFF, 0xFE]) { return TextEncoding(name: "utf-16le") }
    if bytes.starts(with: [0xFE, 0xFF]) { return TextEncoding(name: "utf-16be") }
    return nil
  }

  /// The text in UTF-8; a byte order mark stays one.
  func decoded(_ bytes: [UInt8]) throws(ScanFault) -> [UInt8] {
    switch form {
    case .utf8: return bytes
    case .utf16(let isBig): return try Self.units(bytes, isBig: isBig)
    case .bytes(let place):
      let characters = Self.scalars(place).map { Array(String(Character($0)).utf8) }
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count + bytes.count / 8)
      for byte in bytes {
        if byte < 0x80 { text.append(byte) } else { text += characters[Int(byte) - 0x80] }
      }
      return text
    case .system(let known):
      guard let text = TextConverter(from: known)?.text(bytes) else {
        throw ScanFault(.badEncoding, at: 0, "no text of \(name)")
      }
      return text
    }
  }

  /// A text of UTF-8 in this encoding, and how many characters it does not have: they become `?`.
  func encoded(_ text: [UInt8]) -> (bytes: [UInt8], lost: Int) {
    switch form {
    case .utf8: return (text, 0)
    case .utf16(let isBig):
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count * 2)
      for unit in String(decoding: text, as: UTF8.self).utf16 {
        let halves = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
        bytes += isBig ? halves.reversed() : halves
      }
      return (bytes, 0)
    case .bytes(let place):
      var codes: [Unicode.Scalar: UInt8] = [:]
      for (code, scalar) in Self.scalars(place).enumerated() { codes[scalar] = UInt8(code) + 0x80 }
      var lost = 0
      let bytes = String(decoding: text, as: UTF8.self).unicodeScalars.map { scalar in
        if scalar.isASCII { return UInt8(truncatingIfNeeded: scalar.value) }
        if let code = codes[scalar] { return code }
        lost += 1
        return UInt8(ascii: "?")
      }
      return (bytes, lost)
    case .system(let known):
      guard let converter = TextConverter(from: "UTF-8", to: known) else { return (text, 0) }
      if let bytes = converter.text(text) { return (bytes, 0) }
      var lost = 0
      let bytes = String(decoding: text, as: UTF8.self).unicodeScalars.flatMap { scalar in
        if let bytes = converter.text(Array(String(Character(scalar)).utf8)) { return bytes }
        lost += 1
        return [UInt8(ascii: "?")]
      }
      return (bytes, lost)
    }
  }

  /// UTF-16 as UTF-8.
  private static func units(_ bytes: [UInt8], isBig: Bool) throws(ScanFault) -> [UInt8] {
    guard bytes.count.isMultiple(of: 2) else {
      throw ScanFault(.badEncoding, at: bytes.count - 1, "half a unit of UTF-16")
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    func unit(_ place: Int) -> UInt16 {
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    var place = 0
    while place < bytes.count {
      let first = unit(place)
      var code = UInt32(first)
      if first & 0xFC00 == 0xD800, place + 3 < bytes.count, unit(place + 2) & 0xFC00 == 0xDC00 {
        code = 0x1_0000 + (UInt32(first & 0x3FF) << 10 | UInt32(unit(place + 2) & 0x3FF))
        place += 2
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw ScanFault(.badEncoding, at: place, "half a pair of UTF-16")
      }
      text += Array(String(Character(scalar)).utf8)
      place += 2
    }
    return text
  }

  /// The characters of the bytes from 0x80 on.
  private static func scalars(_ place: Int) -> [Unicode.Scalar] {
    ByteEncodings.all[place].runs.split(separator: " ").flatMap { run in
      let parts = run.split(separator: "+").compactMap { UInt32($0, radix: 16) }
      return (0..<(parts.count > 1 ? parts[1] : 1)).compactMap { Unicode.Scalar(parts[0] + $0) }
    }
  }
}
