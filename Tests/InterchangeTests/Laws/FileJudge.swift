import PortolanDocuments

@testable import PortolanInterchange

/// Judges whether bytes are a file of a format, without the format's own reader.
enum FileJudge {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The fault of a file; `nil` if it is one of the format.
  static func fault(in bytes: [UInt8], of format: any FileFormat) -> String? {
    let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
    switch format.name {
    case "geojson":
      let text = trimmed(bytes[...])
      guard isJSON(text) else { return "no JSON text" }
      return bareItem(text) ? "a geometry among the features" : nil
    case "ndjson":
      let lines = bytes.split(separator: 0x0A).map(trimmed).filter { !$0.isEmpty }
      return lines.first { !isJSON($0) }.map {
        "no JSON line: " + String(decoding: $0, as: UTF8.self)
      }
    case "geojsonseq":
      if trimmed(bytes[...]).isEmpty { return nil }
      guard trimmed(bytes[...]).first == 0x1E else { return "no separator at the beginning" }
      let texts = bytes.split(separator: 0x1E).map(trimmed).filter { !$0.isEmpty }
      return texts.first { !isJSON($0) }.map {
        "no JSON text: " + String(decoding: $0, as: UTF8.self)
      }
    default:
      var scanner = CSVScanner(bytes, separator: format.name == "tsv" ? 0x09 : 0x2C)
      var counts: Set<Int> = []
      while let record = try? scanner.nextRecord() { counts.insert(record.count) }
      return counts.count > 1 ? "records of \(counts.sorted()) fields" : nil
    }
  }

  private static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
    Array(text).withUnsafeBufferPointer { JSONText.isValue($0) }
  }

  /// Whether a collection has a geometry among its features.
  private static func bareItem(_ text: ArraySlice<UInt8>) -> Bool {
    guard let layer = try? Sample.read(Array(text)).featureLayers[0] else { return false }
    return layer.source.root == .featureCollection
      && layer.blocks.contains { block in
        block.shapeIndices.contains { block.shapes[Int($0)].members.isEmpty }
      }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let start = text.drop { spaces.contains($0) }
    return start[...(start.lastIndex { !spaces.contains($0) } ?? start.startIndex - 1)]
  }
}
