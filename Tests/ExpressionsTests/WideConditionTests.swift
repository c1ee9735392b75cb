import Testing

@testable import PortolanExpressions

/// Conditions for databases: they hold wherever the expression is true or null.
@Suite struct WideConditionTests {
  private static let kinds: [String: ColumnKind] = [
    "pop": .whole, "n": .whole, "h": .real, "name": .text, "a \"b\"": .text,
  ]

  @Test(arguments: [
    ("pop > 5000", #"("pop" > 5000 OR "pop" IS NULL)"#),
    ("5000 >= pop", #"("pop" <= 5000 OR "pop" IS NULL)"#),
    ("pop > 1.5", #"("pop" >= 2 OR "pop" IS NULL)"#),
    ("pop < -1.5", #"("pop" <= -2 OR "pop" IS NULL)"#),
    ("pop == 1.5", nil),
    ("pop > 9007199254740993", nil),
    (
      "pop between 1 and 3",
      #"(("pop" >= 1 OR "pop" IS NULL) AND ("pop" <= 3 OR "pop" IS NULL))"#
    ),
    ("pop in (1, 2)", #"(("pop" = 1 OR "pop" IS NULL) OR ("pop" = 2 OR "pop" IS NULL))"#),
    ("pop in (1, name)", nil),
    ("name == 'O''Hare'", #"(CAST("name" AS text) = 'O''Hare' OR "name" IS NULL)"#),
    (#""a ""b""" == 'x'"#, #"(CAST("a ""b""" AS text) = 'x' OR "a ""b""" IS NULL)"#),
    // Orders, patterns and signs of escape are a matter of the database.
    ("name > 'a'", nil), ("name like 'a%'", nil), (#"name == 'a\b'"#, nil), ("name == 'a '", nil),
    // The wrong type, no such column, and what is not a comparison with a value.
    ("pop == 'x'", nil), ("name == 5", nil), ("other > 5", nil), ("pop > pop + 1", nil),
    ("not (pop > 5)", nil), ("pop is null", nil),
    ("$area > 5 and pop > 1", #"(("pop" > 1 OR "pop" IS NULL))"#),
    ("pop > 5 or other > 5", nil),
    (
      "(n > 5 or n < 1) and n == 2",
      #"((("n" > 5 OR "n" IS NULL) OR ("n" < 1 OR "n" IS NULL)) AND ("n" = 2 OR "n" IS NULL))"#
    ),
    ("h > 0", #"("h" >= -1e-30 OR "h" IS NULL)"#),
  ])
  func `Only what databases compare as expressions do is taken over`(
    text: String, sql: String?
  ) throws {
    #expect(try Expression(text).wideSQL { Self.kinds[$0] } == sql)
  }

  @Test(arguments: [0.1, -2.5, 1e10, 3, 123_456.789])
  func `Real numbers are compared with a margin`(value: Double) throws {
    let sql = try #require(try Expression("h == \(value)").wideSQL { Self.kinds[$0] })
    let numbers = sql.split { "() ".contains($0) }.compactMap { Double($0) }
    let single = Double(Float(value))
    #expect(
      numbers.count == 2 && numbers[0] < min(value, single) && max(value, single) < numbers[1])
  }
}
