extension BinaryPropertyList {
  /// The text of a string object; `nil` when its UTF-16 is not valid Unicode.
  ///
  /// Throws `badText` for bytes of 0x80 and more in an ASCII string, and `wrongKind` for anything
  /// that is no string.
  public func string(_ object: PropertyListObject) throws(PropertyListError) -> String? {
    switch object {
    case .ascii(let range): return try ascii(range)
    case .utf16(let range): return utf16(range)
    default:
      throw PropertyListError(.wrongKind, "expected a string, found \(object.kindName)")
    }
  }

  /// The text of an ASCII string whose bytes lie in a range.
  public func ascii(_ range: Range<Int>) throws(PropertyListError) -> String {
    let text = reader.withBytes(in: range) { bytes -> String? in
      guard isASCII(bytes) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
    guard let text = text ?? nil else {
      throw PropertyListError(
        .badText, at: range.lowerBound, "a string of ASCII that holds other bytes")
    }
    return text
  }

  func utf16(_ range: Range<Int>) -> String? {
    let text = reader.withBytes(in: range) { bytes -> String? in
      let units = (0..<bytes.count / 2).lazy.map { place in
        UInt16(bytes[place * 2]) << 8 | UInt16(bytes[place * 2 + 1])
      }
      return String(validating: units, as: UTF16.self)
    }
    return text ?? nil
  }
}

extension String {
  /// Whether all characters are of ASCII.
  package var isASCII: Bool {
    var text = self
    return text.withUTF8 { PropertyLists.isASCII(UnsafeRawBufferPointer($0)) }
  }
}

/// Whether all bytes are below 0x80, eight at a time.
func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var place = 0
  var high: UInt64 = 0
  while place &+ 8 <= bytes.count {
    high |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    place &+= 8
  }
  while place < bytes.count {
    high |= UInt64(bytes[place])
    place &+= 1
  }
  return high & 0x8080_8080_8080_8080 == 0
}
