@testable import PortolanInterchange

/// Where the features stand in a JSON text.
struct JSONItems {
  private(set) var features: [Range<Int>] = []

  init(_ bytes: [UInt8]) {
    var (depth, start, place) = (0, 0, 0)
    var lastText = ""
    var featuresDepth: Int?
    var roots: [Range<Int>] = []
    var items: [Range<Int>] = []
    var itemStart = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        let textStart = place + 1
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        if depth == 1, place < bytes.count {
          lastText = String(decoding: bytes[textStart..<place], as: UTF8.self)
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 0 { start = place }
        if depth == 1, bytes[place] == UInt8(ascii: "["), lastText == "features" {
          featuresDepth = 2
        }
        if depth == 2, featuresDepth == 2 { itemStart = place }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 2, featuresDepth == 2 { items.append(itemStart..<place + 1) }
        if depth == 1 { featuresDepth = nil }
        if depth == 0 { roots.append(start..<place + 1) }
      default: break
      }
      place += 1
    }
    features = items.isEmpty ? roots : items
  }
}

/// Where the records stand in a table, each with the end of its line.
struct TableItems {
  private(set) var records: [Range<Int>] = []

  init(_ bytes: [UInt8]) {
    var scanner = CSVScanner(bytes, separator: CSVScanner.separator(of: bytes))
    _ = try? scanner.nextRecord()
    var start = scanner.position
    while (try? scanner.nextRecord()) ?? nil != nil {
      records.append(start..<scanner.position)
      start = scanner.position
    }
  }
}
