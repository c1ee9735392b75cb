import PortolanGraphics

@testable import PortolanDocuments

/// Layers for tests, made through the builder as an importer would.
enum Samples {
  /// One point a feature at (i, -i), with `name` and, on even ones, `rank`.
  static func points(_ count: Int, nextFeatureID: UInt64 = 1) -> FeatureLayer {
    var builder = FeatureLayerBuilder(nextFeatureID: nextFeatureID)
    let name = builder.column("name")
    let rank = builder.column("rank")
    let shape = builder.shape(.plain)
    let role = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
    for index in 0..<count {
      builder.beginFeature()
      builder.appendPath(role, pairs: [Double(index), -Double(index)])
      builder.setAttribute(name, .string, text: "point \(index)")
      if index % 2 == 0 { builder.setAttribute(rank, .number, text: "\(index)") }
      builder.endFeature(.point, shape: shape)
    }
    let blocks = builder.finish()
    return FeatureLayer(
      id: LayerID(1), name: "points", style: .standard(forDimension: 0, index: 0),
      blocks: blocks, nextFeatureID: builder.nextFeatureID)
  }

  /// Lines of `length` vertices each.
  static func lines(_ count: Int, length: Int) -> FeatureLayer {
    var builder = FeatureLayerBuilder()
    let shape = builder.shape(.plain)
    let role = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    for index in 0..<count {
      var pairs: [Double] = []
      for vertex in 0..<length {
        pairs.append(Double(index % 360) - 180 + Double(vertex) / 1024)
        pairs.append(Double(index % 170) - 85 + Double(vertex % 7) / 512)
      }
      builder.beginFeature()
      builder.appendPath(role, pairs: pairs)
      builder.endFeature(.lineString, shape: shape)
    }
    let blocks = builder.finish()
    return FeatureLayer(
      id: LayerID(2), name: "lines", style: .standard(forDimension: 1, index: 0),
      blocks: blocks, nextFeatureID: builder.nextFeatureID)
  }
}

extension FeatureLayerBuilder {
  mutating func setAttribute(_ column: Int, _ kind: AttributeKind, text: String) {
    var text = text
    text.withUTF8 { setAttribute(column, kind, utf8: $0) }
  }

  mutating func setMember(_ name: String, json: String) {
    var name = name
    var json = json
    name.withUTF8 { name in json.withUTF8 { json in setMember(name, json: json) } }
  }

  mutating func setSourceGeometry(_ json: String) {
    var json = json
    json.withUTF8 { setSourceGeometry(json: $0) }
  }

  mutating func setIdentifier(_ kind: AttributeKind, text: String) {
    var text = text
    text.withUTF8 { setIdentifier(kind, utf8: $0) }
  }
}

extension FeatureLayerBuilder {
  mutating func setGeometryMember(_ name: String, json: String) {
    var name = name
    var json = json
    name.withUTF8 { name in json.withUTF8 { json in setGeometryMember(name, json: json) } }
  }

  mutating func setSourceFeature(_ json: String) {
    var json = json
    json.withUTF8 { setSourceFeature(json: $0) }
  }
}
