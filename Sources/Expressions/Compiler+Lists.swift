/// Conditions on lists and ranges of values.
extension Compiler {
  /// Only the members of the value's own type count; a list that has none of them is a mismatch.
  func oneOf(_ operand: Node, _ nodes: [Node]) -> Condition {
    let operand = value(operand)
    var literals = Set<Value>()
    var types: ValueTypes = []
    var others: [Evaluator] = []
    var hasNull = false
    for node in nodes {
      if case .literal(let value) = node.kind {
        if case .null = value { hasNull = true }
        literals.insert(value.canonical)
        types.formUnion(value.types)
      } else {
        others.append(value(node))
      }
    }
    return { row, tally in
      let wanted = operand(row, &tally)
      if case .null = wanted { return .unknown }
      if literals.contains(wanted.canonical) { return .yes }
      var isUnknown = hasNull
      var isComparable = types.contains(wanted.types)
      for other in others {
        let value = other(row, &tally)
        if case .null = value {
          isUnknown = true
        } else if value.types == wanted.types {
          isComparable = true
          if value.canonical == wanted.canonical { return .yes }
        }
      }
      if isUnknown { return .unknown }
      return isComparable ? .no : tally.unfit()
    }
  }

  /// A list of so many values is read through for each row.
  static let listMax = 16

  /// The same of an attribute and a few numbers or texts, without a value for each row; `nil` for
  /// others.
  func listed(_ operand: Node, _ nodes: [Node]) -> Condition? {
    guard case .attribute(let name) = operand.kind, nodes.count <= Self.listMax,
      let column = rows.packedColumn(name)
    else { return nil }
    var numbers: [Number] = []
    var texts: [Text] = []
    for node in nodes {
      switch node.kind {
      case .literal(.number(let number)): numbers.append(number)
      case .literal(.text(let text)): texts.append(text)
      default: return nil
      }
    }
    return { row, tally in
      switch column.kinds[row] {
      case ..<PackedColumn.Kind.no: return .unknown
      case PackedColumn.Kind.number where !numbers.isEmpty:
        guard let found = column.number(row) else { return .unknown }
        return Truth(numbers.contains { Number.order($0, found) == 0 })
      case PackedColumn.Kind.text... where !texts.isEmpty:
        return Truth(
          column.withText(row) { found in
            texts.contains { $0.withBytes { Bytes.order($0, found) == 0 } }
          })
      default: return tally.unfit()
      }
    }
  }

  /// Whether a number of an attribute lies between two numbers; `nil` for other values.
  func range(_ operand: Node, _ low: Node, _ high: Node) -> Condition? {
    guard case .attribute(let name) = operand.kind, case .literal(.number(let low)) = low.kind,
      case .literal(.number(let high)) = high.kind, let column = rows.packedColumn(name)
    else { return nil }
    return { row, tally in
      let kind = column.kinds[row]
      if kind == PackedColumn.Kind.number {
        guard let number = column.number(row) else { return tally.unfit() }
        return Truth(Number.order(number, low) >= 0 && Number.order(number, high) <= 0)
      }
      return kind < PackedColumn.Kind.no ? .unknown : tally.unfit()
    }
  }
}
