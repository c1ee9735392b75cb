import Testing

@testable import PortolanExpressions

@Suite struct ExpressionTests {
  private let table = Table([
    ("name", ["Arlanda", "Bromma", nil, "Kiruna", "O'Hare"]),
    (
      "pop",
      [9_007_199_254_740_993 as Int128, 20, nil, 5, 7].map {
        $0.map { .number(.whole($0)) } ?? .null
      }
    ),
    ("zip", ["7", "8", nil, "10", "x"]),
    ("mixed", [7, "7", nil, true, 7.5]),
    ("country", ["SE", "SE", "SE", "NO", nil]),
    ("open", [true, false, nil, true, true]),
    ("name:en", ["a", "b", "c", "d", "e"]),
    ("pattern", ["aaaa", "aaab", "abc", "", nil]),
  ])

  @Test(arguments: [
    "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "-9223372036854775809", "9007199254740993", "170141183460469231731687303715884105727",
    "-170141183460469231731687303715884105728", "36893488147419103233",
  ])
  func `A whole number is rounded to its nearest double`(text: String) throws {
    let number = try #require(Number(text))
    #expect(number.double == Double(text))
  }

  @Test(arguments: [
    ("pop == 9007199254740993", [0]), ("pop == 9007199254740992", []), ("pop != 20", [0, 3, 4]),
    ("1 == 1.0", [0, 1, 2, 3, 4]), ("'a' == 'A'", []),
    ("name = 'O''Hare'", [4]), ("name is null", [2]), ("name is not null", [0, 1, 3, 4]),
    ("pop > 5 or name == 'Kiruna' and country == 'NO'", [0, 1, 3, 4]),
    ("(pop > 5 or name == 'Kiruna') and country == 'NO'", [3]),
    ("not open", [1]), ("open", [0, 3, 4]), ("open == false", [1]),
    ("name like '%a'", [0, 1, 3]), ("name ILIKE 'a%'", [0]), ("name not like '%a'", [4]),
    ("\"name:en\" == 'a'", [0]), ("name:en in ('a', 'e')", [0, 4]),
    ("pop between 5 and 7", [3, 4]), ("pop not between 5 and 7", [0, 1]),
    ("country not in ('NO')", [0, 1, 2]), ("mixed == 7", [0]), ("mixed > 7", [4]),
    ("mixed == '7'", [1]), ("number(zip) > 7", [1, 3]), ("pop * 2 == 40", [1]),
    ("$vertices >= 3", [3, 4]), ("count() == 5", [0, 1, 2, 3, 4]),
    ("pop == max(pop by country)", [0, 3, 4]), ("count(name by country) = 2", [0, 1, 2]),
    ("len(name) == 6", [1, 3, 4]), ("true", [0, 1, 2, 3, 4]), ("null", []),
  ])
  func conditions(text: String, rows: [Int]) throws {
    #expect(try table.rows(text) == rows)
  }

  @Test(arguments: [
    ("-2 % 3", -2), ("7 / 2", 3.5), ("8 / 2", 4), ("1 / 0", nil), ("2 + 3 * 4", 14),
    ("(2 + 3) * 4", 20), ("- - 3", 3), ("0.1 + 0.2", 0.30000000000000004),
    ("9007199254740993 + 1", Value.number(.whole(9_007_199_254_740_994))),
    ("round(2.5)", 3), ("round(-2.5)", -3), ("round(2.345, 2)", 2.35), ("round(1250, -2)", 1300),
    ("round(149.5, -2)", 100), ("round(-150.25, -2)", -200), ("round(4.999, -1)", 0),
    ("round(1e300, -2)", 1e300), ("round(1.7e300, -300)", 2e300), ("round(1e300, -400)", 0),
    ("text(round(-6e37, -38))", .text("-1" + String(repeating: "0", count: 38))),
    ("round(170141183460469231731687303715884105727, -39)", 0),
    ("floor(-0.5)", -1), ("abs(-7)", 7), ("min(3, 1, null, 2)", 1), ("max('b', 'a')", "b"),
    ("coalesce(null, 'x')", "x"), ("if(1 < 2, 'yes', 'no')", "yes"), ("if(null, 1, 2)", 2),
    ("lower('ÅB')", "åb"), ("upper('ß')", "SS"), ("trim('  a b ')", "a b"),
    ("replace('a-b-c', '-', '')", "abc"), ("split('a,b,c', ',', 2)", "b"),
    ("split('a,b,c', ',', -1)", "c"), ("split('a', ',', 5)", nil), ("number(' 12 ')", 12),
    ("number('0x10')", nil), ("number('inf')", nil), ("text(2.50)", "2.5"), ("len('z😀')", 2),
    ("'a' + 'b'", "ab"), ("date('2024-05-01T01:30:00+02:00')", "2024-04-30T23:30:00Z"),
    ("date('2024/05/01')", "2024-05-01"), ("date('2023-02-29')", nil),
    ("date('2024-12-31 23:30-01:00')", "2025-01-01T00:30:00Z"),
    ("date('0001-03-01T00:00:00.250Z')", "0001-03-01T00:00:00.25Z"),
    ("sum(pop)", Value.number(.whole(9_007_199_254_741_025))), ("count(pop)", 4),
    ("median(number(zip))", 8), ("min(name)", "Arlanda"), ("mean($vertices)", 2),
    ("sum(count() by country)", 15), ("max(open)", true),
  ])
  func values(text: String, value: Value) throws {
    #expect(try table.values(text).first == value, "\(text)")
  }

  @Test(arguments: [
    ("x == null", 3, "write is null"), ("pop <> null", 5, "write is not null"),
    ("1 < pop < 5", 9, "between"), ("pop = ", 7, "a value is missing before the end"),
    ("country == \"SE\"", 12, "no attribute “SE”: text is written 'SE'"),
    ("nmae == 'x'", 1, "did you mean “name”?"),
    ("country == \"nam\"", 12, "text is written 'nam'; did you mean “name” or “name:en”?"),
    ("zip == 7", 5, "“zip” is text, 7 is a number: write '7' or number(zip)"),
    ("pop = '20'", 5, "“pop” is a number, '20' is text: write 20"),
    ("open = 'true'", 6, "write true"), ("open < true", 6, "no order"),
    ("pop and open", 1, "“pop” is a number, no condition"),
    ("name + 1", 6, "+ joins what text() makes"), ("name * 2", 1, "* takes numbers"),
    ("pop like '2%'", 1, "like takes text"), ("foo(1)", 1, "there is no function “foo”"),
    ("len(1, 2)", 1, "write len(text)"), ("sum()", 1, "write sum(value)"),
    ("(pop > 1", 9, "no ) for the ( in column 1"), ("pop > 1)", 8, "no ( for this )"),
    ("name == 'x", 9, "no closing '"), ("pop & 1", 5, "write &&"), ("$foo", 1, "there are $id"),
    ("name matches '('", 0, ""), ("2x > 1", 2, "a name that begins with a digit"),
    ("name := 'a'", 6, "means nothing"), ("pop 5", 5, "does not continue"), ("", 1, "missing"),
    ("name == ‘x’", 9, "straight quotes"), ("åäö == 1", 1, "no attribute “åäö”"),
    ("'😀' == 1", 5, "'😀' is text"),
    // As other languages have it.
    ("count(*)", 7, "write count()"), ("sum(pop) by country", 10, "by within the brackets"),
    ("sum(pop) over (partition by country)", 10, "sum(pop by country)"),
    ("CASE WHEN pop > 1 THEN 'a' ELSE 'b' END", 1, "write if(condition"),
    ("if pop > 5 then 1", 1, "if(condition"), ("len name > 3", 1, "len(text)"),
    ("pop::text", 4, "write number(value) or text(value)"), ("pop === 5", 5, "write =="),
    ("name || ', ' || country == 'x'", 1, "+ joins texts"), ("pop =< 5", 5, "write <="),
    ("name like \"S%\"", 11, "in single quotes: 'S%'"), ("name ~ '^S'", 6, "matches"),
    ("name not regexp '^S'", 10, "matches"), ("name.length > 3", 5, "alone"),
    (".pop > 1", 1, "alone"), ("properties[\"pop\"] > 1", 11, "round brackets"),
    ("pop > 1,000", 8, "no comma"), ("pop > 1 000", 9, "one point"),
    ("pop > 1.0.0", 10, "one point"),
    ("pop > 1_000", 8, "digits alone"), ("pop in (1 2)", 11, "a comma or )"),
    ("pop > 1, 2", 8, "between the values"), ("name = 'O\\'Hare'", 16, "'O''Hare'"),
    ("fid = 3", 1, "write $id"), ("$geometry is null", 1, "write $type"),
    ("area($x) > 1", 1, "write $area"), ("open is true", 9, "== for values"),
    ("open = 1", 6, "write true"),
    ("select name from towns where pop > 1", 1, "the condition alone"),
    ("pop > 1 order by pop", 9, "--sort"), ("pop > 1;", 8, "semicolon"),
    ("date '2024-01-01' < name", 1, "'2024-05-01'"), ("\"pop > 5\"", 1, "without the quotes"),
    ("'pop > 5'", 1, "without quotes"), ("uper(name) = 'A'", 1, "did you mean upper?"),
  ])
  func errors(text: String, column: Int, words: String) {
    let error = #expect(throws: ExpressionError.self) { try table.rows(text) }
    if column > 0 { #expect(error?.column == column, "\(text): \(error?.message ?? "")") }
    #expect(error?.message.contains(words) == true, "\(text): \(error?.message ?? "")")
  }

  /// No word or sign of another language is read as something else.
  @Test func `Words of other languages have advice`() {
    var texts: [(String, Int, String)] = []
    for (name, advice) in ForeignWords.functions { texts.append(("1 < \(name)(pop)", 5, advice)) }
    for (word, advice) in ForeignWords.words { texts.append(("pop \(word) 5", 5, advice)) }
    for word in ForeignWords.beginnings {
      texts.append(("\(word) pop > 5", 1, ForeignWords.words[word] ?? ""))
    }
    for (sign, advice) in ForeignWords.signs where sign != "." {
      texts.append(("pop \(sign) 5", 5, advice))
    }
    for (name, advice) in ForeignWords.qualities { texts.append(("not (\(name) > 5)", 6, advice)) }
    for (text, column, advice) in texts {
      let error = #expect(throws: ExpressionError.self, "\(text)") { try table.rows(text) }
      #expect(error?.column == column, "\(text): \(error?.message ?? "")")
      #expect(error?.message.contains(advice) == true, "\(text): \(error?.message ?? "")")
    }
  }

  /// Each day of eight thousand years comes back, and follows the one before.
  @Test func countsDays() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: width - String(number).count) + String(number)
    }
    for year in stride(from: 0, through: 8000, by: 97) {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for (index, length) in lengths.enumerated() {
        for day in 1...(index == 1 && isLeap ? 29 : length) {
          let date = [padded(year, 4), padded(index + 1, 2), padded(day, 2)].joined(separator: "-")
          #expect(ISODate.normalised(date) == date)
          let next = ISODate.normalised(date + "T23:30-01:00")
          if let former = ISODate.normalised(date + "T22:30Z"), let next {
            #expect(former < next && former.prefix(10) == date && next.hasSuffix("T00:30:00Z"))
          }
        }
      }
    }
    #expect(ISODate.normalised("0000-01-01T00:00+01:00") == nil)
    #expect(ISODate.normalised("9999-12-31T23:30-01:00") == nil)
  }

  @Test func boundsTexts() throws {
    let long =
      "replace(replace(replace('aaaaaaaa', 'a', '\(String(repeating: "b", count: 500))'), "
      + "'b', '\(String(repeating: "c", count: 500))'), 'c', 'dddddddddd')"
    let result = try table.result(long)
    #expect(result.values.allSatisfy { $0 == .null } && result.tally.tooLong == 5)
  }

  @Test func tellsWhatItLeftOut() throws {
    var tally = try table.result("mixed > 1").tally
    #expect(tally.mismatches == 2)
    tally = try table.result("1 / (pop - 20)").tally
    #expect(tally.divisionsByZero == 1)
  }

  /// Nothing nests so deep that the stack ends, and what nests too deep is refused.
  @Test func nestsWithinTheStack() throws {
    for (open, close) in [
      ("(", ")"), ("not ", ""), ("-", ""), ("abs(", ")"), ("if(true, ", ", 1)"),
    ] {
      let deep =
        String(repeating: open, count: 10_000) + "1" + String(repeating: close, count: 10_000)
      #expect(throws: ExpressionError.self) { try Expression(deep) }
    }
    let chain = Array(repeating: "pop > 1", count: 5000).joined(separator: " and ")
    #expect(try table.rows(chain) == [0, 1, 3, 4])
    #expect(throws: ExpressionError.self) {
      try Expression(Array(repeating: "1", count: 5000).joined(separator: "+"))
    }
  }

  @Test func readsFields() throws {
    let fields = try ExpressionField.list("name, n = count(), round(pop / 2, 1), \"name:en\"")
    #expect(fields.map(\.name) == ["name", "n", "round(pop / 2, 1)", "name:en"])
    #expect(throws: ExpressionError.self) { try ExpressionField.list("name,") }
  }

  /// Whatever is typed gives an expression or an error, in bounded time.
  @Test func readsAnything() {
    var generator = SystemRandomNumberGenerator()
    let pieces = [
      "(", ")", "and", "or", "not", "'", "\"", "a", "1", ".", "e", "$x", "$", "<", "=", "!", "in",
      "between", "like 'a%'", "is", "null", "by", ",", "+", "-", "%", "sum(", "\u{0}", "😀", " ",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 1...12, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
        .joined(separator: Bool.random(using: &generator) ? " " : "")
      _ = try? table.rows(text)
      _ = try? ExpressionField.list(text)
    }
  }
}
