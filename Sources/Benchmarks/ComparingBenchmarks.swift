import PortolanComparing
import PortolanDocuments
import PortolanInterchange

/// What comparing and merging two edits of 28,000 features costs, from bytes to bytes.
struct ComparingBenchmarks: BenchmarkSuite {
  let name = "comparing"

  private static let count = 28_000

  func run() throws {
    for (words, hasIDs) in [("with ids", true), ("without ids", false)] {
      let base = Self.file(hasIDs) { _ in 0 }
      let ours = Self.file(hasIDs) { $0 % 20 == 1 ? 1 : 0 }
      let theirs = Self.file(hasIDs) { $0 % 20 == 2 ? 2 : $0 % 20 == 1 ? 3 : 0 }
      var conflicts = 0
      let merging = try medianSeconds(5) {
        var merge = MapMerge(
          base: try MapText(base), ours: try MapText(ours), theirs: try MapText(theirs))
        let merged = try merge.merged()
        conflicts = merge.conflicts.count
        return merged
      }
      print(
        "comparing: merge two edits of \(Self.count) features \(words), \(conflicts) conflicts: "
          + milli(merging))
      let documents = try [base, ours].map(Self.document)
      var changes = 0
      let comparing = try medianSeconds(5) {
        let difference = try MapDifference(from: documents[0], to: documents[1])
        changes = difference.count(.changed)
        return difference
      }
      print("comparing: \(changes) changes of \(Self.count) features \(words): \(milli(comparing))")
      let patching = medianSeconds(5) { TextPatch(from: base, to: ours) }
      print("comparing: the exchanges of bytes between them: \(milli(patching))")
    }
  }

  private static func document(_ bytes: [UInt8]) throws -> Document {
    let result = try GeoJSONFormat().read(bytes, options: ImportOptions(name: "map")) { _ in }
    var document = Document()
    document.layers = result.layers
    return document
  }

  /// A file of areas with some attributes each; an edit of 0 changes nothing, 1 an attribute, 2 a
  /// vertex, 3 another attribute.
  private static func file(_ hasIDs: Bool, _ edit: (Int) -> Int) -> [UInt8] {
    var text = "{\"type\":\"FeatureCollection\",\"features\":[\n"
    for index in 0..<count {
      let (x, y) = (Double(index % 340) - 170, Double(index / 340) - 41)
      let edit = edit(index)
      text += index == 0 ? "" : ",\n"
      text += "{\"type\":\"Feature\",\(hasIDs ? "\"id\":\(index)," : "")\"properties\":{"
      text += "\"name\":\"place \(index)\",\"pop\":\(edit == 1 ? -index : index * 13),"
      text += "\"zone\":\"\(edit == 3 ? "Europe/Oslo" : "Asia/Tokyo")\",\"height\":\(index % 900)},"
      text += "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[\(x),\(y)],[\(x + 0.9),\(y)],"
      text += "[\(x + 0.9),\(y + (edit == 2 ? 0.8 : 0.9))],[\(x),\(y + 0.9)],[\(x),\(y)]]]}}"
    }
    return Array((text + "\n]}\n").utf8)
  }
}
