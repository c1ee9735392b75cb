/// The names of classes, for people.
extension StyleClasses {
  /// The name of a group: its title, else its value or bounds.
  package func text(ofGroup number: Int) -> String {
    let title = look(ofGroup: number).title
    if !title.isEmpty { return title }
    if number == looks.count { return "no value" }
    guard looks.indices.contains(number) else { return "other" }
    switch scheme {
    case .values(let values):
      let text = values[number].text
      return text.isEmpty ? "no value" : text
    case .breaks(let bounds):
      let texts = Self.texts(of: bounds)
      let (low, high) = (texts[number], texts[number + 1])
      return low == high ? low : "\(low) – \(high)"
    }
  }

  /// A shorter name of a class of numbers: its lower bound, `2.49M+`; empty for other groups.
  func shortText(ofGroup number: Int) -> String {
    guard case .breaks(let bounds) = scheme, looks.indices.contains(number),
      looks[number].title.isEmpty
    else { return "" }
    return Self.texts(of: bounds)[number] + "+"
  }

  /// Numbers with as few digits as tell them apart, at least three: `4210`, `1.4M`, `0.25`.
  package static func texts(of numbers: [Double]) -> [String] {
    for digits in 3...17 {
      let texts = numbers.map { text(of: $0, digits: digits) }
      if zip(zip(numbers, numbers.dropFirst()), zip(texts, texts.dropFirst()))
        .allSatisfy({ $0.0 == $0.1 || $1.0 != $1.1 })
      {
        return texts
      }
    }
    return numbers.map { NumberText.shortest($0) ?? "-" }
  }

  private static func text(of number: Double, digits: Int) -> String {
    for (unit, letter) in [(1e9, "bn"), (1e6, "M"), (1e4, "k")] where number.magnitude >= unit {
      let size = letter == "k" ? 1e3 : unit
      if number.magnitude < size * 1e6 { return rounded(number / size, digits) + letter }
    }
    return rounded(number, digits)
  }

  /// A number rounded to some digits, at least those before the point.
  private static func rounded(_ number: Double, _ digits: Int) -> String {
    var before = 0
    var rest = number.magnitude
    while rest >= 1, before < 20 {
      rest /= 10
      before += 1
    }
    var decimals = digits - before
    // Zeros after the point are no digits.
    while before == 0, rest > 0, rest < 0.1, decimals < 13 {
      rest *= 10
      decimals += 1
    }
    let value = NumberText.rounded(number, decimals: min(max(decimals, 0), 13))
    return NumberText.shortest(value) ?? "-"
  }
}
