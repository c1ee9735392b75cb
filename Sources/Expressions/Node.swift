/// A part of a parsed expression, and where it begins.
struct Node: Sendable {
  indirect enum Kind: Sendable {
    case literal(Value)
    case attribute(String)
    case quality(Quality)
    case negation(Node)
    case arithmetic(ArithmeticSign, Node, Node)
    case call(Function, [Node])
    case relation(Relation)
    /// The way to a position.
    case distance(x: Node, y: Node)
    case aggregate(Aggregate)
    case not(Node)
    case all([Node])
    case any([Node])
    case comparison(ComparisonSign, Node, Node)
    case oneOf(Node, [Node])
    case between(Node, low: Node, high: Node)
    case like(Node, LikePattern)
    case matches(Node, Pattern)
    case isNull(Node)
  }

  var kind: Kind
  /// The offset of its sign or first letter, in scalars.
  var offset: Int

  init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}

enum ArithmeticSign: String, Sendable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case over = "/"
  case modulo = "%"
}

enum ComparisonSign: String, Sendable {
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// Whether it holds for an order of -1, 0 or 1.
  @inline(__always)
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .unequal: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// The sign with both sides exchanged.
  var mirrored: ComparisonSign {
    switch self {
    case .equal, .unequal: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

/// A figure of many features: of the whole layer, or of those that share some attributes.
struct Aggregate: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case count, sum, mean, median, min, max
  }

  var kind: Kind
  /// The counted or summed values; `nil` counts features.
  var argument: Node?
  /// The attributes that make the groups, where `by` names them.
  var groups: [Node]?
}

/// A function of the values of one feature.
enum Function: String, CaseIterable, Sendable {
  case `if`, len, lower, upper, trim, replace, split, round, floor, abs, min, max, coalesce
  case number, text, date

  /// How many arguments it takes.
  var arguments: ClosedRange<Int> {
    switch self {
    case .if, .replace, .split: 3...3
    case .round: 1...2
    case .min, .max: 2...64
    case .coalesce: 1...64
    case .len, .lower, .upper, .trim, .floor, .abs, .number, .text, .date: 1...1
    }
  }

  /// How it is written, for messages.
  var usage: String {
    switch self {
    case .if: "if(condition, value, other value)"
    case .replace: "replace(text, part, other part)"
    case .split: "split(text, separator, number of the part, from 1)"
    case .round: "round(number) or round(number, decimals)"
    case .min, .max: "\(rawValue)(a, b, …)"
    case .coalesce: "coalesce(a, b, …)"
    case .floor, .abs: "\(rawValue)(number)"
    case .len, .lower, .upper, .trim: "\(rawValue)(text)"
    case .number, .text, .date: "\(rawValue)(value)"
    }
  }
}
