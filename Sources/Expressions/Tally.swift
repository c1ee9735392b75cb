/// What a run over many features left out without failing, to be told.
package struct Tally: Hashable, Sendable {
  /// Conditions that were unknown, because something is null: their features are left out.
  package var unknown = 0
  /// Values of another type than the rest of the expression takes; they counted as null.
  package var mismatches = 0
  /// Divisions by zero; they gave null.
  package var divisionsByZero = 0

  /// Results beyond 1.8e308; they are null.
  package var beyondDoubles = 0
  /// Texts that were to be dates and are none; they gave null.
  package var brokenDates = 0

  /// Texts that would have been longer than 16 MiB; they are null.
  package var tooLong = 0

  /// Features that have a relation to several others; the first of those counted.
  package var severalMatches = 0

  package init() {}

  package static func + (left: Tally, right: Tally) -> Tally {
    var sum = left
    sum.unknown += right.unknown
    sum.mismatches += right.mismatches
    sum.divisionsByZero += right.divisionsByZero
    sum.beyondDoubles += right.beyondDoubles
    sum.brokenDates += right.brokenDates
    sum.tooLong += right.tooLong
    sum.severalMatches += right.severalMatches
    return sum
  }

  /// The values that were left out, in words; empty if there are none.
  package var words: [String] {
    var words: [String] = []
    func add(_ count: Int, _ one: String, _ many: String, _ fate: String) {
      if count > 0 { words.append("\(count) \(count == 1 ? one : many) \(fate)") }
    }
    add(unknown, "feature", "features", "left out: the condition is null")
    add(mismatches, "value", "values", "of another type taken as null")
    add(divisionsByZero, "division", "divisions", "by zero gave null")
    add(beyondDoubles, "result", "results", "beyond 1.8e308 gave null")
    add(brokenDates, "text", "texts", "without a date gave null")
    add(tooLong, "text", "texts", "beyond 16 MiB gave null")
    add(severalMatches, "feature", "features", "with several matches: the first one counts")
    return words
  }
}
