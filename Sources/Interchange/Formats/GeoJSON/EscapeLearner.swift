/// Learns the escape style of a file's strings.
struct EscapeLearner {
  /// The choices of the style; `nil` as long as they are open.
  struct Choices: Equatable {
    var isASCII: Bool?
    var escapesSlash: Bool?
    var isUpperHex: Bool?
  }

  private(set) var choices = Choices()
  /// Whether a choice that the text before decides is left open, which a copy does not search.
  var leavesOpen = false
  /// Whether a choice was left open.
  private(set) var hasLeftOpen = false
  /// What the text had that is no longer in memory: a byte above 127, a slash not escaped.
  private var left = (nonASCII: false, slash: false)

  var style: EscapeStyle {
    EscapeStyle(
      isASCII: choices.isASCII ?? false, escapesSlash: choices.escapesSlash ?? false,
      isUpperHex: choices.isUpperHex ?? false)
  }

  /// Whether a string without a backslash may differ from the text in the learned style.
  @inline(__always)
  mutating func isOdd(_ token: JSONScanner.Token, _ scanner: JSONScanner) -> Bool {
    if token.hasNonASCII {
      if choices.isASCII == nil { choices.isASCII = false }
      if choices.isASCII == true { return true }
    }
    return choices.escapesSlash == true
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
      if raw[index + 1] == UInt8(ascii: "/"), choices.escapesSlash == nil, isSearched() {
        choices.escapesSlash =
          !left.slash && !hasBareSlash(scanner.bytes(scanner.start..<token.end))
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
    if choices.isASCII == nil, isBeyondASCII, isSearched() {
      let known = scanner.bytes(max(3, scanner.start)..<max(3, token.end))
      choices.isASCII = !left.nonASCII && !known.contains { $0 >= 0x80 }
    }
    if choices.isUpperHex == nil, let letter = digits.first(where: { $0 >= 0x41 }) {
      choices.isUpperHex = letter < 0x61
    }
  }

  /// Whether the text before is searched to decide a choice.
  private mutating func isSearched() -> Bool {
    if leavesOpen { hasLeftOpen = true }
    return !leavesOpen
  }

  /// Whether both read the rest of a text in the same way, if the text is whole in memory.
  ///
  /// Open and `false` are alike for the choices that the text before decides: it has the byte that
  /// made one of them `false`, and the search finds that byte for the other. No text before decides
  /// on the digits.
  func reads(like other: EscapeLearner) -> Bool {
    style == other.style && (choices.isUpperHex == nil) == (other.choices.isUpperHex == nil)
  }

  /// Takes over what a reader of the text that follows decided.
  mutating func append(_ other: EscapeLearner) {
    choices.isASCII = choices.isASCII ?? other.choices.isASCII
    choices.escapesSlash = choices.escapesSlash ?? other.choices.escapesSlash
    choices.isUpperHex = choices.isUpperHex ?? other.choices.isUpperHex
  }

  /// Notes what the style depends on in text that is about to leave memory.
  ///
  /// - Parameter offset: that of the first byte; the text ends outside of strings.
  mutating func leave(_ text: UnsafeBufferPointer<UInt8>, from offset: Int) {
    if choices.isASCII == nil, !left.nonASCII {
      // A byte order mark says nothing.
      let known = text.dropFirst(max(0, 3 - offset))
      left.nonASCII = ByteSearch.hasNonASCII(UnsafeBufferPointer(rebasing: known))
    }
    if choices.escapesSlash == nil, !left.slash { left.slash = hasBareSlash(text) }
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
