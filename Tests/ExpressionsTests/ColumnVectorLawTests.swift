import PortolanTestSupport
import Testing

@testable import PortolanExpressions

/// A condition has one result: row by row, from the texts of a column, and from columns that are
/// laid out for it.
@Suite struct ColumnVectorLawTests {
  private static let kinds = ["whole", "real", "tenth", "long", "few", "many", "mixed", "empty"]

  @Test(arguments: Seeds.some(20)) func `All ways of asking agree`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for count in [0, 1, 7, 8, 9, 64, 200, 1_001] {
      var table = Table(
        Self.kinds.map { kind in
          (kind, (0..<count).map { _ in Self.value(of: kind, &random) })
        })
      for _ in 0..<20 {
        let text = Self.condition(2, &random)
        table.hasVectors = false
        let scanned: (rows: [Int], tally: Tally)
        do {
          scanned = try table.matches(text)
        } catch is ExpressionError {
          // Types that never fit, in an empty table or by chance.
          continue
        }
        table.hasVectors = true
        let found = try table.matches(text)
        let values = try table.result(text)
        #expect(found == scanned, "\(text), \(count) rows, seed \(seed)")
        #expect(
          found.rows == values.values.indices.filter { values.values[$0] == .truth(true) },
          "\(text), \(count) rows, seed \(seed)")
        #expect(
          found.tally.divisionsByZero == values.tally.divisionsByZero
            && found.tally.beyondDoubles == values.tally.beyondDoubles
            && found.tally.mismatches == values.tally.mismatches,
          "\(text), \(count) rows, seed \(seed)")
      }
    }
  }

  @Test func `Columns are laid out by what they hold`() {
    func vector(_ values: [Value]) -> ColumnVector? {
      var table = Table([("a", values)])
      table.hasVectors = true
      return table.vector("a")
    }
    guard case .numbers(let numbers)? = vector([1, nil, 0.5, .number(.whole(1 << 53))]),
      case .texts(let codes, let places)? = vector(["a", nil, "bb", "a"]),
      case .other? = vector([.number(.whole((1 << 53) + 1))]), case .other? = vector([1, "a"]),
      case .other? = vector((0..<100).map { .text("\($0)") })
    else {
      Issue.record("a column is laid out as another one")
      return
    }
    #expect(numbers[0] == 1 && numbers[1].isNaN && numbers[2] == 0.5 && numbers[3] == 0x1p53)
    #expect(codes == [1, 0, 2, 1] && places == [0..<1, 1..<3])
  }

  private static func value(of kind: String, _ random: inout SeededGenerator) -> Value {
    if Int.random(in: 0..<5, using: &random) == 0 { return nil }
    switch kind {
    case "whole": return .number(.whole(Int128(Int.random(in: -3...3, using: &random))))
    case "real": return .number(.real(Double(Int.random(in: -8...8, using: &random)) / 4))
    case "tenth": return .number(.real(Double(Int.random(in: -50...50, using: &random)) / 10))
    case "long":
      return .number(
        .whole((1 << 53) + Int128(Int.random(in: -2...2, using: &random))))
    case "few": return .text(["", "a", "b", "ab", "å"].randomElement(using: &random) ?? "")
    case "many": return .text("a\(Int.random(in: 0...999, using: &random))")
    case "empty": return nil
    default:
      return value(
        of: ["whole", "real", "few", "long"].randomElement(using: &random) ?? "", &random)
    }
  }

  private static func condition(_ depth: Int, _ random: inout SeededGenerator) -> String {
    func pick(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
    if depth > 0, Bool.random(using: &random) {
      let (left, right) = (condition(depth - 1, &random), condition(depth - 1, &random))
      return pick(["(\(left) and \(right))", "(\(left) or \(right))", "not (\(left))"])
    }
    let name = pick(kinds)
    let isText = name == "few" || name == "many" || name == "mixed" && Bool.random(using: &random)
    func literal() -> String {
      isText
        ? pick(["'a'", "'b'", "''", "'ab'", "'a5'"])
        : pick(["-1", "0", "1.0", "0.25", "2", "9007199254740992", "9007199254740993"])
    }
    func operand(_ depth: Int) -> String {
      switch isText ? 0 : Int.random(in: 0...depth, using: &random) {
      case 0: return name
      case 1:
        return pick(["-\(name)", literal(), pick(["whole", "real", "tenth", "long", "empty"])])
      default:
        return "(\(operand(depth - 1)) \(pick(["+", "-", "*", "/", "%"])) \(operand(depth - 1)))"
      }
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "\(name) is \(pick(["", "not "]))null"
    case 1: return "\(operand(2)) \(pick(["", "not "]))between \(literal()) and \(literal())"
    case 2:
      return "\(operand(2)) \(pick(["", "not "]))in (\(literal()), \(literal()), \(literal()))"
    case 3 where isText: return "\(name) \(pick(["like 'a%'", "ilike '_'", "matches 'a.$'"]))"
    default:
      let sign = pick(["==", "!=", "<", "<=", ">", ">="])
      if Bool.random(using: &random) { return "\(operand(3)) \(sign) \(operand(3))" }
      return pick(["\(name) \(sign) \(literal())", "\(literal()) \(sign) \(name)"])
    }
  }
}
