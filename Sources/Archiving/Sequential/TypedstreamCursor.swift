import PropertyLists

/// The heads of values that are no small numbers.
enum TypedstreamHead {
  static let twoBytes: UInt8 = 0x81
  static let fourBytes: UInt8 = 0x82
  static let real: UInt8 = 0x83
  static let new: UInt8 = 0x84
  static let none: UInt8 = 0x85
  static let end: UInt8 = 0x86
  static let eightBytes: UInt8 = 0x87
  /// The first byte that is a small number again.
  static let firstSmall: UInt8 = 0x92
  /// The offset of the numbers of references.
  static let referenceBase: Int64 = 110
}

/// A place in the bytes of a typedstream, from which single values are read.
///
/// While a stream is opened, new items are numbered; afterwards the numbers
/// are looked up.
struct TypedstreamCursor {
  let reader: ByteReader
  var isLittleEndian = true
  var tables: TypedstreamTables
  var offset = 0
  /// Whether the tables are complete.
  var isNumbered = false
  /// The number that the last new object had; the next is expected behind it.
  var lastNumber = 0

  /// Superclasses that one class may have.
  static let classDepthMax = 512

  init(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
    tables = TypedstreamTables()
  }

  func fault(_ reason: String, at place: Int? = nil) -> ArchiveError {
    ArchiveError(.corrupt, offset: place ?? offset, reason)
  }

  @inline(__always)
  mutating func head() throws -> UInt8 {
    guard let byte = reader.byte(at: offset) else { throw fault("the stream ends too early") }
    offset &+= 1
    return byte
  }

  /// The place of the next bytes.
  @inline(__always)
  mutating func take(_ count: Int) throws -> Range<Int> {
    guard reader.contains(offset, count: count) else {
      throw fault("a length of \(count) is announced, beyond the rest of \(reader.count - offset)")
    }
    offset &+= count
    return offset &- count..<offset
  }

  @inline(__always)
  private mutating func bits(_ width: Int) throws -> UInt64 {
    guard let value = reader.bigEndian(at: offset, width: width) else {
      throw fault("the stream ends within a number")
    }
    offset &+= width
    return isLittleEndian ? value.byteSwapped >> UInt64(64 - 8 * width) : value
  }

  // MARK: Numbers

  @inline(__always)
  mutating func integer() throws -> Int64 { try formedInteger().value }

  @inline(__always)
  mutating func formedInteger() throws -> (value: Int64, form: NumberForm) {
    let head = try head()
    if head < 0x80 || head >= TypedstreamHead.firstSmall {
      return (Int64(Int8(bitPattern: head)), .oneByte)
    }
    return try longInteger(head)
  }

  private mutating func longInteger(_ head: UInt8) throws -> (value: Int64, form: NumberForm) {
    switch head {
    case TypedstreamHead.twoBytes:
      return (Int64(Int16(truncatingIfNeeded: try bits(2))), .twoBytes)
    case TypedstreamHead.fourBytes:
      return (Int64(Int32(truncatingIfNeeded: try bits(4))), .fourBytes)
    case TypedstreamHead.eightBytes:
      return (Int64(bitPattern: try bits(8)), .eightBytes)
    default:
      throw fault("the head \(hexadecimal(head)) where a number belongs", at: offset - 1)
    }
  }

  mutating func float() throws -> (value: Float, form: NumberForm) {
    guard reader.byte(at: offset) == TypedstreamHead.real else {
      let (value, form) = try formedInteger()
      return (Float(value), form)
    }
    offset += 1
    return (Float(bitPattern: UInt32(truncatingIfNeeded: try bits(4))), .real)
  }

  @inline(__always)
  mutating func double() throws -> (value: Double, form: NumberForm) {
    guard reader.byte(at: offset) == TypedstreamHead.real else {
      let (value, form) = try formedInteger()
      return (Double(value), form)
    }
    offset &+= 1
    return (Double(bitPattern: try bits(8)), .real)
  }

  /// Cuts a number to the width of its type, as C would.
  @inline(__always)
  static func cut(_ value: Int64, to type: UInt8) -> Int64 {
    switch type {
    case UInt8(ascii: "i"): Int64(Int32(truncatingIfNeeded: value))
    case UInt8(ascii: "I"): Int64(UInt32(truncatingIfNeeded: value))
    case UInt8(ascii: "s"): Int64(Int16(truncatingIfNeeded: value))
    case UInt8(ascii: "S"): Int64(UInt16(truncatingIfNeeded: value))
    case UInt8(ascii: "L"):
      // Of 32 bits where it was written on such a machine.
      value < 0 && value >= Int64(Int32.min) ? Int64(UInt32(truncatingIfNeeded: value)) : value
    default: value
    }
  }

  // MARK: Strings

  /// Counted bytes; `nil` for none.
  mutating func unnumberedString() throws -> Range<Int>? {
    if reader.byte(at: offset) == TypedstreamHead.none {
      offset += 1
      return nil
    }
    let place = offset
    let length = try integer()
    guard let count = Int(exactly: length), reader.contains(offset, count: count) else {
      throw fault(
        "a length of \(length) is announced, beyond the rest of \(reader.count - offset)", at: place
      )
    }
    return try take(count)
  }

  /// The number of a shared string; `nil` for none.
  @inline(__always)
  mutating func numberedString() throws -> Int? {
    let head = try head()
    if head >= TypedstreamHead.firstSmall {
      let number = Int(head) &- 0x92
      if number < tables.stringStarts.count { return number }
    }
    offset &-= 1
    return try newOrDistantString()
  }

  private mutating func newOrDistantString() throws -> Int? {
    let place = offset
    let head = try head()
    if head == TypedstreamHead.none { return nil }
    guard head == TypedstreamHead.new else {
      offset = place
      let number = try integer() &+ TypedstreamHead.referenceBase
      guard number >= 0, number < tables.stringStarts.count else {
        throw fault(
          "reference to shared string \(number) of \(tables.stringStarts.count)", at: place)
      }
      return Int(number)
    }
    guard let range = try unnumberedString() else {
      throw fault("a new shared string that is none", at: place)
    }
    if isNumbered {
      guard let number = tables.string(at: range.lowerBound) else {
        throw fault("a shared string without a number", at: place)
      }
      return number
    }
    tables.stringStarts.append(UInt32(truncatingIfNeeded: range.lowerBound))
    tables.stringLengths.append(UInt32(truncatingIfNeeded: range.count))
    tables.programs.append(0)
    return tables.stringStarts.count - 1
  }

  /// Where the text of a shared string lies.
  func range(ofString number: Int) -> Range<Int> {
    guard number >= 0, number < tables.stringStarts.count else { return 0..<0 }
    let start = Int(tables.stringStarts[number])
    return start..<start + Int(tables.stringLengths[number])
  }

  /// The text of a shared string.
  func bytes(ofString number: Int) -> [UInt8] {
    reader.withBytes(in: range(ofString: number)) { [UInt8]($0) } ?? []
  }

  // MARK: Types

  /// Where the words of a type string begin; it is compiled unless it was before.
  @inline(__always)
  mutating func program(ofString number: Int, at place: Int) throws -> Int {
    let known = tables.programs[number]
    return Int(known != 0 ? known : try compile(number, at: place))
  }

  private mutating func compile(_ number: Int, at place: Int) throws -> UInt32 {
    do throws(TypeFault) {
      let words = try TypeCompiler.compile(bytes(ofString: number))
      var program = TypedstreamTables.program(ofCode: UInt8(truncatingIfNeeded: words[0]))
      if words.count > 1 {
        guard tables.words.count + words.count < TypedstreamTables.wordsMax else {
          throw TypeFault(reason: "far more types than a stream needs")
        }
        program = UInt32(tables.words.count)
        tables.words += words
        tables.words.append(TypeWord.end)
      }
      tables.programs[number] = program
      return program
    } catch {
      throw fault(error.reason, at: place)
    }
  }
}

/// A byte as it stands in listings of streams.
func hexadecimal(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.utf8.count == 1 ? "0" + digits : digits
}
