import PortolanDocuments
import PortolanExpressions
import PortolanGraphics

/// The result of a query: columns, and rows of values.
struct LayerTable: Sendable {
  var names: [String]
  var rows: [[AttributeValue]]
  /// The rows that there were before a limit.
  var count: Int
  /// The most rows that are wanted; `nil` wants all.
  var limit: Int?

  /// Throws where two columns have one name, as no object and no table of attributes has them.
  func checkNames() throws {
    var seen = Set<String>()
    guard let twice = names.first(where: { !seen.insert($0).inserted }) else { return }
    throw EditingError(.usage, "two attributes would be named “\(twice)”: name one NAME=…")
  }
}

/// What a query asks.
struct LayerQuery: Sendable {
  var condition: String?
  /// A list of expressions with names; `nil` for all attributes, or for what makes the groups and
  /// their counts.
  var fields: String?
  /// The attributes whose values make groups.
  var groups: [String] = []
  /// A list of expressions, or of names of fields; a minus sign before one begins with the
  /// greatest.
  var order: String?
  var limit: Int?
  /// Whether only the number of rows is wanted: the table has none then.
  var isCount = false

  /// What it reads of a document; everything if it cannot be read itself.
  var needs: DocumentNeeds {
    do {
      let lists = try [fields, order].compactMap { $0 }.flatMap(ExpressionField.list)
      let condition = try condition.map { try Expression($0) }
      if let first = firstRows(where: condition, lists) { return .first(first) }
      // Without fields the result has all columns, or those of the groups.
      let hasAllColumns = fields == nil && groups.isEmpty && !isCount
      return DocumentNeeds(
        condition: condition, values: lists.map(\.expression),
        columns: hasAllColumns ? nil : groups)
    } catch {
      return .all
    }
  }

  /// What a limit leaves of the columns; `nil` if it needs all rows: to sort them, to compute
  /// figures, or to know the types of values that are computed.
  private func firstRows(
    where condition: Expression?, _ fields: [ExpressionField]
  ) -> FirstRows? {
    guard let limit, order == nil, groups.isEmpty, !isCount else { return nil }
    let names = fields.compactMap(\.expression.attribute)
    let chosen = condition.map { BlockCondition($0) }
    if names.count < fields.count || chosen == .some(nil) { return nil }
    return FirstRows(limit, of: self.fields == nil ? nil : names, where: chosen ?? nil)
  }

  /// Its expressions; `nil` if one of them cannot be read.
  private var expressions: [Expression]? {
    guard let lists = try? [fields, order].compactMap({ $0 }).flatMap(ExpressionField.list),
      let conditions = try? [condition].compactMap({ $0 }).map({ try Expression($0) })
    else { return nil }
    return conditions + lists.map(\.expression)
  }

  /// Whether it asks how features lie to others, or cannot be read.
  var hasRelations: Bool { expressions?.contains(where: \.hasRelations) ?? true }

  /// What it asks of the chosen features.
  var asked: AskedFields {
    guard let expressions else { return .unread }
    // Without fields the result has all columns, or those of the groups.
    if fields == nil, groups.isEmpty { return .all }
    let names = Set(fields.flatMap { try? ExpressionField.list($0) }?.map(\.name) ?? [])
    let grouping = groups.compactMap { try? ExpressionField(attribute: $0).expression }
    // An order may name a field.
    return .only(
      (expressions + grouping).filter { expression in
        (expression.withoutMinus ?? expression).attribute.map { !names.contains($0) } ?? true
      } + ((try? fields.map(ExpressionField.list)) ?? []).map(\.expression))
  }

  /// The table of some layers.
  ///
  /// - Throws: `EditingError` for expressions that do not suit the layers.
  func table(of asked: QuestionedLayers, _ tally: inout Tally) throws -> LayerTable {
    let condition = try condition.map { try asked.condition($0) }
    let matching = condition.map { asked.rows(where: $0, &tally) }
    var blocks = asked.blocks.flatMap { $0 }
    let rows = matching.map { $0.flatMap { $0 } } ?? blocks.map { Array(0..<$0.rowCount) }
    let features = FeatureSet(blocks, rows: rows)
    let fields = try self.fields(of: asked)
    let keys = try sortKeys(of: asked, fields)
    let isOneRow = isOfAll(fields)
    if isOneRow, blocks.allSatisfy({ $0.rowCount == 0 }) { blocks = Self.standIn }
    let places =
      try isOneRow ? [Self.anyPlace(in: blocks)] : places(of: asked, blocks, rows, &tally)
    var table = LayerTable(names: fields.map(\.name), rows: [], count: places.count, limit: limit)
    if isCount { return table }
    let columns = fields.map { Column($0.expression, features, groups, &tally) }
    let orders = keys.map { key in
      switch key.source {
      case .field(let place): columns[place]
      case .expression(let expression): Column(expression, features, groups, &tally)
      }
    }
    let order = Self.sorted(places, by: orders, keys.map(\.isFalling), blocks, &tally)
    let kept = limit.map { order.prefix($0) } ?? order[...]
    table.rows = Self.values(kept.map { places[$0] }, of: columns, blocks, &tally)
    return table
  }

  // MARK: Fields and keys

  private func fields(of asked: QuestionedLayers) throws -> [ExpressionField] {
    try QuestionedLayers.telling {
      var fields: [ExpressionField]
      if let text = self.fields {
        fields = try ExpressionField.list(text, knowing: asked.names)
        let named = Set(fields.map(\.name))
        // A group is told beside its figures.
        fields =
          try groups.filter { !named.contains($0) }.map { try ExpressionField(attribute: $0) }
          + fields
      } else if groups.isEmpty {
        fields = try asked.fields
      } else {
        fields = try groups.map { try ExpressionField(attribute: $0) }
        fields.append(ExpressionField(name: "count", expression: try Expression("count()")))
      }
      let schema = asked.schema(for: fields.map(\.expression))
      for field in fields { try field.expression.check(in: schema) }
      return fields
    }
  }

  private struct SortKey {
    enum Source {
      case field(Int)
      case expression(Expression)
    }

    var source: Source
    var isFalling: Bool
  }

  private func sortKeys(
    of asked: QuestionedLayers, _ fields: [ExpressionField]
  ) throws -> [SortKey] {
    guard let order else { return [] }
    return try QuestionedLayers.telling {
      try ExpressionField.list(order, knowing: asked.names).map { item in
        let falling = item.expression.withoutMinus
        let expression = falling ?? item.expression
        if let name = expression.attribute,
          let place = fields.firstIndex(where: { $0.name == name })
        {
          return SortKey(source: .field(place), isFalling: falling != nil)
        }
        try expression.check(in: asked.schema(for: [expression]))
        return SortKey(source: .expression(expression), isFalling: falling != nil)
      }
    }
  }

  // MARK: Rows

  /// Whether the fields are figures of all features: one row then, though nothing is found.
  private func isOfAll(_ fields: [ExpressionField]) -> Bool {
    groups.isEmpty && !fields.isEmpty && fields.allSatisfy(\.expression.isFigureOfAll)
  }

  /// One empty row, at which figures of no features are asked for.
  private static var standIn: [BlockRows] {
    var builder = FeatureBlockBuilder()
    builder.endRow(.none, shape: .plain)
    return builder.finish().map { BlockRows($0, layer: "", isGeographic: false) }
  }

  /// A row at which figures of all features are asked for.
  private static func anyPlace(in blocks: [BlockRows]) -> Place {
    Place(block: blocks.firstIndex { $0.rowCount > 0 } ?? 0, row: 0)
  }

  /// A row of a block: a feature, or the first one of a group.
  private struct Place {
    var block: Int
    var row: Int
  }

  /// The features, or the first feature of each group.
  private func places(
    of asked: QuestionedLayers, _ blocks: [BlockRows], _ rows: [[Int]], _ tally: inout Tally
  ) throws -> [Place] {
    if groups.isEmpty {
      return rows.indices.flatMap { block in rows[block].map { Place(block: block, row: $0) } }
    }
    let names = try groups.map { try ExpressionField(attribute: $0).expression }
    try QuestionedLayers.telling {
      let schema = asked.schema(for: names)
      for name in names { try name.check(in: schema) }
    }
    var seen = Set<[Value]>()
    var places: [Place] = []
    for (block, rows) in rows.enumerated() {
      let keys = names.map {
        $0.bound(to: FeatureSet([]), &tally).evaluator(for: blocks[block])
      }
      for row in rows {
        let key = keys.map { $0(row, &tally).canonical }
        if seen.insert(key).inserted { places.append(Place(block: block, row: row)) }
      }
    }
    return places
  }

  /// A column of the result, or a key of its order.
  private struct Column {
    var bound: BoundExpression
    /// The attribute that it is, if nothing more.
    var attribute: String?

    init(
      _ expression: Expression, _ features: FeatureSet, _ groups: [String], _ tally: inout Tally
    ) {
      bound = expression.bound(to: features, groupedBy: groups, &tally)
      attribute = expression.attribute
    }
  }

  /// The order of the places: null last, texts by their code points; equal ones keep their order.
  private static func sorted(
    _ places: [Place], by keys: [Column], _ isFalling: [Bool], _ blocks: [BlockRows],
    _ tally: inout Tally
  ) -> [Int] {
    if keys.isEmpty { return Array(places.indices) }
    var counted = tally
    var values: [[Value]] = Array(repeating: [], count: keys.count)
    for (key, column) in keys.enumerated() {
      values[key].reserveCapacity(places.count)
      eachBlock(of: places, blocks) { block, rows in
        let evaluate = column.bound.evaluator(for: block)
        for row in rows { values[key].append(evaluate(row, &counted)) }
      }
    }
    tally = counted
    return places.indices.sorted { left, right in
      for key in keys.indices {
        let order = Value.sortOrder(values[key][left], values[key][right], isFalling[key])
        if order != 0 { return order < 0 }
      }
      return left < right
    }
  }

  /// The values of the columns at some places.
  private static func values(
    _ places: [Place], of columns: [Column], _ blocks: [BlockRows], _ tally: inout Tally
  ) -> [[AttributeValue]] {
    var rows = places.map { _ in [AttributeValue]() }
    var counted = tally
    for column in columns {
      var index = 0
      eachBlock(of: places, blocks) { block, found in
        if let name = column.attribute {
          for row in found {
            rows[index].append(block.block.attribute(name, row: row))
            index += 1
          }
          return
        }
        let evaluate = column.bound.evaluator(for: block)
        for row in found {
          rows[index].append(evaluate(row, &counted).attribute)
          index += 1
        }
      }
    }
    tally = counted
    return rows
  }

  /// Runs of places in one block, in their order.
  private static func eachBlock(
    of places: [Place], _ blocks: [BlockRows], _ body: (BlockRows, [Int]) -> Void
  ) {
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, places[end].block == places[start].block { end += 1 }
      body(blocks[places[start].block], places[start..<end].map(\.row))
      start = end
    }
  }
}

extension Value {
  /// The order of two values in a list: numbers, texts, false and true; null comes last both ways.
  static func sortOrder(_ left: Value, _ right: Value, _ isFalling: Bool) -> Int {
    let (first, second) = (left.rank, right.rank)
    if first == nullRank || second == nullRank { return first - second }
    let order = first != second ? first - second : Value.order(left, right) ?? 0
    return isFalling ? -order : order
  }

  private static let nullRank = 3

  private var rank: Int {
    switch self {
    case .number: 0
    case .text: 1
    case .truth: 2
    case .null: Self.nullRank
    }
  }
}
