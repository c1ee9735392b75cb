package import PortolanDocuments
import PortolanInterchange

/// An attribute's value as a person types it.
///
/// Text in quotes is that text, and `=` before a number, `true`, `false`, `null`, a list or an
/// object gives that value, whatever the old value was. Other text over a text stays text, so that
/// a postcode stays one; over a list or an object those stay what they are. Elsewhere a number
/// becomes a number and keeps its text, `true`, `false` and `null` become those values, and the
/// rest is text.
package struct AttributeText: Hashable, Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// The value where there was none before.
  package var value: AttributeValue { value(over: .missing) }

  /// The value of the typed text when it replaces another value.
  package func value(over old: AttributeValue) -> AttributeValue {
    if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      return .string(String(text.dropFirst().dropLast()))
    }
    if text.hasPrefix("="), let forced = Self.forced(String(text.dropFirst())) { return forced }
    switch old {
    case .string: return .string(text)
    case .json: return Self.forced(text) ?? .string(text)
    default: return Self.literal(text) ?? .string(text)
    }
  }

  /// Whether `=` comes before a text, as in `a==b`.
  var looksLikeComparison: Bool {
    text.hasPrefix("=") && Self.forced(String(text.dropFirst())) == nil
  }

  /// The value of a literal, a list or an object; `nil` for text.
  private static func forced(_ text: String) -> AttributeValue? {
    literal(text) ?? (JSONContainer.isOne(text) ? .json(text) : nil)
  }

  /// The value of a literal; `nil` for text.
  private static func literal(_ text: String) -> AttributeValue? {
    switch text {
    case "null": .null
    case "true": .bool(true)
    case "false": .bool(false)
    default: NumberText.isValid(text) ? .number(text) : nil
    }
  }

  /// The editable text of a value: typing it again gives the same value.
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
