import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Commands at random on one file of map data that is saved back: shapes that are moved, drawn and
/// deleted, vertices and attributes. `PORTOLAN_LAWS=N` for N files of each kind.
@Suite struct DataFileLawTests {
  private typealias Seat = GuardingTests.Seat

  /// What is said of a feature, whatever document it is in.
  private struct Values: Hashable {
    var geometry: Geometry
    var attributes: [String: AttributeValue]
    var identifier: AttributeValue

    init(_ feature: Feature) {
      geometry = feature.geometry
      identifier = feature.identifier
      attributes = [:]
      for attribute in feature.attributes where attribute.value != .missing {
        attributes[attribute.name] = attribute.value
      }
    }

    /// The same with rings in one of the two ways round: an edited polygon is written by the rules.
    var wound: Values {
      var values = self
      guard geometry.kind == .polygon || geometry.kind == .multiPolygon else { return values }
      for index in geometry.paths.indices {
        let vertices = geometry.paths[index].vertices
        let (there, back) = (
          vertices.map { [$0.x, $0.y] }, vertices.reversed().map { [$0.x, $0.y] }
        )
        if back.lexicographicallyPrecedes(there, by: { $0.lexicographicallyPrecedes($1) }) {
          values.geometry.paths[index].vertices = vertices.reversed()
        }
      }
      return values
    }
  }

  private func features(_ document: Document) -> [(id: FeatureID, values: Values)] {
    document.layers.compactMap { $0 as? FeatureLayer }.flatMap { layer in
      layer.blocks.flatMap { block in
        (0..<block.rowCount).map { row in
          let feature = block.feature(row: row)
          return (feature.id, Values(feature))
        }
      }
    }
  }

  @Test(arguments: ["geojson", "geojsonl", "csv", "tsv"])
  func `What is saved is read again, what was not edited keeps its line, undo gives the file back`(
    ending: String
  ) throws {
    var (savedCount, lossyCount) = (0, 0)
    for seed in Seeds.some(12) {
      var random = RandomFile(seed: seed, ending: ending)
      let path = "/m/f.\(ending)"
      let original = random.text()
      let files = MemoryFileSystem(files: [path: Array(original.utf8)])
      var seat = Seat(files)
      try seat.run("open \(path)")
      let context = "\(ending), seed \(seed)"
      let before = features(seat.desk.document)
      #expect(before.count == random.rowCount, "\(context)")
      var isLossy = false
      // A feature that an edit changed and another changed back is written anew.
      var changed: Set<FeatureID> = []
      for _ in 0..<4 {
        for _ in 0..<random.number(1...6) {
          random.edit(&seat)
          changed.formUnion(changes(from: before, to: features(seat.desk.document)))
        }
        try finish(&seat)
        changed.formUnion(changes(from: before, to: features(seat.desk.document)))
        if try save(&seat) {
          isLossy = true
          lossyCount += 1
          continue
        }
        if isLossy { continue }
        savedCount += 1
        let text = String(decoding: try files.read(path, limit: 1 << 20), as: UTF8.self)
        var reader = Seat(files, guards: false, process: 2, keeps: false)
        try reader.run("open \(path)")
        let saved = features(seat.desk.document)
        let read = features(reader.desk.document)
        #expect(saved.map(\.values.wound) == read.map(\.values.wound), "\(context): \(text)")
        let kept = before.map { (feature: $0.id, isKept: !changed.contains($0.id)) }
        expectLines(kept, of: original, in: text, context)
      }
      while seat.desk.history.canUndo { try seat.run("undo") }
      #expect(features(seat.desk.document).map(\.values) == before.map(\.values), "\(context)")
      if try save(&seat) || isLossy { continue }
      let last = String(decoding: try files.read(path, limit: 1 << 20), as: UTF8.self)
      #expect(last == original, "\(context)")
    }
    #expect(savedCount > lossyCount, "\(ending): \(savedCount) saved, \(lossyCount) with losses")
  }

  /// Ends what is being drawn or carried, so that the document is what will be read.
  private func finish(_ seat: inout Seat) throws {
    try? seat.run("finish")
    if seat.desk.draft != nil { try? seat.run("discard-draft") }
    try seat.press("<esc><esc>")
  }

  /// - Returns: whether the file has no place for something.
  private func save(_ seat: inout Seat) throws -> Bool {
    try seat.run("save")
    let isLossy = seat.desk.question != nil
    if isLossy { try seat.press("l") }
    #expect(!seat.desk.isEdited, "\(seat.message)")
    return isLossy || seat.message.contains("not in the file")
  }

  /// The features that are not as they were.
  private func changes(
    from before: [(id: FeatureID, values: Values)], to after: [(id: FeatureID, values: Values)]
  ) -> [FeatureID] {
    let now = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.values) })
    return before.filter { now[$0.id] != $0.values }.map(\.id)
  }

  /// Features that were never changed stand in a line that is as it was.
  private func expectLines(
    _ features: [(feature: FeatureID, isKept: Bool)], of original: String, in text: String,
    _ context: String
  ) {
    let lines = RandomFile.lines(original)
    let present = RandomFile.lines(text)
    guard lines.count == features.count else {
      Issue.record("\(context): \(lines.count) lines, \(features.count) features")
      return
    }
    // A new column stands in each record of a table.
    if RandomFile.head(original) != RandomFile.head(text) { return }
    for ((_, isKept), line) in zip(features, lines) where isKept {
      // A file of one feature does not show what stands between two: they share its line.
      let isShared = context.hasPrefix("geojson,") && lines.count == 1
      let isKept = present.contains(line) || isShared && text.contains(line)
      #expect(isKept, "\(context): \(line) is not in \(text)")
    }
  }
}

/// A file of map data with a line for each feature, and edits of it, made of a seed.
private struct RandomFile {
  private var random: SeededGenerator
  private let ending: String
  let rowCount: Int

  init(seed: UInt64, ending: String) {
    random = SeededGenerator(seed: seed)
    self.ending = ending
    rowCount = Int.random(in: 1...9, using: &random)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  // MARK: The file

  mutating func text() -> String {
    switch ending {
    case "geojson":
      let gap = pick(["", " "])
      return "{\(gap)\"type\":\(gap)\"FeatureCollection\",\(gap)\"features\":\(gap)[\n"
        + (0..<rowCount).map { feature($0) }.joined(separator: ",\n") + "\n]}\n"
    case "geojsonl": return (0..<rowCount).map { feature($0) + "\n" }.joined()
    default: return table(separator: ending == "tsv" ? "\t" : pick([",", ";"]))
    }
  }

  private mutating func feature(_ row: Int) -> String {
    let coordinates = (0..<4).map { _ in "[\(number(-80...80)).\(pick(["5", "25", "50"])),\(row)]" }
    let geometry =
      switch number(0...3) {
      case 0: "{\"type\":\"Point\",\"coordinates\":\(coordinates[0])}"
      case 1: "{\"type\":\"LineString\",\"coordinates\":[\(coordinates[0]),\(coordinates[1])]}"
      case 2:
        "{\"coordinates\":[[\(coordinates[0]),\(coordinates[1]),[3.50,70],\(coordinates[0])]],"
          + "\"type\":\"Polygon\"}"
      default: "{\"type\":\"MultiPoint\",\"coordinates\":[\(coordinates.joined(separator: ", "))]}"
      }
    let head = pick(["", "\"id\":\(row),", "\"id\": \"x\(row)\", "])
    let tail = pick(["", ",\"note\":null", ", \"n\": 1.50", ",\"tags\":[1, 2]"])
    return "{\"type\":\"Feature\",\(head)\"properties\":{\"name\":\"N\(row)\"\(tail)},"
      + "\"geometry\":\(geometry)}"
  }

  private mutating func table(separator: String) -> String {
    let isText = number(0...2) == 0
    let places = isText ? ["wkt"] : pick([["lon", "lat"], ["y", "x"]])
    let columns = ["name"] + (number(0...1) == 0 ? places + ["n"] : ["n"] + places)
    let decimals = pick(["5", "25", "50"])
    var lines = [columns.joined(separator: separator)]
    for row in 0..<rowCount {
      let fields = columns.map { column in
        switch column {
        case "name": "N\(row)"
        case "n": "\(number(0...99))"
        case "wkt": pick(["POINT (\(row) 2.5)", "POINT (1 \(number(3...70)))"])
        default: "\(number(-80...80)).\(decimals)"
        }
      }
      lines.append(fields.joined(separator: separator))
    }
    let newline = pick(["\n", "\r\n"])
    return lines.map { $0 + newline }.joined()
  }

  /// The lines that hold features, without what separates them.
  static func lines(_ text: String) -> [String] {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      String(line.hasSuffix(",") ? line.dropLast() : line)
    }
    return text.hasPrefix("name")
      ? Array(lines.dropFirst()) : lines.filter { $0.contains("\"Feature\"") }
  }

  /// The names of the columns of a table.
  static func head(_ text: String) -> Substring? {
    text.hasPrefix("name") ? text.split(whereSeparator: \.isNewline).first : nil
  }

  // MARK: Edits

  /// Runs a command or some; what is refused changes nothing.
  mutating func edit(_ seat: inout GuardingTests.Seat) {
    let isTable = ending == "csv" || ending == "tsv"
    let kinds = isTable ? ["point"] : ["point", "line", "polygon"]
    try? seat.run("go name N\(number(0...rowCount - 1))")
    switch number(0...9) {
    case 0, 1: try? seat.run("move --by \(number(-9...9)).5,0.\(number(1...9))")
    case 2: try? seat.run("delete")
    case 3, 4:
      let kind = pick(kinds)
      try? seat.run("escape")
      try? seat.run("draw \(kind)")
      for _ in 0..<(kind == "point" ? 1 : number(2...4)) {
        try? seat.run("put \(number(0...80)).\(number(0...999)) \(number(0...80))")
      }
      try? seat.run("finish")
    case 5: try? seat.press(pick(["]vd", "]v]vm3ljj<ret>", "[vd", "]va"]))
    case 6: try? seat.run("set name=N\(number(0...20))")
    case 7: try? seat.run(pick(["set n=\(number(0...999))", "unset n", "set new=word"]))
    case 8: try? seat.run(pick(["undo", "undo", "redo"]))
    default:
      try? seat.run("select all")
      try? seat.run("move --by 1,1")
    }
  }
}
