import PortolanDocuments

/// The attributes of a layer as KML has them: a schema of types, and the values of a feature.
///
///     <SimpleField name="pop" type="int"/>
///     <SimpleData name="pop">1200</SimpleData>
struct KMLFields {
  /// An attribute.
  struct Field {
    /// `nil` is the id of the feature.
    var attribute: String?
    var name: String
    var type: String
  }

  /// The typed ones.
  private(set) var fields: [Field] = []
  /// The attributes that are the names and the descriptions of places: text.
  private(set) var (nameField, descriptionField): (String?, String?)
  private(set) var remarks: [String] = []

  /// - Parameter rows: those of each block to write.
  init(_ layer: any FeatureHolding, _ rows: [[Int]]) {
    let names = layer.fieldNames
    nameField = names.first { $0.lowercased() == "name" }
    descriptionField = names.first { $0.lowercased() == "description" }
    var losses = NumberLosses()
    var longColumns = 0
    // GDAL's readers do not tell names apart by their capitals.
    var unique = TableNames(["name", "description"])
    var renamed: [String] = []
    for name in names where name != nameField && name != descriptionField {
      var survey = Survey()
      for (block, rows) in zip(layer.blocks, rows) {
        guard let column = block.column(name) else { continue }
        for row in rows { survey.add(column, row) }
      }
      let own = unique.unique(name.isEmpty ? "column" : name)
      if own != name { renamed.append("\(name.isEmpty ? "“”" : name) → \(own)") }
      if survey.hasLongNumbers { longColumns += 1 }
      fields.append(Field(attribute: name, name: own, type: survey.type(&losses)))
    }
    if !renamed.isEmpty {
      remarks.append(
        "layer \(layer.name): attributes without a name, or that differ only in capitals, are "
          + "renamed: " + renamed.prefix(5).joined(separator: ", ")
          + (renamed.count > 5 ? " and \(renamed.count - 5) more" : ""))
    }
    var survey = Survey()
    for (block, rows) in zip(layer.blocks, rows) {
      for row in rows { survey.add(block.identifiers, row) }
    }
    if survey.hasValues {
      let name = unique.unique("id")
      fields.append(Field(attribute: nil, name: name, type: survey.type(&losses)))
      remarks.append("layer \(layer.name): ids become the attribute \(name)")
    }
    if longColumns > 0 {
      remarks.append(
        "layer \(layer.name): \(CountText.text(longColumns, "column has", "columns have")) whole "
          + "numbers beyond 32 bits, which become text")
    }
    remarks += losses.remarks(layer.name)
  }

  /// The kinds of the values of one attribute.
  private struct Survey {
    private var kinds: Set<AttributeKind> = []
    private var (areWhole, areShort, areFinite) = (true, true, true)
    private var rounded = 0

    var hasValues: Bool { !kinds.isEmpty }

    /// Whether they are whole numbers, and some are beyond 32 bits.
    var hasLongNumbers: Bool { kinds == [.number] && areWhole && !areShort }

    mutating func add(_ column: AttributeColumn, _ row: Int) {
      let kind = column.kind(row)
      if kind == .missing || kind == .null { return }
      kinds.insert(kind)
      guard kind == .number else { return }
      let text = column.bytes[column.textRange(row)]
      if text.contains(where: { $0 &- 0x30 > 9 && $0 != UInt8(ascii: "-") }) {
        areWhole = false
      } else if Int32(String(decoding: text, as: UTF8.self)) == nil {
        areShort = false
      }
      switch DoubleText.fit(text) {
      case .exact: break
      case .rounded: rounded += 1
      case .beyond: areFinite = false
      }
    }

    /// Whole numbers of KML have 32 bits: longer ones become text.
    func type(_ losses: inout NumberLosses) -> String {
      if hasValues, kinds.isSubset(of: [.yes, .no]) { return "bool" }
      guard kinds == [.number] else { return "string" }
      if areWhole { return areShort ? "int" : "string" }
      if !areFinite {
        losses.textColumns += 1
        return "string"
      }
      losses.rounded += rounded
      return "double"
    }
  }
}
