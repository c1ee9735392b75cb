@testable import PortolanExpressions

/// A block of rows in memory, column by column.
struct Table: ExpressionRows {
  private var columns: [String: PackedColumn] = [:]
  private(set) var names: [String] = []
  private(set) var rowCount = 0
  /// Whether its columns are laid out for conditions.
  var hasVectors = false

  init(_ columns: [(name: String, values: [Value])]) {
    for (name, values) in columns {
      var kinds: [UInt8] = []
      var ends: [UInt32] = []
      var bytes: [UInt8] = []
      for value in values {
        switch value {
        case .null: kinds.append(1)
        case .truth(let truth): kinds.append(truth ? 3 : 2)
        case .number(let number):
          kinds.append(4)
          // As a file has it: a double without fraction keeps its point.
          if case .real(let real) = number {
            bytes += real.description.utf8
          } else {
            bytes += (number.text ?? "0").utf8
          }
        case .text(let text):
          kinds.append(5)
          bytes += text.string.utf8
        }
        ends.append(UInt32(bytes.count))
      }
      self.columns[name] = PackedColumn(kinds: kinds, ends: ends, bytes: bytes)
      names.append(name)
      rowCount = values.count
    }
  }

  func packedColumn(_ name: String) -> PackedColumn? { columns[name] }

  func vector(_ name: String) -> ColumnVector? {
    hasVectors ? columns[name].map { ColumnVector($0) } : nil
  }

  func quality(_ quality: Quality, of row: Int) -> Value {
    quality == .vertices ? .number(.whole(Int128(row))) : .text(quality.rawValue)
  }

  /// The values of an expression over all rows.
  func values(_ text: String) throws -> [Value] { try result(text).values }

  func result(_ text: String) throws -> (values: [Value], tally: Tally) {
    let expression = try Expression(text)
    try expression.check(
      in: Schema(names: names, blocks: [self], wanted: expression.attributes))
    var tally = Tally()
    let evaluate = expression.bound(to: FeatureSet([self]), &tally).evaluator(for: self)
    let values = (0..<rowCount).map { evaluate($0, &tally) }
    return (values, tally)
  }

  /// The rows for which a condition holds.
  func rows(_ text: String) throws -> [Int] { try matches(text).rows }

  func matches(_ text: String) throws -> (rows: [Int], tally: Tally) {
    let expression = try Expression(text)
    try expression.checkCondition(
      in: Schema(names: names, blocks: [self], wanted: expression.attributes))
    var tally = Tally()
    let bound = expression.bound(to: FeatureSet([self]), &tally)
    return (bound.matches(in: self, &tally), tally)
  }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  public init(integerLiteral value: Int) { self = .number(.whole(Int128(value))) }
  public init(floatLiteral value: Double) { self = .number(.real(value)) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(booleanLiteral value: Bool) { self = .truth(value) }
  public init(nilLiteral: ()) { self = .null }
}
