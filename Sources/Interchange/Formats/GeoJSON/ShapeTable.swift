import PortolanDocuments

/// The differences between features' shapes, in small numbers.
struct ShapeKey: Hashable {
  /// Members of a feature; from `foreign` on they are columns of foreign members.
  enum Member {
    static let type: UInt16 = 0
    static let id: UInt16 = 1
    static let properties: UInt16 = 2
    static let geometry: UInt16 = 3
    static let foreign: UInt16 = 16
  }

  /// Members of a geometry; from `Member.foreign` on they are columns of foreign members.
  enum GeometryMember {
    static let type: UInt16 = 0
    static let coordinates: UInt16 = 1
    static let geometries: UInt16 = 2
  }

  var members: [UInt16] = []
  var geometryMembers: [UInt16] = []
  var properties = FeatureShape.Properties.absent
  /// The columns of the properties in their order.
  var order: [UInt16] = []
  /// Whether that is the order of the columns.
  var isOrdered = true
  var numberStyle = FeatureShape.NumberStyle.shortest

  mutating func reset() {
    members.removeAll(keepingCapacity: true)
    geometryMembers.removeAll(keepingCapacity: true)
    order.removeAll(keepingCapacity: true)
    properties = .absent
    isOrdered = true
    numberStyle = .shortest
  }

  /// Whether both keys stand for the same shape.
  func isSameShape(as other: ShapeKey) -> Bool {
    members == other.members && geometryMembers == other.geometryMembers
      && properties == other.properties && isOrdered == other.isOrdered
      && (isOrdered || order == other.order) && numberStyle == other.numberStyle
  }

  /// The key in canonical form.
  var canonical: ShapeKey {
    var key = self
    if isOrdered { key.order = [] }
    return key
  }
}

/// The shapes of the block in progress.
struct ShapeTable {
  private(set) var shapes: [FeatureShape] = []
  private var indices: [ShapeKey: UInt16] = [:]
  private var last: (key: ShapeKey, index: UInt16)?

  /// The index of a shape, added if it is new; `nil` if there are too many.
  mutating func index(
    of key: ShapeKey, _ attributes: ColumnTable, _ foreign: ColumnTable,
    _ geometryForeign: ColumnTable
  ) -> UInt16? {
    if let last, last.key.isSameShape(as: key) { return last.index }
    let key = key.canonical
    let index: UInt16
    if let known = indices[key] {
      index = known
    } else {
      guard let next = UInt16(exactly: shapes.count) else { return nil }
      index = next
      indices[key] = index
      let members = key.members.map { member in
        switch member {
        case ShapeKey.Member.type: "type"
        case ShapeKey.Member.id: "id"
        case ShapeKey.Member.properties: "properties"
        case ShapeKey.Member.geometry: "geometry"
        default: Self.name(member, foreign)
        }
      }
      let geometryMembers = key.geometryMembers.map { member in
        switch member {
        case ShapeKey.GeometryMember.type: "type"
        case ShapeKey.GeometryMember.coordinates: "coordinates"
        case ShapeKey.GeometryMember.geometries: "geometries"
        default: Self.name(member, geometryForeign)
        }
      }
      shapes.append(
        FeatureShape(
          members: members, geometryMembers: geometryMembers, properties: key.properties,
          propertyOrder: key.isOrdered ? nil : key.order, numberStyle: key.numberStyle))
    }
    last = (key, index)
    return index
  }

  private static func name(_ member: UInt16, _ table: ColumnTable) -> String {
    let index = Int(member) - Int(ShapeKey.Member.foreign)
    guard table.columns.indices.contains(index) else { return "" }
    return String(decoding: table.columns[index].name, as: UTF8.self)
  }
}
