import PortolanDocuments
import PortolanGraphics

@testable import PortolanInterchange

/// What a feature says, whatever it was written as: equal where nobody could tell the difference.
struct FeatureValues: Hashable {
  struct Path: Hashable {
    var role: UInt8
    var ordinates: [UInt64]
    var heights: [UInt64]
  }

  var kind: GeometryKind
  var paths: [Path]
  var identifier: AttributeValue
  /// Values by the bytes of their names.
  var attributes: [[UInt8]: AttributeValue]
  var members: [[UInt8]: AttributeValue]
  var geometryMembers: [[UInt8]: AttributeValue]

  /// The features of a layer in order.
  static func all(_ layer: FeatureLayer) -> [FeatureValues] {
    layer.blocks.flatMap { block in (0..<block.rowCount).map { FeatureValues(block, $0) } }
  }

  init(_ block: FeatureBlock, _ row: Int) {
    let geometry = block.geometry.geometry(ofFeature: row)
    kind = geometry.kind
    paths = geometry.paths.map { path in
      Path(
        role: path.role.rawValue,
        ordinates: path.vertices.flatMap { [$0.x.bitPattern, $0.y.bitPattern] },
        heights: path.elevations.map { ($0 ?? .nan).bitPattern })
    }
    identifier = Self.compact(block.identifiers.value(row))
    attributes = Self.values(block.attributes, row)
    members = Self.values(block.foreignMembers, row)
    geometryMembers = Self.values(block.geometryForeignMembers, row)
  }

  private static func values(_ columns: [AttributeColumn], _ row: Int) -> [[UInt8]: AttributeValue]
  {
    var values: [[UInt8]: AttributeValue] = [:]
    for column in columns where column.kind(row) != .missing {
      values[Array(column.name.utf8)] = Self.compact(column.value(row))
    }
    return values
  }

  /// White space within JSON says nothing.
  private static func compact(_ value: AttributeValue) -> AttributeValue {
    guard case .json(let text) = value else { return value }
    return .json(String(decoding: JSONText.compacted(Array(text.utf8)[...]), as: UTF8.self))
  }

  /// The same without geometry: what rules of writing leave alone.
  var withoutGeometry: FeatureValues {
    var values = self
    (values.kind, values.paths) = (.none, [])
    // Boxes are made anew where the geometry is.
    values.members[Array("bbox".utf8)] = nil
    values.geometryMembers[Array("bbox".utf8)] = nil
    return values
  }
}
