/// A parsed expression of the language for questions: `pop > 1000 and name like 'S%'`.
///
/// `check` compares it with the columns of the layers asked; `bound` makes it ready to run.
package struct Expression: Sendable {
  package let text: String
  let root: Node

  /// Parses an expression.
  package init(_ text: String) throws(ExpressionError) {
    var parser = try ExpressionParser(text)
    root = try parser.expression()
    self.text = text
  }

  init(text: String, root: Node) {
    self.text = text
    self.root = root
  }

  /// The attributes that it reads, in order of first appearance.
  package var attributes: [String] {
    var names: [String] = []
    root.visit { node in
      if case .attribute(let name) = node.kind, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The qualities that it reads.
  package var qualities: Set<Quality> {
    var found: Set<Quality> = []
    root.visit { node in
      if case .quality(let quality) = node.kind { found.insert(quality) }
    }
    return found
  }

  /// The text of the expression with another name of an attribute; `nil` if it does not read it.
  package func renaming(_ attribute: String, to name: String) -> String? {
    var offsets = Set<Int>()
    root.visit { node in
      if case .attribute(let read) = node.kind,
        read.utf8.elementsEqual(attribute.utf8)
      {
        offsets.insert(node.offset)
      }
    }
    let scalars = Array(text.unicodeScalars)
    var lexer = ExpressionLexer(scalars)
    guard !offsets.isEmpty, let tokens = try? lexer.tokens() else { return nil }
    var made = String.UnicodeScalarView()
    for (token, next) in zip(tokens, tokens.dropFirst()) {
      let written = scalars[token.offset..<next.offset]
      if token.offset == tokens[0].offset { made.append(contentsOf: scalars[..<token.offset]) }
      if offsets.contains(token.offset) {
        let end = written.lastIndex { !$0.properties.isWhitespace } ?? token.offset
        made.append(contentsOf: ExpressionWords.written(name: name).unicodeScalars)
        made.append(contentsOf: written[(end + 1)...])
      } else {
        made.append(contentsOf: written)
      }
    }
    return String(made)
  }

  /// The attribute that it is, if it is nothing more: such a value is passed on as it is written.
  package var attribute: String? {
    if case .attribute(let name) = root.kind { name } else { nil }
  }

  /// Without the minus sign before it, if it has one: in an order, `-x` is x from the greatest.
  package var withoutMinus: Expression? {
    if case .negation(let operand) = root.kind {
      Expression(text: text, root: operand)
    } else {
      nil
    }
  }

  /// Whether it asks for figures of many features.
  package var hasAggregates: Bool {
    var found = false
    root.visit { node in
      if case .aggregate = node.kind { found = true }
    }
    return found
  }

  /// Whether it has one value for all features: a figure of all, or what is computed of such.
  package var isFigureOfAll: Bool { hasAggregates && root.isSameForAll }

  /// How it relates features to others, in order of first appearance.
  package var relations: [Relation] {
    var found: [Relation] = []
    root.visit { node in
      if case .relation(let relation) = node.kind, !found.contains(relation) {
        found.append(relation)
      }
    }
    return found
  }

  /// Whether it asks where features lie, beside others or a position.
  package var hasRelations: Bool {
    var found = false
    root.visit { node in
      switch node.kind {
      case .relation, .distance: found = true
      default: break
      }
    }
    return found
  }

  /// Throws where names or types do not suit the columns; returns the types of its values.
  @discardableResult
  package func check(in schema: Schema) throws(ExpressionError) -> ValueTypes {
    try TypeChecker(schema: schema, text: text).types(of: root)
  }

  /// Checks that it is a condition.
  package func checkCondition(in schema: Schema) throws(ExpressionError) {
    try TypeChecker(schema: schema, text: text).checkCondition(root)
  }
}

/// A column of a result: an expression and its name.
package struct ExpressionField: Sendable {
  package var name: String
  package var expression: Expression

  package init(name: String, expression: Expression) {
    self.name = name
    self.expression = expression
  }

  /// Parses a list such as `name, n=count(), density=pop / area`; a field without a name has its
  /// own text, an attribute its name.
  package static func list(_ text: String) throws(ExpressionError) -> [ExpressionField] {
    var parser = try ExpressionParser(text)
    var fields: [ExpressionField] = []
    for field in try parser.fields() {
      var name = field.name ?? field.text
      if field.name == nil, case .attribute(let attribute) = field.node.kind { name = attribute }
      // The places of its parts are those in the whole list.
      fields.append(
        ExpressionField(name: name, expression: Expression(text: text, root: field.node)))
    }
    return fields
  }
}

extension Node {
  /// Visits this node and all below it.
  func visit(_ body: (Node) -> Void) {
    body(self)
    for part in parts { part.visit(body) }
  }

  /// Whether its value is the same for all features.
  var isSameForAll: Bool {
    switch kind {
    case .attribute, .quality, .relation, .distance: false
    case .aggregate(let aggregate): aggregate.groups == nil
    default: parts.allSatisfy(\.isSameForAll)
    }
  }

  var parts: [Node] {
    switch kind {
    case .literal, .attribute, .quality, .relation: []
    case .distance(let x, let y): [x, y]
    case .negation(let node), .not(let node), .isNull(let node), .like(let node, _),
      .matches(let node, _):
      [node]
    case .arithmetic(_, let left, let right), .comparison(_, let left, let right): [left, right]
    case .call(_, let nodes), .all(let nodes), .any(let nodes): nodes
    case .oneOf(let node, let nodes): [node] + nodes
    case .between(let node, let low, let high): [node, low, high]
    case .aggregate(let aggregate):
      (aggregate.argument.map { [$0] } ?? []) + (aggregate.groups ?? [])
    }
  }
}
