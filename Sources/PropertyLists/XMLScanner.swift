/// Reads the parts that XML is made of: white space, comments, tags, text.
///
/// It knows nothing of property lists and expands nothing but references to single characters. The
/// input is valid UTF-8. It moves forwards only and looks at each byte a bounded number of times.
struct XMLScanner {
  private let input: UnsafeBufferPointer<UInt8>

  /// Where the next byte is.
  var place = 0

  init(_ input: UnsafeBufferPointer<UInt8>) { self.input = input }

  /// How many bytes there are.
  var count: Int { input.count }

  /// The one way to the bytes: `nil` outside the input.
  @inline(__always)
  func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < input.count else { return nil }
    return input[offset]
  }

  /// The bytes of a range, cut to the input.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: input[range.clamped(to: 0..<count)]))
  }

  /// Whether the bytes of a literal stand at an offset.
  @inline(__always)
  func has(_ literal: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, literal.utf8CodeUnitCount <= input.count - offset else { return false }
    return literal.withUTF8Buffer { literal in
      for index in literal.indices where input[offset &+ index] != literal[index] { return false }
      return true
    }
  }

  /// Moves behind a literal if it is next.
  @inline(__always)
  mutating func skip(_ literal: StaticString) -> Bool {
    guard has(literal, at: place) else { return false }
    place += literal.utf8CodeUnitCount
    return true
  }

  /// The first offset from `start` on that is not white space.
  @inline(__always)
  func afterSpace(_ start: Int) -> Int {
    var place = start
    while let byte = byte(at: place), isSpace(byte) { place &+= 1 }
    return place
  }

  /// Moves behind the next occurrence of a literal.
  mutating func skip(through literal: StaticString, _ what: String) throws(PropertyListError) {
    let start = place
    while place < count {
      if has(literal, at: place) {
        place += literal.utf8CodeUnitCount
        return
      }
      place += 1
    }
    throw error(.badLength, at: start, "\(what) does not end")
  }

  /// Moves behind white space, comments and processing instructions.
  @inline(__always)
  mutating func skipFiller() throws(PropertyListError) {
    place = afterSpace(place)
    while byte(at: place) == UInt8(ascii: "<"),
      byte(at: place + 1) == UInt8(ascii: "?") || has("<!--", at: place)
    {
      try skipMarkup()
      place = afterSpace(place)
    }
  }

  /// Moves behind the comment or the processing instruction that begins here.
  mutating func skipMarkup() throws(PropertyListError) {
    if skip("<!--") {
      try skip(through: "-->", "a comment")
    } else {
      try skip(through: "?>", "a processing instruction")
    }
  }

  // MARK: Tags

  /// Reads the tag that begins here.
  mutating func tag() throws(PropertyListError) -> XMLTag {
    let start = place
    guard byte(at: start) == UInt8(ascii: "<") else {
      guard place < count else { throw error(.badLength, at: place, "the file ends too early") }
      throw error(.wrongKind, at: place, "text where only elements may be")
    }
    let closes = byte(at: start + 1) == UInt8(ascii: "/")
    place = start + (closes ? 2 : 1)
    let element = try name(tagAt: start)
    if byte(at: place) == UInt8(ascii: ">") {
      place += 1
      return XMLTag(element: element, kind: closes ? .close : .open, offset: start)
    }
    let isEmpty = try skipAttributes(tagAt: start)
    guard !(closes && isEmpty) else {
      throw error(.badMarker, at: start, "a tag that both closes and is empty")
    }
    return XMLTag(element: element, kind: closes ? .close : isEmpty ? .empty : .open, offset: start)
  }

  /// The name in the opening tag that begins here, if no property list has elements of it.
  func unknownName() -> Range<Int>? {
    guard byte(at: place) == UInt8(ascii: "<") else { return nil }
    var scanner = self
    scanner.place += 1
    let (packed, name) = scanner.packedName()
    return name.isEmpty || XMLElement(rawValue: packed) != nil ? nil : name
  }

  /// Moves behind the element that begins here, with its content.
  ///
  /// - Parameter name: where its name stands; other elements are not looked at.
  mutating func skipElement(_ name: Range<Int>) throws(PropertyListError) {
    let start = place
    var depth = 0
    while let byte = byte(at: place) {
      guard byte == UInt8(ascii: "<") else {
        place += 1
        continue
      }
      if has("<!--", at: place) || has("<?", at: place) {
        try skipMarkup()
      } else if skip("<![CDATA[") {
        try skip(through: "]]>", "a section of character data")
      } else if isName(name, at: place + 1) {
        place = place + 1 + name.count
        if try !skipAttributes(tagAt: start) { depth += 1 }
        if depth == 0 { return }
      } else if self.byte(at: place + 1) == UInt8(ascii: "/"), isName(name, at: place + 2) {
        place = place + 2 + name.count
        _ = try skipAttributes(tagAt: start)
        depth -= 1
        if depth == 0 { return }
      } else {
        place += 1
      }
    }
    let text = String(decoding: bytes(name.prefix(40)), as: UTF8.self)
    throw error(.badLength, at: start, "the file ends before </\(text)>")
  }

  /// Whether a name stands at an offset, and ends there.
  private func isName(_ name: Range<Int>, at offset: Int) -> Bool {
    let end = offset + name.count
    guard end < count, !isNameByte(input[end]) else { return false }
    return input[offset..<end].elementsEqual(input[name])
  }

  @inline(__always)
  private mutating func name(tagAt start: Int) throws(PropertyListError) -> XMLElement {
    let (packed, name) = packedName()
    guard let element = XMLElement(rawValue: packed) else {
      throw unknownElement(name, tagAt: start)
    }
    return element
  }

  /// Reads a name, and packs its bytes as `XMLElement` has them.
  @inline(__always)
  private mutating func packedName() -> (packed: UInt64, name: Range<Int>) {
    let first = place
    var packed: UInt64 = 0
    while let byte = byte(at: place), isNameByte(byte) {
      packed = place &- first < 8 ? packed << 8 | UInt64(byte) : 0
      place &+= 1
    }
    return (packed, first..<place)
  }

  private func unknownElement(_ name: Range<Int>, tagAt start: Int) -> PropertyListError {
    guard name.upperBound < count else {
      return error(.badLength, at: start, "the file ends inside a tag")
    }
    if has("<!DOCTYPE", at: start) {
      return error(.badMarker, at: start, "a document type behind the beginning of the list")
    }
    let text = String(
      decoding: bytes(name.lowerBound..<min(name.upperBound, name.lowerBound + 40)),
      as: UTF8.self)
    guard !text.isEmpty else { return error(.badMarker, at: start, "a < that begins no tag") }
    return error(.badMarker, at: start, "<\(text)> is no element of a property list")
  }

  /// Moves behind the attributes and the end of a tag, and says whether it ends with `/>`.
  private mutating func skipAttributes(tagAt start: Int) throws(PropertyListError) -> Bool {
    while true {
      let space = place
      place = afterSpace(place)
      switch byte(at: place) {
      case UInt8(ascii: ">"):
        place += 1
        return false
      case UInt8(ascii: "/") where byte(at: place + 1) == UInt8(ascii: ">"):
        place += 2
        return true
      case nil: throw error(.badLength, at: start, "the file ends inside a tag")
      default:
        guard place > space else { throw error(.badMarker, at: place, "a broken tag") }
        try skipAttribute()
      }
    }
  }

  private mutating func skipAttribute() throws(PropertyListError) {
    let start = place
    while let byte = byte(at: place), isNameByte(byte) || byte == UInt8(ascii: ":") { place += 1 }
    let end = place
    place = afterSpace(place)
    guard end > start, byte(at: place) == UInt8(ascii: "=") else {
      throw error(.badMarker, at: start, "a tag with an attribute that has no value")
    }
    place = afterSpace(place + 1)
    guard let quote = byte(at: place), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { throw error(.badMarker, at: start, "an attribute without quotes") }
    place += 1
    while let byte = byte(at: place), byte != quote {
      guard byte != UInt8(ascii: "<") else { break }
      place += 1
    }
    guard byte(at: place) == quote else {
      throw error(.badLength, at: start, "an attribute whose quotes are not closed")
    }
    place += 1
  }

  // MARK: Text

  /// The first offset from here on that holds `<` or `&`, or the end.
  @inline(__always)
  func endOfPlainText() -> Int {
    var place = place
    while let byte = byte(at: place), byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") {
      place &+= 1
    }
    return place
  }

  /// The character of a reference, or the fault in it.
  enum Reference {
    case character(Unicode.Scalar)
    case fault(PropertyListError.Code, String)
  }

  /// Reads the reference to a character that begins here, with an `&`.
  mutating func reference() -> Reference {
    if skip("&lt;") { return .character("<") }
    if skip("&gt;") { return .character(">") }
    if skip("&amp;") { return .character("&") }
    if skip("&quot;") { return .character("\"") }
    if skip("&apos;") { return .character("'") }
    guard skip("&#") else {
      return .fault(.badText, "an entity other than lt, gt, amp, quot and apos, or a bare &")
    }
    let radix: UInt32 = skip("x") ? 16 : 10
    let first = place
    var value: UInt32 = 0
    while let digit = byte(at: place).flatMap({ hexadecimal($0) }), UInt32(digit) < radix {
      // Beyond the last character it need not grow any more.
      value = value > 0x10_FFFF ? value : value * radix + UInt32(digit)
      place += 1
    }
    guard place > first, byte(at: place) == UInt8(ascii: ";") else {
      return place < count
        ? .fault(.badText, "a character reference that is no number")
        : .fault(.badLength, "the file ends too early")
    }
    place += 1
    return Unicode.Scalar(value).map { .character($0) }
      ?? .fault(.badText, "a reference to a character that does not exist")
  }

  // MARK: Errors

  /// An error whose text begins with the line and the column, both counted from one.
  func error(
    _ code: PropertyListError.Code, at offset: Int, _ reason: String
  ) -> PropertyListError {
    var line = 1
    var column = 1
    for byte in bytes(0..<offset) {
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return PropertyListError(code, at: offset, "line \(line), column \(column): \(reason)")
  }
}

@inline(__always)
func isSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
}

@inline(__always)
private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
    UInt8(ascii: "."):
    true
  default: false
  }
}

/// The value of a hexadecimal digit.
@inline(__always)
func hexadecimal(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
