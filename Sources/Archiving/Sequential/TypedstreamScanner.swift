import PropertyLists

/// Goes through a typedstream step by step, without any class and without recursion.
///
///     var scanner = try TypedstreamScanner(bytes)
///     while let event = try scanner.next() { … }
///
/// Everything is checked on the way: lengths, references and their kinds, types, and that objects
/// end.
public struct TypedstreamScanner {
  var cursor: TypedstreamCursor

  /// Which end of a number comes first.
  public let byteOrder: TypedstreamByteOrder
  /// The version of the system that wrote the stream.
  public let systemVersion: Int

  /// Whether only one object is gone through.
  private var isSingle = false

  /// Where the rest of the group that is being read begins among the words.
  private var word = Self.noWords
  /// Arrays and objects that have begun, outermost first.
  private var frames: [Frame] = []
  private var openArrays = 0
  private var groupCount = 0
  /// Steps that take no bytes, such as brackets, which types could multiply.
  private var idleSteps: Int

  /// How many steps there are before the damage of a stream.
  var stepsLeft = Int.max

  /// The code of the type whose value the last event reported.
  public private(set) var typeCode: UInt8 = 0

  /// A place among the words where a group ends: those of the type 0, which is none.
  private static let noWords = 1
  /// How many arrays may have begun and not ended.
  private static let openArraysMax = 1 << 18

  /// A structure of structures of single bytes has four brackets a byte.
  private static func idleSteps(_ byteCount: Int) -> Int { 8 * byteCount + 4_096 }

  /// Eight bytes, for objects that take three and are nested.
  private struct Frame {
    /// For an array, the elements left; for an object, its number.
    var count: UInt32
    private var kindAndWord: UInt32

    init(object number: Int, word: Int) {
      count = UInt32(truncatingIfNeeded: number)
      kindAndWord = 1 << 31 | UInt32(truncatingIfNeeded: word)
    }

    init(arrayOf count: UInt32, word: Int) {
      self.count = count
      kindAndWord = UInt32(truncatingIfNeeded: word)
    }

    var isObject: Bool { kindAndWord >> 31 == 1 }
    /// Where the words of an array's element begin, or the group goes on that an object stands in.
    var word: Int { Int(kindAndWord & 0x7FFF_FFFF) }
  }

  /// Reads the header of a stream.
  public init(_ bytes: [UInt8]) throws {
    cursor = TypedstreamCursor(bytes)
    guard bytes.count < 1 << 30 else {
      throw ArchiveError(.tooLarge, "\(bytes.count) bytes are too many for a typedstream")
    }
    idleSteps = Self.idleSteps(bytes.count)
    (byteOrder, systemVersion) = try cursor.header()
    // All numbered items begin with this head, and take a byte more.
    let heads = bytes.withUnsafeBytes { Self.count(of: TypedstreamHead.new, in: $0) }
    cursor.tables.reserve(min(heads, bytes.count / 2))
    frames.reserveCapacity(min(heads, bytes.count / 3))
  }

  /// How often a byte is there: eight are compared at once.
  private static func count(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int {
    let (ones, low): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x7F7F_7F7F_7F7F_7F7F)
    let sought = ones &* UInt64(byte)
    var (count, place) = (0, 0)
    while place &+ 8 <= bytes.count {
      // Of 31 words the sum of all places is at most 248, which one byte holds.
      let end = min(place &+ 31 &* 8, bytes.count &- 7)
      var counts: UInt64 = 0
      while place < end {
        let rest = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ sought
        // 1 in each byte that is 0 in `rest`.
        counts &+= ~(((rest & low) &+ low) | rest | low) &>> 7
        place &+= 8
      }
      count &+= Int(truncatingIfNeeded: (counts &* ones) &>> 56)
    }
    while place < bytes.count {
      if bytes[place] == byte { count &+= 1 }
      place &+= 1
    }
    return count
  }

  /// Goes through the groups of one object of a stream that was read whole.
  init(_ cursor: TypedstreamCursor, byteOrder: TypedstreamByteOrder, systemVersion: Int) {
    self.cursor = cursor
    (self.byteOrder, self.systemVersion) = (byteOrder, systemVersion)
    idleSteps = Self.idleSteps(cursor.reader.count)
    // Unused pages take no memory, and a table that never grows is never copied.
    frames.reserveCapacity(cursor.tables.items.count)
  }

  /// Goes through one object of a stream that was read whole, from its beginning to its end.
  init(_ cursor: TypedstreamCursor, object number: Int, of stream: Typedstream) {
    self.cursor = cursor
    (byteOrder, systemVersion) = (stream.byteOrder, stream.systemVersion)
    idleSteps = Self.idleSteps(cursor.reader.count)
    self.cursor.offset = Int(cursor.tables.items[number].start)
    self.cursor.lastNumber = number - 1
    word = Int(TypedstreamTables.program(ofCode: UInt8(ascii: "@")))
    isSingle = true
  }

  /// Passes over the object whose beginning was reported last; its end is not reported.
  mutating func skipObject() {
    guard let frame = frames.popLast(), frame.isObject, cursor.isNumbered else { return }
    cursor.offset = Int(cursor.tables.items[Int(frame.count)].end)
    word = frame.word
  }

  /// The byte at which the next step begins.
  public var offset: Int { cursor.offset }

  /// Whether the next step begins a group at the top.
  var isBehindGroups: Bool { frames.isEmpty && cursor.tables.words[word] == TypeWord.end }

  /// Ends the open objects at the byte where the stream is damaged.
  mutating func endObjects(at offset: Int) {
    let end = UInt32(truncatingIfNeeded: offset)
    for number in cursor.tables.items.indices where cursor.tables.items[number].end == 0 {
      cursor.tables.items[number].end = max(end, cursor.tables.items[number].start)
    }
  }

  /// Objects that have begun and not ended.
  var openObjects: Int { frames.lazy.filter(\.isObject).count }

  /// The next step; `nil` at the end of the stream.
  public mutating func next() throws -> TypedstreamEvent? {
    guard stepsLeft > 0 else { return nil }
    stepsLeft -= 1
    do {
      if cursor.tables.words[word] != TypeWord.end { return try step() }
      return try nextGroup()
    } catch var error as ArchiveError {
      error.path = path()
      throw error
    }
  }

  /// Goes on to the end of the stream: the same as `next()` until it is `nil`, without events.
  mutating func readToEnd() throws {
    do {
      while true {
        if cursor.tables.words[word] != TypeWord.end {
          _ = try step()
        } else if try nextGroup() == nil {
          return
        }
      }
    } catch var error as ArchiveError {
      error.path = path()
      throw error
    }
  }

  // Inlined into those that tell of the steps and those that do not.
  @inline(__always)
  private mutating func nextGroup() throws -> TypedstreamEvent? {
    let place = cursor.offset
    let head = cursor.reader.byte(at: place)
    if let frame = frames.last {
      if head == TypedstreamHead.end {
        cursor.offset += 1
        return endObject(frame)
      }
    } else if head == nil || isSingle {
      return nil
    }
    guard let types = try cursor.numberedString() else {
      throw cursor.fault("a group without types")
    }
    word = try cursor.program(ofString: types, at: place)
    if frames.isEmpty { groupCount += 1 }
    return .beginGroup(types: types)
  }

  @inline(__always)
  private mutating func endObject(_ frame: Frame) -> TypedstreamEvent {
    frames.removeLast()
    word = frame.word
    if !cursor.isNumbered {
      cursor.tables.items[Int(frame.count)].end = UInt32(truncatingIfNeeded: cursor.offset)
    }
    return .endObject
  }

  @inline(__always)
  private mutating func step() throws -> TypedstreamEvent {
    let code = cursor.tables.words[word]
    word += 1
    typeCode = UInt8(truncatingIfNeeded: code)
    switch typeCode {
    case UInt8(ascii: "@"): return try object()
    case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"): return .byte(try cursor.head())
    case UInt8(ascii: "f"):
      let (value, form) = try cursor.float()
      return .float(value, form)
    case UInt8(ascii: "d"):
      let (value, form) = try cursor.double()
      return .double(value, form)
    case UInt8(ascii: "+"):
      return try cursor.unnumberedString().map { .bytes($0) } ?? .none
    case UInt8(ascii: ":"), UInt8(ascii: "%"):
      return try cursor.numberedString().map { .string($0) } ?? .none
    case UInt8(ascii: "#"):
      return try cursor.classChain().map { .archivedClass($0) } ?? .none
    case UInt8(ascii: "*"):
      let (slot, string) = try cursor.cString()
      switch slot {
      case .none: return .none
      case .known(let number): return .reference(number)
      case .new(let number): return .newCString(number, string: string)
      }
    case 1:
      let count = Int(cursor.tables.words[word])
      word += 1
      return .byteArray(try cursor.take(count))
    case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "!"):
      return try bracket()
    default:
      let (value, form) = try cursor.formedInteger()
      return .integer(TypedstreamCursor.cut(value, to: typeCode), form)
    }
  }

  @inline(__always)
  private mutating func object() throws -> TypedstreamEvent {
    let place = cursor.offset
    switch try cursor.slot(.object(classIndex: 0)) {
    case .none: return .none
    case .known(let number):
      if case .cString? = cursor.tables.entry(number) {
        throw cursor.fault("object \(number) is a C string", at: place)
      }
      return .reference(number)
    case .new(let number):
      guard let index = try cursor.classChain() else {
        throw cursor.fault("an object without a class", at: place)
      }
      if !cursor.isNumbered { cursor.tables.set(.object(classIndex: index), of: number) }
      frames.append(Frame(object: number, word: word))
      word = Self.noWords
      return .beginObject(number)
    }
  }

  @inline(never)
  private mutating func bracket() throws -> TypedstreamEvent {
    idleSteps -= 1
    guard idleSteps > 0 else {
      throw ArchiveError(
        .tooLarge, offset: cursor.offset, "types that ask for far more steps than there are bytes")
    }
    switch typeCode {
    case UInt8(ascii: "["): return try beginArray()
    case UInt8(ascii: "]"):
      if let end = endArrayOrElement() { return end }
      return try nextElement()
    case UInt8(ascii: "{"): return .beginStructure
    case UInt8(ascii: "}"): return .endStructure
    default: return .nothing
    }
  }

  /// The next element of the innermost array.
  @inline(never)
  private mutating func nextElement() throws -> TypedstreamEvent { try step() }

  private mutating func beginArray() throws -> TypedstreamEvent {
    let words = cursor.tables.words
    let (count, length) = (words[word], Int(words[word + 1]))
    let minimum = UInt64(words[word + 2])
    let left = UInt64(cursor.reader.count - cursor.offset)
    guard UInt64(count) * minimum <= left else {
      throw cursor.fault(
        "an array of \(counted(count, "element")), with \(counted(left, "byte")) left")
    }
    guard openArrays < Self.openArraysMax else {
      throw ArchiveError(.tooDeep, offset: cursor.offset, "far too many arrays within each other")
    }
    openArrays += 1
    word += 3
    frames.append(Frame(arrayOf: count, word: word))
    // Elements that take no room are not gone through.
    if count == 0 || minimum == 0 {
      frames[frames.count - 1].count = 0
      word += length
    }
    return .beginArray(count: Int(count))
  }

  /// Goes back for the next element; the end of the array after the last one.
  private mutating func endArrayOrElement() -> TypedstreamEvent? {
    let last = frames.count - 1
    guard frames[last].count > 1 else {
      frames.removeLast()
      openArrays -= 1
      return .endArray
    }
    frames[last].count -= 1
    word = frames[last].word
    return nil
  }

  // MARK: Places

  /// Where the scanner stands, such as `group 0.NSArray.NSString`, the innermost part last.
  private func path() -> String {
    let objects = frames.suffix(64).filter(\.isObject)
    let names = objects.suffix(8).map { className(ofObject: Int($0.count)) }
    let cut = objects.count > names.count ? ["…"] : []
    return (["group \(max(0, groupCount - 1))"] + cut + names).joined(separator: ".")
  }

  private func className(ofObject number: Int) -> String {
    guard case .object(let index)? = cursor.tables.entry(number),
      index < cursor.tables.classes.count
    else { return "?" }
    let name = cursor.range(ofString: cursor.tables.classes[index].name)
    let bytes = cursor.reader.withBytes(in: name.prefix(64)) { [UInt8]($0) } ?? []
    return String(decoding: bytes, as: UTF8.self) + (name.count > 64 ? "…" : "")
  }
}

extension TypedstreamCursor {
  /// Reads the header; the cursor then stands at the first group.
  mutating func header() throws -> (TypedstreamByteOrder, Int) {
    let signature = reader.withBytes(in: 0..<min(13, reader.count)) { [UInt8]($0) } ?? []
    guard let order = TypedstreamByteOrder(signature: signature) else { throw notATypedstream() }
    isLittleEndian = order == .littleEndian
    guard signature[0] == 4 else {
      let which = signature[0] == 3 ? " (NEXTSTEP 1 and 2)" : ""
      throw ArchiveError(
        .unsupportedVersion, offset: 0,
        "a typedstream of streamer version \(signature[0])\(which); only version 4 can be read")
    }
    offset = 13
    return (order, Int(try integer()))
  }

  /// The error for other bytes, with the reader of those that are known.
  private func notATypedstream() -> ArchiveError {
    let start = reader.withBytes(in: 0..<min(256, reader.count)) { [UInt8]($0) } ?? []
    let reason =
      switch PropertyListNotation(start) {
      case .binary, .xml: "a property list; KeyedUnarchiver reads keyed archives"
      case .openStep, nil: "not a typedstream"
      }
    return ArchiveError(.notAnArchive, offset: 0, reason)
  }
}

extension Typedstream {
  /// Whether bytes begin like a typedstream of either byte order.
  static func begins(_ bytes: [UInt8]) -> Bool {
    TypedstreamByteOrder(signature: bytes) != nil
  }
}

extension TypedstreamByteOrder {
  /// The order of a stream, by the name behind its streamer version; `nil` for other bytes.
  fileprivate init?(signature bytes: [UInt8]) {
    guard bytes.count >= 13, bytes[1] == 11 else { return nil }
    let name = bytes[2..<13]
    if name.elementsEqual("streamtyped".utf8) {
      self = .littleEndian
    } else if name.elementsEqual("typedstream".utf8) {
      self = .bigEndian
    } else {
      return nil
    }
  }
}
