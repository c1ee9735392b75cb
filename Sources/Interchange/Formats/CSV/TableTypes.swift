import PortolanDocuments

/// The types of the values in each column of a table, which holds only numbers and text: what a
/// reader gets as another type is told.
struct TableTypes: Hashable, Sendable {
  private struct Counts: Hashable {
    var nulls = 0
    var truths = 0
    var numbers = 0
    var texts = 0
    var emptyTexts = 0
    var lists = 0

    /// A reader takes all of a column for text if anything in it is.
    var numbersAsText: Int { texts + truths + lists > 0 ? numbers : 0 }
  }

  private var columns: [(name: String, counts: Counts)] { Array(zip(names, counts)) }
  private var names: [String] = []
  private var counts: [Counts] = []

  /// - Parameter names: of the columns.
  init(_ names: [String] = []) {
    self.names = names
    counts = names.map { _ in Counts() }
  }

  /// Counts a value in the column at a place.
  mutating func count(_ value: AttributeValue, in place: Int) {
    guard counts.indices.contains(place) else { return }
    switch value {
    case .missing: break
    case .null: counts[place].nulls += 1
    case .bool: counts[place].truths += 1
    case .number: counts[place].numbers += 1
    case .string(let text):
      if text.isEmpty { counts[place].emptyTexts += 1 } else { counts[place].texts += 1 }
    case .json: counts[place].lists += 1
    }
  }

  /// One line for people; `nil` if every value comes back as it is.
  var note: String? {
    let areEmpty = columns.contains { $0.counts.nulls > 0 && $0.counts.emptyTexts > 0 }
    let parts = [
      part("null", "nulls", areEmpty ? "no value (empty text is \"\")" : "no value") { $0.nulls },
      part("true or false", "true or false", "text") { $0.truths },
      part("list or object", "lists or objects", "text") { $0.lists },
      part("number among texts", "numbers among texts", "text") { $0.numbersAsText },
    ].compactMap(\.self)
    if parts.isEmpty { return nil }
    return "a table holds only numbers and text: \(parts.joined(separator: "; ")); "
      + "GeoJSON keeps them (--format geojson)"
  }

  private func part(
    _ one: String, _ many: String, _ result: String, _ count: (Counts) -> Int
  ) -> String? {
    let found = columns.filter { count($0.counts) > 0 }
    if found.isEmpty { return nil }
    let total = found.reduce(0) { $0 + count($1.counts) }
    let names = found.prefix(6).map { "“\($0.name)”" }.joined(separator: ", ")
    let more = found.count > 6 ? " and \(found.count - 6) more" : ""
    let verb = total == 1 ? "becomes" : "become"
    return "\(CountText.text(total, one, many)) in \(names)\(more) \(verb) \(result)"
  }
}
