package import ArgumentParser

/// Sets attributes of the selection.
package struct SetAttributes: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set attributes of the selected features.",
    discussion: """
      A text attribute stays text. Elsewhere a value that looks like a number becomes one, with \
      its digits as written, and true, false and null become themselves; lists and objects keep \
      their type. set reports values whose type changes. A value in `"…"` (quote it for the line: \
      'code="007"') is always text; after a second `=` (code==12) it is a number, true, false, \
      null, a list or an object even over text. A new attribute is added. `set NAME := \
      EXPRESSION` computes a value for each feature; the rest of the line is the expression: set \
      density := round(pop / $area * 1e6, 1).
      """)

  package static let isRepeatable = true

  package static let expressionPlace = ExpressionPlace.after(":=")

  package static let completions = [
    "assignments": Completion { desk, _ in Completion.attributes.words(desk, []).map { $0 + "=" } }
  ]

  @Flag(help: "Of all features of the active layer, not only of the selected ones.")
  var all = false

  @Argument(help: "NAME=VALUE, as many as you like; or NAME := EXPRESSION.")
  var assignments: [String]

  package init() {}

  package func run(in desk: inout Desk) throws {
    if let computation = try Computation(assignments, after: "set") {
      return try desk.setAttribute(
        computation.name, by: computation.expression, of: desk.meantFeatures(all: all))
    }
    var values: [(name: String, text: AttributeText)] = []
    for assignment in assignments {
      guard let equals = assignment.firstIndex(of: "="), equals > assignment.startIndex else {
        throw EditingError(
          .usage, "“\(assignment)”: write NAME=VALUE without blanks, or NAME := EXPRESSION")
      }
      let name = String(assignment[..<equals])
      let value = String(assignment[assignment.index(after: equals)...])
      let text = AttributeText(value)
      if text.looksLikeComparison {
        throw EditingError(
          .usage,
          "set compares nothing: write \(name)=\(value.dropFirst()); a text that begins with = "
            + "stands in quotes: '\(name)=\"\(value)\"'")
      }
      values.append((name, text))
    }
    try desk.setAttributes(values, of: desk.meantFeatures(all: all))
  }
}
