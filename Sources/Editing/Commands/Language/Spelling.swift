/// Words with similar spelling.
package enum Spelling {
  /// The words that were likely meant, at most three, likeliest first: those with this beginning,
  /// else those that differ in a letter or two; capitals count as small letters.
  package static func nearest(to word: String, among words: [String]) -> [String] {
    let word = word.lowercased()
    guard word.count > 1, word.count < 32 else { return [] }
    let small = words.map { (word: $0, small: $0.lowercased()) }
    let longer = small.filter { $0.small.hasPrefix(word) }
    let begun = longer.filter { $0.small == word } + longer.filter { $0.small != word }
    let most = word.count > 4 ? 2 : word.count > 2 ? 1 : 0
    let near = small.filter { !$0.small.hasPrefix(word) }
      .map { (word: $0.word, count: distance(word, $0.small)) }.filter { $0.count <= most }
      .sorted { $0.count < $1.count }
    return Array((begun.map(\.word) + near.map(\.word)).prefix(3))
  }

  /// The words as a question: `style, stylus?`; empty if there are none.
  package static func question(_ words: [String]) -> String {
    words.isEmpty ? "" : words.joined(separator: " or ") + "? "
  }

  /// The number of letters to change, insert, remove or swap.
  package static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard !a.isEmpty, !b.isEmpty, a.count < 128, b.count < 128 else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let cost = a[i - 1] == b[j - 1] ? 0 : 1
        var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + cost)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, rows[i - 2][j - 2] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
