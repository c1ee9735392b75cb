import Archiving

/// The value classes as sequential archives have them.
extension InspectedArchive {
  func sequentialForm(_ name: String, _ node: Int) -> KnownForm? {
    let count = valueCount(of: node)
    func value(_ index: Int) -> InspectedValue? {
      index < count ? self.value(index, of: node) : nil
    }
    switch name {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
      guard whole(value(0)) == Int64(count - 1) else { return nil }
      return KnownForm(elements: .tail(1))
    case "NSDictionary", "NSMutableDictionary":
      guard let pairs = whole(value(0)), pairs >= 0, pairs < 1 << 40, pairs * 2 + 1 == Int64(count)
      else { return nil }
      return KnownForm(elements: .pairTail(1))
    case "List":
      guard count == 2, case .node(let row)? = value(1), nodes[row].kind == .array else {
        return nil
      }
      return KnownForm(elements: .row(row))
    case "NSString", "NSMutableString":
      guard count == 1, let text = value(0) else { return nil }
      switch text {
      case .bytes where self.text(of: text, limit: 200) != nil, .utf16: break
      default: return nil
      }
      return KnownForm(summary: .text(text))
    case "NSData", "NSMutableData":
      guard count == 2, case .data? = value(1), let data = value(1) else { return nil }
      return KnownForm(summary: .data(data))
    case "NSNull": return count == 0 ? KnownForm(summary: .words("")) : nil
    case "NSDate":
      guard count == 1, let date = real(value(0)).flatMap({ InspectionText.date($0) }) else {
        return nil
      }
      return KnownForm(summary: .words(date))
    case "NSNumber": return sequentialNumber(node)
    case "NSURL":
      if count == 2, whole(value(0)) == 0, let text = resolved(value(1)) {
        return KnownForm(summary: .text(text))
      }
      // GNUstep has the base behind the text.
      let isBaseLast = whole(value(0)) == 0
      guard count == 3, let text = resolved(value(isBaseLast ? 1 : 2)) else { return nil }
      return KnownForm(summary: .text(text), extra: [isBaseLast ? 2 : 1])
    case "NSAttributedString", "NSMutableAttributedString":
      guard let text = resolved(value(0)) else { return nil }
      return KnownForm(summary: .text(text), extra: Array(1..<count))
    case "NSDecimalNumberPlaceholder": return told(sequentialPortableDecimal(node))
    default: return sequentialWords(name, node)
    }
  }

  /// Classes whose objects are told in a few words; what the words leave out is listed too.
  private func sequentialWords(_ name: String, _ node: Int) -> KnownForm? {
    let count = valueCount(of: node)
    switch name {
    case "NSValue":
      return told(sequentialGeometry(node) ?? sequentialScalar(node))
    case "NSColor":
      guard let colour = colour(of: node), let words = words(of: colour) else { return nil }
      if case .named = colour { return KnownForm(summary: .words(words), extra: [3]) }
      return KnownForm(summary: .words(words))
    case "NSFont":
      // The name is a property list of its own; nobody tells what the bytes behind the size mean.
      guard count >= 3, case .data(let range) = value(1, of: node), range.count < 1_000,
        case .string(let font)? = try? OldPropertyList(slice(range)),
        let size = real(value(2, of: node))
      else { return nil }
      return KnownForm(
        summary: .words("\(font) \(InspectionText.number(size))"), extra: Array(3..<count))
    case "Font":
      guard count == 4, let font = shortText(value(0, of: node)),
        let size = real(value(1, of: node))
      else { return nil }
      return KnownForm(
        summary: .words("\(font) \(InspectionText.number(size))"), extra: [2, 3])
    default: return gnustepWords(name, node)
    }
  }

  /// The classes whose objects are known from GNUstep only.
  private func gnustepWords(_ name: String, _ node: Int) -> KnownForm? {
    guard header.format == .gnustep else { return nil }
    let count = valueCount(of: node)
    switch name {
    case "NSUUID":
      guard count == 1, let range = dataRange(value(0, of: node)), range.count == 16 else {
        return nil
      }
      return KnownForm(summary: .words(Self.uuid(slice(range))))
    case "NSTimeZone", "NSLocale":
      guard count == 1, let text = resolved(value(0, of: node)) else { return nil }
      return KnownForm(summary: .text(text))
    case "NSCalendar":
      guard count == 3, let text = resolved(value(0, of: node)) else { return nil }
      return KnownForm(summary: .text(text), extra: [1, 2])
    case "NSError":
      guard count == 3, let code = whole(value(0, of: node)),
        let domain = shortText(value(1, of: node))
      else { return nil }
      return KnownForm(summary: .words("\(domain) \(code)"), extra: [2])
    case "NSIndexSet", "NSMutableIndexSet":
      guard count > 0, let ranges = whole(value(0, of: node)) else { return nil }
      if ranges == 0, count == 1 { return KnownForm(summary: .words("empty")) }
      if ranges == 1, count == 3, let start = whole(value(1, of: node)),
        let length = whole(value(2, of: node))
      {
        return KnownForm(summary: .words(Self.range(start, length)))
      }
      guard count == 2, let words = rangeWords(value(1, of: node), count: ranges) else {
        return nil
      }
      return KnownForm(summary: .words(words))
    default: return nil
    }
  }

  private func sequentialNumber(_ node: Int) -> KnownForm? {
    if let words = singleNumber(node).flatMap({ numberWords($0.value) }) {
      return KnownForm(summary: .words(words))
    }
    guard valueCount(of: node) == 2, let type = shortText(value(0, of: node)) else { return nil }
    switch (type, value(1, of: node)) {
    case ("c", .integer(0)), ("B", .integer(0)): return KnownForm(summary: .words("false"))
    case ("c", .integer(1)), ("B", .integer(1)): return KnownForm(summary: .words("true"))
    case (_, .integer(let value)):
      let text = type == "Q" ? String(UInt64(bitPattern: value)) : String(value)
      return KnownForm(summary: .words(text))
    case (_, .double(let value)): return KnownForm(summary: .words(InspectionText.number(value)))
    case (_, .float(let value)): return KnownForm(summary: .words(InspectionText.number(value)))
    default: return nil
    }
  }

  private func told(_ value: PortableValue?) -> KnownForm? {
    value.flatMap { words(of: $0) }.map { KnownForm(summary: .words($0)) }
  }

  // MARK: Parts of both kinds of archive

  /// A decimal number of 16-bit words, the least significant first.
  static func decimal(
    words: [UInt16], length: Int64, exponent: Int64, isNegative: Bool
  ) -> String? {
    guard length >= 0, length <= words.count, exponent.magnitude <= 256 else { return nil }
    if length == 0 { return isNegative ? "NaN" : "0" }
    var mantissa: UInt128 = 0
    for word in words[..<Int(length)].reversed() { mantissa = mantissa << 16 | UInt128(word) }
    var digits = String(mantissa)
    if exponent < 0 {
      let places = Int(-exponent)
      if digits.count <= places {
        digits = String(repeating: "0", count: places - digits.count + 1) + digits
      }
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -places))
    } else if exponent > 0 {
      digits += String(repeating: "0", count: Int(exponent))
    }
    return (isNegative ? "-" : "") + digits
  }

  /// Numbers of seven bits a byte, the least significant first; `nil` when the last is not whole.
  static func variableNumbers(_ bytes: [UInt8]) -> [UInt64]? {
    var numbers: [UInt64] = []
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes {
      guard shift < 63 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      numbers.append(value)
      (value, shift) = (0, 0)
    }
    return shift == 0 ? numbers : nil
  }

  /// A range of indexes in words.
  static func range(_ start: Int64, _ length: Int64) -> String {
    let (last, overflow) = start.addingReportingOverflow(max(0, length &- 1))
    return length == 1 || overflow ? "\(start)" : "\(start)…\(last)"
  }

  /// The customary text of sixteen bytes.
  static func uuid(_ bytes: [UInt8]) -> String {
    var text = ""
    var place = 0
    for length in [4, 2, 2, 2, 6] {
      if place > 0 { text += "-" }
      text += InspectionText.hexadecimal(bytes[place..<place + length]).uppercased()
      place += length
    }
    return text
  }
}
