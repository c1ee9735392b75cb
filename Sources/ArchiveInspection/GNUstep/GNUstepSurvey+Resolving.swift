import Archiving
import PropertyLists

/// The objects of Foundation's value classes, of which is known how many items they write.
///
/// They are put together as a typedstream has them. The first object of another class ends the
/// reading, for what follows it belongs to nobody.
extension GNUstepSurvey {
  private enum Step {
    case object
    /// So many objects.
    case objects(Int)
    /// So many elements of a counted set, each with its count behind it.
    case counted(Int)
    case count
    case end
    /// The runs of the text that was read last.
    case allRuns
    /// The runs of a text with so many units left, each with a number.
    case runs(left: Int, number: Int64)
    /// The base of a URL; nothing is added where there is none.
    case base
  }

  /// - Throws: `InspectionError` that names the first object whose class is not known.
  mutating func resolve() throws {
    var work: [Step] = []
    while let event = try next() {
      try add(event, &work)
      while let step = work.popLast() { try take(step, &work) }
    }
    end()
  }

  private mutating func take(_ step: Step, _ work: inout [Step]) throws {
    switch step {
    case .object: try addObject(try item(), &work)
    case .objects(let count):
      if count > 0 { work += [.objects(count - 1), .object] }
    case .counted(let count):
      if count > 0 { work += [.counted(count - 1), .count, .object] }
    case .count: add(.integer(Int64(try whole())), "I")
    case .end: end()
    case .allRuns: work.append(.runs(left: try textLength(), number: 1))
    case .runs(let left, let number):
      guard left > 0 else { return }
      let length = try whole()
      guard length > 0, length <= left else { throw error("runs that do not fit their text") }
      add(.integer(number), "i")
      add(.integer(Int64(length)), "I")
      work += [.runs(left: left - length, number: number + 1), .object]
    case .base:
      let base = try item()
      guard case .none = base else { return try addObject(base, &work) }
    }
  }

  // MARK: Items

  private mutating func item() throws -> GNUstepArchiveEvent {
    guard let event = try next() else { throw error("it ends in an object") }
    return event
  }

  /// Passes over a whole number; anything else could be what later references mean.
  private mutating func passNumber() throws {
    switch try item() {
    case .integer, .unsigned: break
    default: throw error("no number where one is expected")
    }
  }

  /// A count that the rest of the archive bears out.
  private mutating func whole() throws -> Int {
    let count: Int? =
      switch try item() {
      case .integer(let value, _): Int(exactly: value)
      case .unsigned(let value, _): Int(exactly: value)
      default: nil
      }
    guard let count, count >= 0, count <= archive.reader.count else {
      throw error("no count where one is expected")
    }
    return count
  }

  private mutating func addCount(_ type: Unicode.Scalar) throws -> Int {
    let count = try whole()
    add(.integer(Int64(count)), type)
    return count
  }

  private mutating func addNumber() throws {
    let event = try item()
    switch event {
    case .integer, .unsigned, .float, .double, .bool: add(event)
    default: throw error("no number where one is expected")
    }
  }

  /// Adds an item that stands in no object.
  private mutating func add(_ event: GNUstepArchiveEvent, _ work: inout [Step]) throws {
    switch event {
    case .beginObject: try addObject(event, &work)
    case .beginArray, .beginStructure, .newPointer:
      throw error("an array, a structure or a pointer outside of all objects")
    default: add(event)
    }
  }

  private mutating func addObject(_ event: GNUstepArchiveEvent, _ work: inout [Step]) throws {
    switch event {
    case .none, .reference, .classObject: add(event)
    case .beginObject(let number, let kind):
      let name = archive.chain(ofClass: kind, atMost: 1).first ?? "?"
      begin(number, kind)
      work.append(.end)
      guard try addContents(name, &work) else {
        throw error("object #\(number) is of the class \(name.prefix(80))")
      }
    default: throw error("no object where one is expected")
    }
  }

  private func error(_ what: String) -> InspectionError {
    InspectionError(.unsupported, "byte \(offset): \(what)")
  }

  // MARK: Objects

  /// Adds what an object holds; `false` where its class is not known.
  private mutating func addContents(_ name: String, _ work: inout [Step]) throws -> Bool {
    switch name {
    case "NSNull": break
    case "NSString", "NSMutableString": try addText()
    case "NSNumber":
      // Its type, as a character.
      try passNumber()
      try addNumber()
    case "NSDate":
      guard case .double(let seconds) = try item() else { throw error("an NSDate without seconds") }
      add(.double(seconds), "d")
    case "NSData", "NSMutableData": try addData(isMutable: name == "NSMutableData")
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet":
      let count = try addCount(name.hasSuffix("Set") ? "I" : "i")
      try passArray(of: count)
      work.append(.objects(count))
    case "NSDictionary", "NSMutableDictionary": work.append(.objects(2 * (try addCount("i"))))
    case "NSCountedSet": work.append(.counted(try addCount("I")))
    case "NSAttributedString", "NSMutableAttributedString": work += [.allRuns, .object]
    case "NSURL":
      add(.integer(0), "c")
      work += [.base, .object]
    case "NSDecimalNumber", "NSLocale", "NSTimeZone": work.append(.object)
    case "NSCalendar": work.append(.objects(3))
    case "NSError":
      try addNumber()
      work.append(.objects(2))
    case "NSUUID": try addUUID()
    case "NSIndexSet", "NSMutableIndexSet":
      // One range is two numbers, more are data.
      let count = try addCount("Q")
      if count == 1 {
        try addNumber()
        try addNumber()
      } else if count > 1 {
        work.append(.object)
      }
    default: return false
    }
    return true
  }

  /// Passes over the mark of an array; an empty one has none.
  private mutating func passArray(of count: Int) throws {
    guard count > 0, archive.reader.byte(at: offset).map({ $0 & 0x1F }) == 0x15 else { return }
    guard case .beginArray = try item() else { throw error("no objects where they are expected") }
  }

  /// A count, then the bytes as items of their own or as one.
  private mutating func addUUID() throws {
    guard try whole() == 16 else { throw error("a UUID of other than 16 bytes") }
    var bytes: [UInt8] = []
    while bytes.count < 16 {
      switch try item() {
      case .unsigned(let value, _): bytes.append(UInt8(truncatingIfNeeded: value))
      case .integer(let value, _): bytes.append(UInt8(truncatingIfNeeded: value))
      case .numbers(_, 1, let range) where bytes.isEmpty && range.count == 16:
        return add(.data(range), "C")
      default: throw error("a UUID without its bytes")
      }
    }
    add(.data(keep(bytes)), "C")
  }

  /// The units of UTF-16 of the text that was read last.
  private mutating func textLength() throws -> Int {
    guard case .node(let node)? = last, nodes[node].count == 1,
      Int(nodes[node].start) < items.count
    else { throw error("an attributed string without a text") }
    switch items[Int(nodes[node].start)].value {
    case .utf16(let range): return range.count / 2
    case .bytes(let range): return length(ofText: range)
    default: throw error("an attributed string without a text")
    }
  }

  /// A count, an encoding and characters; of an empty text the count alone.
  private mutating func addText() throws {
    guard try whole() > 0 else { return add(.bytes(offset..<offset), "c") }
    let encoding = try whole()
    switch try item() {
    case .numbers(UInt8(ascii: "S"), 2, let range)
    where archive.text(ofNumbers: range, type: UInt8(ascii: "S")) != nil:
      add(.utf16(range), "S")
    case .numbers(let type, 1, let range):
      // 4 is UTF-8; bytes of other encodings are taken as one character each.
      let bytes = bytes(range)
      let isUTF8 = encoding == 4 && String(validating: bytes, as: UTF8.self) != nil
      if isUTF8 || bytes.allSatisfy({ $0 < 0x80 }) {
        return add(.bytes(range), Unicode.Scalar(type))
      }
      let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      add(.bytes(keep(text.utf8)), Unicode.Scalar(type))
    default: throw error("a text that is not valid")
    }
  }

  /// Immutable data have a byte between their length and their bytes.
  private mutating func addData(isMutable: Bool) throws {
    let count = try addCount("i")
    if !isMutable { try passNumber() }
    guard count > 0 else { return add(.data(offset..<offset), "C") }
    guard case .numbers(let type, 1, let range) = try item(), range.count == count else {
      throw error("data without bytes")
    }
    add(.data(range), Unicode.Scalar(type))
  }
}
