// The few questions that a reader of archives asks for every field. Each checks all that
// `object(_:)` checks for its kind and returns `nil` for anything unusual, which the caller then
// asks `object(_:)` about. They are inlined into callers: together they are most of what decoding
// costs.
extension BinaryPropertyList {
  /// Where an object begins; `nil` when it is not inside the objects' area.
  @inlinable
  @inline(__always)
  public func place(of reference: PropertyListReference) -> Int? {
    guard Int(reference) < count,
      let raw = word(at: tableOffset &+ Int(reference) &* offsetWidth, width: offsetWidth),
      raw &- 8 < UInt64(truncatingIfNeeded: tableOffset &- 8)
    else { return nil }
    return Int(truncatingIfNeeded: raw)
  }

  /// A number of as many bytes as references or offsets have; `nil` outside the file.
  ///
  /// Eight bytes are read at once, without those behind the number: after all numbers of a list
  /// comes its trailer, and a list has more than eight bytes.
  @inlinable
  @inline(__always)
  func word(at offset: Int, width: Int) -> UInt64? {
    guard UInt(bitPattern: offset) < wordEnd else {
      return SourcePages.word(reader.pages, at: offset, width)
    }
    let word = reader.bytes.withUnsafeBytes {
      $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    return UInt64(bigEndian: word) &>> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
  }

  /// The byte at the place of an object.
  @inlinable
  @inline(__always)
  package func marker(at place: Int) -> UInt8? {
    guard UInt(bitPattern: place) < UInt(bitPattern: reader.bytes.count) else {
      return SourcePages.byte(reader.pages, at: place)
    }
    return reader.bytes.withUnsafeBytes { $0[place] }
  }

  /// A reference in a row; `nil` when it is outside the row or names no object.
  @inlinable
  @inline(__always)
  public func entry(_ index: Int, of row: PropertyListReferences) -> PropertyListReference? {
    guard index >= 0, index < row.count,
      let raw = word(at: row.start &+ index &* referenceWidth, width: referenceWidth),
      raw < UInt64(truncatingIfNeeded: count)
    else { return nil }
    return PropertyListReference(truncatingIfNeeded: raw)
  }

  /// The value of a reference object of up to four bytes.
  @inlinable
  @inline(__always)
  public func shortUID(_ reference: PropertyListReference) -> UInt32? {
    guard let offset = place(of: reference), let marker = marker(at: offset),
      marker & 0xFC == 0x80
    else { return nil }
    let width = Int(marker & 0x03) &+ 1
    guard offset &+ 1 &+ width <= tableOffset, let value = word(at: offset &+ 1, width: width)
    else { return nil }
    return UInt32(truncatingIfNeeded: value)
  }

  /// The rows of the dictionary that begins at an offset.
  @inlinable
  @inline(__always)
  public func shortDictionary(
    at offset: Int
  ) -> (keys: PropertyListReferences, values: PropertyListReferences)? {
    guard let marker = marker(at: offset), marker & 0xF0 == 0xD0, marker != 0xDF else {
      return nil
    }
    let count = Int(marker & 0x0F)
    let row = count &* referenceWidth
    guard offset &+ 1 &+ 2 &* row <= tableOffset else { return nil }
    return (
      PropertyListReferences(start: offset &+ 1, count: count),
      PropertyListReferences(start: offset &+ 1 &+ row, count: count)
    )
  }

  /// The row of an array of up to fourteen elements.
  @inlinable
  @inline(__always)
  public func shortArray(_ reference: PropertyListReference) -> PropertyListReferences? {
    guard let offset = place(of: reference), let marker = marker(at: offset),
      marker & 0xF0 == 0xA0, marker != 0xAF
    else { return nil }
    let count = Int(marker & 0x0F)
    guard offset &+ 1 &+ count &* referenceWidth <= tableOffset else { return nil }
    return PropertyListReferences(start: offset &+ 1, count: count)
  }

  /// The number that begins at an offset; whole ones of sixteen bytes are left out.
  @inlinable
  @inline(__always)
  public func shortNumber(at offset: Int) -> PropertyListObject? {
    guard let marker = marker(at: offset) else { return nil }
    if marker == 0x23 {
      guard offset &+ 9 <= tableOffset, let bits = word(at: offset &+ 1, width: 8) else {
        return nil
      }
      return .double(Double(bitPattern: bits))
    }
    guard marker & 0xFC == 0x10 else { return nil }
    let width = 1 &<< Int(marker & 0x03)
    guard offset &+ 1 &+ width <= tableOffset, let bits = word(at: offset &+ 1, width: width)
    else { return nil }
    return .integer(Int64(bitPattern: bits))
  }

  /// The bytes of an ASCII string whose length is stated in one or two bytes.
  @inlinable
  @inline(__always)
  public func shortASCII(at offset: Int) -> Range<Int>? {
    guard let marker = marker(at: offset), marker & 0xF0 == 0x50 else { return nil }
    var start = offset &+ 1
    var count = Int(marker & 0x0F)
    if count == 15 {
      guard self.marker(at: start) == 0x10, let length = self.marker(at: start &+ 1) else {
        return nil
      }
      count = Int(length)
      start = start &+ 2
    }
    guard start &+ count <= tableOffset else { return nil }
    return start..<start &+ count
  }
}
