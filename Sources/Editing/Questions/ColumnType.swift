import ArgumentParser
package import PortolanDocuments
import PortolanExpressions

/// The types of a column, as people name them.
package enum ColumnType: String, ExpressibleByArgument, CaseIterable, Sendable {
  case whole, real, text, truth, date

  /// The values of the type in words.
  var words: String {
    switch self {
    case .whole: "whole numbers"
    case .real: "numbers"
    case .text: "texts"
    case .truth: "true or false"
    case .date: "dates"
    }
  }

  /// A value as one of this type, if nothing of it is lost; null and missing stay what they are.
  package func value(of value: AttributeValue) -> AttributeValue? {
    switch (self, value) {
    case (_, .missing), (_, .null): value
    case (.whole, .number(let text)): WholeNumberText.of(text).map { .number($0) }
    case (.real, .number(let text)):
      .number(text.utf8.allSatisfy { $0 == 0x2D || $0 &- 0x30 < 10 } ? text + ".0" : text)
    case (.whole, .bool(let truth)), (.real, .bool(let truth)):
      self.value(of: .number(truth ? "1" : "0"))
    case (.whole, .string(let text)), (.real, .string(let text)):
      NumberText.isValid(text) ? self.value(of: .number(text)) : nil
    case (.text, _): .string(value.text)
    case (.truth, .bool): value
    case (.truth, .string("true")): .bool(true)
    case (.truth, .string("false")): .bool(false)
    case (.truth, .number(let text)):
      switch WholeNumberText.of(text) {
      case "1": .bool(true)
      case "0": .bool(false)
      default: nil
      }
    case (.date, .string(let text)), (.date, .number(let text)): Self.date(text)
    case (.truth, .string), (.whole, .json), (.real, .json), (.truth, .json), (.date, .json),
      (.date, .bool):
      nil
    }
  }

  /// The nearest value of this type; `nil` if there is none.
  func nearest(to value: AttributeValue) -> AttributeValue? {
    let text = Self.trimmed(value.text)
    switch self {
    case .whole:
      guard let number = Self.plain(text).flatMap({ Number($0)?.rounded(places: 0).canonical })
      else { return nil }
      return number.text.flatMap { self.value(of: .number($0)) }
    case .real: return Self.plain(text).flatMap { self.value(of: .number($0)) }
    case .text: return .string(value.text)
    case .truth:
      if ["t", "true", "y", "yes", "on"].contains(text.lowercased()) { return .bool(true) }
      if ["f", "false", "n", "no", "off"].contains(text.lowercased()) { return .bool(false) }
      return Self.plain(text).flatMap { Number($0) }.map { .bool(!$0.isZero) }
    case .date: return Self.date(text)
    }
  }

  /// A date or time as text: with hyphens where it had slashes or nothing between its parts.
  private static func date(_ text: String) -> AttributeValue? {
    if let date = ISODate.normalised(text) {
      return .string(date.utf8.count == 10 ? date : text)
    }
    let digits = Array(text.utf8)
    guard digits.count == 8, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    let parts = [digits[..<4], digits[4..<6], digits[6...]]
    return ISODate.normalised(
      parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    ).map { .string($0) }
  }

  private static func trimmed(_ text: String) -> String {
    let rest = text.drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
  }

  /// A number without a plus sign and leading zeros; `nil` for what is none.
  private static func plain(_ text: String) -> String? {
    var digits = text[...]
    let sign = digits.first == "-" ? "-" : ""
    if digits.first == "-" || digits.first == "+" { digits = digits.dropFirst() }
    while digits.utf8.count > 1, digits.first == "0", digits.dropFirst().first?.isNumber == true {
      digits = digits.dropFirst()
    }
    let plain = sign + digits
    return NumberText.isValid(plain) ? plain : nil
  }
}

/// Whole numbers as text, of any length.
enum WholeNumberText {
  /// The most digits that an exponent may ask for.
  private static let digitsMax = 400

  /// The digits of a JSON number that is whole: `889953.0` gives `889953`, `1e3` gives `1000`;
  /// `nil` for other numbers.
  static func of(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    if bytes.allSatisfy({ $0 == 0x2D || $0 &- 0x30 < 10 }) { return text }
    let isNegative = bytes.first == 0x2D
    let mark = bytes.firstIndex { $0 | 0x20 == 0x65 } ?? bytes.count
    let mantissa = bytes[(isNegative ? 1 : 0)..<mark]
    let power = String(decoding: bytes[mark...].dropFirst(), as: UTF8.self)
    guard let exponent = power.isEmpty ? 0 : Int(power), exponent.magnitude <= digitsMax else {
      return nil
    }
    let point = mantissa.firstIndex(of: 0x2E) ?? mantissa.endIndex
    var digits = mantissa.filter { $0 != 0x2E }
    let shift = exponent - max(0, mantissa.endIndex - point - 1)
    if shift >= 0 {
      digits += Array(repeating: 0x30, count: shift)
    } else {
      guard digits.suffix(-shift).allSatisfy({ $0 == 0x30 }) else { return nil }
      digits.removeLast(min(-shift, digits.count))
    }
    let whole = digits.drop { $0 == 0x30 }
    if whole.isEmpty { return isNegative ? "-0" : "0" }
    return (isNegative ? "-" : "") + String(decoding: whole, as: UTF8.self)
  }
}

/// Values brought to a type, and what could not be: counted by work on any thread.
struct Retyping: Sendable {
  let type: ColumnType
  /// Whether the nearest value stands for one that does not convert, or null.
  let isForced: Bool
  private(set) var converted = 0
  private(set) var kept = Examples()
  private(set) var neared = Examples()
  private(set) var emptied = Examples()

  init(to type: ColumnType, isForced: Bool) {
    self.type = type
    self.isForced = isForced
  }

  /// The value of the type; the value as it is if it does not convert and nothing is forced.
  mutating func value(of value: AttributeValue) -> AttributeValue {
    if let exact = type.value(of: value) {
      if exact != value { converted += 1 }
      return exact
    }
    guard isForced else {
      kept.add(value)
      return value
    }
    if let nearest = type.nearest(to: value) {
      neared.add(value)
      return nearest
    }
    emptied.add(value)
    return .null
  }

  /// The values that are others now.
  var changed: Int { converted + neared.count + emptied.count }

  /// What did not convert, in words; `nil` if all did.
  var warning: String? {
    var words: [String] = []
    if kept.count > 0 {
      words.append(
        "\(kept.words) stayed: not exactly \(type.words); --force takes the nearest, or null")
    }
    if neared.count > 0 { words.append("\(neared.words) became the nearest \(type.rawValue)") }
    if emptied.count > 0 { words.append("\(emptied.words) became null") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  /// Some values, counted, with the first few of them.
  struct Examples: Sendable {
    private(set) var count = 0
    private var texts: [String] = []

    mutating func add(_ value: AttributeValue) {
      count += 1
      let text = String(value.text.prefix(24))
      if texts.count < 3, !texts.contains(text) { texts.append(text) }
    }

    /// `3 values (“a”, “1.5”)`.
    var words: String {
      let list = texts.map { "“\($0)”" }.joined(separator: ", ")
      let more = count > texts.count ? " …" : ""
      return "\(CountText.text(count, "value", "values")) (\(list)\(more))"
    }
  }
}
