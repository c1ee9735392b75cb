/// Learns the escape style of a file's strings.
struct EscapeLearner {
  private var isASCII: Bool?
  private var escapesSlash: Bool?
  private var isUpperHex: Bool?
  /// What the text had that is no longer in memory: a byte above 127, a slash not escaped.
  private var left = (nonASCII: false, slash: false)

  var style: EscapeStyle {
    EscapeStyle(
      isASCII: isASCII ?? false, escapesSlash: escapesSlash ?? false,
      isUpperHex: isUpperHex ?? false)
  }

  /// Whether a string without a backslash may differ from the text in the learned style.
  @inline(__always)
  mutating func isOdd(_ token: JSONScanner.Token, _ scanner: JSONScanner) -> Bool {
    if token.hasNonASCII {
      if isASCII == nil { isASCII = false }
      if isASCII == true { return true }
    }
    return escapesSlash == true
      && scanner.bytes(token.start..<token.end).contains(UInt8(ascii: "/"))
  }

  /// Learns from a string with a backslash; returns whether the style reproduces its text.
  ///
  /// The unescaped characters of the text before are checked once, at the first such escape.
  mutating func accepts(
    _ token: JSONScanner.Token, value: [UInt8], _ scanner: JSONScanner
  ) -> Bool {
    let raw = scanner.bytes(token.start..<token.end)
    var index = 0
    while index + 1 < raw.count {
      guard raw[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      if raw[index + 1] == UInt8(ascii: "/"), escapesSlash == nil {
        escapesSlash = !left.slash && !hasBareSlash(scanner.bytes(scanner.start..<token.end))
      }
      if raw[index + 1] == UInt8(ascii: "u"), index + 5 < raw.count {
        learn(raw[(index + 2)..<(index + 6)], before: token, scanner)
      }
      index += 2
    }
    var text: [UInt8] = []
    JSONText.escape(value, style: style, into: &text)
    return text.elementsEqual(raw)
  }

  private mutating func learn(
    _ digits: Slice<UnsafeBufferPointer<UInt8>>, before token: JSONScanner.Token,
    _ scanner: JSONScanner
  ) {
    let isBeyondASCII = !(digits.first == 0x30 && digits.dropFirst().first == 0x30)
    if isASCII == nil, isBeyondASCII {
      let known = scanner.bytes(max(3, scanner.start)..<max(3, token.end))
      isASCII = !left.nonASCII && !known.contains { $0 >= 0x80 }
    }
    if isUpperHex == nil, let letter = digits.first(where: { $0 >= 0x41 }) {
      isUpperHex = letter < 0x61
    }
  }

  /// Whether the rest of a text that is whole in memory is read in the same way from both states.
  ///
  /// A choice that is still open becomes `false` where the text before has what speaks against it.
  func readsOn(as other: EscapeLearner) -> Bool {
    style == other.style && (isUpperHex == nil) == (other.isUpperHex == nil)
  }

  /// Notes what the style depends on in text that is about to leave memory.
  ///
  /// - Parameter offset: that of the first byte; the text ends outside of strings.
  mutating func leave(_ text: UnsafeBufferPointer<UInt8>, from offset: Int) {
    if isASCII == nil, !left.nonASCII {
      // A byte order mark says nothing.
      let known = text.dropFirst(max(0, 3 - offset))
      left.nonASCII = ByteSearch.hasNonASCII(UnsafeBufferPointer(rebasing: known))
    }
    if escapesSlash == nil, !left.slash { left.slash = hasBareSlash(text) }
  }

  private func hasBareSlash(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    while let slash = ByteSearch.first(UInt8(ascii: "/"), in: text, from: place) {
      let backslashes = text[..<slash].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      if backslashes % 2 == 0 { return true }
      place = slash + 1
    }
    return false
  }
}
