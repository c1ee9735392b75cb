import PortolanTexts

/// A control sequence from a terminal: `ESC [`, parameters, a final byte.
struct ControlSequence {
  var parameters: ArraySlice<UInt8>
  var final: UInt8

  var isPasteStart: Bool { final == UInt8(ascii: "~") && parameters.elementsEqual("200".utf8) }

  /// The key, or `nil` for reports and other sequences.
  var key: Key? {
    // Reports begin their parameters with `<`, `=`, `>` or `?`.
    guard parameters.first.map({ $0 < 0x3C }) ?? true else { return nil }
    let numbers = numbers
    let first = numbers.first ?? 1
    let modifiers = ControlSequence.modifiers(numbers.count > 1 ? numbers[1] : 1)
    switch final {
    case UInt8(ascii: "~"):
      if first == 27, numbers.count > 2 {
        return ControlSequence.key(scalar: numbers[2], modifiers)
      }
      return ControlSequence.numbered(first).map { Key($0, modifiers) }
    case UInt8(ascii: "^"):
      return ControlSequence.numbered(first).map { Key($0, .control) }
    case UInt8(ascii: "@"):
      return ControlSequence.numbered(first).map { Key($0, [.control, .shift]) }
    case UInt8(ascii: "u"):
      return ControlSequence.key(scalar: first, modifiers)
    case UInt8(ascii: "Z"):
      return Key(.tab, modifiers.union(.shift))
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return ControlSequence.lettered(final - 0x20).map { Key($0, .shift) }
    case UInt8(ascii: "R") where numbers.count > 1 && first != 1:
      return nil  // A report of the cursor's position, not F3.
    default:
      return ControlSequence.lettered(final).map { Key($0, modifiers) }
    }
  }

  /// The event of an SGR mouse report: `<`, code, column, row, `M` or `m`.
  var mouse: MouseEvent? {
    guard parameters.first == UInt8(ascii: "<"), numbers.count == 3,
      final == UInt8(ascii: "M") || final == UInt8(ascii: "m")
    else { return nil }
    return ControlSequence.mouse(
      code: numbers[0], column: numbers[1], row: numbers[2],
      isRelease: final == UInt8(ascii: "m"))
  }

  /// The parameters as numbers; an invalid one counts as 1.
  private var numbers: [Int] {
    let digits = parameters.drop { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "?") }
    guard !digits.isEmpty else { return [] }
    return digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      // `:` separates a key's variants; the first is the key.
      Int(String(decoding: $0.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)) ?? 1
    }
  }

  /// The mouse event of a terminal's numbers, counted from 1.
  static func mouse(code: Int, column: Int, row: Int, isRelease: Bool) -> MouseEvent? {
    guard column > 0, row > 0, column <= 65_536, row <= 65_536 else { return nil }
    var modifiers: Key.Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let button = code & 3
    let action: MouseEvent.Action
    if code & 64 != 0 {
      guard button < 2, code & 128 == 0 else { return nil }
      action = button == 0 ? .wheelUp : .wheelDown
    } else if button == 3 || code & 128 != 0 {
      return nil
    } else if code & 32 != 0 {
      action = .drag
    } else {
      action = isRelease ? .release : .press
    }
    return MouseEvent(
      action: action, button: code & 64 != 0 ? 0 : button + 1, column: column - 1, row: row - 1,
      modifiers: modifiers)
  }

  /// The keys of the Linux console: `ESC [ [ A` to `E`.
  static func consoleKey(_ letter: UInt8) -> Key? {
    guard (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(letter) else { return nil }
    return Key(.function(Int(letter - UInt8(ascii: "A")) + 1))
  }

  /// The keys of application mode: `ESC O` and a letter.
  static func applicationKey(_ letter: UInt8) -> Key? {
    switch letter {
    case UInt8(ascii: "M"): Key(.enter)
    case UInt8(ascii: "I"): Key(.tab)
    case UInt8(ascii: "a")...UInt8(ascii: "d"): lettered(letter - 0x20).map { Key($0, .control) }
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      // The number block: * + , - . / and the digits.
      Key(.character(Character(Unicode.Scalar(letter - 0x40))))
    default: lettered(letter).map { Key($0) }
    }
  }

  private static func lettered(_ letter: UInt8) -> Key.Code? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter - UInt8(ascii: "P")) + 1)
    default: nil
    }
  }

  private static func numbered(_ number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  private static func modifiers(_ number: Int) -> Key.Modifiers {
    let bits = max(0, number - 1)
    var modifiers: Key.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & (2 | 8) != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// A key identified by its scalar.
  private static func key(scalar number: Int, _ modifiers: Key.Modifiers) -> Key? {
    guard let value = UInt32(exactly: number), let scalar = Unicode.Scalar(value) else {
      return nil
    }
    if (57_344...63_743).contains(value) { return keypadCode(value).map { Key($0, modifiers) } }
    if value < 0x20 || value == 0x7F {
      var key = InputDecoder.key(ofASCII: UInt8(truncatingIfNeeded: value))
      key.modifiers.formUnion(modifiers)
      return key
    }
    guard ScalarKind(scalar) == .narrow || ScalarKind(scalar) == .wide else { return nil }
    return KeyNotation.normalised(.character(Character(scalar)), modifiers)
  }

  /// A key of the number block, or F13 to F35, in the keyboard protocol, which numbers keys without
  /// a character in the private use area.
  private static func keypadCode(_ value: UInt32) -> Key.Code? {
    switch value {
    case 57_376...57_398: return .function(Int(value) - 57_376 + 13)
    case 57_399...57_408:
      return .character(Character(Unicode.Scalar(UInt8(clamping: value - 57_399 + 0x30))))
    case 57_409...57_427:
      let codes: [Key.Code?] = [
        .character("."), .character("/"), .character("*"), .character("-"), .character("+"), .enter,
        .character("="), .character(","), .left, .right, .up, .down, .pageUp, .pageDown, .home,
        .end,
        .insert, .delete, nil,
      ]
      return codes[Int(value) - 57_409]
    default: return nil
    }
  }
}
