import PortolanDocuments
import PortolanExpressions
import PortolanInterchange

/// The rows of a table by the values of one of its columns.
struct KeyedRows {
  struct Place: Hashable {
    var block: Int
    var row: Int
  }

  let blocks: [FeatureBlock]
  let name: String
  /// The first row of each key.
  private(set) var places: [Value: Place] = [:]
  /// Keys that more than one row has, in the order of their second rows.
  private(set) var repeated: [Value] = []
  /// The further rows of those, in order.
  private(set) var others: [Value: [Place]] = [:]
  /// The rows without a key.
  private(set) var unkeyed = 0
  /// The rows in all.
  private(set) var count = 0
  /// The kinds of keys that there are.
  private(set) var kinds: Set<AttributeKind> = []

  /// - Throws: `EditingError` if there is no such column.
  init(_ table: OperandShapes, by column: String) throws {
    blocks = table.layers.flatMap(\.blocks)
    name = table.name
    if column != Self.id { try table.known.require(column, in: name) }
    for (number, block) in blocks.enumerated() {
      let values = Self.keys(column, of: block)
      for row in 0..<block.rowCount {
        count += 1
        guard let value = values?.value(row), let key = Self.key(value) else {
          unkeyed += 1
          continue
        }
        kinds.insert(value.kind)
        add(Place(block: number, row: row), of: key)
      }
    }
  }

  private mutating func add(_ place: Place, of key: Value) {
    if places[key] == nil {
      places[key] = place
      return
    }
    if others[key] == nil { repeated.append(key) }
    others[key, default: []].append(place)
  }

  /// The word for the `id` member of features.
  static let id = "$id"

  /// The column with the keys of a block.
  static func keys(_ column: String, of block: FeatureBlock) -> AttributeColumn? {
    column == id ? block.identifiers : block.column(column)
  }

  /// A value as a key: numbers by their value, texts by their characters; `nil` for none.
  static func key(_ value: AttributeValue) -> Value? {
    switch value.kind {
    case .missing, .null: nil
    default: Value(value).canonical
    }
  }

  /// The key of a value of the other side, where texts stand for numbers on one of both.
  func key(_ value: AttributeValue, asNumber isNumber: Bool) -> Value? {
    guard isNumber, case .string(let text) = value else { return Self.key(value) }
    return Self.number(text).flatMap { Self.key(.number($0)) } ?? Self.key(value)
  }

  /// The rows with keys that are texts of numbers as numbers.
  mutating func takeNumbers() {
    var all: [(key: Value, place: Place)] = []
    for (key, first) in places {
      var made = key
      if case .text(let text) = key, let number = Self.number(text.string) {
        made = Self.key(.number(number)) ?? key
      }
      all += ([first] + (others[key] ?? [])).map { (made, $0) }
    }
    all.sort { ($0.place.block, $0.place.row) < ($1.place.block, $1.place.row) }
    (places, others, repeated) = ([:], [:], [])
    for (key, place) in all { add(place, of: key) }
  }

  /// A key whose rows have different values of one of some columns, and that column.
  func contradiction(in columns: [String]) -> (key: Value, column: String)? {
    let sources = columns.map { (name: $0, columns: self.columns($0)) }
    for key in repeated {
      guard let first = places[key] else { continue }
      for source in sources {
        let value = Self.value(source.columns, at: first)
        let isSame = others[key]?.allSatisfy { Self.value(source.columns, at: $0) == value }
        if isSame == false { return (key, source.name) }
      }
    }
    return nil
  }

  /// The text of a JSON number for one that may begin with zeros or a plus sign.
  private static func number(_ text: String) -> String? {
    if NumberText.isValid(text) { return text }
    let digits = text.drop { $0 == "0" || $0 == "+" }
    let made = digits.isEmpty && !text.isEmpty ? "0" : String(digits)
    return text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "+" } && NumberText.isValid(made)
      ? made : nil
  }

  /// A column of the table in each of its blocks.
  func columns(_ name: String) -> [AttributeColumn?] { blocks.map { $0.column(name) } }

  static func value(_ columns: [AttributeColumn?], at place: Place) -> AttributeValue {
    columns[place.block]?.value(place.row) ?? .missing
  }

  /// Some keys in words: `“FRA”, 12`.
  static func words(_ keys: [Value]) -> String {
    let shown = keys.prefix(3).map { key in
      switch key.attribute {
      case .string(let text): "“\(text)”"
      case let other: other.text
      }
    }
    return shown.joined(separator: ", ") + (keys.count > 3 ? " …" : "")
  }
}

extension OperandShapes {
  var known: KnownAttributes { KnownAttributes(of: layers) }

  /// The names of all attributes in order of first appearance.
  var fieldNames: [String] { known.names }
}

/// The rows of a table that belong to features.
struct RowMatches {
  var places: [FeatureReference: KeyedRows.Place] = [:]
  /// Features without a row.
  var unmatched: [FeatureReference] = []
  /// Rows that belong to no feature.
  var unused = 0
  /// Lines about the keys.
  var remarks: [String] = []

  /// - Parameters:
  ///   - parts: the layers and their chosen features.
  ///   - column: the attribute of features that has the keys of the rows.
  /// - Throws: `EditingError` where the layers have no such attribute, or no key has a row.
  init(
    _ parts: [(layer: any BlockHolding, ids: Set<FeatureID>?)], by column: String,
    in rows: inout KeyedRows
  ) throws {
    let isEmpty = rows.count == 0 || parts.allSatisfy { $0.layer.count == 0 }
    let attributes = KnownAttributes(of: parts.map(\.layer))
    if column != KeyedRows.id, !isEmpty || !attributes.names.isEmpty {
      try attributes.require(column, in: parts.first?.layer.name ?? "")
    }
    var kinds: Set<AttributeKind> = []
    for (layer, _) in parts {
      for block in layer.blocks {
        guard let values = KeyedRows.keys(column, of: block) else { continue }
        for row in 0..<block.rowCount { kinds.insert(values.kind(row)) }
      }
    }
    let known: Set<AttributeKind> = [.number, .string]
    let (left, right) = (kinds.intersection(known), rows.kinds.intersection(known))
    let isMixed = !left.isEmpty && !right.isEmpty && left.union(right).count == 2
    if isMixed {
      rows.takeNumbers()
      remarks.append("keys are numbers on one side and texts on the other: compared as numbers")
    }
    var used = Set<Value>()
    for (layer, ids) in parts {
      for block in layer.blocks {
        let values = KeyedRows.keys(column, of: block)
        for row in 0..<block.rowCount where ids?.contains(block.featureIDs[row]) ?? true {
          let id = FeatureReference(layer: layer.id, feature: block.featureIDs[row])
          guard let key = values.flatMap({ rows.key($0.value(row), asNumber: isMixed) }),
            let place = rows.places[key]
          else {
            unmatched.append(id)
            continue
          }
          used.insert(key)
          places[id] = place
        }
      }
    }
    unused = rows.places.count - used.count
    guard !used.isEmpty || isEmpty else {
      throw EditingError(
        .notFound,
        "no feature has a row in \(rows.name): its keys are \(KeyedRows.words(rows.sample)), those "
          + "of the features \(KeyedRows.words(Self.sample(parts, column)))")
    }
  }

  /// The row of a feature.
  func place(of feature: FeatureID, in layer: LayerID) -> KeyedRows.Place? {
    places[FeatureReference(layer: layer, feature: feature)]
  }

  /// The features of a layer without a row.
  func unmatched(in layer: LayerID) -> Set<FeatureID> {
    Set(unmatched.lazy.filter { $0.layer == layer }.map(\.feature))
  }

  private static func sample(
    _ parts: [(layer: any BlockHolding, ids: Set<FeatureID>?)], _ column: String
  ) -> [Value] {
    parts.lazy.flatMap(\.layer.blocks).compactMap { KeyedRows.keys(column, of: $0) }.prefix(1)
      .flatMap {
        values in
        (0..<min(4, values.rowCount)).compactMap { KeyedRows.key(values.value($0)) }
      }
  }
}

extension KeyedRows {
  /// Some of its keys.
  var sample: [Value] {
    Array(
      places.sorted { ($0.value.block, $0.value.row) < ($1.value.block, $1.value.row) }.prefix(4)
        .map(\.key))
  }
}
