package import Documents

/// An attribute's value as a person types it.
///
/// What reads as a number is one and keeps its text; `true`, `false`, `null` are themselves;
/// text in quotes is that text; all else is text.
package struct AttributeText: Hashable, Sendable {
  package let value: AttributeValue

  package init(_ text: String) {
    switch text {
    case "null": value = .null
    case "true": value = .bool(true)
    case "false": value = .bool(false)
    case _ where NumberText.isValid(text): value = .number(text)
    case _ where text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\""):
      value = .string(String(text.dropFirst().dropLast()))
    default: value = .string(text)
    }
  }

  /// How a value is shown to be edited, so that typing it again gives the same value.
  package static func text(of value: AttributeValue) -> String {
    switch value {
    case .missing: ""
    case .null: "null"
    case .bool, .number, .json: value.text
    case .string(let text):
      AttributeText(text).value == value ? text : "\"\(text)\""
    }
  }
}
