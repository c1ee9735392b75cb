import PortolanGraphics

extension FeatureBlock {
  /// This block with another geometry in some rows; unchanged columns are shared.
  ///
  /// - Parameters:
  ///   - changes: rows in rising order, each once.
  ///   - isExact: whether new coordinates stay as they are; else they are rounded to the decimals.
  /// - Complexity: O(vertices of the block + changed vertices), as copies of memory.
  func replacingGeometries(
    _ changes: [(row: Int, geometry: Geometry)], decimals: Int, isExact: Bool = false
  ) -> FeatureBlock {
    let rows = changes.map(\.row)
    var builder = GeometryBlockBuilder()
    var next = 0
    var boxes: [(row: Int, paths: [Box])] = []
    let hasBoxes = hasBoxMembers
    var leaving: Set<Int> = []
    for (row, new) in changes {
      let rounding = RoundedGeometry(decimals: decimals, style: shape(row: row).numberStyle)
      let rounded =
        isExact ? new : rounding.geometry(new, former: geometry.geometry(ofFeature: row))
      builder.append(geometry, rows: next..<row)
      builder.append(rounded)
      next = row + 1
      if hasBoxes { boxes.append((row, rounded.pathBoxes)) }
      if rounded.box.leavesWorld, !geometry.boxes[row].leavesWorld { leaving.insert(row) }
    }
    builder.append(geometry, rows: next..<rowCount)
    var parts = parts
    (parts.shapes, parts.shapeIndices) = replacingShapes(rows: rows) { shape, row in
      shape.numberStyle = RoundedGeometry(decimals: decimals, style: shape.numberStyle).numberStyle
      if leaving.contains(row) { shape.isCutOnExport = true }
    }
    parts.geometry = builder.block()
    Self.updateBoxes(in: &parts.foreignMembers, boxes)
    Self.updateBoxes(in: &parts.geometryForeignMembers, boxes)
    parts.sourceGeometries = sourceGeometries?.clearing(rows: rows)
    parts.sourceFeatures = sourceFeatures?.clearing(rows: rows)
    return FeatureBlock(parts)
  }

  /// This block with another value of an attribute in some rows; the geometry stays the same
  /// object, so that its cached drawings stay valid.
  func replacingAttribute(
    _ name: String, rows: [Int], with value: AttributeValue
  ) -> FeatureBlock {
    let values = Array(repeating: value, count: rows.count)
    return replacingAttributes([AttributeChange(name: name, rows: rows, values: values)])
  }

  /// New values of an attribute in some rows.
  struct AttributeChange {
    var name: String
    /// In rising order.
    var rows: [Int]
    /// One a row.
    var values: [AttributeValue]
  }

  /// This block with other values of attributes in some rows; new ones come last, in order.
  ///
  /// - Precondition: The rows lie within the block; no name comes twice.
  func replacingAttributes(_ changes: [AttributeChange]) -> FeatureBlock {
    var parts = parts
    var isChanged = [Bool](repeating: false, count: rowCount)
    for change in changes {
      let known = parts.attributes.firstIndex { $0.name.hasSameBytes(as: change.name) }
      if known == nil {
        if change.values.allSatisfy({ $0.kind == .missing }) { continue }
        parts.attributes.append(.missing(name: change.name, rows: rowCount))
      }
      let place = known ?? parts.attributes.count - 1
      let column = parts.attributes[place]
      let added = zip(change.rows, change.values)
        .filter { column.kind($0) == .missing && $1.kind != .missing }
      let count = parts.attributes.count
      parts.replaceShapes(of: added.map(\.0)) { shape in
        shape.properties = .object
        shape.propertyOrder = Self.order(shape.propertyOrder, endingWith: place, of: count)
      }
      parts.attributes[place] = column.replacing(rows: change.rows, with: change.values)
      for row in change.rows { isChanged[row] = true }
    }
    guard isChanged.contains(true) else { return self }
    parts.sourceFeatures = sourceFeatures?
      .clearing(rows: isChanged.indices.filter { isChanged[$0] })
    return FeatureBlock(parts).withoutEmptyColumns()
  }

  /// This block with another identifier in one row.
  func replacingIdentifier(row: Int, with value: AttributeValue) -> FeatureBlock {
    var parts = parts
    parts.identifiers = identifiers.replacing(rows: [row], with: value)
    parts.sourceFeatures = sourceFeatures?.clearing(rows: [row])
    return FeatureBlock(parts)
  }

  /// A shape's order of some columns with one of them at its end; `nil` if that is the columns' own
  /// order.
  private static func order(
    _ order: [UInt16]?, endingWith place: Int, of count: Int
  ) -> [UInt16]? {
    let place = UInt16(truncatingIfNeeded: place)
    let listed = order ?? []
    let others = (0..<UInt16(truncatingIfNeeded: count)).filter { !listed.contains($0) }
    let order = (listed + others).filter { $0 != place } + [place]
    return zip(order, order.dropFirst()).contains { $0 >= $1 } ? order : nil
  }

  private var hasBoxMembers: Bool {
    (foreignMembers + geometryForeignMembers).contains { $0.name == "bbox" }
  }

  /// Recomputes the `bbox` members of some rows that have one.
  private static func updateBoxes(
    in members: inout [AttributeColumn], _ boxes: [(row: Int, paths: [Box])]
  ) {
    guard let place = members.firstIndex(where: { $0.name == "bbox" }) else { return }
    let column = members[place]
    var changed = AttributeColumnBuilder(name: column.name)
    var next = 0
    for (row, paths) in boxes where column.kind(row) != .missing {
      changed.append(column, rows: next..<row)
      let text = BoundingBoxText.text(of: paths, like: column.value(row).text)
      changed.append(text.map { .json($0) } ?? .missing)
      next = row + 1
    }
    if next == 0 { return }
    changed.append(column, rows: next..<column.rowCount)
    members[place] = changed.column()
    if members[place].isEmpty { members.remove(at: place) }
  }
}

extension AttributeColumn {
  /// This column without the values of some rows; `nil` if none is left.
  func clearing(rows: [Int]) -> AttributeColumn? {
    guard rows.contains(where: { kind($0) != .missing }) else { return self }
    let column = replacing(rows: rows, with: .missing)
    return column.isEmpty ? nil : column
  }
}
