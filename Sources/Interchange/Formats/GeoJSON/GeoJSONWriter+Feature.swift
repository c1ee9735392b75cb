import PortolanDocuments
import PortolanGraphics

/// Facts shared by many rows of a block: names with their colons, computed once.
struct BlockPlan {
  /// One member of a feature object.
  struct Step {
    enum Value {
      case type, id, properties, geometry
      case foreign(Int)
    }

    var key: [UInt8]
    var value: Value
  }

  let layout: GeoJSONLayout
  /// An attribute and its `"name":`; a class, since a copy would count each of its arrays.
  final class Property: Sendable {
    let key: [UInt8]
    let column: AttributeColumn

    init(_ column: AttributeColumn, _ layout: GeoJSONLayout) {
      (key, self.column) = (layout.key(column.name, .properties), column)
    }
  }

  let properties: [Property]
  private var stepsByShape: [Int: [Step]] = [:]
  /// The steps of the shape that was asked last: most features of a block have one.
  private var last: (shape: Int, steps: [Step])?
  private var ordersByShape: [Int: [Int]] = [:]
  private var knownTexts: KeptTexts?

  init(_ block: FeatureBlock, _ layout: GeoJSONLayout) {
    self.layout = layout
    properties = block.attributes.map { Property($0, layout) }
  }

  /// The possible members of features with a shape, in order; those of an empty shape, from a bare
  /// geometry, are the usual ones.
  mutating func steps(_ shapeIndex: Int, _ block: FeatureBlock) -> [Step] {
    if let last, last.shape == shapeIndex { return last.steps }
    if let known = stepsByShape[shapeIndex] {
      last = (shapeIndex, known)
      return known
    }
    let shape = block.shapes[shapeIndex]
    let foreign = block.foreignMembers.map(\.name)
    var columns: [[UInt8]: Int] = [:]
    for (index, name) in foreign.enumerated() { columns[Array(name.utf8)] = index }
    var steps: [Step] = []
    var seen: Set<[UInt8]> = []
    for name in shape.members + ["type", "id", "properties", "geometry"] + foreign {
      let bytes = Array(name.utf8)
      guard seen.insert(bytes).inserted else { continue }
      let value: Step.Value
      switch name {
      case "type": value = .type
      case "id": value = .id
      case "properties": value = .properties
      case "geometry": value = .geometry
      default:
        guard let column = columns[bytes] else { continue }
        value = .foreign(column)
      }
      steps.append(Step(key: layout.key(name, .feature), value: value))
    }
    stepsByShape[shapeIndex] = steps
    return steps
  }
}

extension BlockPlan {
  /// The kept texts that may be written; computed when the first one is needed.
  mutating func texts(_ block: FeatureBlock) -> KeptTexts {
    if let knownTexts { return knownTexts }
    let texts = KeptTexts(block)
    knownTexts = texts
    return texts
  }

  /// The columns of a shape's properties in their order, without duplicates; `nil` if that is the
  /// order of the columns.
  mutating func order(_ shapeIndex: Int, _ block: FeatureBlock) -> [Int]? {
    guard let order = block.shapes[shapeIndex].propertyOrder else { return nil }
    if let known = ordersByShape[shapeIndex] { return known }
    var isListed = [Bool](repeating: false, count: block.attributes.count)
    var places: [Int] = []
    for place in order.map(Int.init) where !isListed[place] {
      isListed[place] = true
      places.append(place)
    }
    places += isListed.indices.filter { !isListed[$0] }
    ordersByShape[shapeIndex] = places
    return places
  }
}

extension GeoJSONWriter {
  /// Writes a row as a feature or a bare geometry.
  mutating func writeItem(_ block: FeatureBlock, _ row: Int, _ plan: inout BlockPlan) {
    report.features += 1
    let shapeIndex = Int(block.shapeIndices[row])
    let shape = block.shapes[shapeIndex]
    // A bare geometry is no feature of a collection.
    let isAsRead =
      options.conformance != .rfc7946 && options.precision == nil
      && (keepsForm || !shape.members.isEmpty)
    if isAsRead, let texts = block.sourceFeatures, texts.kind(row) != .missing {
      if plan.texts(block).features.contains(row) {
        appendText(texts, row)
        return
      }
      report.refusedTexts += 1
    }
    if shape.members.isEmpty, isBareWritten, block.isBare(row) {
      writeGeometry(block, row, shape, replacement(block, row, shape), &plan)
      return
    }
    let steps = plan.steps(shapeIndex, block)
    writeFeature(block, row, shape, steps, &plan)
  }

  private mutating func writeFeature(
    _ block: FeatureBlock, _ row: Int, _ shape: FeatureShape, _ steps: [BlockPlan.Step],
    _ plan: inout BlockPlan
  ) {
    let level = glue.level(.feature)
    let replacement = replacement(block, row, shape)
    out.append(contentsOf: level.open)
    var isFirst = true
    for step in steps {
      guard isPresent(step.value, block, row, shape) else { continue }
      if !isFirst { out.append(contentsOf: level.comma) }
      isFirst = false
      out.append(contentsOf: step.key)
      switch step.value {
      case .type: out.append("\"Feature\"")
      case .id: appendValue(block.identifiers, row)
      case .properties: writeProperties(block, row, shape, &plan)
      case .geometry
      where replacement?.geometry.kind == GeometryKind.none && !hasForeignMembers(block, row):
        out.append("null")
      case .geometry: writeGeometry(block, row, shape, replacement, &plan)
      case .foreign(let column):
        if let box = replacement?.boxText, block.foreignMembers[column].name == "bbox" {
          out.append(box)
        } else {
          appendJSON(block.foreignMembers[column], row)
        }
      }
    }
    if let featureSystem, !namesSystem(block, row) {
      out.append(contentsOf: level.comma)
      out.append(contentsOf: layout.key("crs", .feature))
      out.append(featureSystem)
    }
    out.append(contentsOf: level.close)
  }

  private func namesSystem(_ block: FeatureBlock, _ row: Int) -> Bool {
    block.geometry.kinds[row] == .none
      || (block.foreignMembers + block.geometryForeignMembers).contains {
        $0.name == "crs" && $0.kind(row) != .missing
      }
  }

  /// Whether a feature has this member: as it was read, or by a value set since.
  private func isPresent(
    _ value: BlockPlan.Step.Value, _ block: FeatureBlock, _ row: Int, _ shape: FeatureShape
  ) -> Bool {
    switch value {
    case .type: true
    case .id: block.identifiers.kind(row) != .missing
    case .properties:
      shape.properties != .absent || shape.members.isEmpty
        || options.conformance == .rfc7946
        || block.attributes.contains { $0.kind(row) != .missing }
    case .geometry:
      block.geometry.kinds[row] != .none || shape.members.contains("geometry")
        || shape.members.isEmpty || options.conformance == .rfc7946
    case .foreign(let column):
      block.foreignMembers[column].kind(row) != .missing
        && (options.conformance != .rfc7946 || !block.foreignMembers[column].namesSystem(row))
    }
  }

  private mutating func writeProperties(
    _ block: FeatureBlock, _ row: Int, _ shape: FeatureShape, _ plan: inout BlockPlan
  ) {
    var isEmpty = true
    let level = glue.level(.properties)
    let order = plan.order(Int(block.shapeIndices[row]), block)
    for place in plan.properties.indices {
      let property = plan.properties[order?[place] ?? place]
      guard property.column.kinds[row] != AttributeKind.missing.rawValue else { continue }
      out.append(contentsOf: isEmpty ? level.open : level.comma)
      isEmpty = false
      out.append(contentsOf: property.key)
      appendValue(property.column, row)
    }
    if !isEmpty {
      out.append(contentsOf: level.close)
    } else if shape.properties == .object {
      out.append(contentsOf: level.empty)
    } else {
      out.append("null")
    }
  }

  // MARK: Values

  /// Appends a value of a column as JSON.
  mutating func appendValue(_ column: AttributeColumn, _ row: Int) {
    switch AttributeKind(rawValue: column.kinds[row]) ?? .missing {
    case .missing, .null: out.append("null")
    case .no: out.append("false")
    case .yes: out.append("true")
    case .number: appendText(column, row)
    case .json: appendJSON(column, row)
    case .string:
      let range = column.textRange(row)
      out.append(UInt8(ascii: "\""))
      let isPlain = column.bytes.withUnsafeBufferPointer { bytes in
        let text = UnsafeBufferPointer(rebasing: bytes[range])
        guard JSONText.isPlain(text, style: layout.escapes) else { return false }
        out.append(contentsOf: text)
        return true
      }
      if !isPlain {
        var text: [UInt8] = []
        JSONText.escape(column.bytes[range], style: layout.escapes, into: &text)
        out.append(contentsOf: text)
      }
      out.append(UInt8(ascii: "\""))
    }
  }

  /// Appends a row's JSON text; an invalid one, in a document from elsewhere, as a string.
  mutating func appendJSON(_ column: AttributeColumn, _ row: Int) {
    let range = column.textRange(row)
    let isSound = column.bytes.withUnsafeBufferPointer { bytes in
      JSONText.isValue(UnsafeBufferPointer(rebasing: bytes[range]))
    }
    if isSound {
      appendText(column, row)
      return
    }
    report.brokenValues += 1
    out.append(contentsOf: JSONText.quoted(column.bytes[range], style: layout.escapes))
  }

  /// Appends the text of a row unchanged; on one line where a feature must be one.
  mutating func appendText(_ column: AttributeColumn, _ row: Int) {
    let range = column.textRange(row)
    if layout.isLine, column.bytes[range].contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      out.append(contentsOf: JSONText.compacted(column.bytes[range]))
      return
    }
    column.bytes.withUnsafeBufferPointer { bytes in
      out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
    }
  }
}
