/// Walks over JSON text byte by byte, without making values of it.
///
/// It checks the text strictly (RFC 8259) and never recurses. Bytes are read only through
/// `current` and `byte(at:)`, which are 0 beyond the end: no JSON token begins with that.
struct JSONScanner {
  /// A string's bytes between its quotes.
  struct Token {
    var start: Int
    var end: Int
    /// Whether there is a backslash in it.
    var hasEscapes: Bool
    /// Whether a byte is above 127.
    var hasNonASCII: Bool

    var count: Int { end - start }
  }

  /// The deepest nesting of values that are only kept as text.
  static let depthMax = 1000

  /// The place in memory of offset 0, whether or not the text is still there.
  private(set) var base: UnsafePointer<UInt8>
  /// The first offset in memory; 0 but for a text that is read in parts.
  private(set) var start = 0
  /// The present end of the text: at most its whole length.
  var count: Int
  /// The powers of ten from 0 to 22, all exact.
  let powers: UnsafePointer<Double>
  var position = 0

  /// - Parameters:
  ///   - bytes: the text; it must live as long as the scanner.
  ///   - powers: `DecimalPowers.doubles`, likewise.
  /// - Returns: `nil` if there is nothing to scan.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, powers: UnsafeBufferPointer<Double>) {
    guard let base = bytes.baseAddress, let powers = powers.baseAddress, !bytes.isEmpty else {
      return nil
    }
    self.base = base
    self.count = bytes.count
    self.powers = powers
  }

  /// Goes on in another part of the same text.
  ///
  /// - Parameter offset: that of the part's first byte in the whole text.
  mutating func enter(_ part: UnsafeBufferPointer<UInt8>, from offset: Int) {
    let address = UInt(bitPattern: part.baseAddress) &- UInt(bitPattern: offset)
    guard !part.isEmpty, let base = UnsafePointer<UInt8>(bitPattern: address) else { return }
    (self.base, start, count) = (base, offset, offset + part.count)
  }

  /// The byte here; 0 at the end.
  @inline(__always)
  var current: UInt8 { position < count ? base[position] : 0 }

  /// The byte at an offset; 0 outside the text.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset >= start && offset < count ? base[offset] : 0 }

  var isAtEnd: Bool { position >= count }

  /// The bytes of a range within the text.
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  @inline(__always)
  mutating func skipWhitespace() {
    while position < count {
      let byte = base[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  /// Skips one required byte.
  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(ScanFault) {
    guard current == byte else { throw unexpected("\(Character(Unicode.Scalar(byte))) expected") }
    position += 1
  }

  /// The fault of an unexpected byte.
  func unexpected(_ detail: String = "") -> ScanFault {
    if isAtEnd { return ScanFault(.cut, at: count, detail) }
    switch current {
    case UInt8(ascii: "N"), UInt8(ascii: "I"): return ScanFault(.notFinite, at: position)
    case UInt8(ascii: "-") where byte(at: position + 1) == UInt8(ascii: "I"):
      return ScanFault(.notFinite, at: position)
    case UInt8(ascii: "'"):
      return ScanFault(.notJSON, at: position, "strings stand in double quotes")
    case UInt8(ascii: "/"):
      return ScanFault(.notJSON, at: position, "JSON has no comments")
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      return ScanFault(
        .notJSON, at: position, detail.isEmpty ? "a comma too many, or a value missing" : detail)
    default: return ScanFault(.notJSON, at: position, detail)
    }
  }

  /// The fault of a value of the wrong type.
  func wrongType(_ detail: String) -> ScanFault {
    isAtEnd ? ScanFault(.cut, at: count) : ScanFault(.wrongType, at: position, detail)
  }

  // MARK: Strings

  /// Scans a string; the position is at its opening quote.
  mutating func scanString() throws(ScanFault) -> Token {
    let open = position
    try expect(UInt8(ascii: "\""))
    var token = Token(start: position, end: position, hasEscapes: false, hasNonASCII: false)
    var high: UInt64 = 0
    while true {
      while position + 8 <= count {
        let word = UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self)
        let stop = Self.stops(word)
        if stop == 0 {
          high |= word
          position += 8
          continue
        }
        let length = stop.trailingZeroBitCount >> 3
        if length > 0 { high |= word << UInt64(64 - 8 * length) }
        position += length
        break
      }
      while position < count, !Self.isStop(base[position]) {
        high |= UInt64(base[position])
        position += 1
      }
      switch current {
      case UInt8(ascii: "\"") where position < count:
        token.end = position
        token.hasNonASCII = high & 0x8080_8080_8080_8080 != 0
        position += 1
        if token.hasNonASCII { try checkUTF8(token) }
        return token
      case UInt8(ascii: "\\"):
        token.hasEscapes = true
        try skipEscape()
      default:
        if isAtEnd { throw ScanFault(.cut, at: open, "the string is not closed") }
        throw ScanFault(.controlCharacter, at: position)
      }
    }
  }

  private mutating func skipEscape() throws(ScanFault) {
    let start = position
    position += 1
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      for offset in 1...4 where JSONText.hexDigit(byte(at: position + offset)) == nil {
        throw position + offset >= count
          ? ScanFault(.cut, at: count) : ScanFault(.badString, at: start, "\\u and 4 hex digits")
      }
      position += 5
    default:
      throw isAtEnd ? ScanFault(.cut, at: count) : ScanFault(.badString, at: start)
    }
  }

  private func checkUTF8(_ token: Token) throws(ScanFault) {
    if let bad = JSONText.firstInvalidUTF8(bytes(token.start..<token.end)) {
      throw ScanFault(.notUTF8, at: token.start + bad)
    }
  }

  @inline(__always)
  private static func isStop(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
  }

  /// A mask whose lowest set bit marks the first quote, backslash or control byte of eight.
  @inline(__always)
  private static func stops(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let slash = word ^ (ones &* 0x5C)
    let isQuote = (quote &- ones) & ~quote
    let isSlash = (slash &- ones) & ~slash
    let isControl = (word &- ones &* 0x20) & ~word
    return (isQuote | isSlash | isControl) & (ones &* 0x80)
  }

  // MARK: Any value

  /// Skips a value of any kind and checks it.
  ///
  /// - Returns: its text.
  @discardableResult
  mutating func skipValue() throws(ScanFault) -> Range<Int> {
    let start = position
    if try skipScalar() { return start..<position }
    var isObject = BitStack()
    while true {
      // The position is at a bracket that opens an object or an array.
      guard isObject.count < Self.depthMax else {
        throw ScanFault(.tooDeep, at: position, "more than \(Self.depthMax) levels")
      }
      isObject.push(current == UInt8(ascii: "{"))
      position += 1
      skipWhitespace()
      var isOpen = true
      if current == (isObject.top ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        isOpen = false
      } else {
        if isObject.top { try skipKey() }
        if try !skipScalar() { continue }
      }
      if try finishContainers(&isObject, isOpen: isOpen) { return start..<position }
    }
  }

  /// Continues after a value inside containers until the next opening bracket.
  ///
  /// - Returns: whether all containers are closed.
  private mutating func finishContainers(
    _ isObject: inout BitStack, isOpen: Bool
  ) throws(ScanFault) -> Bool {
    var isOpen = isOpen
    while true {
      if isOpen {
        skipWhitespace()
        if current == UInt8(ascii: ",") {
          position += 1
          skipWhitespace()
          if isObject.top { try skipKey() }
          if try !skipScalar() { return false }
          continue
        }
        guard current == (isObject.top ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw unexpected(isObject.top ? "comma or } expected" : "comma or ] expected")
        }
      }
      position += 1
      isObject.pop()
      if isObject.count == 0 { return true }
      isOpen = true
    }
  }

  private mutating func skipKey() throws(ScanFault) {
    guard current == UInt8(ascii: "\"") else { throw unexpected("a name in quotes expected") }
    _ = try scanString()
    skipWhitespace()
    try expect(UInt8(ascii: ":"))
    skipWhitespace()
  }

  /// Skips a string, number or literal; `false` at an opening bracket.
  @inline(__always)
  private mutating func skipScalar() throws(ScanFault) -> Bool {
    switch current {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return false
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
    default: try skipLiteral()
    }
    return true
  }

  /// Skips `true`, `false` or `null`.
  mutating func skipLiteral() throws(ScanFault) {
    let word: StaticString
    switch current {
    case UInt8(ascii: "t"): word = "true"
    case UInt8(ascii: "f"): word = "false"
    case UInt8(ascii: "n"): word = "null"
    default: throw unexpected("a value expected")
    }
    for index in 0..<word.utf8CodeUnitCount {
      guard byte(at: position + index) == word.utf8Start[index] else {
        throw position + index >= count
          ? ScanFault(.cut, at: count) : ScanFault(.notJSON, at: position, "a value expected")
      }
    }
    position += word.utf8CodeUnitCount
  }
}

/// A stack of bits, one a level of nesting.
struct BitStack {
  private var words: [UInt64] = []
  private(set) var count = 0
  private(set) var top = false

  mutating func push(_ bit: Bool) {
    if count & 63 == 0 { words.append(0) }
    let mask = UInt64(1) << UInt64(count & 63)
    if bit { words[count >> 6] |= mask }
    count += 1
    top = bit
  }

  /// Removes the top; does nothing when empty.
  mutating func pop() {
    guard count > 0 else { return }
    count -= 1
    words[count >> 6] &= ~(UInt64(1) << UInt64(count & 63))
    if count & 63 == 0 { words.removeLast() }
    top = count > 0 && words[(count - 1) >> 6] >> UInt64((count - 1) & 63) & 1 == 1
  }
}
