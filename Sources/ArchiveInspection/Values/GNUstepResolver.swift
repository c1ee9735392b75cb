import Archiving
import PropertyLists

/// Makes the graph of a GNUstep archive whose objects are all of classes that are known.
///
/// Such an archive does not tell where an object ends. How many items Foundation's value classes
/// write is known: their objects are put into a typedstream in memory, to be read like any other.
/// The first object of another class ends the reading, for what follows it belongs to nobody.
struct GNUstepResolver {
  private let archive: GNUstepArchive
  private var scanner: GNUstepArchiveScanner
  private var writer = TypedstreamWriter()
  /// The number in the stream of each object, and the units of UTF-16 of a text.
  private var numbers: [Int: Int] = [:]
  private var lengths: [Int: Int] = [:]
  private var typeNumbers: [String: Int] = [:]
  private var work: [Step] = []

  private enum Step {
    case object
    /// So many objects.
    case objects(Int)
    /// So many elements of a counted set, each with its count behind it.
    case counted(Int)
    case count
    case end
    /// The runs of a text with so many units left, each with a number.
    case runs(left: Int, number: Int64)
    /// The base of a URL; nothing is written where there is none.
    case base
  }

  /// The graph of an archive.
  ///
  /// - Throws: `InspectionError` that names the first object whose class is not known.
  static func archive(_ archive: GNUstepArchive) throws -> InspectedArchive {
    do {
      var resolver = GNUstepResolver(archive)
      try resolver.run()
      var graph = try InspectedArchive(graphOf: resolver.writer.bytes)
      graph.header.format = .gnustep
      graph.header.byteCount = archive.reader.count
      graph.header.version = Int64(archive.version)
      (graph.header.byteOrder, graph.header.systemVersion) = (nil, nil)
      return graph
    } catch let error as ArchiveError {
      throw InspectionError(.unreadable, error.description)
    }
  }

  private init(_ archive: GNUstepArchive) {
    self.archive = archive
    scanner = archive.events()
  }

  private mutating func run() throws {
    while let event = try scanner.next() {
      switch event {
      case .integer, .unsigned, .float, .double, .bool: try writeNumber(event)
      default:
        writer.beginGroup("@")
        try write(event)
      }
      while let step = work.popLast() { try take(step) }
    }
  }

  private mutating func take(_ step: Step) throws {
    switch step {
    case .object:
      writer.beginGroup("@")
      try write(try next())
    case .objects(let count):
      if count > 0 { work += [.objects(count - 1), .object] }
    case .counted(let count):
      if count > 0 { work += [.counted(count - 1), .count, .object] }
    case .count:
      writer.beginGroup("I")
      writer.writeInteger(Int64(try whole()), type: UInt8(ascii: "I"))
    case .end: writer.endObject()
    case .runs(let left, let number):
      guard left > 0 else { return }
      let length = try whole()
      guard length > 0, length <= left else { throw error("runs that do not fit their text") }
      writer.beginGroup("iI")
      writer.writeInteger(number)
      writer.writeInteger(Int64(length), type: UInt8(ascii: "I"))
      work += [.runs(left: left - length, number: number + 1), .object]
    case .base:
      let base = try next()
      guard case .none = base else {
        writer.beginGroup("@")
        return try write(base)
      }
    }
  }

  // MARK: Items

  private mutating func next() throws -> GNUstepArchiveEvent {
    guard let event = try scanner.next() else { throw error("it ends in an object") }
    return event
  }

  /// A count that the rest of the archive bears out.
  private mutating func whole() throws -> Int {
    let count: Int? =
      switch try next() {
      case .integer(let value, _): Int(exactly: value)
      case .unsigned(let value, _): Int(exactly: value)
      default: nil
      }
    guard let count, count >= 0, count <= archive.reader.count else {
      throw error("no count where one is expected")
    }
    return count
  }

  /// Passes over the mark of an array if there is one.
  private mutating func passArray() throws {
    var ahead = scanner
    if case .beginArray? = try ahead.next() { scanner = ahead }
  }

  private func error(_ what: String) -> InspectionError {
    InspectionError(
      .unsupported,
      "byte \(scanner.offset): \(what): a GNUstep archive does not tell where its objects end, and "
        + "only those of Foundation's value classes are resolved; --json shows its items")
  }

  // MARK: Objects

  private mutating func write(_ event: GNUstepArchiveEvent) throws {
    switch event {
    case .none: writer.writeNone()
    case .reference(let number):
      guard let known = numbers[number] else { throw error("a reference to no object") }
      writer.writeReference(known)
    case .beginObject(let number, let kind):
      try begin(number, archive.chain(ofClass: kind, atMost: 1).first ?? "?")
    default: throw error("an item outside of all objects")
    }
  }

  private mutating func begin(_ number: Int, _ name: String) throws {
    numbers[number] = writer.beginObject(FoundationChains.of(name))
    work.append(.end)
    switch name {
    case "NSNull": break
    case "NSString", "NSMutableString":
      let text = try text()
      lengths[number] = text.utf16.count
      writer.beginGroup("+")
      writer.writeBytes(Array(text.utf8))
    case "NSNumber":
      // Its type, as a character.
      _ = try next()
      try writeNumber(try next(), named: true)
    case "NSDate":
      guard case .double(let seconds) = try next() else { throw error("an NSDate without seconds") }
      writer.beginGroup("d")
      writer.writeDouble(seconds)
    case "NSData", "NSMutableData": try writeData(isMutable: name == "NSMutableData")
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet":
      let count = try writeCount(name.hasSuffix("Set") ? "I" : "i")
      try passArray()
      work.append(.objects(count))
    case "NSDictionary", "NSMutableDictionary":
      work.append(.objects(2 * (try writeCount("i"))))
    case "NSCountedSet":
      work.append(.counted(try writeCount("I")))
    case "NSAttributedString", "NSMutableAttributedString": try beginAttributedText()
    case "NSURL":
      writer.beginGroup("c")
      writer.writeByte(0)
      work += [.base, .object]
    case "NSDecimalNumber", "NSLocale", "NSTimeZone": work.append(.object)
    case "NSCalendar": work.append(.objects(3))
    case "NSError":
      try writeNumber(try next())
      work.append(.objects(2))
    case "NSUUID": try writeUUID()
    case "NSIndexSet", "NSMutableIndexSet": try beginIndexSet()
    default: throw error("object #\(number) is of the class \(name.prefix(80))")
    }
  }

  private mutating func writeCount(_ type: String) throws -> Int {
    let count = try whole()
    writer.beginGroup(type)
    writer.writeInteger(Int64(count))
    return count
  }

  /// A count, then the bytes as items of their own or as one.
  private mutating func writeUUID() throws {
    guard try whole() == 16 else { throw error("a UUID of other than 16 bytes") }
    var bytes: [UInt8] = []
    while bytes.count < 16 {
      switch try next() {
      case .unsigned(let value, _): bytes.append(UInt8(truncatingIfNeeded: value))
      case .integer(let value, _): bytes.append(UInt8(truncatingIfNeeded: value))
      case .numbers(_, 1, let range) where bytes.isEmpty && range.count == 16:
        bytes = archive.reader.withBytes(in: range) { [UInt8]($0) } ?? []
      default: throw error("a UUID without its bytes")
      }
    }
    writer.beginGroup("[16c]")
    writer.writeByteArray(bytes)
  }

  /// How many ranges there are; one follows as two numbers, more as data.
  private mutating func beginIndexSet() throws {
    let count = try whole()
    writer.beginGroup("Q")
    writer.writeInteger(Int64(count))
    if count == 1 {
      try writeNumber(try next())
      try writeNumber(try next())
    } else if count > 1 {
      work.append(.object)
    }
  }

  /// The text comes first; how far its runs go is known by its length.
  private mutating func beginAttributedText() throws {
    var ahead = scanner
    var length: Int?
    switch try ahead.next() {
    case .reference(let number)?: length = lengths[number]
    case .beginObject(_, let kind)?:
      let name = archive.chain(ofClass: kind, atMost: 1).first ?? ""
      if ["NSString", "NSMutableString"].contains(name) {
        switch try ahead.next() {
        case .integer(let value, _)?: length = Int(exactly: value)
        case .unsigned(let value, _)?: length = Int(exactly: value)
        default: break
        }
      }
    default: break
    }
    guard let length else { throw error("an attributed string without a text") }
    work += [.runs(left: length, number: 1), .object]
  }

  /// A count, an encoding and characters; of an empty text the count alone.
  private mutating func text() throws -> String {
    guard try whole() > 0 else { return "" }
    let encoding = try whole()
    guard case .numbers(let type, _, let range) = try next() else { throw error("no characters") }
    // 4 is UTF-8; bytes of other encodings are taken as one character each.
    let isUnicode = type == UInt8(ascii: "S") || encoding == 4
    if isUnicode, let text = archive.text(ofNumbers: range, type: type) { return text }
    guard !isUnicode, let bytes = archive.reader.withBytes(in: range, { [UInt8]($0) }) else {
      throw error("a text that is not valid")
    }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Immutable data have a byte between their length and their bytes.
  private mutating func writeData(isMutable: Bool) throws {
    let count = try whole()
    if !isMutable { _ = try next() }
    var bytes: [UInt8] = []
    if count > 0 {
      guard case .numbers(_, 1, let range) = try next(), range.count == count else {
        throw error("data without bytes")
      }
      bytes = archive.reader.withBytes(in: range) { [UInt8]($0) } ?? []
    }
    writer.beginGroup("i")
    writer.writeInteger(Int64(count))
    writer.beginGroup("[\(count)c]")
    writer.writeByteArray(bytes)
  }

  /// A number as a group; of an `NSNumber` its type stands before it.
  private mutating func writeNumber(_ event: GNUstepArchiveEvent, named: Bool = false) throws {
    switch event {
    case .integer(let value, _):
      beginNumber("q", named)
      writer.writeInteger(value)
    case .unsigned(let value, _):
      beginNumber("Q", named)
      writer.writeInteger(Int64(bitPattern: value))
    case .float(let value):
      beginNumber("f", named)
      writer.writeFloat(value)
    case .double(let value):
      beginNumber("d", named)
      writer.writeDouble(value)
    case .bool(let value):
      beginNumber("B", named)
      writer.writeByte(value ? 1 : 0)
    default: throw error("no number where one is expected")
    }
  }

  private mutating func beginNumber(_ type: String, _ isNamed: Bool) {
    if isNamed {
      writer.beginGroup("*")
      if let known = typeNumbers[type] {
        writer.writeReference(known)
      } else {
        typeNumbers[type] = writer.writeNewCString(Array(type.utf8))
      }
    }
    writer.beginGroup(type)
  }
}
