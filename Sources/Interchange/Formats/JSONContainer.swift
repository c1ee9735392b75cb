/// JSON texts of lists and objects.
package enum JSONContainer {
  /// Whether a text is a JSON array or object and nothing else.
  package static func isOne(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "{") else { return false }
    return bytes.withUnsafeBufferPointer { JSONText.isValue($0) }
  }
}
