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

/// The numbers of the shapes of the block in progress.
struct ShapeTable {
  private var numbers: [ShapeKey: UInt16] = [:]
  /// The last ones, newest last: few shapes take turns.
  private var recent: [(key: ShapeKey, number: UInt16)] = []
  private static let recentMax = 4

  /// The number of a shape in the current block.
  mutating func number(of key: ShapeKey, in builder: inout FeatureBlockBuilder) -> UInt16 {
    if builder.row == 0 { self = ShapeTable() }
    for index in recent.indices.reversed() where recent[index].key.isSameShape(as: key) {
      return recent[index].number
    }
    let key = key.canonical
    let number = numbers[key] ?? builder.number(of: Self.shape(key, builder))
    numbers[key] = number
    if recent.count == Self.recentMax { recent.removeFirst() }
    recent.append((key, number))
    return number
  }

  private static func shape(_ key: ShapeKey, _ builder: FeatureBlockBuilder) -> FeatureShape {
    FeatureShape(
      members: key.members.map { member in
        switch member {
        case ShapeKey.Member.type: "type"
        case ShapeKey.Member.id: "id"
        case ShapeKey.Member.properties: "properties"
        case ShapeKey.Member.geometry: "geometry"
        default: name(member, builder.members)
        }
      },
      geometryMembers: key.geometryMembers.map { member in
        switch member {
        case ShapeKey.GeometryMember.type: "type"
        case ShapeKey.GeometryMember.coordinates: "coordinates"
        case ShapeKey.GeometryMember.geometries: "geometries"
        default: name(member, builder.geometryMembers)
        }
      },
      properties: key.properties, propertyOrder: key.isOrdered ? nil : key.order,
      numberStyle: key.numberStyle)
  }

  private static func name(_ member: UInt16, _ columns: ColumnSetBuilder) -> String {
    let place = Int(member) - Int(ShapeKey.Member.foreign)
    return columns.columns.indices.contains(place) ? columns.columns[place].name : ""
  }
}
