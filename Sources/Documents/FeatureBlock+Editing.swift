import Graphics

extension FeatureBlock {
  /// This block with another geometry in one row; columns that stay are shared.
  func replacingGeometry(row: Int, with new: Geometry, decimals: Int) -> FeatureBlock {
    let rounding = RoundedGeometry(decimals: decimals, style: shape(row: row).numberStyle)
    let rounded = rounding.geometry(new, former: geometry.geometry(ofFeature: row))
    let boxes = rounded.pathBoxes
    var parts = parts
    (parts.shapes, parts.shapeIndices) = replacingShapes(rows: [row]) { shape, _ in
      shape.numberStyle = rounding.numberStyle
      shape.isGeometryEdited = true
    }
    parts.geometry = geometry.replacing(row: row, with: rounded)
    Self.updateBox(in: &parts.foreignMembers, row: row, boxes: boxes)
    Self.updateBox(in: &parts.geometryForeignMembers, row: row, boxes: boxes)
    parts.sourceGeometries = sourceGeometries?.clearing(rows: [row])
    parts.sourceFeatures = sourceFeatures?.clearing(rows: [row])
    return FeatureBlock(parts)
  }

  /// This block with another value of an attribute in some rows; the geometry stays the same
  /// object, so that what was drawn of it is still good.
  func replacingAttribute(
    _ name: String, rows: [Int], with value: AttributeValue
  ) -> FeatureBlock {
    let known = attributes.firstIndex { $0.name.hasSameBytes(as: name) }
    if known == nil && value.kind == .missing { return self }
    var parts = parts
    if known == nil { parts.attributes.append(.missing(name: name, rows: rowCount)) }
    let place = known ?? attributes.count
    let column = parts.attributes[place]
    let added = value.kind == .missing ? [] : rows.filter { column.kind($0) == .missing }
    (parts.shapes, parts.shapeIndices) = replacingShapes(rows: added) { shape, row in
      shape.properties = .object
      shape.propertyOrder = Self.order(adding: place, to: attributeOrder(row: row))
    }
    parts.attributes[place] = column.replacing(rows: rows, with: value)
    parts.sourceFeatures = sourceFeatures?.clearing(rows: rows)
    return FeatureBlock(parts).withoutEmptyColumns()
  }

  /// This block with another identifier in one row.
  func replacingIdentifier(row: Int, with value: AttributeValue) -> FeatureBlock {
    var parts = parts
    parts.identifiers = identifiers.replacing(rows: [row], with: value)
    parts.sourceFeatures = sourceFeatures?.clearing(rows: [row])
    return FeatureBlock(parts)
  }

  /// A feature's order with a column behind all others; `nil` if that is the columns' own.
  private static func order(adding place: Int, to order: [Int]) -> [UInt16]? {
    let order = order.filter { $0 != place } + [place]
    if !zip(order, order.dropFirst()).contains(where: { $0 >= $1 }) { return nil }
    return order.map { UInt16(truncatingIfNeeded: $0) }
  }

  private static func updateBox(in members: inout [AttributeColumn], row: Int, boxes: [Box]) {
    guard let place = members.firstIndex(where: { $0.name == "bbox" }),
      members[place].kind(row) != .missing
    else { return }
    let text = BoundingBoxText.text(of: boxes, like: members[place].value(row).text)
    members[place] = members[place].replacing(
      rows: [row], with: text.map { .json($0) } ?? .missing)
    if members[place].isEmpty { members.remove(at: place) }
  }
}

extension AttributeColumn {
  /// This column with nothing in some rows; `nil` if nothing is left at all.
  fileprivate func clearing(rows: [Int]) -> AttributeColumn? {
    guard rows.contains(where: { kind($0) != .missing }) else { return self }
    let column = replacing(rows: rows, with: .missing)
    return column.isEmpty ? nil : column
  }
}
