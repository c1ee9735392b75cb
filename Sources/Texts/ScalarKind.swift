/// The treatment of one scalar of a text in cells.
///
/// All text from files is classified here before it is shown, so that no scalar of a file can reach
/// a terminal as a control.
package enum ScalarKind: Hashable, Sendable {
  /// One column.
  case narrow
  /// Two columns.
  case wide
  /// A combining mark: no column of its own, drawn over its base.
  case mark
  /// A zero-width joiner or non-joiner: kept only in scripts or emoji sequences that need it.
  case joiner
  /// A control, a bidirectional control, an invisible, an unassigned or a private scalar: a
  /// placeholder. Every font has other signs for private ones, and some terminals other widths.
  case hidden

  /// - Complexity: a few comparisons for most text, else a table of the standard library and a
  ///   binary search.
  package init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x300 {
      let isControl = value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0xAD
      self = isControl ? .hidden : .narrow
      return
    }
    if (value >= 0x2500 && value < 0x25FD) || (value >= 0x2800 && value < 0x2900) {
      self = .narrow
      return
    }
    if ScalarKind.isInvisibleLetter(value) {
      self = .hidden
      return
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      self = .mark
    case .format:
      self = ScalarKind.ofFormat(value)
    case .control, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse:
      self = .hidden
    default:
      self = WideScalars.contain(value) ? .wide : .narrow
    }
  }

  /// The placeholder in a cell for a scalar that must not be shown as itself.
  package static func placeholder(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.value < 0x20 {
      return Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    }
    return scalar.value == 0x7F ? "\u{2421}" : "\u{FFFD}"
  }

  /// A text without the controls that turn the direction of what follows them: each becomes a
  /// placeholder. A medium that shapes text keeps all others.
  package static func withoutOverrides(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isOverride) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(isOverride(scalar) ? placeholder(for: scalar) : scalar)
    }
    return String(scalars)
  }

  /// Embeddings, overrides and isolates, and their ends (Unicode Standard Annex 9).
  package static func isOverride(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  /// Letters and marks without any ink: fillers, and vowels of Hangul without a consonant.
  private static func isInvisibleLetter(_ value: UInt32) -> Bool {
    value == 0x3164 || value == 0xFFA0 || (value >= 0x115F && value <= 0x11FF)
      || (value >= 0xD7B0 && value <= 0xD7FF) || value == 0x17B4 || value == 0x17B5
  }

  /// Formats are invisible, except the two joiners and a few signs that scripts write before
  /// numbers.
  private static func ofFormat(_ value: UInt32) -> ScalarKind {
    switch value {
    case 0x200C, 0x200D: .joiner
    case 0x600...0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD: .narrow
    default: .hidden
    }
  }
}

/// The scalars of two columns: East Asian wide and full-width, and emoji.
enum WideScalars {
  /// - Complexity: a binary search.
  static func contain(_ value: UInt32) -> Bool {
    if value < 0x1100 { return false }
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }

  /// From Unicode 14's EastAsianWidth (W and F), gaps of unassigned scalars closed.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0,
    0x23F3...0x23F3, 0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F,
    0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5,
    0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5,
    0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
    0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
    0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
    0x1F191...0x1F19A, 0x1F200...0x1F265, 0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C,
    0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4,
    0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E,
    0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F,
    0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC,
    0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
    0x1FA70...0x1FAF6, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
