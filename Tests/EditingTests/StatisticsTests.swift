import Foundation
import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The figures of columns, and the values by how often they occur.
@Suite struct StatisticsTests {
  private static func editor(_ values: [AttributeValue]) -> Editor {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "points", style: .standard(forDimension: 0, index: 0))
    for (index, value) in values.enumerated() {
      _ = layer.add(
        geometry: .point(Coordinate(x: Double(index % 90), y: 2)),
        attributes: value == .missing ? [] : [("v", value)])
    }
    document.layers = [layer]
    return Editor(document)
  }

  /// The statistics of a column, as JSON.
  private static func statistics(_ values: [AttributeValue]) throws -> [String: Any] {
    var editor = editor(values)
    try editor.run("statistics v --json")
    let text = editor.effects.lazy.compactMap { effect -> String? in
      if case .printData(let text) = effect { text } else { nil }
    }.first
    let json = try JSONSerialization.jsonObject(with: Data((text ?? "").utf8))
    return try #require((json as? [[String: Any]])?.first)
  }

  private static func wholes(_ random: inout SeededGenerator) -> [String] {
    let digits = Int.random(in: 1...38, using: &random)
    return (0..<Int.random(in: 1...60, using: &random)).map { _ in
      let count = Int.random(in: 1...digits, using: &random)
      var text = String(Int.random(in: 1...9, using: &random))
      while text.count < count { text += String(Int.random(in: 0...9, using: &random)) }
      return (Bool.random(using: &random) ? "-" : "") + text
    }
  }

  private static func reals(_ random: inout SeededGenerator) -> [String] {
    let powers: [Double] = [1, 1e6, 1e-9, 1e200, 1e15]
    let power: Double = powers[Int.random(in: 0..<powers.count, using: &random)]
    return (0..<Int.random(in: 1...60, using: &random)).map { _ in
      let real = Double.random(in: -1...1, using: &random) * power
      return Bool.random(using: &random) ? "\(real)" : "\((real * 8).rounded() / 8)"
    }
  }

  @Test func `Features that a filter hides do not count, and are told`() throws {
    var editor = Self.editor((1...6).map { .number("\($0)") })
    try editor.run("filter v > 4")
    try editor.run("statistics v")
    let lines =
      editor.effects.lazy.compactMap { effect -> [String]? in
        if case .print(let lines) = effect { lines } else { nil }
      }.first ?? []
    for line in ["features    2", "hidden      4", "sum         11"] {
      #expect(lines.contains { $0.hasSuffix(line) }, "\(lines)")
    }
    try editor.run("frequency v")
    let panel = try #require(editor.desk.frequencies)
    #expect(panel.table.rows.count == 2)
    #expect(panel.title == "points, 2 of 6")
  }

  /// What Python's integers and its statistics module make of the same numbers.
  @Test func `Sum, mean and median are those of Python's statistics`() throws {
    let python = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"] ?? "python3"
    var random = SeededGenerator(seed: 7)
    var lists: [[String]] = []
    for number in 0..<300 {
      lists.append(number % 2 == 0 ? Self.wholes(&random) : Self.reals(&random))
    }
    let program = """
      import sys, math, statistics
      for line in sys.stdin:
          words = line.split()
          if all('.' not in w and 'e' not in w for w in words):
              n = [int(w) for w in words]
              print(sum(n), repr(statistics.mean(n)), repr(statistics.median(n)) if len(n) % 2
                  else repr(statistics.mean(sorted(n)[len(n)//2-1:len(n)//2+1])), min(n), max(n))
          else:
              n = [float(w) for w in words]
              print(repr(math.fsum(n)), repr(math.fsum(n) / len(n)), repr(statistics.median(n)),
                  min(n), max(n))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [python, "-c", program]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    input.fileHandleForWriting.write(
      Data(lists.map { $0.joined(separator: " ") + "\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    let told = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = told.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    try #require(lines.count == lists.count)
    for (list, line) in zip(lists, lines) {
      var numbers = NumberStatistics()
      for text in list { numbers.add(try #require(Number(text))) }
      for (figure, wanted) in zip(numbers.figures, line) {
        let isSame =
          figure.text == wanted
          || figure.text.flatMap { Double($0) } == Double(wanted)
            && (wanted.contains(".") || wanted.contains("e"))
        #expect(isSame, "\(figure) \(wanted) of \(list)")
      }
    }
  }

  @Test(arguments: 0..<30)
  func `Counts are those of a plain loop over the values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pool: [AttributeValue] = [
      .missing, .null, .bool(true), .bool(false), .number("1"), .number("1.0"), .number("7e0"),
      .number("-2.5"), .string(""), .string("a"), .string("É"), .string("2024-05-01"),
      .json("[1]"), .number("12345678901234567890123456789012345678"),
      .number("12345678901234567890123456789012345679"),
    ]
    let some = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ in
      pool.randomElement(using: &random)
    }
    let values = (0..<Int.random(in: 1...50, using: &random)).compactMap { _ in
      some.randomElement(using: &random)
    }
    // A layer without any value of the column has no such column.
    if values.allSatisfy({ $0 == .missing }) { return }
    let told = try Self.statistics(values)
    func count(_ kinds: AttributeKind...) -> Int { values.count { kinds.contains($0.kind) } }
    #expect(told["missing"] as? Int == count(.missing))
    #expect(told["nulls"] as? Int == count(.null))
    #expect(told["values"] as? Int == values.count - count(.missing, .null))
    let different = Set(
      values.filter { $0.kind != .missing && $0.kind != .null }.map { FrequencyTable.Key($0) })
    #expect(told["distinct"] as? Int == different.count)
    let table = FrequencyTable(
      "v",
      of: Self.editor(values).document.layers.compactMap {
        $0 as? any FeatureHolding
      })
    #expect(table.rows.reduce(0) { $0 + $1.count } == values.count)
    #expect(zip(table.rows, table.rows.dropFirst()).allSatisfy { $0.count >= $1.count })
    for row in table.rows {
      let key = FrequencyTable.Key(row.value)
      #expect(row.count == values.count { FrequencyTable.Key($0) == key })
    }
  }

  @Test(arguments: [
    ([AttributeValue.number("1"), .null], "whole"), ([.number("1"), .number("2.0")], "real"),
    ([.number("123456789012345678901234567890123456789012")], "whole"),
    ([.string("a"), .string("")], "text"), ([.bool(true)], "truth"), ([.null], "null"),
    ([.string("2024-05-01"), .string("2024-05-01T08:00Z")], "date"),
    ([.string("2024-05-01"), .string("x")], "text"), ([.json("{}")], "json"),
    ([.number("1"), .string("1")], "mixed"),
  ])
  func `The type of a column`(values: [AttributeValue], type: String) throws {
    #expect(try Self.statistics(values)["type"] as? String == type)
  }

  @Test(arguments: [1_000, 262_144, 300_000, 2_000_000])
  func `Different values are counted in bounded memory`(count: Int) {
    var distinct = DistinctCount()
    for round in 0..<2 {
      for number in 0..<count {
        distinct.add(.whole(Int128(number)))
        if round == 1, number > 5_000 { break }
      }
    }
    #expect(distinct.isEstimate == (count > DistinctCount.most))
    if distinct.isEstimate {
      #expect(abs(distinct.value - count) < count / 50)
      #expect(distinct.words.hasPrefix("about "))
    } else {
      #expect(distinct.value == count)
    }
  }

  /// Texts that differ in a digit or in their length, as identifiers do, and numbers beside them.
  @Test(arguments: Seeds.some(3))
  func `No two values are taken for one`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var distinct = DistinctCount()
    var texts = Set<String>()
    let heads = ["", "a", "way/", "0000000", "identifier of a place, number "]
    for number in 0..<20_000 {
      for head in heads { texts.insert("\(head)\(number)") }
      texts.insert(String(UInt64.random(in: 0...(.max), using: &random), radix: 36))
    }
    for var text in texts {
      text.withUTF8 { distinct.add($0, kind: AttributeKind.string.rawValue) }
    }
    #expect(distinct.value == texts.count)
    for number in -20_000..<20_000 { distinct.add(.real(Double(number) / 8)) }
    for number in -2_500..<2_500 { distinct.add(.whole(Int128(number))) }
    #expect(distinct.value == texts.count + 40_000)
  }

  @Test(arguments: Seeds.some(20))
  func `The least and the greatest value are those of all`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = (0..<60).map { _ in
      String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          "abcé".randomElement(using: &random) ?? "a"
        })
    }
    let told = try #require(Self.figures(texts.map { .string($0) }))
    let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(told.least == sorted.first && told.greatest == sorted.last)
    let numbers = (0..<60).map { _ in
      Bool.random(using: &random)
        ? "900719925474099\(Int.random(in: 0...9, using: &random))"
        : "\(Double.random(in: -9...9, using: &random))"
    }
    let figures = try #require(Self.figures(numbers.map { .number($0) }))
    let ordered = numbers.sorted { (Number($0) ?? .real(0)) < (Number($1) ?? .real(0)) }
    #expect(figures.least == ordered.first && figures.greatest == ordered.last)
  }

  /// The figures of a column of some values.
  private static func figures(_ values: [AttributeValue]) -> ColumnStatistics? {
    let layers = editor(values).document.layers.compactMap { $0 as? any FeatureHolding }
    return ColumnStatistics.columns(["v"], of: layers).first
  }

  @Test func `The histogram has all numbers, those at the ends too`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let powers: [Double] = [1, 1e300, 1e-300, 1.7e308]
      let power: Double = powers[Int.random(in: 0..<powers.count, using: &random)]
      var numbers = NumberStatistics()
      let reals = (0..<Int.random(in: 2...40, using: &random)).map { _ in
        Double.random(in: -1...1, using: &random) * power
      }
      for real in reals { numbers.add(.real(real)) }
      let bars = numbers.histogram
      if Set(reals).count > 1 {
        #expect(bars.reduce(0) { $0 + $1.count } == reals.count)
        #expect(bars.first?.from == reals.min() && bars.last?.to == reals.max())
      }
    }
  }

  @Test func `Enter in the panel selects the features with the value`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("column set capital := name == 'Beta' or name == 'Gamma' or name == 'Delta'")
    try editor.run("frequency capital")
    #expect(editor.desk.mode.name == "frequency")
    #expect(editor.desk.frequencies?.table.rows.map(\.count) == [3, 1])
    try editor.press("j<ret>")
    #expect(editor.selected == ["Alpha"])
    #expect(editor.desk.mode == .normal)
    try editor.run("frequency capital")
    try editor.press("Gg<ret>")
    #expect(Set(editor.selected) == ["Beta", "Gamma", "Delta"])
    try editor.run("frequency capital")
    try editor.press("<esc>")
    #expect(editor.desk.frequencies == nil)
  }

  @Test func `Text tells the figures, and a wrong name the likely ones`() throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("statistics pop")
    let lines =
      editor.effects.lazy.compactMap { effect -> [String]? in
        if case .print(let lines) = effect { lines } else { nil }
      }.first ?? []
    #expect(lines.contains("  sum         1.234567890123457e+19"))
    #expect(lines.contains("  type        real"))
    #expect(lines.contains { $0.contains("#") })
    let error = #expect(throws: EditingError.self) { try editor.run("statistics popp") }
    #expect(error?.message.contains("did you mean “pop”?") == true)
  }

  @Test(arguments: [
    ("csv", "name,n\nAlpha,2\nBeta,2\nGamma,2\nDelta,2\n"),
    (
      "markdown",
      "| name | n |\n| --- | --: |\n| Alpha | 2 |\n| Beta | 2 |\n| Gamma | 2 |\n| Delta | 2 |\n"
    ),
  ])
  func `The shown features of the layer are copied as text`(form: String, text: String) throws {
    var editor = Editor()
    try editor.run("layer towns")
    try editor.run("copy --as \(form) --fields name,n=1+1")
    #expect(Self.copied(editor) == text)
    #expect(editor.message == "4 features copied as \(form)")
  }

  @Test func `The selection is copied as well-known text and as GeoJSON`() throws {
    var editor = Editor()
    try editor.run("go name Beta")
    try editor.run("yank --as wkt")
    #expect(Self.copied(editor) == "POINT (2 8)\n")
    editor.effects = []
    try editor.run("yank --as geojson --fields name,twice=pop*2")
    let text = try #require(Self.copied(editor))
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let features = try #require(json?["features"] as? [[String: Any]])
    let properties = try #require(features.first?["properties"] as? [String: Any])
    #expect(features.count == 1 && properties.count == 2)
    #expect(properties["name"] as? String == "Beta" && properties["twice"] as? Int == 500)
  }

  private static func copied(_ editor: Editor) -> String? {
    editor.effects.lazy.compactMap {
      if case .setClipboard(let text) = $0 { text } else { nil }
    }.first
  }
}
