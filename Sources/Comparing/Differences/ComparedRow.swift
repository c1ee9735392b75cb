package import PortolanDocuments
package import PortolanGraphics
import PortolanTerminals
import PortolanTexts

/// A feature of a layer as a row of its block, with its number from 1 in the layer.
package struct ComparedRow: Sendable {
  package let block: FeatureBlock
  package let row: Int
  package let number: Int

  /// The rows of a layer in their order.
  static func rows(of layer: (any FeatureHolding)?) -> [ComparedRow] {
    var rows: [ComparedRow] = []
    rows.reserveCapacity(layer?.count ?? 0)
    for block in layer?.blocks ?? [] {
      for row in 0..<block.rowCount {
        rows.append(ComparedRow(block: block, row: row, number: rows.count + 1))
      }
    }
    return rows
  }

  package var identifier: AttributeValue { block.identifiers.value(row) }
  package var geometry: Geometry { block.geometry.geometry(ofFeature: row) }
  package var id: FeatureID { block.featureIDs[row] }

  /// The feature in words: its number, its name and its id.
  package var label: String {
    let isNamed = ![.missing, .null].contains(identifier.kind)
    return Self.label(number, isNamed ? identifier.text : nil) {
      block.attribute($0, row: row).text
    }
  }

  /// A feature in words.
  ///
  /// - Parameter text: the text of an attribute, empty without one.
  static func label(
    _ number: Int, _ id: String?, key: String = "id", text: (String) -> String
  ) -> String {
    var label = "feature \(number)"
    let name = nameFields.lazy.map(text).first { !$0.isEmpty }
    if let name { label += " “\(name.prefix(60))”" }
    // An empty text and none are told apart.
    if let id { label += " (\(key) \(id.isEmpty ? "\"\"" : "\(id.prefix(60))"))" }
    return label
  }

  private static let nameFields = ["name", "NAME", "Name", "title", "label"]

  /// The members of the feature that are neither attributes nor known to GeoJSON.
  func foreign() -> [(name: String, value: AttributeValue)] {
    (block.foreignMembers + block.geometryForeignMembers).compactMap { column in
      let value = column.value(row)
      return value.kind == .missing ? nil : (column.name, value)
    }
  }
}

extension [ComparedRow] {
  /// Whether any of the features has an `id`.
  var haveIDs: Bool {
    contains { row in
      let kind = row.block.identifiers.kind(row.row)
      return kind == .string || kind == .number
    }
  }
}

extension AttributeValue {
  /// Whether both are the same value: numbers by their value, JSON without its white space.
  package func isSame(as other: AttributeValue) -> Bool {
    switch (self, other) {
    case (.number(let text), .number(let other)):
      return text.utf8.elementsEqual(other.utf8)
        || ExactNumber.spelling(Array(text.utf8)[...])
          == ExactNumber.spelling(Array(other.utf8)[...])
    case (.string(let text), .string(let other)): return text.hasSameBytes(as: other)
    case (.json(let text), .json(let other)):
      return text.hasSameBytes(as: other) || Self.canonical(text) == Self.canonical(other)
    default: return self == other
    }
  }

  private static func canonical(_ text: String) -> [UInt8] {
    let json = JSONSpans(Array(text.utf8))
    return json.canonical(0..<json.bytes.count)
  }

  /// The bytes that are equal for values that are the same.
  func combine(into hasher: inout Hasher) {
    hasher.combine(kind)
    switch self {
    case .number(let text):
      hasher.combine(ExactNumber.spelling(Array(text.utf8)[...]))
    case .json(let text): hasher.combine(Self.canonical(text))
    default:
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  /// The value as JSON.
  package var json: String {
    switch self {
    case .missing, .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let text): SafeJSON.string(text)
    case .json(let text): text
    }
  }
}

/// The features of a layer, for matching.
struct MatchedRows: MatchedFeatures {
  let rows: [ComparedRow]
  /// The attribute that features are known by; `nil` for their `id`.
  let key: String?
  /// Whether the numbers of features are those of the other version, which came of the same
  /// document.
  let hasNumbers: Bool
  /// Whether an `id` tells nothing, as the other version has none.
  var ignoresIDs = false

  var count: Int { rows.count }

  func identity(_ index: Int) -> Int? {
    let row = rows[index]
    if key == nil, ignoresIDs { return nil }
    let value = key.map { row.block.attribute($0, row: row.row) } ?? row.identifier
    guard value.kind == .string || value.kind == .number else { return nil }
    return Self.hash { value.combine(into: &$0) }
  }

  func whole(_ index: Int) -> Int {
    let row = rows[index]
    return Self.hash { hasher in
      hasher.combine(content(index))
      if !ignoresIDs { row.identifier.combine(into: &hasher) }
      for (name, value) in row.foreign() {
        hasher.combine(name)
        value.combine(into: &hasher)
      }
    }
  }

  func content(_ index: Int) -> Int {
    Self.hash { hasher in
      hasher.combine(geometry(index))
      hasher.combine(attributes(index))
    }
  }

  func geometry(_ index: Int) -> Int? {
    let (block, row) = (rows[index].block.geometry, rows[index].row)
    guard block.kinds[row] != .none else { return nil }
    let numbers = block.coordinates
    return Self.hash { hasher in
      hasher.combine(block.kinds[row])
      for path in block.paths(ofFeature: row) {
        let vertices = block.vertices(ofPath: path)
        hasher.combine(block.pathRoles[path])
        hasher.combine(vertices.count)
        for vertex in vertices {
          hasher.combine(numbers[2 * vertex])
          hasher.combine(numbers[2 * vertex + 1])
          if !block.elevations.isEmpty, !block.elevations[vertex].isNaN {
            hasher.combine(block.elevations[vertex])
          }
        }
      }
    }
  }

  func hasPlace(_ index: Int) -> Bool {
    let row = rows[index]
    return row.block.geometry.vertexCount(ofFeature: row.row) > 0
  }

  func attributes(_ index: Int) -> Int? {
    let (block, row) = (rows[index].block, rows[index].row)
    // Their order is none of the values'.
    var sum: Int?
    for column in block.attributes where column.kind(row) != .missing {
      let hash = Self.hash { hasher in
        var name = column.name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        column.value(row).combine(into: &hasher)
      }
      sum = (sum ?? 0) &+ hash
    }
    return sum
  }

  func number(_ index: Int) -> Int? {
    hasNumbers ? Int(truncatingIfNeeded: rows[index].id.rawValue) : nil
  }

  private static func hash(_ body: (inout Hasher) -> Void) -> Int {
    var hasher = Hasher()
    body(&hasher)
    return hasher.finalize()
  }
}
