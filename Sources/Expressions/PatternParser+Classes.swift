extension PatternParser {
  /// The set of a class in brackets, after the first of them.
  mutating func bracketed(from start: Int) throws(PatternError) -> ScalarSet {
    let isInverted = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    while isFirst || next != "]" {
      isFirst = false
      let place = at
      let (set, scalar) = try classPart(of: start)
      guard next == "-", at + 1 < scalars.count, scalars[at + 1] != "]" else {
        ranges += set.ranges
        continue
      }
      at += 1
      let (_, last) = try classPart(of: start)
      guard let scalar, let last else {
        throw error("a range of characters goes from one character to one", at: place)
      }
      guard scalar <= last else { throw error("this range is the wrong way round", at: place) }
      ranges.append(scalar...last)
    }
    at += 1
    let set = folded(ScalarSet(ranges))
    return isInverted ? set.inverted : set
  }

  /// A character or an escape inside a class.
  private mutating func classPart(
    of start: Int
  ) throws(PatternError) -> (set: ScalarSet, scalar: UInt32?) {
    let place = at
    guard let scalar = next else {
      throw error("this class is not closed: ] is missing", at: start)
    }
    at += 1
    if scalar == "\\" { return try escapedSet(from: place) }
    if scalar == "[", next == ":" {
      throw error("[: :] is not known; write \\p{L}, \\d or \\s, or \\[ for the bracket", at: place)
    }
    return (ScalarSet(scalar.value), scalar.value)
  }

  /// The set that an escape stands for, and its scalar if it is one, after the backslash.
  mutating func escapedSet(
    from start: Int
  ) throws(PatternError) -> (set: ScalarSet, scalar: UInt32?) {
    guard let letter = next else {
      throw error("nothing follows this \\; write \\\\ to mean the character", at: start)
    }
    at += 1
    let value: UInt32
    switch letter {
    case "d": return (.digit, nil)
    case "D": return (ScalarSet.digit.inverted, nil)
    case "w": return (.word, nil)
    case "W": return (ScalarSet.word.inverted, nil)
    case "s": return (.space, nil)
    case "S": return (ScalarSet.space.inverted, nil)
    case "p": return (try category(from: start), nil)
    case "P": return (try category(from: start).inverted, nil)
    case "n": value = 0x0A
    case "t": value = 0x09
    case "r": value = 0x0D
    case "f": value = 0x0C
    case "v": value = 0x0B
    case "x": value = try takeHexadecimal(digits: 2, from: start)
    case "u": value = try takeHexadecimal(digits: 4, from: start)
    case "1"..."9": throw error(Self.noReferences, at: start)
    case "k": throw error(Self.noReferences, at: start)
    case "a"..."z", "A"..."Z", "0":
      throw error("\\\(letter) is not known here", at: start)
    default: value = letter.value
    }
    return (ScalarSet(value), value)
  }

  /// The category of `\p{Lu}` or `\pL`, after the letter p.
  private mutating func category(from start: Int) throws(PatternError) -> ScalarSet {
    var name = ""
    if take("{") {
      while let scalar = next, scalar != "}" {
        name.unicodeScalars.append(scalar)
        at += 1
      }
      guard take("}") else { throw error("} is missing", at: start) }
    } else if let scalar = next {
      name.unicodeScalars.append(scalar)
      at += 1
    }
    guard let set = ScalarSet.category(named: name) else {
      throw error("\\p takes a general category: L, Lu, Ll, M, N, Nd, P, S, Z …", at: start)
    }
    return set
  }

  private mutating func takeHexadecimal(
    digits: Int, from start: Int
  ) throws(PatternError) -> UInt32 {
    let isBraced = take("{")
    var text = ""
    while let scalar = next, scalar.isASCII, Character(scalar).isHexDigit,
      text.count < (isBraced ? 6 : digits)
    {
      text.unicodeScalars.append(scalar)
      at += 1
    }
    let isWhole = isBraced ? take("}") : text.count == digits
    guard isWhole, let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw error("a character is written \\x41, \\u00E9 or \\u{1F600}", at: start)
    }
    return scalar.value
  }
}
