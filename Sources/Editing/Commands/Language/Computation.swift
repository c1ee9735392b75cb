/// The words `NAME := EXPRESSION`: a name, and the rest of the line as an expression.
struct Computation {
  var name: String
  var expression: String

  /// `nil` for words of another form.
  ///
  /// - Parameter command: what begins the line, for the error.
  /// - Throws: for words that begin so and go on otherwise.
  init?(_ words: [String], after command: String) throws {
    guard let mark = words.firstIndex(where: { $0.hasSuffix(":=") }), mark < 2 else { return nil }
    name = mark == 1 ? words[0] : String(words[0].dropLast(2))
    let rest = words[(mark + 1)...]
    guard !name.isEmpty, mark == 0 || words[1] == ":=", rest.count == 1, let text = rest.first
    else { throw EditingError(.usage, "write \(command) NAME := EXPRESSION") }
    expression = text
  }
}
