extension Compiler {
  /// A call of a function with as many arguments as it takes.
  func call(_ function: Function, _ arguments: [Node]) -> Evaluator {
    switch function {
    case .if:
      let condition = condition(arguments[0])
      let (first, second) = (value(arguments[1]), value(arguments[2]))
      return { row, tally in
        condition(row, &tally) == .yes ? first(row, &tally) : second(row, &tally)
      }
    case .coalesce:
      let values = arguments.map { value($0) }
      return { row, tally in
        for value in values {
          let found = value(row, &tally)
          if case .null = found { continue }
          return found
        }
        return .null
      }
    case .min, .max: return extreme(arguments.map { value($0) }, isLeast: function == .min)
    case .len: return onText(arguments[0]) { .number(.whole(Int128($0.count))) }
    case .lower: return onText(arguments[0]) { .text($0.string.lowercased()) }
    case .upper: return onText(arguments[0]) { .text($0.string.uppercased()) }
    case .trim: return onText(arguments[0]) { .text(Self.trimmed($0.string)) }
    case .date: return date(arguments[0])
    case .replace: return replace(arguments)
    case .split: return split(arguments)
    case .round: return round(arguments)
    case .floor: return onNumber(arguments[0]) { $0.floor }
    case .abs: return onNumber(arguments[0]) { $0.magnitude }
    case .number: return number(arguments[0])
    case .text: return text(arguments[0])
    }
  }

  private func onText(_ node: Node, _ body: @escaping (Text) -> Value) -> Evaluator {
    let value = value(node)
    return { row, tally in
      switch value(row, &tally) {
      case .text(let text): return body(text)
      case .null: return .null
      case .truth, .number: return tally.mismatch()
      }
    }
  }

  private func date(_ node: Node) -> Evaluator {
    let value = value(node)
    return { row, tally in
      switch value(row, &tally) {
      case .text(let text):
        if let date = ISODate.normalised(text.string) { return .text(date) }
        tally.brokenDates += 1
        return .null
      case .null: return .null
      case .truth, .number: return tally.mismatch()
      }
    }
  }

  private func onNumber(_ node: Node, _ body: @escaping (Number) -> Number) -> Evaluator {
    let value = value(node)
    return { row, tally in
      switch value(row, &tally) {
      case .number(let number): return .number(body(number))
      case .null: return .null
      case .truth, .text: return tally.mismatch()
      }
    }
  }

  /// The least or greatest of some values; null is passed over.
  private func extreme(_ values: [Evaluator], isLeast: Bool) -> Evaluator {
    { row, tally in
      var found = Value.null
      for value in values {
        let next = value(row, &tally)
        if case .null = next { continue }
        if case .null = found {
          found = next
        } else if let order = Value.order(next, found) {
          if isLeast ? order < 0 : order > 0 { found = next }
        } else {
          return tally.mismatch()
        }
      }
      return found
    }
  }

  private func replace(_ arguments: [Node]) -> Evaluator {
    let values = arguments.map { value($0) }
    return { row, tally in
      switch (values[0](row, &tally), values[1](row, &tally), values[2](row, &tally)) {
      case (.text(let text), .text(let part), .text(let other)):
        let pieces = Self.pieces(of: text.string, between: part.string)
        // The new text may be longer than the old one: a result has a bound of its own.
        let added = (pieces.count - 1).multipliedReportingOverflow(by: other.string.utf8.count)
        guard !added.overflow, added.partialValue <= Text.bytesMax else {
          return tally.overflow()
        }
        return .text(pieces.joined(separator: other.string))
      case (.null, _, _), (_, .null, _), (_, _, .null): return .null
      default: return tally.mismatch()
      }
    }
  }

  private func split(_ arguments: [Node]) -> Evaluator {
    let values = arguments.map { value($0) }
    return { row, tally in
      switch (values[0](row, &tally), values[1](row, &tally), values[2](row, &tally)) {
      case (.text(let text), .text(let separator), .number(let number)):
        guard case .whole(let place) = number.canonical else { return .null }
        let pieces = Self.pieces(of: text.string, between: separator.string)
        let index = place > 0 ? place - 1 : Int128(pieces.count) + place
        guard place != 0, index >= 0, index < pieces.count else { return .null }
        return .text(pieces[Int(index)])
      case (.null, _, _), (_, .null, _), (_, _, .null): return .null
      default: return tally.mismatch()
      }
    }
  }

  /// The pieces of a text between separators, by code points; all of it for an empty separator.
  static func pieces(of text: String, between separator: String) -> [String] {
    let bytes = Array(text.utf8)
    let mark = Array(separator.utf8)
    guard !mark.isEmpty, mark.count <= bytes.count else { return [text] }
    var pieces: [String] = []
    var start = 0
    var place = 0
    while place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<place + mark.count].elementsEqual(mark) {
        pieces.append(String(decoding: bytes[start..<place], as: UTF8.self))
        place += mark.count
        start = place
      } else {
        place += 1
      }
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    return pieces
  }

  private func round(_ arguments: [Node]) -> Evaluator {
    let number = value(arguments[0])
    let places = arguments.count > 1 ? value(arguments[1]) : { _, _ in .number(.whole(0)) }
    return { row, tally in
      switch (number(row, &tally), places(row, &tally)) {
      case (.number(let number), .number(let places)):
        let places = Int(exactly: places.double.rounded()) ?? (places.double < 0 ? -400 : 400)
        return .number(number.rounded(places: min(max(places, -400), 400)))
      case (.null, _), (_, .null): return .null
      default: return tally.mismatch()
      }
    }
  }

  private func number(_ node: Node) -> Evaluator {
    let value = value(node)
    return { row, tally in
      switch value(row, &tally) {
      case .number(let number): return .number(number)
      case .text(let text):
        if let number = Number(Self.trimmed(text.string)) { return .number(number) }
        return tally.mismatch()
      case .truth(let truth): return .number(.whole(truth ? 1 : 0))
      case .null: return .null
      }
    }
  }

  private func text(_ node: Node) -> Evaluator {
    let value = value(node)
    return { row, tally in
      switch value(row, &tally) {
      case .number(let number): return number.text.map { .text($0) } ?? .null
      case .text(let text): return .text(text)
      case .truth(let truth): return .text(truth ? "true" : "false")
      case .null: return .null
      }
    }
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }
}
