/// The strings of the text notation, and what stands between its parts.
extension TextPropertyListParser {
  func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  /// Whether a byte may stand in a string without quotes.
  func isUnquoted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "~"), UInt8(ascii: "@"):
      true
    default: false
    }
  }

  /// Moves behind white space and comments.
  mutating func skipFiller() throws(PropertyListError) {
    while true {
      scanner.place = scanner.afterSpace(scanner.place)
      // The separators of lines and paragraphs.
      if scanner.skip("\u{2028}") || scanner.skip("\u{2029}") { continue }
      if scanner.skip("//") {
        while let byte = scanner.byte(at: scanner.place), byte != 0x0A, byte != 0x0D {
          scanner.place += 1
        }
      } else if scanner.skip("/*") {
        try scanner.skip(through: "*/", "a comment")
      } else {
        return
      }
    }
  }

  /// Reads the string that begins here.
  mutating func string() throws(PropertyListError) -> PropertyListReference {
    let start = scanner.place
    guard let quote = scanner.byte(at: start), isQuote(quote) else {
      while let byte = scanner.byte(at: scanner.place), isUnquoted(byte),
        !scanner.has("/*", at: scanner.place)
      {
        scanner.place += 1
      }
      return writer.addString(utf8: scanner.bytes(start..<scanner.place))
    }
    scanner.place += 1
    while let byte = scanner.byte(at: scanner.place), byte != quote {
      if byte == UInt8(ascii: "\\") { return try escaped(quote, from: start) }
      scanner.place += 1
    }
    guard scanner.place < scanner.count else { throw unended(start) }
    scanner.place += 1
    return writer.addString(utf8: scanner.bytes(start + 1..<scanner.place - 1))
  }

  private func unended(_ start: Int) -> PropertyListError {
    scanner.error(.badLength, at: start, "a string whose quotes are not closed")
  }

  /// A string with escapes; the scanner is at the first.
  private mutating func escaped(
    _ quote: UInt8, from start: Int
  ) throws(PropertyListError) -> PropertyListReference {
    var units = Array(
      String(decoding: scanner.bytes(start + 1..<scanner.place), as: UTF8.self).utf16)
    while let byte = scanner.byte(at: scanner.place), byte != quote {
      if byte == UInt8(ascii: "\\") {
        scanner.place += 1
        readEscape(into: &units)
        continue
      }
      let first = scanner.place
      while let byte = scanner.byte(at: scanner.place), byte != quote, byte != UInt8(ascii: "\\") {
        scanner.place += 1
      }
      units += String(decoding: scanner.bytes(first..<scanner.place), as: UTF8.self).utf16
    }
    guard scanner.place < scanner.count else { throw unended(start) }
    scanner.place += 1
    if let text = String(validating: units, as: UTF16.self) { return writer.addString(text) }
    // Half a surrogate pair: the units are kept as they are.
    var leaf: [UInt8] = [0x6F, 0x12]
    for shift in [24, 16, 8, 0] { leaf.append(UInt8(truncatingIfNeeded: units.count >> shift)) }
    for unit in units { leaf += [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)] }
    return leaf.withUnsafeBytes { writer.addEncodedLeaf($0) }
  }

  /// Reads what stands behind a backslash.
  private mutating func readEscape(into units: inout [UInt16]) {
    guard let byte = scanner.byte(at: scanner.place) else { return }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      let value = readDigits(3, radix: 8)
      // Numbers are of the NEXTSTEP encoding.
      let upper = Int(value) - 0x80
      units.append(
        NextStepText.upperHalf.indices.contains(upper) ? NextStepText.upperHalf[upper] : value)
    case UInt8(ascii: "U"), UInt8(ascii: "u"):
      scanner.place += 1
      guard scanner.byte(at: scanner.place).flatMap({ hexadecimal($0) }) != nil else {
        return units.append(UInt16(byte))
      }
      units.append(readDigits(4, radix: 16))
    default:
      let known: [UInt8: UInt16] = [
        UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10,
        UInt8(ascii: "v"): 11, UInt8(ascii: "f"): 12, UInt8(ascii: "r"): 13,
      ]
      if let unit = known[byte] {
        units.append(unit)
        scanner.place += 1
      } else if byte < 0x80 {
        units.append(UInt16(byte))
        scanner.place += 1
      }
    // Any other character stands for itself, and is read next.
    }
  }

  private mutating func readDigits(_ countMax: Int, radix: UInt16) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<countMax {
      guard let digit = scanner.byte(at: scanner.place).flatMap({ hexadecimal($0) }),
        UInt16(digit) < radix
      else { break }
      value = value &* radix &+ UInt16(digit)
      scanner.place += 1
    }
    return value
  }
}

/// Dates as GNUstep writes them: `2001-01-01 00:00:00 +0000`.
enum TextDate {
  /// Seconds since 2001; `nil` where it is no such date.
  static func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
    let parts = text.split(separator: 0x20)
    guard parts.count == 2 || parts.count == 3 else { return nil }
    let utc = Array(parts[0]) + [UInt8(ascii: "T")] + Array(parts[1]) + [UInt8(ascii: "Z")]
    guard let seconds = utc.withUnsafeBytes({ XMLDate.seconds($0) }) else { return nil }
    guard parts.count == 3 else { return seconds }
    let zone = Array(parts[2])
    guard zone.count == 5, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-") else {
      return nil
    }
    var digits = 0
    for byte in zone[1...] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
    }
    let offset = Double((digits / 100 * 60 + digits % 100) * 60)
    return zone[0] == UInt8(ascii: "+") ? seconds - offset : seconds + offset
  }
}
