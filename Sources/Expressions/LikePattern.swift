/// The pattern of `like`: `%` stands for any text, `_` for one code point; `\` takes the next one
/// as it is.
struct LikePattern: Sendable {
  private enum Part: Equatable, Sendable {
    case one(Unicode.Scalar)
    case anyOne
    case any
  }

  private let parts: [Part]
  private let ignoresCase: Bool

  init(_ text: String, ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    var parts: [Part] = []
    var isEscaped = false
    for scalar in (ignoresCase ? text.lowercased() : text).unicodeScalars {
      if isEscaped {
        parts.append(.one(scalar))
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "%" {
        if parts.last != .any { parts.append(.any) }
      } else {
        parts.append(scalar == "_" ? .anyOne : .one(scalar))
      }
    }
    if isEscaped { parts.append(.one("\\")) }
    self.parts = parts
  }

  /// Whether a whole text fits.
  ///
  /// - Complexity: O(scalars · parts) at worst: after a `%` only the last one is tried again.
  func matches(_ text: Text) -> Bool {
    let string = ignoresCase ? text.string.lowercased() : text.string
    let scalars = string.unicodeScalars
    var place = scalars.startIndex
    var part = 0
    var retry: (part: Int, place: String.UnicodeScalarView.Index)?
    while place < scalars.endIndex {
      if part < parts.count, parts[part] == .any {
        part += 1
        retry = (part, place)
      } else if part < parts.count, parts[part] == .anyOne || parts[part] == .one(scalars[place]) {
        part += 1
        place = scalars.index(after: place)
      } else if let last = retry {
        let next = scalars.index(after: last.place)
        retry = (last.part, next)
        (part, place) = (last.part, next)
      } else {
        return false
      }
    }
    while part < parts.count, parts[part] == .any { part += 1 }
    return part == parts.count
  }
}
