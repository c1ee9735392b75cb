import PortolanMemory
import PropertyLists

// Going into groups and objects and out again.
extension Unarchiver {
  /// Whether the object being made, or the stream, has no more groups.
  var isAtEndOfValues: Bool {
    guard let head = cursor.reader.byte(at: cursor.offset) else { return true }
    return head == TypedstreamHead.end && frame.number >= 0
  }

  /// Begins a group of one value of a type; false when there are no more groups.
  ///
  /// A group of other types is left where it is.
  @inline(__always)
  func beginGroup(_ code: UInt8, _ key: String) throws -> Bool {
    frame.key = ShortText(key) ?? listed(key)
    frame.position &+= 1
    frame.element = -1
    return try takesGroup(code) || beginFarGroup([code])
  }

  /// Lists a key that is no short text.
  @inline(never)
  private func listed(_ key: String) -> ShortText {
    longKeys[outerFrames.count] = key
    return .other
  }

  /// Whether the next group is of one value of a type.
  func nextGroupIs(_ code: UInt8) -> Bool {
    guard !isAtEndOfValues else { return false }
    let place = cursor.offset
    defer { cursor.offset = place }
    guard let number = try? cursor.numberedString() else { return false }
    return cursor.tables.typeCode(number) == code
  }

  /// Begins a group of any types; false when there are no more groups.
  func beginGroup(types: String) throws -> Bool {
    frame.key = ShortText(constant: "")
    frame.position &+= 1
    return try beginFarGroup(Array(types.utf8))
  }

  @inline(never)
  private func beginFarGroup(_ types: [UInt8]) throws -> Bool {
    if isAtEndOfValues { return false }
    let place = cursor.offset
    guard let number = try located({ try cursor.numberedString() }) else {
      throw fault(.corrupt, "a group without types")
    }
    let found = cursor.bytes(ofString: number)
    guard found == types || (!TypeSpelling.isPlain(found) && TypeSpelling.strip(found) == types)
    else {
      cursor.offset = place
      throw fault(
        .typeMismatch,
        "expected values of type \(String(decoding: types, as: UTF8.self)), found"
          + " \(stream.text(ofString: number))")
    }
    return true
  }

  /// Begins a group that an object of a known layout must have; keys and places stay.
  @inline(__always)
  func requireGroup(_ code: UInt8) throws {
    if !takesGroup(code) { try requireFarGroup([code]) }
  }

  /// Begins a group of one value whose type is this one, as a group near by had it.
  @inline(__always)
  func takesGroup(_ code: UInt8) -> Bool {
    guard let head = cursor.reader.byte(at: cursor.offset), head >= TypedstreamHead.firstSmall,
      Int(head &- TypedstreamHead.firstSmall) < nearTypes.count,
      nearTypes[Int(head &- TypedstreamHead.firstSmall)] == code
    else { return false }
    cursor.offset &+= 1
    return true
  }

  /// Begins a group of any types that an object of a known layout must have.
  @inline(never)
  func requireFarGroup(_ types: [UInt8]) throws {
    let head = cursor.reader.byte(at: cursor.offset)
    guard head != nil, head != TypedstreamHead.end else {
      throw fault(.corrupt, "an object with fewer values than its class has")
    }
    _ = try beginFarGroup(types)
  }

  /// Begins the group `[nc]` that an object of a known layout must have.
  func requireBytesGroup(_ count: Int) throws {
    let place = cursor.offset
    if let number = try? cursor.numberedString(), cursor.tables.isByteArray(number, count),
      // Of the types of bytes, the last character but one.
      cursor.reader.byte(at: cursor.range(ofString: number).upperBound - 2) == UInt8(ascii: "c")
    {
      return
    }
    cursor.offset = place
    try requireFarGroup(Array("[\(count)c]".utf8))
  }

  /// Ends an object of a known layout.
  @inline(__always)
  func requireEnd() throws {
    guard cursor.reader.byte(at: cursor.offset) == TypedstreamHead.end else {
      throw fault(.corrupt, "an object with more values than its class has")
    }
    cursor.offset &+= 1
  }

  /// The item in the place of an object.
  @inline(__always)
  func objectSlot() throws -> TypedstreamCursor.Slot {
    try located { try cursor.slot(.object(classIndex: 0)) }
  }

  /// The class of an object whose head was read; the cursor is then at its first group.
  @inline(__always)
  func classIndex() throws -> Int {
    guard let index = try located({ try cursor.classChain() }) else {
      throw fault(.corrupt, "an object without a class")
    }
    return index
  }

  /// Where the decoding goes on after an object was read at the place at which it appears.
  struct Place {
    var offset: Int
    var lastNumber: Int
  }

  /// Goes to an object that appeared elsewhere, behind its class.
  func goTo(_ number: Int) throws -> (classIndex: Int, back: Place) {
    let back = Place(offset: cursor.offset, lastNumber: cursor.lastNumber)
    guard case .object? = cursor.tables.entry(number) else {
      throw fault(.typeMismatch, "object \(number) is a class or a C string")
    }
    cursor.offset = Int(cursor.tables.items[number].start) + 1
    cursor.lastNumber = number
    do {
      return (try classIndex(), back)
    } catch {
      goBack(back)
      throw error
    }
  }

  func goBack(_ place: Place) {
    cursor.offset = place.offset
    cursor.lastNumber = place.lastNumber
  }

  /// Goes behind an object that began here.
  func skip(_ number: Int) {
    cursor.offset = Int(cursor.tables.items[number].end)
  }

  /// Begins an object whose values are read next.
  func enter(_ number: Int, _ classIndex: Int) {
    outerFrames.append(frame)
    frame = Frame(number: number, classIndex: classIndex)
  }

  /// Ends the object being made; all its values must have been read.
  @inline(__always)
  func endObject() throws {
    if cursor.reader.byte(at: cursor.offset) != TypedstreamHead.end || frame.skipsRest {
      try endLongObject()
    } else {
      cursor.offset &+= 1
    }
    if !outerFrames.isEmpty { frame = outerFrames.removeLast() }
  }

  @inline(never)
  private func endLongObject() throws {
    guard frame.skipsRest else { throw surplus() }
    skip(frame.number)
  }

  private func surplus() -> ArchiveError {
    let place = cursor.offset
    defer { cursor.offset = place }
    let number = (try? cursor.numberedString()).flatMap { $0 }
    let types = number.map { stream.text(ofString: $0) } ?? "?"
    let name = frame.classIndex >= 0 ? records[frame.classIndex].name : "the stream"
    frame.key = ShortText(constant: "")
    return fault(
      .typeMismatch,
      "values of type \(types) are left in an object of \(name); a class that"
        + " reads newer objects calls skipRemainingValues()")
  }

  /// Leaves an object, and those within it, whatever was read of it.
  ///
  /// - Returns: what was noted for its number before, if it was being made.
  @inline(never)
  @discardableResult
  func leave(_ number: Int, _ depth: Int) -> UInt32 {
    let left = outerFrames.count > depth + 1 ? outerFrames[depth + 1] : frame
    if outerFrames.count > depth {
      frame = outerFrames[depth]
      outerFrames.truncate(to: depth)
    }
    // The groups after it can still be read.
    skip(number)
    return left.making.former
  }
}
