import Foundation
import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
import PortolanInterchange
import PortolanTestSupport
import PropertyLists
import Testing

@testable import PortolanEditing

/// A question has one answer, however it is asked: that of Python, which makes the questions.
@Suite struct QuestionLawTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("ExpressionsTests")

  /// A random condition, and the rows for which it holds.
  private struct Case {
    var text: String
    var rows: [Int]
  }

  @Test func `Stored conditions choose the same features everywhere`() throws {
    let data = try Data(contentsOf: Self.folder.appendingPathComponent("cases.json"))
    #expect(try judge(data) > 100)
  }

  /// Half of the random expressions are conditions.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
    arguments: Seeds.some(1))
  func `A thousand random conditions choose the same features everywhere`(seed: UInt64) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      Self.folder.appendingPathComponent("oracle.py").path, String(seed), "2400",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(try judge(data) >= 1_000)
  }

  private static let places = PythonOracle("../ExpressionsTests/oracle_places.py")

  /// The same with conditions on how features lie to others.
  @Test(
    .enabled(if: places.isPresent, "PORTOLAN_PYTHON has not both shapely and geographiclib"),
    arguments: Seeds.some(1))
  func `A thousand conditions with places choose the same features everywhere`(
    seed: UInt64
  ) throws {
    let made = try #require(try Self.places.lines(seed: seed, count: 2_400).first)
    #expect(try judge(Data(made.utf8)) >= 1_000)
  }

  /// Asks all conditions in every way; returns how many there are.
  private func judge(_ data: Data) throws -> Int {
    let read = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let columns = try #require(read["columns"] as? [String: [Any]])
    let cases = try #require(read["cases"] as? [[String: Any]]).compactMap(Self.condition)
    var editor = Editor(try document(columns, read["layers"] as? [String: Any] ?? [:]))
    try editor.run("layer table")
    let document = editor.document
    let layer = try #require(editor.desk.activeLayer)
    let stored = try DocumentArchive.bytes(of: document)
    for item in cases {
      let asked = QuestionedLayers([layer], in: document)
      guard (try? asked.condition(item.text)) != nil else { continue }
      var query = LayerQuery()
      (query.condition, query.fields) = (item.text, "row")
      var tally = Tally()
      let table = try query.table(of: asked, &tally)
      #expect(table.rows.compactMap { Int($0[0].text) } == item.rows, "query \(item.text)")

      var option = WhereOption()
      option.condition = TextArgument(argument: item.text)
      let features = try option.features(of: [layer], in: document, telling: &editor.desk)
      #expect(rows(Array(features ?? []), document) == item.rows, "--where \(item.text)")
      try judge(item.text, of: document, layer, stored)

      try? editor.run("select none")
      try? editor.run("select where \(item.text)")
      #expect(rows(editor.desk.selection.features, document) == item.rows, "where \(item.text)")

      try editor.run("filter \(item.text)")
      let shown = try #require(editor.desk.shownDocument.layers[0] as? FeatureLayer)
      let left = shown.blocks.flatMap { block in
        block.featureIDs.map { FeatureReference(layer: layer, feature: $0) }
      }
      #expect(rows(left, document) == item.rows, "filter \(item.text)")
      try editor.run("filter --off")
    }
    return cases.count
  }

  /// A stored document that was read for a condition gives the same features, and leaves out the
  /// same, as the whole one: also from what blocks keep of it.
  private func judge(
    _ text: String, of document: Document, _ layer: LayerID, _ stored: [UInt8]
  ) throws {
    let expression = try Expression(text)
    guard let condition = BlockCondition(expression) else { return }
    let part = try #require(DocumentArchive.open(stored.randomAccess, for: .holding(condition)))
    var tallies = [Tally(), Tally()]
    let found = [document, part].enumerated().map { index, document in
      QuestionedLayers([layer], in: document).choice(where: expression, &tallies[index])
    }
    #expect(found[0] == found[1], "stored, \(text)")
    #expect(tallies[0] == tallies[1], "stored, \(text)")
  }

  private func rows(_ features: [FeatureReference], _ document: Document) -> [Int] {
    features.compactMap { feature in
      document.feature(feature)?.attributes.first { $0.name == "row" }.flatMap {
        Int($0.value.text)
      }
    }.sorted()
  }

  private static func condition(_ item: [String: Any]) -> Case? {
    guard let text = item["text"] as? String, let values = item["values"] as? [Any],
      values.allSatisfy({ $0 is NSNull || $0 is Bool }), values.contains(where: { $0 is Bool })
    else { return nil }
    return Case(text: text, rows: values.indices.filter { values[$0] as? Bool == true })
  }

  /// A layer `table` of the columns, and the others; its shapes are points where none are given.
  private func document(
    _ columns: [String: [Any]], _ others: [String: Any]
  ) throws -> Document {
    var document = Document()
    var read: [String: [FeatureLayer]] = [:]
    for (name, collection) in others {
      let text = try JSONSerialization.data(withJSONObject: collection)
      read[name] = try GeoJSONFormat().read(
        [UInt8](text), options: ImportOptions(name: name), progress: { _ in }
      ).layers.compactMap { $0 as? FeatureLayer }
    }
    let shapes = read.removeValue(forKey: "table")?.first.map { layer in
      layer.blocks.flatMap { block in
        (0..<block.rowCount).map { block.geometry.geometry(ofFeature: $0) }
      }
    }
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "table",
      style: .standard(forDimension: 0, index: 0))
    let sorted = columns.sorted { $0.key < $1.key }
    for row in 0..<(sorted.first?.value.count ?? 0) {
      let attributes = sorted.map { ($0.key, Self.value($0.value[row])) }
      _ = layer.add(
        geometry: shapes?[row] ?? .point(Coordinate(x: Double(row), y: 0)),
        attributes: attributes + [("row", .number("\(row)"))])
    }
    document.layers = [layer]
    for name in read.keys.sorted() { document.add(read[name] ?? [], hasLooks: false) }
    return document
  }

  private static func value(_ any: Any) -> AttributeValue {
    if let tagged = any as? [String: String] {
      if let text = tagged["t"] { return .string(text) }
      if let whole = tagged["i"] { return .number(whole) }
      if let real = tagged["r"].flatMap({ Double($0) }) { return .number("\(real)") }
    }
    if let truth = any as? Bool { return .bool(truth) }
    return .null
  }
}
