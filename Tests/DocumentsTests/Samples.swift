import PortolanGraphics

@testable import PortolanDocuments

/// Layers for tests, made through the builder as an importer would.
enum Samples {
  /// One point a feature at (i, -i), with `name` and, on even ones, `rank`.
  static func points(_ count: Int, nextFeatureID: UInt64 = 1) -> FeatureLayer {
    var builder = FeatureBlockBuilder(nextFeatureID: nextFeatureID)
    let shape = FeatureShape.plain
    let role = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
    for index in 0..<count {
      builder.geometry.appendPath(role, pairs: [Double(index), -Double(index)])
      builder.setAttribute("name", .string, text: "point \(index)")
      if index % 2 == 0 { builder.setAttribute("rank", .number, text: "\(index)") }
      builder.endRow(.point, shape: shape)
    }
    let blocks = builder.finish()
    return FeatureLayer(
      id: LayerID(1), name: "points", style: .standard(forDimension: 0, index: 0),
      blocks: blocks, nextFeatureID: builder.nextFeatureID)
  }

  /// Lines of `length` vertices each.
  static func lines(_ count: Int, length: Int) -> FeatureLayer {
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape.plain
    let role = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    for index in 0..<count {
      var pairs: [Double] = []
      for vertex in 0..<length {
        pairs.append(Double(index % 360) - 180 + Double(vertex) / 1024)
        pairs.append(Double(index % 170) - 85 + Double(vertex % 7) / 512)
      }
      builder.geometry.appendPath(role, pairs: pairs)
      builder.endRow(.lineString, shape: shape)
    }
    let blocks = builder.finish()
    return FeatureLayer(
      id: LayerID(2), name: "lines", style: .standard(forDimension: 1, index: 0),
      blocks: blocks, nextFeatureID: builder.nextFeatureID)
  }
}

extension FeatureBlockBuilder {
  /// Appends a feature as an importer does.
  mutating func append(_ geometry: Geometry, _ name: String, _ value: AttributeValue) {
    self.geometry.appendPaths(of: geometry)
    setAttribute(name, to: value)
    endRow(geometry.kind, shape: .plain)
  }

  mutating func setAttribute(_ name: String, _ kind: AttributeKind, text: String) {
    var text = text
    let place = attributes.place(of: name)
    text.withUTF8 { setAttribute(place, kind, utf8: $0) }
  }
}

extension ColumnSetBuilder {
  mutating func set(_ name: String, row: Int, json: String) {
    var json = json
    let place = place(of: name)
    json.withUTF8 { _ = set(place, row: row, .json, utf8: $0) }
  }
}

extension AttributeColumnBuilder {
  mutating func set(_ row: Int, _ kind: AttributeKind, text: String) {
    var text = text
    text.withUTF8 { _ = set(row, kind, utf8: $0) }
  }
}
