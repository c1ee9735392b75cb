import PortolanDocuments
import PortolanGraphics
import PortolanRendering

/// The attributes of the features of a drawing, as JSON that is safe within HTML.
///
///     {"layer-1":{"name":"towns","title":"Towns","label":0,"fields":["name","pop"],
///     "features":{"3":["Oslo","580000"]}}}
///
/// `label` is the number of the field with the names, `null` for none. Values are the texts that
/// people read; `null` where a feature has none.
struct HTMLAttributes {
  /// The most bytes of all attributes; features beyond them have none.
  static let bytesMax = 8 << 20
  /// The most fields of a layer, and the longest text in scalars.
  static let fieldsMax = 60
  static let scalarsMax = 300

  private(set) var json = "{"

  /// - Parameter drawn: the features in the drawing.
  init(of drawn: Set<DrawnFeature>, in document: Document) {
    var isFirst = true
    let titles = LayerTitles(document)
    for (index, layer) in document.shownLayers.enumerated() {
      guard let layer = layer as? any FeatureHolding else { continue }
      let fields = Array(layer.fieldNames.prefix(Self.fieldsMax))
      json += "\(isFirst ? "" : ",")\n\"layer-\(index + 1)\":{\"name\":\(Self.text(layer.name)),"
      json += "\"title\":\(Self.text(titles.title(of: layer))),"
      let label = layer.style.labelField.flatMap { label in
        fields.firstIndex { $0.hasSameBytes(as: label) }
      }
      json += "\"label\":\(label.map(String.init) ?? "null"),"
      json += "\"fields\":[\(fields.map(Self.text).joined(separator: ","))],\"features\":{"
      isFirst = false
      write(layer, index, fields, drawn)
      json += "}}"
    }
    json += "}"
  }

  private mutating func write(
    _ layer: any FeatureHolding, _ index: Int, _ fields: [String], _ drawn: Set<DrawnFeature>
  ) {
    var separator = "\n"
    for block in layer.blocks {
      let columns = fields.map { block.column($0) }
      for (row, id) in block.featureIDs.enumerated() {
        let feature = DrawnFeature(layer: index, block: block.geometry, row: row)
        guard drawn.contains(feature) else { continue }
        let values = columns.map { column -> String in
          guard let column else { return "null" }
          let value = column.value(row)
          return value.kind == .missing || value.kind == .null ? "null" : Self.text(value.text)
        }
        let line = "\(separator)\"\(id.rawValue)\":[\(values.joined(separator: ","))]"
        if json.utf8.count + line.utf8.count > Self.bytesMax { return }
        json += line
        separator = ",\n"
      }
    }
  }

  /// A JSON string without any sign that HTML knows.
  static func text(_ text: String) -> String {
    var result = "\""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == scalarsMax {
        result += "\u{2026}"
        break
      }
      count += 1
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "<", ">", "&", "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// A feature that a drawing shows.
struct DrawnFeature: Hashable {
  /// The number of its layer among those shown.
  var layer: Int
  private var block: ObjectIdentifier
  private var row: Int

  init(layer: Int, block: GeometryBlock, row: Int) {
    self.layer = layer
    self.block = ObjectIdentifier(block)
    self.row = row
  }
}
