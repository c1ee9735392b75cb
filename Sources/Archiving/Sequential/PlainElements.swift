import PortolanMemory
import PropertyLists

// Strings and numbers in collections, which are written and read without making an object of each.
extension Archiver {
  /// Writes a number object.
  func write(number: Cocoa.Number) throws {
    _ = try checkRoom()
    begin(.number)
    writer.beginGroup(code: UInt8(ascii: "*"))
    writeCString([number.typeCode])
    writer.beginGroup(code: number.typeCode)
    try writeSingle(number.typed, number.typeCode)
    writer.endObject()
  }
}

extension Unarchiver {
  /// The next object, an element of a collection; `nil` when it is replaced by nothing.
  ///
  /// `plain` reads the values of an object that is written as most are, and may give up.
  func elementInPlace<Object: Coding>(
    _ type: Object.Type, _ plain: () throws -> Object?
  ) throws -> Object? {
    guard try beginGroup(UInt8(ascii: "@"), "") else { throw valueNotFound() }
    let place = Place(offset: cursor.offset, lastNumber: cursor.lastNumber)
    if let value = try? plainObject(type, plain) { return value }
    goBack(place)
    do {
      let slot = try makingSlot(for: type)
      guard slot.number >= 0 else { throw valueNotFound() }
      return try object(type, in: slot)
    } catch {
      try passNothing(error)
      return nil
    }
  }

  /// A new object of a class that was resolved before; `nil` for others.
  private func plainObject<Object: Coding>(
    _ type: Object.Type, _ plain: () throws -> Object?
  ) throws -> Object? {
    guard case .new(let number) = try cursor.slot(.object(classIndex: 0)), made[number] == 0,
      let index = try cursor.classChain(), records[index].slot == ObjectIdentifier(type),
      let known = records[index].type, ObjectIdentifier(known) == ObjectIdentifier(type),
      outerFrames.count < limits.depthMax, stackRoom() > limits.stackReserve,
      let value = try plain(), takes(TypedstreamHead.end)
    else { return nil }
    made[number] = Memo.madeOnce.word
    return value
  }

  /// The values of a number object.
  func plainNumber() throws -> Cocoa.Number? {
    guard takesGroup(UInt8(ascii: "*")) else { return nil }
    let (slot, string) = try cursor.cString()
    guard slot != .none else { return nil }
    let code = cursor.tables.typeCode(string)
    guard "cCsSiIlLqQBfd".utf8.contains(code), takesGroup(code) else { return nil }
    return Cocoa.Number(try single(code, nil), typeCode: code)
  }

  /// The value of a string object.
  func plainString() throws -> String? {
    guard takesGroup(UInt8(ascii: "+")), let range = try cursor.unnumberedString() else {
      return nil
    }
    return try text(range)
  }

  /// Goes over a byte, if it is the next.
  @inline(__always)
  private func takes(_ byte: UInt8) -> Bool {
    guard cursor.reader.byte(at: cursor.offset) == byte else { return false }
    cursor.offset &+= 1
    return true
  }
}
