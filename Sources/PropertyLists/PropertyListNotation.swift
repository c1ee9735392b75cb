/// How a property list is written down.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PropertyListNotation: Hashable, Sendable {
  /// `bplist00` or another version of it.
  case binary
  /// Elements in angle brackets.
  case xml
  /// The older text with braces and semicolons. It is recognised; archives are never in it.
  case openStep

  /// Guesses the notation from the first bytes; `nil` when it is none of them.
  ///
  /// Only the beginning is looked at, so that the rest may still be wrong.
  public init?(_ bytes: [UInt8]) {
    if BinaryPropertyList.isBinary(ByteReader(bytes)) {
      self = .binary
      return
    }
    if let order = XMLPropertyListReader.wideOrder(of: bytes) {
      // The first character that is no space, in the low bytes.
      let low = stride(from: order.start + (order.isBigEndian ? 1 : 0), to: bytes.count, by: 2)
      let first = low.lazy.map { bytes[$0] }.first { !isSpace($0) }
      self = first == UInt8(ascii: "<") || first == nil ? .xml : .openStep
      return
    }
    let start = bytes.starts(with: XMLPropertyListReader.byteOrderMark) ? 3 : 0
    let text = bytes[start...].drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
    let next = text.dropFirst().first ?? 0
    switch text.first {
    case UInt8(ascii: "<"):
      self = Self.isElement(text.dropFirst()) ? .xml : .openStep
      guard self == .xml || Self.beginsData(next) else { return nil }
    case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "\""): self = .openStep
    case UInt8(ascii: "/"):
      guard next == UInt8(ascii: "*") || next == UInt8(ascii: "/") else { return nil }
      self = .openStep
    case let first? where Self.beginsEntry(first, text): self = .openStep
    default: return nil
    }
  }

  /// Whether a file without braces begins with the key of an entry, and `=` behind it.
  private static func beginsEntry(_ first: UInt8, _ text: ArraySlice<UInt8>) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
        || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
    guard isLetter(first) else { return false }
    return text.prefix(512).drop(while: isLetter).drop(while: isSpace).first == UInt8(ascii: "=")
  }

  /// Whether XML begins behind an angle bracket: a declaration, a comment or an element of ours.
  private static func isElement(_ text: ArraySlice<UInt8>) -> Bool {
    if text.first == UInt8(ascii: "?") { return text.starts(with: "?xml".utf8) }
    if text.first == UInt8(ascii: "!") {
      return text.starts(with: "!--".utf8) || text.starts(with: "!DOCTYPE".utf8)
    }
    var name: UInt64 = 0
    for byte in text.prefix(8) {
      guard byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") else { break }
      name = name << 8 | UInt64(byte)
    }
    return XMLElement(rawValue: name) != nil
  }

  /// Whether a byte may follow the bracket of OpenStep data: a hexadecimal digit, a space, `*`.
  private static func beginsData(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"), 0x20, UInt8(ascii: "*"), UInt8(ascii: ">"):
      true
    default: false
    }
  }
}

extension BinaryPropertyList {
  /// Opens a property list in any notation that is read: binary as it lies, XML transcoded.
  ///
  /// Offsets in later errors are those of the transcoded list. Throws `notAPropertyList` for
  /// anything else, and says so when it looks like the OpenStep text notation.
  public init(
    reading bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListError) {
    switch PropertyListNotation(bytes) {
    case .xml: try self.init(xml: bytes, limits: limits)
    case .openStep:
      throw PropertyListError(
        .notAPropertyList, at: 0,
        "it looks like a property list in the OpenStep text notation, which is not read; "
          + "convert it to the binary or the XML notation first")
    case .binary, nil: try self.init(bytes)
    }
  }
}
