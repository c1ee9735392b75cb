/// The type of an attribute's value, as one byte in memory and in the archive.
package enum AttributeKind: UInt8, Hashable, Sendable, CaseIterable {
  /// The feature does not have this attribute at all.
  case missing = 0
  case null = 1
  case no = 2
  case yes = 3
  /// The text of a JSON number, kept as it was written.
  case number = 4
  case string = 5
  /// The text of any other JSON value: an array, an object, or a string that is not valid Unicode.
  case json = 6
}

/// One attribute's value; numbers keep their text. Texts are equal by their bytes.
package enum AttributeValue: Hashable, Sendable {
  case missing
  case null
  case bool(Bool)
  /// A JSON number's text, such as `5496`, `889953.0` or `12345678901234567890`.
  case number(String)
  case string(String)
  /// The text of a JSON array, object, or odd string.
  case json(String)

  package var kind: AttributeKind {
    switch self {
    case .missing: .missing
    case .null: .null
    case .bool(let value): value ? .yes : .no
    case .number: .number
    case .string: .string
    case .json: .json
    }
  }

  /// The text for people: strings without quotes, `null` and missing as nothing.
  package var text: String {
    switch self {
    case .missing, .null: ""
    case .bool(let value): value ? "true" : "false"
    case .number(let text), .string(let text), .json(let text): text
    }
  }

  /// The number, if it is one and fits a double.
  package var double: Double? {
    guard case .number(let text) = self else { return nil }
    return Double(text)
  }
}

extension AttributeValue {
  package static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.missing, .missing), (.null, .null): true
    case (.bool(let value), .bool(let other)): value == other
    case (.number(let text), .number(let other)), (.string(let text), .string(let other)),
      (.json(let text), .json(let other)):
      text.hasSameBytes(as: other)
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .number(let text), .string(let text), .json(let text): ExactText(text).hash(into: &hasher)
    case .missing, .null, .bool: break
    }
  }
}
