import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// A desk driven by keys; it keeps what the desk asked for.
struct Editor {
  var desk: Desk
  var effects: [Effect] = []

  init(_ document: Document = .towns, size: CellSize = CellSize(columns: 80, rows: 24)) {
    desk = Desk(document: document, screenSize: size)
    desk.fit(document.extent)
    desk.putCursor(column: desk.mapArea.columns / 2, row: desk.mapArea.rows / 2)
  }

  /// Plays keys and other events in key notation.
  mutating func press(_ keys: String) throws {
    for event in try EventNotation.events(keys) { effects += desk.handle(.terminal(event)) }
  }

  /// Runs a line of the command language.
  mutating func run(_ line: String) throws {
    try desk.run(line: line)
    effects += desk.takeEffects()
  }

  var document: Document { desk.document }
  var message: String { desk.message?.text ?? "" }

  /// A layer by name.
  func layer(_ name: String) -> FeatureLayer? {
    document.layers.first { $0.name == name } as? FeatureLayer
  }

  /// All features of a layer.
  func features(_ name: String) -> [Feature] {
    layer(name)?.blocks.flatMap { block in
      (0..<block.rowCount).map { block.feature(row: $0) }
    } ?? []
  }

  /// An attribute of a feature, found by its name.
  func attribute(_ field: String, of name: String, in layer: String = "towns") -> AttributeValue? {
    features(layer).first { $0.attributes.contains { $0.value == .string(name) } }?
      .attributes.first { $0.name == field }?.value
  }

  /// The names of the selected features.
  var selected: [String] {
    desk.selection.features.compactMap { reference in
      document.feature(reference)?.attributes.first { $0.name == "name" }?.value.text
    }
  }

  /// Puts the cursor on a place.
  mutating func go(_ x: Double, _ y: Double) throws { try run("go to \(x) \(y)") }
}

extension Editor: CustomTestStringConvertible {
  var testDescription: String { "editor (\(desk.mode), “\(message)”)" }
}

extension Document {
  /// Four towns, one road, two fields of which one has a hole.
  static let towns: Document = {
    var document = Document()
    var fields = FeatureLayer(
      id: LayerID(document.makeID()), name: "fields",
      style: .standard(forDimension: 2, index: 0, labelField: "name"))
    _ = fields.add(
      geometry: .polygon([
        [(0, 0), (10, 0), (10, 10), (0, 10)].map(Coordinate.init(pair:)),
        [(4, 4), (4, 6), (6, 6), (6, 4)].map(Coordinate.init(pair:)),
      ]), attributes: [("name", .string("Big")), ("area", .number("96"))])
    _ = fields.add(
      geometry: .polygon([[(5, 5), (20, 5), (20, 15), (5, 15)].map(Coordinate.init(pair:))]),
      attributes: [("name", .string("Small"))])
    var roads = FeatureLayer(
      id: LayerID(document.makeID()), name: "roads", style: .standard(forDimension: 1, index: 1))
    _ = roads.add(
      geometry: .line([(-10, 2), (30, 2), (30, 12)].map(Coordinate.init(pair:))),
      attributes: [("name", .string("Main road")), ("lanes", .number("2"))])
    var towns = FeatureLayer(
      id: LayerID(document.makeID()), name: "towns",
      style: .standard(forDimension: 0, index: 2, labelField: "name"))
    for (name, x, y, population) in [
      ("Alpha", -10.0, 12.0, "1000"), ("Beta", 2.0, 8.0, "250.0"), ("Gamma", 15.0, -4.0, "77"),
      ("Delta", 31.0, 14.0, "12345678901234567890"),
    ] {
      _ = towns.add(
        geometry: .point(Coordinate(x: x, y: y)),
        attributes: [
          ("name", .string(name)), ("pop", .number(population)), ("capital", .bool(false)),
        ])
    }
    document.layers = [fields, roads, towns]
    return document
  }()
}

extension Coordinate {
  init(pair: (Double, Double)) { self.init(x: pair.0, y: pair.1) }
}
