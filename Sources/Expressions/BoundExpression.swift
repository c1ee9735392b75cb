/// An expression with the figures of the features that it is asked of: ready for their blocks.
package struct BoundExpression: Sendable {
  private let root: Node
  private let figures: Figures

  fileprivate init(root: Node, figures: Figures) {
    self.root = root
    self.figures = figures
  }

  /// The value of a row of a block.
  package typealias Evaluator = (_ row: Int, inout Tally) -> Value
  /// Whether a condition holds for a row of a block.
  package typealias Condition = (_ row: Int, inout Tally) -> Truth

  /// The values of a block's rows.
  package func evaluator(for rows: any ExpressionRows) -> Evaluator {
    Compiler(rows: rows, figures: figures).value(root)
  }

  package func condition(for rows: any ExpressionRows) -> Condition {
    Compiler(rows: rows, figures: figures).condition(root)
  }

  /// The rows of a block for which the condition holds, rising.
  package func matches(in rows: any ExpressionRows, _ tally: inout Tally) -> [Int] {
    let compiler = Compiler(rows: rows, figures: figures)
    if let truths = compiler.truths(root) {
      let (rows, unknown) = NumberTruths.rows(truths)
      tally.unknown += unknown
      return rows
    }
    let condition = compiler.condition(root)
    var found: [Int] = []
    for row in 0..<rows.rowCount {
      switch condition(row, &tally) {
      case .yes: found.append(row)
      case .unknown: tally.unknown += 1
      case .no: break
      }
    }
    return found
  }
}

/// Some features that figures are made of: blocks, and their rows if not all of them count.
package struct FeatureSet: Sendable {
  var blocks: [any ExpressionRows]
  var rows: [[Int]]?

  package init(_ blocks: [any ExpressionRows], rows: [[Int]]? = nil) {
    self.blocks = blocks
    self.rows = rows
  }

  func eachBlock(_ body: (any ExpressionRows, AnyCollection<Int>) -> Void) {
    for (index, block) in blocks.enumerated() {
      body(block, rows.map { AnyCollection($0[index]) } ?? AnyCollection(0..<block.rowCount))
    }
  }
}

extension Expression {
  /// Computes the figures of many features that the expression asks for.
  ///
  /// - Parameters:
  ///   - features: what the figures are of.
  ///   - groups: the attributes that make the groups of figures without a `by` of their own.
  /// - Complexity: O(features) for each figure.
  package func bound(
    to features: FeatureSet, groupedBy groups: [String] = [], _ tally: inout Tally
  ) -> BoundExpression {
    var figures = Figures()
    let standard = groups.map { Node(.attribute($0), at: 0) }
    func compute(_ node: Node) {
      // Figures within a figure come first.
      for part in node.parts { compute(part) }
      guard case .aggregate(let aggregate) = node.kind else { return }
      figures.compute(aggregate, at: node.offset, of: features, standard, &tally)
    }
    compute(root)
    return BoundExpression(root: root, figures: figures)
  }
}

/// The figures of many features that an expression asks for, by group.
struct Figures: Sendable {
  struct Figure: Sendable {
    var groups: [Node]
    /// One value for each group of values.
    var values: [[Value]: Value]
    /// The value of a group without features.
    var empty: Value
  }

  /// By the offset of their part of the expression.
  private var figures: [Int: Figure] = [:]

  subscript(offset: Int) -> Figure? { figures[offset] }

  mutating func compute(
    _ aggregate: Aggregate, at offset: Int, of features: FeatureSet, _ standard: [Node],
    _ tally: inout Tally
  ) {
    let groups = aggregate.groups ?? standard
    var running: [[Value]: RunningFigure] = [:]
    if groups.isEmpty { running[[]] = RunningFigure(aggregate.kind) }
    let known = self
    var counted = tally
    features.eachBlock { block, rows in
      let compiler = Compiler(rows: block, figures: known)
      let value = aggregate.argument.map { compiler.value($0) }
      let keys = groups.map { compiler.value($0) }
      if keys.isEmpty {
        // One group: no key is looked up for each row.
        var figure = running[[]] ?? RunningFigure(aggregate.kind)
        running[[]] = nil
        for row in rows { figure.add(value?(row, &counted), &counted) }
        running[[]] = figure
        return
      }
      for row in rows {
        let key = keys.map { $0(row, &counted).canonical }
        running[key, default: RunningFigure(aggregate.kind)].add(value?(row, &counted), &counted)
      }
    }
    tally = counted
    figures[offset] = Figure(
      groups: groups, values: running.mapValues { $0.value },
      empty: RunningFigure(aggregate.kind).value)
  }
}

extension Value {
  /// Equal numbers in one form.
  package var canonical: Value {
    if case .number(let number) = self { .number(number.canonical) } else { self }
  }
}

/// A figure while features are added.
private struct RunningFigure {
  private let kind: Aggregate.Kind
  private var count = 0
  private var sum = ExactSum()
  private var numbers: [Number] = []
  private var extreme: Value = .null

  init(_ kind: Aggregate.Kind) { self.kind = kind }

  /// Adds the value of a feature; `nil` where features themselves are counted.
  mutating func add(_ value: Value?, _ tally: inout Tally) {
    guard let value else {
      count += 1
      return
    }
    if case .null = value { return }
    switch kind {
    case .count: count += 1
    case .min, .max:
      guard let order = Value.order(value, extreme) else {
        if case .null = extreme { extreme = value } else { tally.mismatches += 1 }
        return
      }
      if kind == .min ? order < 0 : order > 0 { extreme = value }
    case .sum, .mean, .median:
      guard case .number(let number) = value else {
        tally.mismatches += 1
        return
      }
      count += 1
      if kind == .median { numbers.append(number) } else { sum.add(number) }
    }
  }

  var value: Value {
    switch kind {
    case .count: .number(.whole(Int128(count)))
    case .min, .max: extreme
    case .sum: (count == 0 ? nil : sum.number).map { .number($0) } ?? .null
    case .mean: sum.mean.map { .number($0) } ?? .null
    case .median: median
    }
  }

  private var median: Value {
    if numbers.isEmpty { return .null }
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    if sorted.count % 2 == 1 { return .number(sorted[middle]) }
    return ((sorted[middle - 1] + sorted[middle]) / .whole(2)).map { .number($0) } ?? .null
  }
}
