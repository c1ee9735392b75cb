import Foundation
import Testing

/// Every source format as every target format, by name and by ending, from files and from documents:
/// what is written is a file of the target with the same features.
@Suite struct FormatMatrixTests {
  private static let features = [
    #"{"type":"Feature","properties":{"name":"a, b"},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
    #"{ "type": "Feature", "id": 7, "properties": { "name": "é" }, "geometry": { "type": "LineString","#
      + #" "coordinates": [ [ 0.50, 1 ], [ 2, 3.25 ] ] } }"#,
    #"{"type":"Feature","properties":{"name":"none"},"geometry":null}"#,
  ]

  private static let sources: [(name: String, text: String)] = [
    ("s.geojson", #"{"type":"FeatureCollection","features":["# + list(",\n") + "]}\n"),
    ("single.geojson", features[0]), ("bare.json", #"{"type":"Point","coordinates":[1,2]}"#),
    ("s.ndjson", list("\n") + "\n"), ("crlf.geojsonl", list("\r\n") + "\r\n"),
    ("s.jsonl", list("\n")), ("inside.geojson", list("\n") + "\n"),
    ("mixed.ndgeojson", "{\"type\":\"Point\",\"coordinates\":[1,2]}\n\(features[1])\n"),
    (
      "wide.ndjson",
      features[0].replacingOccurrences(of: ",\"", with: ",\n\"") + "\n\(features[1])\n"
    ),
    ("s.geojsons", features.map { "\u{1E}\($0)\n" }.joined()),
    ("s.csv", "name,lon,lat\n\"a, b\",1,2\né,3.50,4\n"),
    ("s.tsv", "wkt\tname\nPOINT (1 2)\ta\n\"LINESTRING (0 0, 1 1)\"\tb\n"),
  ]

  private static func list(_ separator: String) -> String { features.joined(separator: separator) }

  private static let targets = [
    ["geojson", "json"], ["ndjson", "geojsonl", "jsonl", "ndgeojson"], ["geojsons", "geojsonseq"],
    ["csv"], ["tsv"],
  ]

  @Test(arguments: sources)
  func `What is written is a file of the target`(name: String, text: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(text, to: name)
    #expect(try program.run(["import", name, "-o", "s.doc"]).status == 0)
    let count = try program.run(["export", name, "--format", "ndjson"]).output
      .split(whereSeparator: \.isNewline).count
    for (number, input) in [name, "s.doc"].enumerated() {
      for target in Self.targets {
        // Each ending is tried, half of them with each kind of input.
        let ending = target[number % target.count]
        try expectFile(program, ["export", input, "--format", ending], ending, count)
        try expectFile(program, ["export", input, "-o", "out.\(ending)", "-f"], ending, count)
        if ["csv", "tsv"].contains(ending) { continue }
        try expectFile(program, ["export", input, "--format", ending, "--rfc7946"], ending, count)
      }
    }
  }

  private func expectFile(
    _ program: Program, _ arguments: [String], _ ending: String, _ count: Int
  ) throws {
    let result = try program.run(arguments)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
    let text = arguments.contains("-o") ? try program.read("out.\(ending)") : result.output
    #expect(try Self.count(text, ending) == count, "\(arguments): \(text)")
  }

  /// The number of features in a file, as a strict reader of its format finds them.
  private static func count(_ text: String, _ ending: String) throws -> Int {
    switch ending {
    case "geojson", "json":
      let root = try object(text)
      guard let features = root["features"] as? [[String: Any]] else { return 1 }
      return features.count { $0["type"] as? String == "Feature" }
    case "csv", "tsv": return text.split(whereSeparator: \.isNewline).count - 1
    case "geojsons", "geojsonseq":
      // A text between separators may be of several lines (RFC 8142).
      #expect(text.isEmpty || text.hasPrefix("\u{1E}"))
      let texts = text.split(separator: "\u{1E}")
      for text in texts { _ = try object(String(text)) }
      return texts.count
    default:
      let lines = text.split(whereSeparator: \.isNewline)
      for line in lines { _ = try object(String(line)) }
      return lines.count
    }
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
