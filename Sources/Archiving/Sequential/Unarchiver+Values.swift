import PortolanMemory
import PropertyLists

extension Unarchiver {
  public func decodeBoolIfPresent(forKey key: String) throws -> Bool? {
    guard try beginGroup(UInt8(ascii: "c"), key) else { return nil }
    switch try located({ try cursor.head() }) {
    case 0: return false
    case 1: return true
    case let byte:
      throw fault(.typeMismatch, "expected Bool, found an integer, \(Int8(bitPattern: byte))")
    }
  }

  public func decodeIntIfPresent(forKey key: String) throws -> Int? {
    guard try beginGroup(UInt8(ascii: "q"), key) else { return nil }
    return Int(truncatingIfNeeded: try located { try cursor.integer() })
  }

  public func decodeInt32IfPresent(forKey key: String) throws -> Int32? {
    guard try beginGroup(UInt8(ascii: "i"), key) else { return nil }
    return Int32(truncatingIfNeeded: try located { try cursor.integer() })
  }

  public func decodeInt64IfPresent(forKey key: String) throws -> Int64? {
    guard try beginGroup(UInt8(ascii: "q"), key) else { return nil }
    return try located { try cursor.integer() }
  }

  public func decodeFloatIfPresent(forKey key: String) throws -> Float? {
    guard try beginGroup(UInt8(ascii: "f"), key) else { return nil }
    return try located { try cursor.float().value }
  }

  public func decodeDoubleIfPresent(forKey key: String) throws -> Double? {
    guard try beginGroup(UInt8(ascii: "d"), key) else { return nil }
    return try located { try cursor.double().value }
  }

  public func decodeStringIfPresent(forKey key: String) throws -> String? {
    guard try beginGroup(UInt8(ascii: "@"), key) else { return nil }
    return try unlessNothing { try stringInPlace() }
  }

  public func decodeDateIfPresent(forKey key: String) throws -> Double? {
    guard try beginGroup(UInt8(ascii: "@"), key) else { return nil }
    return try foundation(.date) {
      try requireGroup(UInt8(ascii: "d"))
      return try cursor.double().value
    }
  }

  public func archivedDataIfPresent(forKey key: String) throws -> ArchivedData? {
    guard let range = try dataIfPresent(key) else { return nil }
    try charge(range.count)
    return ArchivedData(reader: cursor.reader, range: range)
  }

  /// Finds bytes, be they counted in the object itself (`+`) or a data object (`@`).
  private func dataIfPresent(_ key: String) throws -> Range<Int>? {
    if nextGroupIs(UInt8(ascii: "+")) {
      _ = try beginGroup(UInt8(ascii: "+"), key)
      return try located { try cursor.unnumberedString() }
    }
    guard try beginGroup(UInt8(ascii: "@"), key) else { return nil }
    return try foundation(.data) { try data() }
  }

  // MARK: Without keys

  public func decodeBool() throws -> Bool { try present(decodeBoolIfPresent(forKey: "")) }

  public func decodeInt() throws -> Int { try present(decodeIntIfPresent(forKey: "")) }

  public func decodeInt32() throws -> Int32 { try present(decodeInt32IfPresent(forKey: "")) }

  public func decodeInt64() throws -> Int64 { try present(decodeInt64IfPresent(forKey: "")) }

  public func decodeFloat() throws -> Float { try present(decodeFloatIfPresent(forKey: "")) }

  public func decodeDouble() throws -> Double { try present(decodeDoubleIfPresent(forKey: "")) }

  public func decodeStringIfPresent() throws -> String? { try decodeStringIfPresent(forKey: "") }

  public func decodeBytesIfPresent() throws -> [UInt8]? { try decodeDataIfPresent(forKey: "") }

  public func decodeDataIfPresent() throws -> [UInt8]? { try decodeDataIfPresent(forKey: "") }

  public func decodeDateIfPresent() throws -> Double? { try decodeDateIfPresent(forKey: "") }

  /// Decodes bytes that were encoded without an object, in two groups.
  ///
  /// The counterpart of Cocoa's `decodeDataObject`.
  public func decodeDataObject() throws -> ArchivedData {
    guard try beginGroup(UInt8(ascii: "i"), "") else { throw valueNotFound() }
    let range = try bytesBehindCount()
    try charge(range.count)
    return ArchivedData(reader: cursor.reader, range: range)
  }

  private func present<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw valueNotFound() }
    return value
  }

  // MARK: Foundation's objects

  /// The object of a class of Foundation in a place; `read` gets its groups. `nil` for none.
  func foundation<Value>(
    _ expected: FoundationObject, _ read: () throws -> Value
  ) throws -> Value? {
    guard let open = try open(expected) else { return nil }
    do {
      let value = try read()
      try close(open)
      return value
    } catch {
      throw closed(open, error)
    }
  }

  /// An object of a class of Foundation whose groups are being read.
  ///
  /// It counts as being made, so that a collection cannot hold itself.
  struct OpenObject {
    var number: Int
    /// What was noted for its number before.
    var former: UInt32
    /// Where the decoding goes on; `nil` behind the object.
    var back: Place?
  }

  /// Opens the object of a class of Foundation in a place; `nil` for none.
  @inline(never)
  func open(_ expected: FoundationObject) throws -> OpenObject? {
    switch try objectSlot() {
    case .none: return nil
    case .new(let number):
      do {
        return try open(expected, number, classIndex(), nil)
      } catch {
        // The groups after it can still be read.
        skip(number)
        throw error
      }
    case .known(let number):
      let (index, back) = try goTo(number)
      do {
        return try open(expected, number, index, back)
      } catch {
        goBack(back)
        throw error
      }
    }
  }

  private func open(
    _ expected: FoundationObject, _ number: Int, _ index: Int, _ back: Place?
  ) throws -> OpenObject {
    guard records[index].foundation == expected else {
      throw classFault(class: index, "an object of class \(expected.rawValue)")
    }
    let former = made[number]
    guard former != Memo.underConstruction.word else { throw cycleFault(number) }
    made[number] = Memo.underConstruction.word
    return OpenObject(number: number, former: former, back: back)
  }

  /// Closes an object whose groups were read.
  @inline(never)
  func close(_ open: OpenObject) throws {
    try requireEnd()
    made[open.number] = open.former
    if let back = open.back { goBack(back) }
  }

  /// Closes an object that could not be read; the groups after it can be.
  @inline(never)
  func closed(_ open: OpenObject, _ error: any Error) -> any Error {
    let placed = placed(error)
    made[open.number] = open.former
    if let back = open.back { goBack(back) } else { skip(open.number) }
    return placed
  }

  /// The groups of a data object.
  func data() throws -> Range<Int> {
    try requireGroup(UInt8(ascii: "i"))
    return try bytesBehindCount()
  }

  /// A count, and a group of as many bytes.
  private func bytesBehindCount() throws -> Range<Int> {
    let count = Int32(truncatingIfNeeded: try located { try cursor.integer() })
    guard let count = Int(exactly: count), cursor.reader.contains(cursor.offset, count: count)
    else { throw fault(.corrupt, "data of \(counted(count, "byte"))") }
    try requireBytesGroup(count)
    return try located { try cursor.take(count) }
  }

  /// The string in a place; `nil` for none.
  @inline(__always)
  func stringInPlace() throws -> String? {
    switch try objectSlot() {
    case .none: return nil
    case .known(let number):
      if case .string(let place) = Memo(made[number]) { return made.strings[place] }
      let (index, back) = try goTo(number)
      defer { goBack(back) }
      return try string(number, index)
    case .new(let number):
      do {
        return try string(number, classIndex())
      } catch {
        skip(number)
        throw error
      }
    }
  }

  private func string(_ number: Int, _ index: Int) throws -> String {
    guard records[index].foundation == .string else {
      guard isListed(records[index].name) else { throw classFault(class: index, "a string") }
      // An object of a listed class may be handed out as a string; the stream goes on behind it.
      defer { skip(number) }
      return try object(String.self, number)
    }
    try requireGroup(UInt8(ascii: "+"))
    guard let range = try located({ try cursor.unnumberedString() }) else {
      throw fault(.corrupt, "a string without bytes")
    }
    let text = try self.text(range)
    try requireEnd()
    if made[number] == 0 { made.remember(string: text, number) }
    return text
  }

  private func utf8Text(_ bytes: UnsafeRawBufferPointer) -> String? {
    bytes.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
  }

  /// The text of bytes of the stream.
  func text(_ range: Range<Int>) throws -> String {
    if range.count > 15 {
      try charge(range.count)
    } else if let short = cursor.reader.withBytes(in: range, { ShortText($0) }), let short {
      return short.string
    }
    if textEncoding != .nextstep,
      let text = cursor.reader.withBytes(in: range, { utf8Text($0) }), let text
    {
      return text
    }
    guard textEncoding == .nextstep || (textEncoding == .automatic && systemVersion < 1_000),
      let text = cursor.reader.withBytes(in: range, { NextStepText.decode($0) }), let text
    else {
      throw fault(
        .typeMismatch,
        "a string that is not valid UTF-8; early streams of OPENSTEP are read with"
          + " textEncoding .nextstep")
    }
    return text
  }
}
