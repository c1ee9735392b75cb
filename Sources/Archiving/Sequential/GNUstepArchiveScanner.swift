import PropertyLists

/// Goes through the items of a GNUstep archive, one after the other.
///
/// Everything is checked on the way: lengths, that new numbers follow each other, and that
/// references lead back. All numbers are big-endian.
public struct GNUstepArchiveScanner: Sendable {
  let reader: ByteReader
  /// Whether counts are written in groups of seven bits, as one version of the library did.
  private let hasShortCounts: Bool

  /// The byte at which the next item begins.
  public private(set) var offset = GNUstepArchive.headerSize
  /// The classes that have appeared so far.
  public private(set) var classes: [GNUstepArchiveClass] = []
  /// How many objects have appeared so far.
  public private(set) var objectCount = 0
  /// How many selectors, C strings and pointers have appeared so far.
  public private(set) var pointerCount = 0

  /// The low five bits of a tag.
  private enum Kind: UInt8 {
    case char = 0x01
    case unsignedChar, short, unsignedShort, int, unsignedInt, long, unsignedLong
    case longLong, unsignedLongLong, float, double, bool
    case object = 0x10
    case archivedClass, selector, pointer, cString, array, structure, classObject

    /// The code of the C type.
    var code: UInt8 {
      let codes: StaticString = "?cCsSiIlLqQfdB??@#:^*[{@"
      return codes.withUTF8Buffer { Int(rawValue) < $0.count ? $0[Int(rawValue)] : 0x3F }
    }

    var isNumber: Bool { rawValue < 0x10 }
  }

  private struct Tag {
    var kind: Kind
    var size: UInt8
    var isReference: Bool

    /// How many bytes a number of this tag takes.
    var width: Int {
      switch kind {
      case .char, .unsignedChar, .bool: 1
      case .float: 4
      case .double: 8
      default: 2 << Int(size)
      }
    }
  }

  init(_ reader: ByteReader, version: UInt32) {
    self.reader = reader
    hasShortCounts = version == 12_402
  }

  /// The next item; `nil` at the end of the archive.
  public mutating func next() throws -> GNUstepArchiveEvent? {
    guard offset < reader.count else { return nil }
    let start = offset
    let tag = try tag()
    if tag.kind.isNumber {
      guard !tag.isReference else { throw error(start, "a number cannot be a reference") }
      return try number(tag)
    }
    switch tag.kind {
    case .array: return try array(start)
    case .structure: return .beginStructure
    default: break
    }
    let number = try crossReference(tag)
    if tag.isReference { return try reference(tag, number, start) }
    switch tag.kind {
    case .archivedClass: return .archivedClass(try newClasses(number, start))
    case .object, .classObject:
      objectCount += 1
      try expect(number, objectCount, "object", start)
      let classNumber = try classOfObject()
      return tag.kind == .object
        ? .beginObject(number, classNumber: classNumber)
        : .classObject(number, classNumber: classNumber)
    default: return try newPointer(tag, number, start)
    }
  }

  // MARK: Tags

  private mutating func tag() throws -> Tag {
    let byte = try take(1, "a tag")
    guard let kind = Kind(rawValue: UInt8(byte & 0x1F)) else {
      throw error(offset - 1, "unknown tag 0x" + String(byte, radix: 16))
    }
    return Tag(kind: kind, size: UInt8(byte >> 5 & 3), isReference: byte & 0x80 != 0)
  }

  /// The number behind a tag: of no, one, two or four bytes.
  private mutating func crossReference(_ tag: Tag) throws -> Int {
    guard tag.size > 0 else { return 0 }
    return Int(try take(1 << Int(tag.size - 1), "a number"))
  }

  private func reference(_ tag: Tag, _ number: Int, _ start: Int) throws -> GNUstepArchiveEvent {
    guard number > 0 else { return .none(type: tag.kind.code) }
    let count =
      switch tag.kind {
      case .object, .classObject: objectCount
      case .archivedClass: classes.count
      default: pointerCount
      }
    guard number <= count else {
      throw error(start, "a reference to number \(number) of the \(count) that appeared so far")
    }
    switch tag.kind {
    case .object, .classObject: return .reference(number)
    case .archivedClass: return .archivedClass(number)
    default: return .pointerReference(number)
    }
  }

  private func expect(_ number: Int, _ expected: Int, _ what: String, _ start: Int) throws {
    guard number == expected else {
      throw error(start, "\(what) \(number) where number \(expected) is due")
    }
  }

  // MARK: Values

  private mutating func number(_ tag: Tag) throws -> GNUstepArchiveEvent {
    let code = tag.kind.code
    guard tag.width <= 8 else {
      let start = offset
      try skip(tag.width, "a number")
      return .wideInteger(start..<offset, type: code)
    }
    let value = try take(tag.width, "a number")
    switch tag.kind {
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: value)))
    case .double: return .double(Double(bitPattern: value))
    case .bool: return .bool(value != 0)
    case .unsignedChar, .unsignedShort, .unsignedInt, .unsignedLong, .unsignedLongLong:
      return .unsigned(value, type: code)
    default:
      let unused = UInt64(64 - 8 * tag.width)
      return .integer(Int64(bitPattern: value << unused) >> Int64(unused), type: code)
    }
  }

  /// An array: its count, then either the tag of all its numbers and these, or items.
  ///
  /// A count of 0 does not tell which. It is taken for one of numbers if the tag of a number
  /// follows.
  private mutating func array(_ start: Int) throws -> GNUstepArchiveEvent {
    // An array inside a structure or an array has a tag of its own in front. No count begins so:
    // it would be larger than any archive.
    if reader.byte(at: offset) == Kind.array.rawValue, !hasShortCounts { offset += 1 }
    let count = hasShortCounts ? try shortCount() : Int(try take(4, "a count"))
    guard count <= reader.count - offset else {
      throw error(start, "an array of \(counted(count, "element")), more than there are bytes")
    }
    guard let byte = reader.byte(at: offset), byte & 0x80 == 0,
      let kind = Kind(rawValue: byte & 0x1F), kind.isNumber
    else { return .beginArray(count: count) }
    let tag = try tag()
    let first = offset
    guard count <= (reader.count - first) / tag.width else {
      throw error(start, "an array of \(counted(count, "number")), more than there are bytes")
    }
    offset += count * tag.width
    return .numbers(type: kind.code, width: tag.width, first..<offset)
  }

  private mutating func shortCount() throws -> Int {
    var count: UInt64 = 0
    while true {
      let byte = try take(1, "a count")
      guard count < 1 << 40 else { throw error(offset, "a count beyond every archive") }
      count = count << 7 | byte & 0x7F
      if byte & 0x80 == 0 { return Int(count) }
    }
  }

  private mutating func newPointer(
    _ tag: Tag, _ number: Int, _ start: Int
  ) throws -> GNUstepArchiveEvent {
    pointerCount += 1
    try expect(number, pointerCount, "pointer", start)
    switch tag.kind {
    case .selector:
      let nameSize = Int(try take(2, "a length"))
      let typeSize = Int(try take(2, "a length"))
      let first = offset
      try skip(nameSize + typeSize, "a selector")
      return .newSelector(
        number, name: first..<first + nameSize, types: first + nameSize..<offset)
    case .cString:
      let size = Int(try take(4, "a length"))
      let first = offset
      try skip(size, "a C string")
      return .newCString(number, first..<offset)
    default: return .newPointer(number)
    }
  }

  // MARK: Classes

  /// The class behind the tag of an object; 0 for none.
  private mutating func classOfObject() throws -> Int {
    let start = offset
    let tag = try tag()
    guard tag.kind == .archivedClass else { throw error(start, "an object without a class") }
    let number = try crossReference(tag)
    guard tag.isReference else { return try newClasses(number, start) }
    guard number <= classes.count else {
      throw error(start, "class \(number) of the \(classes.count) that appeared so far")
    }
    return number
  }

  /// A class and those of its superclasses that are new; gives the number of the first.
  private mutating func newClasses(_ first: Int, _ start: Int) throws -> Int {
    var number = first
    var place = start
    while true {
      try expect(number, classes.count + 1, "class", place)
      let size = Int(try take(2, "a length"))
      let name = offset..<offset + size
      try skip(size, "the name of a class")
      let version = UInt32(truncatingIfNeeded: try take(4, "a version"))
      classes.append(GNUstepArchiveClass(name: name, version: version))
      place = offset
      guard reader.byte(at: offset) != 0 else {
        offset += 1
        return first
      }
      let tag = try tag()
      guard tag.kind == .archivedClass, !tag.isReference else {
        throw error(place, "a chain of superclasses that does not end")
      }
      number = try crossReference(tag)
      classes[classes.count - 1].superclass = number
    }
  }

  // MARK: Bytes

  private mutating func take(_ width: Int, _ what: String) throws -> UInt64 {
    guard let value = reader.bigEndian(at: offset, width: width) else {
      throw error(offset, "the archive ends inside \(what)")
    }
    offset += width
    return value
  }

  private mutating func skip(_ count: Int, _ what: String) throws {
    guard reader.contains(offset, count: count) else {
      throw error(offset, "the archive ends inside \(what)")
    }
    offset += count
  }

  private func error(_ place: Int, _ reason: String) -> ArchiveError {
    ArchiveError(.corrupt, offset: place, reason)
  }
}
