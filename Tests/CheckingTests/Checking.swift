import PortolanChecking
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange

/// Checks of texts, for all suites.
enum Checking {
  static func check(_ text: String, isOfLines: Bool = false) throws -> FindingList {
    try check(Array(text.utf8), isOfLines: isOfLines)
  }

  static func check(_ bytes: [UInt8], isOfLines: Bool = false) throws -> FindingList {
    var options = CheckOptions()
    options.isOfLines = isOfLines
    return try MapText(bytes).check(options).list
  }

  /// The codes of the findings, in their order.
  static func codes(_ text: String, isOfLines: Bool = false) throws -> [String] {
    try check(text, isOfLines: isOfLines).findings.map(\.code.rawValue)
  }

  /// The codes of a severity or worse.
  static func codes(_ bytes: [UInt8], least: Severity) throws -> [String] {
    try check(bytes).findings.filter { $0.severity >= least }.map(\.code.rawValue)
  }

  static func repaired(_ bytes: [UInt8]) throws -> RepairedText {
    try MapRepair.repair(MapText(bytes), CheckOptions())
  }

  /// The layer of a GeoJSON text.
  static func layer(_ text: String) throws -> any FeatureHolding {
    let result = try GeoJSONFormat().read(
      Array(text.utf8), options: ImportOptions(name: "map"), progress: { _ in })
    var layers = result.layers.compactMap { $0 as? any FeatureHolding }
    return layers.removeFirst()
  }

  static func document(_ text: String) throws -> Document {
    var document = Document()
    document.layers = [try layer(text)]
    return document
  }

  /// A polygon as text.
  static func polygon(_ rings: [[(Double, Double)]]) -> String {
    let texts = rings.map { ring in
      "[" + ring.map { "[\($0.0), \($0.1)]" }.joined(separator: ", ") + "]"
    }
    return "{\"type\": \"Polygon\", \"coordinates\": [" + texts.joined(separator: ", ") + "]}"
  }

  static func feature(_ geometry: String, _ properties: String = "null") -> String {
    "{\"type\": \"Feature\", \"properties\": \(properties), \"geometry\": \(geometry)}"
  }

  static func collection(_ features: [String]) -> String {
    "{\"type\": \"FeatureCollection\", \"features\": [\n" + features.joined(separator: ",\n")
      + "\n]}"
  }
}
