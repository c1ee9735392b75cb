import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// The kinds of the columns of a table, which depend on all of its records.
@Suite struct TableColumnTests {
  private struct Column: Hashable {
    var name: String
    var kinds: [UInt8]
    var ends: [UInt32]
    var bytes: [UInt8]

    init(_ column: AttributeColumn) {
      (name, kinds, ends, bytes) = (column.name, column.kinds, column.ends, column.bytes)
    }
  }

  private static func columns(_ text: String) throws -> (columns: [[Column]], words: String) {
    let result = try CSVFormat.comma.read(
      Array(text.utf8), options: ImportOptions(name: "table")
    ) { _ in }
    let layer = try #require(result.featureLayers.first)
    let columns = layer.blocks.map { block in
      ([block.identifiers] + block.attributes).map { Column($0) }
    }
    let words = layer.source.whitespace.replacing("sep=3B", with: "sep=2C")
    return (columns, words)
  }

  /// Records of which some columns hold numbers up to one that does not.
  private static func table(seed: UInt64, rows: Int) -> [[String]] {
    var random = SeededGenerator(seed: seed)
    let breaks = (0..<5).map { _ in Int.random(in: 0...2 * rows, using: &random) }
    return (0..<rows).map { row in
      breaks.map { place in
        if Int.random(in: 0..<9, using: &random) == 0 { return "" }
        if row == place {
          return ["x", "\"7\"", "007", "1 2"].randomElement(using: &random) ?? "x"
        }
        return String(Int.random(in: -99...99, using: &random))
      }
    }
  }

  @Test(arguments: Seeds.some(6))
  func `One pass finds the kinds that two passes find`(_ seed: UInt64) throws {
    let rows = seed % 3 == 0 ? 1_300 : 40
    let header = ["id", "lon", "lat", "n", "note"]
    let records = [header] + Self.table(seed: seed, rows: rows)
    func text(_ separator: String) -> String {
      records.map { $0.joined(separator: separator) + "\n" }.joined()
    }
    let (one, oneWords) = try Self.columns(text(","))
    let (two, twoWords) = try Self.columns(text(";"))
    #expect(one == two, "seed \(seed)")
    #expect(oneWords == twoWords, "seed \(seed)")
  }

  @Test func `A text in the last record makes texts of all numbers before it`() throws {
    let rows = (0..<1_500).map { "\($0),1,2,\($0)\n" }.joined()
    let (columns, _) = try Self.columns("id,lon,lat,n\n" + rows + "a,1,2,b\n")
    #expect(columns.count == 2)
    for column in columns.flatMap({ $0.dropFirst() }) {
      #expect(column.kinds.allSatisfy { $0 == AttributeKind.string.rawValue }, "\(column.name)")
    }
  }
}
