/// Finds names that no layer has and types that never fit, before an expression runs.
///
/// A column of several types is let through: values of another type are null then, and counted.
struct TypeChecker {
  let schema: Schema
  let text: String

  func types(of node: Node) throws(ExpressionError) -> ValueTypes {
    switch node.kind {
    case .literal(let value): return value.types
    case .attribute(let name): return try types(ofAttribute: name, node)
    case .quality(let quality): return quality.types
    case .negation(let operand):
      try expect(.number, operand, "- takes a number")
      return .number
    case .arithmetic(let sign, let left, let right): return try types(sign, left, right, node)
    case .call(let function, let arguments): return try types(function, arguments)
    case .relation(let relation): return try types(relation, node)
    case .distance(let x, let y):
      try expect(.number, x, "a position is two numbers")
      try expect(.number, y, "a position is two numbers")
      return .number
    case .aggregate(let aggregate): return try types(aggregate)
    case .not(let operand):
      try checkCondition(operand)
      return .truth
    case .all(let nodes):
      for node in nodes { try checkCondition(node) }
      return .truth
    case .any(let nodes):
      for node in nodes { try checkCondition(node, advice: "; + joins texts") }
      return .truth
    case .comparison(let sign, let left, let right):
      let shared = try compare(left, right, at: node)
      if shared == .truth, sign != .equal, sign != .unequal {
        throw failure("true and false have no order: write == or !=", node)
      }
      return .truth
    case .oneOf(let operand, let nodes):
      for other in nodes { try compare(operand, other, at: other) }
      return .truth
    case .between(let operand, let low, let high):
      try compare(operand, low, at: low)
      try compare(operand, high, at: high)
      return .truth
    case .like(let operand, _):
      try expect(.text, operand, "like takes text")
      return .truth
    case .matches(let operand, _):
      try expect(.text, operand, "matches takes text")
      return .truth
    case .isNull(let operand):
      _ = try types(of: operand)
      return .truth
    }
  }

  /// - Parameter advice: what a text may have been meant for.
  func checkCondition(_ node: Node, advice: String = "") throws(ExpressionError) {
    let types = try types(of: node)
    if types.isEmpty || types.contains(.truth) { return }
    if case .literal(.text(let text)) = node.kind, Self.isExpression(text.string) {
      throw failure("a condition stands without quotes around it", node)
    }
    throw failure(
      "\(words(node)) is \(types.words), no condition: compare it with something"
        + (types == .text ? advice : ""), node)
  }

  /// Whether a text in quotes is more than a name or a value.
  private static func isExpression(_ text: String) -> Bool {
    guard let root = (try? Expression(text))?.root else { return false }
    return !root.parts.isEmpty
  }

  private func types(
    ofAttribute name: String, _ node: Node
  ) throws(ExpressionError) -> ValueTypes {
    if let types = schema.types(of: name) { return types }
    let near = NearNames.of(name, among: schema.names).map { "“\($0)”" }
    var advice: [String] = []
    if let quality = ForeignWords.qualities[name.lowercased()] { advice.append("write \(quality)") }
    // A name alone was quoted by whoever made the expression.
    let isQuoted =
      text != "\"\(name)\"" && text.unicodeScalars.dropFirst(node.offset).first == "\""
    if isQuoted, !near.isEmpty { advice.append("text is written '\(name)'") }
    if !near.isEmpty { advice.append("did you mean \(near.joined(separator: " or "))?") }
    if Self.isExpression(name) { advice = ["write it without the quotes around it"] }
    let layers = schema.surroundings?.layers(with: name).prefix(3).map { "“\($0)”" } ?? []
    if !layers.isEmpty {
      let have =
        layers.count == 1
        ? "layer \(layers[0]) has it" : "layers \(layers.joined(separator: ", ")) have it"
      advice = [have]
    }
    if advice.isEmpty { advice.append("text is written '\(name)'") }
    throw failure("no attribute “\(name)”: \(advice.joined(separator: "; "))", node)
  }

  private func types(
    _ sign: ArithmeticSign, _ left: Node, _ right: Node, _ node: Node
  ) throws(ExpressionError) -> ValueTypes {
    let (first, second) = (try types(of: left), try types(of: right))
    var result: ValueTypes = []
    if Self.meet(first, .number), Self.meet(second, .number) { result.insert(.number) }
    if sign == .plus, Self.meet(first, .text), Self.meet(second, .text) { result.insert(.text) }
    if !result.isEmpty { return first.isEmpty && second.isEmpty ? [] : result }
    if sign == .plus, !first.contains(.truth), !second.contains(.truth) {
      throw failure(
        "\(words(left)) is \(first.words), \(words(right)) is \(second.words): + joins what text() "
          + "makes, and adds what number() makes", node)
    }
    let (operand, types) = Self.meet(first, .number) ? (right, second) : (left, first)
    throw failure("\(sign.rawValue) takes numbers; \(words(operand)) is \(types.words)", operand)
  }

  private func types(
    _ function: Function, _ arguments: [Node]
  ) throws(ExpressionError) -> ValueTypes {
    switch function {
    case .if:
      try checkCondition(arguments[0])
      return try types(of: arguments[1]).union(types(of: arguments[2]))
    case .len, .lower, .upper, .trim:
      try expect(.text, arguments[0], "\(function.rawValue) takes text")
      return function == .len ? .number : .text
    case .replace:
      for argument in arguments { try expect(.text, argument, "replace takes text") }
      return .text
    case .split:
      try expect(.text, arguments[0], "split takes text")
      try expect(.text, arguments[1], "split takes text")
      try expect(.number, arguments[2], "the number of a part is a number")
      return .text
    case .round, .floor, .abs:
      for argument in arguments {
        try expect(.number, argument, "\(function.rawValue) takes a number")
      }
      return .number
    case .min, .max:
      for argument in arguments.dropFirst() { try compare(arguments[0], argument, at: argument) }
      return try union(arguments)
    case .coalesce: return try union(arguments)
    case .number, .text, .date:
      _ = try types(of: arguments[0])
      if function == .date { try expect(.text, arguments[0], "date takes text") }
      return function == .number ? .number : .text
    }
  }

  private func types(_ relation: Relation, _ node: Node) throws(ExpressionError) -> ValueTypes {
    guard let surroundings = schema.surroundings else {
      throw failure("other features cannot be asked here", node)
    }
    do throws(RelationFault) {
      return try surroundings.types(of: relation)
    } catch {
      throw failure(error.message, node)
    }
  }

  private func union(_ nodes: [Node]) throws(ExpressionError) -> ValueTypes {
    var types: ValueTypes = []
    for node in nodes { types.formUnion(try self.types(of: node)) }
    return types
  }

  private func types(_ aggregate: Aggregate) throws(ExpressionError) -> ValueTypes {
    for group in aggregate.groups ?? [] { _ = try types(of: group) }
    guard let argument = aggregate.argument else { return .number }
    switch aggregate.kind {
    case .count:
      _ = try types(of: argument)
      return .number
    case .sum, .mean, .median:
      try expect(.number, argument, "\(aggregate.kind.rawValue) takes numbers")
      return .number
    case .min, .max: return try types(of: argument)
    }
  }

  // MARK: Fitting

  /// Null belongs to each type.
  private static func meet(_ left: ValueTypes, _ right: ValueTypes) -> Bool {
    left.isEmpty || right.isEmpty || !left.isDisjoint(with: right)
  }

  private func expect(
    _ wanted: ValueTypes, _ node: Node, _ message: String
  ) throws(ExpressionError) {
    let types = try types(of: node)
    if Self.meet(types, wanted) { return }
    let advice =
      wanted == .text
      ? ": text(…) makes text of it" : types == .text ? ": number(…) makes a number of it" : ""
    throw failure("\(message); \(words(node)) is \(types.words)\(advice)", node)
  }

  @discardableResult
  private func compare(
    _ left: Node, _ right: Node, at node: Node
  ) throws(ExpressionError) -> ValueTypes {
    let (first, second) = (try types(of: left), try types(of: right))
    if Self.meet(first, second) { return first.intersection(second) }
    throw failure(
      "\(words(left)) is \(first.words), \(words(right)) is \(second.words)"
        + advice(left, first, right, second), node)
  }

  /// What to write where text and a number are compared.
  private func advice(
    _ left: Node, _ first: ValueTypes, _ right: Node, _ second: ValueTypes
  ) -> String {
    for (literal, other, types) in [(right, left, first), (left, right, second)] {
      guard case .literal(let value) = literal.kind else { continue }
      switch value {
      case .number(let number) where types == .text:
        return ": write '\(number.text ?? "")' or number(\(plain(other)))"
      case .text(let text) where types == .number:
        if let number = Number(text.string) { return ": write \(number.text ?? "")" }
        return ""
      case .number(.whole(let whole)) where types == .truth && (0...1).contains(whole):
        return ": write \(whole == 1)"
      case .text(let text) where types == .truth && ["true", "false"].contains(text.string):
        return ": write \(text.string)"
      default: continue
      }
    }
    return ""
  }

  private func plain(_ node: Node) -> String {
    if case .attribute(let name) = node.kind { name } else { "…" }
  }

  /// A part of the expression for a message.
  private func words(_ node: Node) -> String {
    switch node.kind {
    case .attribute(let name): "“\(name)”"
    case .quality(let quality): "$\(quality.rawValue)"
    case .literal(.text(let text)): "'\(text.string)'"
    case .literal(.number(let number)): number.text ?? "the number"
    case .literal(.truth(let truth)): truth ? "true" : "false"
    case .literal(.null): "null"
    case .call(let function, _): "\(function.rawValue)(…)"
    case .aggregate(let aggregate): "\(aggregate.kind.rawValue)(…)"
    case .relation(let relation): "\(relation.kind.rawValue)(…)"
    case .distance: "distance(…)"
    case .negation, .arithmetic: "the sum"
    case .not, .all, .any, .comparison, .oneOf, .between, .like, .matches, .isNull: "the condition"
    }
  }

  private func failure(_ message: String, _ node: Node) -> ExpressionError {
    ExpressionLexer.error(message, at: node.offset, of: Array(text.unicodeScalars))
  }
}

extension Value {
  var types: ValueTypes {
    switch self {
    case .null: []
    case .truth: .truth
    case .number: .number
    case .text: .text
    }
  }
}
