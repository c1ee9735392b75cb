/// Makes the parts of an expression ready for the rows of one block.
///
/// The columns are looked up once a block; a row costs one closure a part. Comparisons of an
/// attribute with a number or a text read the bytes of the column and make no values.
struct Compiler {
  let rows: any ExpressionRows
  let figures: Figures

  typealias Evaluator = BoundExpression.Evaluator
  typealias Condition = BoundExpression.Condition

  func value(_ node: Node) -> Evaluator {
    switch node.kind {
    case .literal(let value): return { _, _ in value }
    case .attribute(let name):
      guard let column = rows.packedColumn(name) else { return { _, _ in .null } }
      return { row, _ in column.value(row) }
    case .quality(let quality):
      let rows = rows
      return { row, _ in rows.quality(quality, of: row) }
    case .negation(let operand):
      let operand = value(operand)
      return { row, tally in
        switch operand(row, &tally) {
        case .number(let number): return .number(-number)
        case .null: return .null
        case .truth, .text: return tally.mismatch()
        }
      }
    case .arithmetic(let sign, let left, let right):
      let (left, right) = (value(left), value(right))
      return { row, tally in
        let first = left(row, &tally)
        return Value.compute(sign, first, right(row, &tally), &tally)
      }
    case .call(let function, let arguments): return call(function, arguments)
    case .aggregate: return aggregate(at: node.offset)
    case .relation(let relation): return rows.relation(relation) ?? { _, _ in .null }
    case .distance(let x, let y): return distance(value(x), value(y))
    case .not, .all, .any, .comparison, .oneOf, .between, .like, .matches, .isNull:
      let condition = condition(node)
      return { row, tally in condition(row, &tally).value }
    }
  }

  private func aggregate(at offset: Int) -> Evaluator {
    guard let figure = figures[offset] else { return { _, _ in .null } }
    if figure.groups.isEmpty {
      let value = figure.values[[]] ?? figure.empty
      return { _, _ in value }
    }
    let groups = figure.groups.map { value($0) }
    return { row, tally in
      let key = groups.map { $0(row, &tally).canonical }
      return figure.values[key] ?? figure.empty
    }
  }

  private func distance(_ x: @escaping Evaluator, _ y: @escaping Evaluator) -> Evaluator {
    let rows = rows
    return { row, tally in
      switch (x(row, &tally), y(row, &tally)) {
      case (.number(let x), .number(let y)):
        guard let distance = rows.distance(of: row, x: x.double, y: y.double), distance.isFinite
        else { return .null }
        return .number(.real(distance))
      case (.null, _), (_, .null): return .null
      default: return tally.mismatch()
      }
    }
  }

  // MARK: Conditions

  func condition(_ node: Node) -> Condition {
    switch node.kind {
    case .not(let operand):
      let operand = condition(operand)
      return { row, tally in operand(row, &tally).inverse }
    case .all(let nodes):
      let conditions = nodes.map { condition($0) }
      return { row, tally in
        var truth = Truth.yes
        for condition in conditions {
          let next = condition(row, &tally)
          if next == .no { return .no }
          if next == .unknown { truth = .unknown }
        }
        return truth
      }
    case .any(let nodes):
      let conditions = nodes.map { condition($0) }
      return { row, tally in
        var truth = Truth.no
        for condition in conditions {
          let next = condition(row, &tally)
          if next == .yes { return .yes }
          if next == .unknown { truth = .unknown }
        }
        return truth
      }
    case .comparison(let sign, let left, let right): return comparison(sign, left, right)
    case .oneOf(let operand, let nodes):
      return listed(operand, nodes) ?? oneOf(operand, nodes)
    case .between(let operand, let low, let high):
      if let condition = range(operand, low, high) { return condition }
      return condition(
        Node(
          .all([
            Node(.comparison(.greaterOrEqual, operand, low), at: node.offset),
            Node(.comparison(.lessOrEqual, operand, high), at: node.offset),
          ]), at: node.offset))
    case .like(let operand, let pattern):
      return onText(operand) { pattern.matches($0) }
    case .matches(let operand, let pattern): return matching(operand, pattern)
    case .isNull(let operand): return isNull(operand)
    case .literal, .attribute, .quality, .negation, .arithmetic, .call, .aggregate, .relation,
      .distance:
      let value = value(node)
      return { row, tally in
        switch value(row, &tally) {
        case .truth(let isTrue): return Truth(isTrue)
        case .null: return .unknown
        case .number, .text: return tally.unfit()
        }
      }
    }
  }

  private func isNull(_ operand: Node) -> Condition {
    if case .attribute(let name) = operand.kind {
      guard let column = rows.packedColumn(name) else { return { _, _ in .yes } }
      return { row, _ in Truth(column.kinds[row] < PackedColumn.Kind.no) }
    }
    let value = value(operand)
    return { row, tally in
      if case .null = value(row, &tally) { .yes } else { .no }
    }
  }

  private func onText(
    _ operand: Node, _ body: @escaping (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Condition {
    if case .attribute(let name) = operand.kind {
      guard let column = rows.packedColumn(name) else { return { _, _ in .unknown } }
      return { row, tally in
        let kind = column.kinds[row]
        if kind >= PackedColumn.Kind.text { return Truth(column.withText(row, body)) }
        return kind < PackedColumn.Kind.no ? .unknown : tally.unfit()
      }
    }
    let value = value(operand)
    return { row, tally in
      switch value(row, &tally) {
      case .text(let text): return Truth(text.withBytes(body))
      case .null: return .unknown
      case .truth, .number: return tally.unfit()
      }
    }
  }

  private func matching(_ operand: Node, _ pattern: Pattern) -> Condition {
    var matcher = PatternMatcher(pattern)
    return onText(operand) { matcher.matches($0) }
  }

  // MARK: Comparisons

  private func comparison(_ sign: ComparisonSign, _ left: Node, _ right: Node) -> Condition {
    if case .attribute(let name) = left.kind, case .literal(let value) = right.kind,
      let condition = comparison(sign, name, value)
    {
      return condition
    }
    if case .attribute(let name) = right.kind, case .literal(let value) = left.kind,
      let condition = comparison(sign.mirrored, name, value)
    {
      return condition
    }
    let (left, right) = (value(left), value(right))
    return { row, tally in
      let first = left(row, &tally)
      return Value.compare(sign, first, right(row, &tally), &tally)
    }
  }

  /// A comparison of an attribute with a number or a text.
  private func comparison(
    _ sign: ComparisonSign, _ name: String, _ value: Value
  ) -> Condition? {
    guard let column = rows.packedColumn(name) else { return { _, _ in .unknown } }
    switch value {
    case .number(let wanted):
      return { row, tally in
        let kind = column.kinds[row]
        if kind == PackedColumn.Kind.number {
          guard let number = column.number(row) else { return tally.unfit() }
          return Truth(sign.holds(Number.order(number, wanted)))
        }
        return kind < PackedColumn.Kind.no ? .unknown : tally.unfit()
      }
    case .text(let wanted):
      return { row, tally in
        let kind = column.kinds[row]
        if kind >= PackedColumn.Kind.text {
          let order = column.withText(row) { text in
            wanted.withBytes { Bytes.order(text, $0) }
          }
          return Truth(sign.holds(order))
        }
        return kind < PackedColumn.Kind.no ? .unknown : tally.unfit()
      }
    case .null, .truth: return nil
    }
  }
}

extension Tally {
  /// Counts a value of another type and returns null.
  mutating func mismatch() -> Value {
    mismatches += 1
    return .null
  }

  /// Counts a text that is too long and returns null.
  mutating func overflow() -> Value {
    tooLong += 1
    return .null
  }

  /// Counts a value of another type in a condition.
  @inline(never)
  mutating func unfit() -> Truth {
    mismatches += 1
    return .unknown
  }
}

extension Value {
  /// -1, 0 or 1 for values of one type; `nil` with null and between types.
  package static func order(_ left: Value, _ right: Value) -> Int? {
    switch (left, right) {
    case (.number(let left), .number(let right)): Number.order(left, right)
    case (.text(let left), .text(let right)): Text.order(left, right)
    case (.truth(let left), .truth(let right)): left == right ? 0 : left ? 1 : -1
    default: nil
    }
  }

  static func compare(
    _ sign: ComparisonSign, _ left: Value, _ right: Value, _ tally: inout Tally
  ) -> Truth {
    if let order = order(left, right) { return Truth(sign.holds(order)) }
    if case .null = left { return .unknown }
    if case .null = right { return .unknown }
    return tally.unfit()
  }

  static func compute(
    _ sign: ArithmeticSign, _ left: Value, _ right: Value, _ tally: inout Tally
  ) -> Value {
    switch (left, right) {
    case (.number(let left), .number(let right)):
      let result: Number?
      switch sign {
      case .plus: result = left + right
      case .minus: result = left - right
      case .times: result = left * right
      case .over: result = left / right
      case .modulo: result = left % right
      }
      if let result, result.double.isFinite { return .number(result) }
      if result == nil { tally.divisionsByZero += 1 } else { tally.beyondDoubles += 1 }
      return .null
    case (.text(let left), .text(let right)) where sign == .plus:
      if let text = Text.joining(left, right) { return .text(text) }
      return tally.overflow()
    case (.null, _), (_, .null): return .null
    default: return tally.mismatch()
    }
  }
}
