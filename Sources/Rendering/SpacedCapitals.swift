import PortolanTexts

/// Names of areas in capitals that stand apart: F R A N C E.
enum SpacedCapitals {
  /// A name in capitals; `nil` if it has no letters, or some without capitals.
  static func capitals(of name: String) -> String? {
    if isPrintableASCII(name) { return capitals(ofASCII: name.utf8) }
    var hasLetters = false
    for scalar in name.unicodeScalars where scalar.properties.isAlphabetic {
      if scalar.properties.canonicalCombiningClass != .notReordered { continue }
      guard scalar.properties.isCased, isKnown(scalar) else { return nil }
      hasLetters = true
    }
    return hasLetters && name.count > 1 ? upper(name) : nil
  }

  private static func isPrintableASCII(_ text: String) -> Bool {
    DisplayWidth.printableASCIICount(text) != nil
  }

  private static func capitals(ofASCII name: String.UTF8View) -> String? {
    var hasLetters = false
    let capitals = name.map { byte -> UInt8 in
      let isSmall = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      hasLetters = hasLetters || isSmall || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      return isSmall ? byte - 0x20 : byte
    }
    return hasLetters && capitals.count > 1 ? String(decoding: capitals, as: UTF8.self) : nil
  }

  /// Capitals of Greek have no tonos: Ελλάς is ΕΛΛΑΣ.
  private static func upper(_ name: String) -> String {
    var capitals = String.UnicodeScalarView()
    for scalar in name.uppercased().unicodeScalars {
      let isGreek = capitals.last.map { (0x370...0x3FF).contains($0.value) } ?? false
      // Upon a dialytika it stands apart: ΐ.
      let follows = isGreek || capitals.last == "\u{308}"
      if scalar == "\u{301}" && follows { continue }
      capitals.append(withoutTonos[scalar] ?? scalar)
    }
    return String(capitals)
  }

  private static let withoutTonos: [Unicode.Scalar: Unicode.Scalar] = [
    "Ά": "Α", "Έ": "Ε", "Ή": "Η", "Ί": "Ι", "Ό": "Ο", "Ύ": "Υ", "Ώ": "Ω",
  ]

  /// Latin, Greek, Cyrillic and Armenian letters: the capitals of other scripts are in few fonts.
  private static func isKnown(_ letter: Unicode.Scalar) -> Bool {
    letter.value < 0x590 || (0x1E00...0x1FFF).contains(letter.value)
  }

  /// A text with a blank between its characters, and three between its words.
  static func spaced(_ text: String) -> String {
    if isPrintableASCII(text) { return spaced(ofASCII: text.utf8) }
    return text.split(separator: " ").map { word in word.map(String.init).joined(separator: " ") }
      .joined(separator: "   ")
  }

  private static func spaced(ofASCII text: String.UTF8View) -> String {
    let blank = UInt8(ascii: " ")
    var spaced: [UInt8] = []
    spaced.reserveCapacity(2 * text.count + 4)
    var isInWord = false
    for byte in text {
      defer { isInWord = byte != blank }
      guard byte != blank else { continue }
      if !spaced.isEmpty {
        spaced.append(blank)
        if !isInWord { spaced += [blank, blank] }
      }
      spaced.append(byte)
    }
    return String(decoding: spaced, as: UTF8.self)
  }
}
