import Archiving

// The graphs that the peers are measured on: the same data, drawn from the same generator.

/// The generator of all graphs' data.
func mix(_ x: UInt64) -> UInt64 {
  var z = x &+ 0x9E37_79B9_7F4A_7C15
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}

/// Graph A: employees with shared managers.
final class BenchmarkEmployee: Coding {
  let firstName: String
  let lastName: String
  let number: Int
  let manager: BenchmarkEmployee?

  static var archivedClass: ArchivedClass { "Employee" }

  init(_ index: Int, manager: BenchmarkEmployee?) {
    firstName = "First\(mix(UInt64(index)) % 500)"
    lastName = "Lastname-\(mix(UInt64(index) &+ 77) % 20000)"
    number = index
    self.manager = manager
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(firstName, forKey: "firstName")
    try coder.encodeString(lastName, forKey: "lastName")
    try coder.encodeInt(number, forKey: "employeeNumber")
    try coder.encodeObject(manager, forKey: "manager")
  }

  init(coder: any DecodingCoder) throws {
    firstName = try coder.decodeString(forKey: "firstName")
    lastName = try coder.decodeString(forKey: "lastName")
    number = try coder.decodeInt(forKey: "employeeNumber")
    manager = try coder.decodeObjectIfPresent(BenchmarkEmployee.self, forKey: "manager")
  }

  static func graph(_ count: Int) -> [BenchmarkEmployee] {
    var all: [BenchmarkEmployee] = []
    for index in 0..<count {
      all.append(BenchmarkEmployee(index, manager: index == 0 ? nil : all[(index - 1) / 8]))
    }
    return all
  }
}

/// Graphs B1 and B2: how the coordinates of a feature are archived.
protocol BenchmarkFeatureKind: Coding {
  init(layer: Int, index: Int)
}

/// What the features of both graphs say, and 60 pairs of coordinates.
struct BenchmarkFeatureValues {
  var identity: String
  var attributes: [(key: String, value: String)]
  var coordinates: [Double]
}

extension BenchmarkFeatureValues {
  init(layer: Int, index: Int) {
    identity = "f-\(layer)-\(index)"
    let hash = mix(UInt64(layer * 1_000_000 + index))
    let kinds = [
      "motorway", "primary", "secondary", "residential", "track", "path", "service", "footway",
    ]
    let surfaces = ["asphalt", "gravel", "concrete", "dirt"]
    attributes = [
      ("highway", kinds[Int(hash % 8)]), ("surface", surfaces[Int((hash >> 8) % 4)]),
      ("oneway", (hash >> 16) % 2 == 0 ? "yes" : "no"), ("source", "survey-\((hash >> 20) % 16)"),
    ]
    coordinates = (0..<120).map { place in
      let hash = mix(UInt64(layer) << 40 | UInt64(index) << 12 | UInt64(place))
      return Double(Int(hash % 360_000_000)) / 1e6 - 180.0
    }
  }
}

/// Graph B2: a feature with its coordinates packed in one data object.
final class BenchmarkFeature: BenchmarkFeatureKind {
  let values: BenchmarkFeatureValues

  static var archivedClass: ArchivedClass { "Feature" }

  init(layer: Int, index: Int) { values = BenchmarkFeatureValues(layer: layer, index: index) }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(values.identity, forKey: "id")
    try coder.encodeStringPairs(values.attributes, forKey: "attributes")
    try coder.encodePacked(values.coordinates, forKey: "packed")
  }

  init(coder: any DecodingCoder) throws {
    values = BenchmarkFeatureValues(
      identity: try coder.decodeString(forKey: "id"),
      attributes: try coder.decodeStringPairs(forKey: "attributes"),
      coordinates: try coder.decodePacked(Double.self, forKey: "packed"))
  }
}

/// Graph B1: a feature with a number object for each coordinate.
final class BenchmarkNumberFeature: BenchmarkFeatureKind {
  let values: BenchmarkFeatureValues

  static var archivedClass: ArchivedClass { "Feature" }

  init(layer: Int, index: Int) { values = BenchmarkFeatureValues(layer: layer, index: index) }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(values.identity, forKey: "id")
    try coder.encodeStringPairs(values.attributes, forKey: "attributes")
    try coder.encodeDoubles(values.coordinates, forKey: "coords")
  }

  init(coder: any DecodingCoder) throws {
    values = BenchmarkFeatureValues(
      identity: try coder.decodeString(forKey: "id"),
      attributes: try coder.decodeStringPairs(forKey: "attributes"),
      coordinates: try coder.decodeDoubles(forKey: "coords"))
  }
}

/// Graphs B1 and B2: a layer of features.
final class BenchmarkLayer<Feature: BenchmarkFeatureKind>: Coding {
  let name: String
  let features: [Feature]

  static var archivedClass: ArchivedClass { "Layer" }

  init(_ layer: Int, features count: Int) {
    name = "layer\(layer)"
    features = (0..<count).map { Feature(layer: layer, index: $0) }
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeObjects(features, forKey: "features")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    features = try coder.decodeObjects(Feature.self, forKey: "features")
  }
}

/// Graphs B1 and B2: the document.
final class BenchmarkDocument<Feature: BenchmarkFeatureKind>: Coding {
  let title: String
  let layers: [BenchmarkLayer<Feature>]

  static var archivedClass: ArchivedClass { "MapDocument" }

  init(featuresPerLayer: Int) {
    title = "Map"
    layers = (0..<8).map { BenchmarkLayer($0, features: featuresPerLayer) }
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
    try coder.encodeObjects(layers, forKey: "layers")
  }

  init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
    layers = try coder.decodeObjects(BenchmarkLayer<Feature>.self, forKey: "layers")
  }
}

/// Graph D: a small view beside the map.
final class BenchmarkSubView: Coding {
  let title: String

  static var archivedClass: ArchivedClass { "SubView" }

  init(_ title: String) { self.title = title }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
  }

  init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
  }
}

/// Graph D: a map view, archived alone.
final class BenchmarkMapView: Coding {
  let name: String
  let magnification: Double
  let legend: BenchmarkSubView
  let auxiliary: BenchmarkSubView

  static var archivedClass: ArchivedClass { "MapView" }

  init() {
    name = "Mount Rainier"
    magnification = 2.5
    legend = BenchmarkSubView("Legend")
    auxiliary = BenchmarkSubView("Auxiliary")
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "MVMapName")
    try coder.encodeDouble(magnification, forKey: "MVMagnification")
    try coder.encodeObject(legend, forKey: "MVLegendView")
    try coder.encodeObject(auxiliary, forKey: "MVAuxiliaryView")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "MVMapName")
    magnification = try coder.decodeDouble(forKey: "MVMagnification")
    legend = try coder.decodeObject(BenchmarkSubView.self, forKey: "MVLegendView")
    auxiliary = try coder.decodeObject(BenchmarkSubView.self, forKey: "MVAuxiliaryView")
  }
}
