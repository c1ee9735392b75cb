import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanPrinting
import PortolanTexts

extension DocumentDescription {
  /// The description as one JSON object: the sentences, and the facts behind them.
  package var json: String {
    let members: [(name: String, value: String)] = [
      ("file", SafeJSON.string(FilePath.shown(file))),
      ("sentences", SafeJSON.array(sentences.map(SafeJSON.string))),
      ("title", SafeJSON.string(metadata.title)),
      ("coordinateSystem", SafeJSON.string(metadata.coordinateSystem.name)),
      ("units", SafeJSON.string(metadata.units)),
      ("features", String(layers.reduce(0) { $0 + $1.features })),
      ("extent", Self.json(extent)),
      ("longitudes", longitudes.map { Self.json([$0.west, $0.east]) } ?? "null"),
      ("countries", census.map(Self.json) ?? "null"),
      ("layers", SafeJSON.array(layers.map(Self.json))),
      ("oddities", SafeJSON.array(oddities.map(SafeJSON.string))),
    ]
    return SafeJSON.object(members) + "\n"
  }

  private static func json(_ census: CountryCensus) -> String {
    SafeJSON.object([
      ("sampled", String(census.sampled)), ("isSample", census.isSample ? "true" : "false"),
      ("elsewhere", String(census.elsewhere)),
      (
        "found",
        SafeJSON.array(
          census.countries.map {
            SafeJSON.object([("name", SafeJSON.string($0.name)), ("features", String($0.count))])
          })
      ),
    ])
  }

  private static func json(_ layer: LayerFacts) -> String {
    let kinds = layer.kinds.map { ($0.kind.name ?? "none", String($0.count)) }
    let attributes = layer.columns.map { column in
      SafeJSON.object([("name", SafeJSON.string(column.name))] + column.members)
    }
    return SafeJSON.object([
      ("name", SafeJSON.string(layer.name)), ("title", SafeJSON.string(layer.title)),
      ("group", layer.isGroup ? "true" : "false"),
      ("visible", layer.isVisible ? "true" : "false"),
      ("locked", layer.isLocked ? "true" : "false"),
      ("features", String(layer.features)), ("vertices", String(layer.vertices)),
      ("kinds", SafeJSON.object(kinds)), ("extent", json(layer.extent)),
      ("attributes", SafeJSON.array(attributes)),
    ])
  }

  private static func json(_ box: Box) -> String {
    box.isEmpty ? "null" : json([box.minX, box.minY, box.maxX, box.maxY])
  }

  private static func json(_ numbers: [Double]) -> String {
    SafeJSON.array(numbers.map(SafeJSON.number))
  }
}
