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
      guard PropertyLists.isASCII(bytes) else { return nil }
      guard bytes.count <= 15 else { return String(decoding: bytes, as: UTF8.self) }
      // A string of this length has no memory of its own, and comes with less work this way.
      return String(unsafeUninitializedCapacity: bytes.count) { room in
        UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
        return bytes.count
      }
    }
    guard let text = text ?? nil else {
      throw PropertyListError(
        .badText, at: range.lowerBound, "a string of ASCII that holds other bytes")
    }
    return text
  }

  /// Whether all bytes in a range are of ASCII; not those outside the file.
  package func isASCII(_ range: Range<Int>) -> Bool {
    reader.withBytes(in: range) { PropertyLists.isASCII($0) } ?? false
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

/// Whether all bytes are below 0x80, eight at a time; the last loads may overlap.
func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let count = bytes.count
  var high: UInt64 = 0
  if count >= 8 {
    var place = 0
    while place &+ 8 <= count {
      high |= bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place &+= 8
    }
    high |= bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
  } else if count >= 4 {
    high |= UInt64(bytes.loadUnaligned(as: UInt32.self))
    high |= UInt64(bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
  } else {
    for byte in bytes { high |= UInt64(byte) }
  }
  return high & 0x8080_8080_8080_8080 == 0
}
