/// Texts by letters that they have in an order: `exla` finds Export layers.
package struct FuzzyText: Sendable {
  private let letters: [Unicode.Scalar]
  /// Whether a word begins at each letter.
  private let starts: [Bool]

  package init(_ text: String) {
    var letters: [Unicode.Scalar] = []
    var starts: [Bool] = []
    var isWithin = false
    for character in text.prefix(200) {
      let isWord = character.isLetter || character.isNumber
      for (index, scalar) in character.lowercased().unicodeScalars.enumerated() {
        letters.append(scalar)
        starts.append(index == 0 && isWord && !isWithin)
      }
      isWithin = isWord
    }
    (self.letters, self.starts) = (letters, starts)
  }

  /// How well a word is found; `nil` if its letters are not here in that order.
  ///
  /// Letters at the starts of words and letters beside each other count most, and short texts go
  /// before long ones.
  ///
  /// - Parameter together: whether all letters stand beside each other.
  /// - Complexity: O(letters of the word × letters of the text).
  package func score(of word: FuzzyText, together: Bool = false) -> Int? {
    guard let first = word.letters.first, word.letters.count <= letters.count else { return nil }
    // The best score with the letters so far, the last of them at each place.
    var scores = letters.indices.map { letters[$0] == first ? value(at: $0) : Int.min }
    for letter in word.letters.dropFirst() {
      var best = Int.min
      var next = [Int](repeating: Int.min, count: letters.count)
      for place in letters.indices.dropFirst() {
        let beside = scores[place - 1]
        if letters[place] == letter {
          let after = beside == Int.min ? Int.min : beside + Self.besideValue
          let most = together ? after : max(best, after)
          if most != Int.min { next[place] = most + value(at: place) }
        }
        best = max(best, beside)
      }
      scores = next
    }
    guard let best = scores.max(), best != Int.min else { return nil }
    return 16 * best - letters.count
  }

  private static let besideValue = 7

  private func value(at place: Int) -> Int { (starts[place] ? 6 : 0) + (place == 0 ? 3 : 0) + 1 }
}
