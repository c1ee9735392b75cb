/// The last message of the editor.
package struct Message: Hashable, Sendable {
  package enum Severity: Hashable, Sendable {
    case note, warning, error
  }

  package var text: String
  package var severity: Severity

  package init(_ text: String, _ severity: Severity = .note) {
    self.text = text
    self.severity = severity
  }

  /// Nobody reads more in one line: a longer text gives way to the added one.
  private static let lengthMax = 400

  /// The message with a warning behind it that no key of the person has caused.
  ///
  /// The text in the line may be unread.
  static func adding(_ warning: String, to former: Message?) -> Message {
    guard let former, former.text.count <= lengthMax else { return Message(warning, .warning) }
    if former.text.hasSuffix(warning) { return former }
    return Message(
      "\(former.text); \(warning)", former.severity == .error ? .error : .warning)
  }
}
