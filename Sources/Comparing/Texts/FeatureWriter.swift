package import PortolanDocuments
import PortolanGraphics
import PortolanInterchange
import PortolanTerminals
import PortolanTexts

/// Features of documents as GeoJSON texts and back: every value and every double is the same.
package enum FeatureWriter {
  /// A feature of a block as one JSON text without line breaks.
  package static func text(_ block: FeatureBlock, row: Int) -> [UInt8] {
    var text = Array("{\"type\":\"Feature\"".utf8)
    func member(_ name: String, _ value: String) {
      text += ",\(SafeJSON.string(name)):\(value)".utf8
    }
    let identifier = block.identifiers.value(row)
    if identifier.kind != .missing { member("id", identifier.json) }
    for column in block.foreignMembers where column.kind(row) != .missing {
      member(column.name, column.value(row).json)
    }
    let attributes = block.attributeOrder(row: row).map { place in
      (name: block.attributes[place].name, value: block.attributes[place].value(row).json)
    }
    let isNull = attributes.isEmpty && block.shape(row: row).properties != .object
    member("properties", isNull ? "null" : SafeJSON.object(attributes))
    let foreign = block.geometryForeignMembers.compactMap { column -> (String, String)? in
      column.kind(row) == .missing ? nil : (column.name, column.value(row).json)
    }
    member("geometry", geometry(block.geometry.geometry(ofFeature: row), foreign))
    return text + [UInt8(ascii: "}")]
  }

  private static func geometry(_ geometry: Geometry, _ foreign: [(String, String)]) -> String {
    guard let name = geometry.kind.name else { return "null" }
    let members = foreign.map { ",\(SafeJSON.string($0)):\($1)" }.joined()
    if geometry.kind == .geometryCollection {
      var parts: [[Geometry.Path]] = []
      for path in geometry.paths {
        if path.role.beginsMember || parts.isEmpty { parts.append([]) }
        parts[parts.count - 1].append(path)
      }
      let texts = parts.map { paths in
        self.geometry(Geometry(kind: paths[0].role.kind, paths: paths), [])
      }
      return "{\"type\":\"\(name)\",\"geometries\":[\(texts.joined(separator: ","))]\(members)}"
    }
    return "{\"type\":\"\(name)\",\"coordinates\":\(coordinates(geometry))\(members)}"
  }

  private static func coordinates(_ geometry: Geometry) -> String {
    switch geometry.kind {
    case .point: geometry.paths.first.map { positions($0) } ?? "[]"
    case .multiPoint:
      "["
        + geometry.paths.map { positions($0) }.filter { !$0.isEmpty }
        .joined(separator: ",") + "]"
    case .lineString: geometry.paths.first.map { "[\(positions($0))]" } ?? "[]"
    case .multiLineString, .polygon: list(geometry.paths)
    case .multiPolygon:
      "["
        + geometry.paths.split(before: { $0.role.beginsPolygon }).map { list($0) }
        .joined(separator: ",") + "]"
    case .none, .geometryCollection: "[]"
    }
  }

  private static func list(_ paths: [Geometry.Path]) -> String {
    "[" + paths.map { "[\(positions($0))]" }.joined(separator: ",") + "]"
  }

  private static func positions(_ path: Geometry.Path) -> String {
    let texts = path.vertices.indices.map { index -> String in
      let vertex = path.vertices[index]
      var numbers = [vertex.x, vertex.y]
      if path.elevations.indices.contains(index), let height = path.elevations[index] {
        numbers.append(height)
      }
      let list = numbers.map { NumberText.shortest($0) ?? "null" }.joined(separator: ",")
      return "[\(list)]"
    }
    return texts.joined(separator: ",")
  }

  // MARK: Reading

  /// The blocks of features from their texts, in their order.
  ///
  /// - Throws: `ImportError` if one is no feature.
  package static func blocks(_ texts: [[UInt8]]) throws -> [FeatureBlock] {
    if texts.isEmpty { return [] }
    let bytes = Array(texts.map { JSONSpans($0).compact(0..<$0.count) }.joined(separator: [0x0A]))
    let result = try GeoJSONFormat().read(bytes, options: ImportOptions(name: "")) { _ in }
    return result.layers.compactMap { $0 as? any FeatureHolding }.flatMap(\.blocks)
  }
}

extension [Geometry.Path] {
  /// The runs that begin where a condition holds.
  fileprivate func split(before begins: (Geometry.Path) -> Bool) -> [[Geometry.Path]] {
    var runs: [[Geometry.Path]] = []
    for path in self {
      if runs.isEmpty || begins(path) { runs.append([]) }
      runs[runs.count - 1].append(path)
    }
    return runs
  }
}
