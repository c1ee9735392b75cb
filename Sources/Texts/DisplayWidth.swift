/// The width of text in columns, by our own table, the same on every system.
package enum DisplayWidth {
  /// The columns of a text, including placeholders.
  ///
  /// - Complexity: O(n); about a nanosecond a character for ASCII.
  package static func of(_ text: String) -> Int {
    if let count = printableASCIICount(text) { return count }
    var columns = 0
    for cluster in DisplayClusters(text) { columns += cluster.columns }
    return columns
  }

  /// The longest prefix of a text that fits into `columns`, and its columns.
  package static func prefix(of text: String, columns: Int) -> (text: String, columns: Int) {
    var used = 0
    var kept = ""
    for cluster in DisplayClusters(text) {
      guard used + cluster.columns <= columns else { break }
      used += cluster.columns
      if let text = cluster.text {
        kept += text
      } else {
        kept.unicodeScalars.append(cluster.first)
      }
    }
    return (kept, used)
  }

  /// The text with all unsafe scalars replaced by visible placeholders.
  ///
  /// For text printed outside of a frame: error messages, lists, logs.
  package static func sanitised(_ text: String) -> String {
    if printableASCIICount(text) != nil { return text }
    return prefix(of: text, columns: .max).text
  }

  /// The length of a text of printable ASCII only; `nil` for other texts.
  package static func printableASCIICount(_ text: String) -> Int? {
    var count = 0
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7F else { return nil }
      count += 1
    }
    return count
  }
}
