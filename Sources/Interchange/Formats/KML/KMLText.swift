import PortolanDocuments
import PortolanGraphics

/// The text of a file of KML.
struct KMLText: ~Copyable {
  private let layers: [any FeatureHolding]
  private let options: ExportOptions
  private let title: String
  private var out = OutputBuffer()
  private var controls = 0
  private(set) var report = ExportReport()

  init(_ layers: [any FeatureHolding], _ options: ExportOptions, _ title: String) {
    (self.layers, self.options, self.title) = (layers, options, title)
  }

  mutating func write(to sink: ([UInt8]) throws -> Void) throws {
    out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    out.append("<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n<Document>\n")
    let rows = layers.map { layer in layer.blocks.map { options.rows(of: $0, in: layer) } }
    let fields = zip(layers, rows).map { KMLFields($0, $1) }
    // GDAL finds the schema of a layer in a KMZ only where that is a document of its own.
    for (number, layer) in layers.enumerated() {
      out.append("<Document>\n")
      writeElement("name", Array(layer.name.utf8)[...])
      writeSchema(fields[number], of: layer, number)
      for (block, rows) in zip(layer.blocks, rows[number]) {
        try sink([])
        for row in rows {
          writeFeature(block, row, fields[number], "schema\(number + 1)", layer.source.decimals)
          try out.flushIfFull(to: sink)
        }
      }
      out.append("</Document>\n")
      report.remarks += fields[number].remarks
    }
    out.append("</Document>\n</kml>\n")
    try out.flush(to: sink)
    if controls > 0 {
      report.remarks.append(
        "\(CountText.text(controls, "text has", "texts have")) control characters, which "
          + "\(title) does not hold; they become blanks")
    }
  }

  private mutating func writeSchema(
    _ fields: KMLFields, of layer: any FeatureHolding, _ number: Int
  ) {
    if fields.fields.isEmpty { return }
    out.append("<Schema name=\"")
    writeText(Array(layer.name.utf8)[...], isValue: true)
    out.append("\" id=\"schema\(number + 1)\">\n")
    for field in fields.fields {
      out.append("<SimpleField name=\"")
      writeText(Array(field.name.utf8)[...], isValue: true)
      out.append("\" type=\"\(field.type)\"/>\n")
    }
    out.append("</Schema>\n")
  }

  private mutating func writeFeature(
    _ block: FeatureBlock, _ row: Int, _ fields: KMLFields, _ schema: String, _ decimals: Int
  ) {
    report.features += 1
    out.append("<Placemark>\n")
    if let column = fields.nameField.flatMap({ block.column($0) }) {
      if let text = Self.text(column, row) { writeElement("name", text) }
    }
    if let column = fields.descriptionField.flatMap({ block.column($0) }) {
      if let text = Self.text(column, row) { writeElement("description", text) }
    }
    var isOpen = false
    for field in fields.fields {
      let column = field.attribute.map { block.column($0) } ?? block.identifiers
      guard let column, let text = Self.text(column, row) else { continue }
      if !isOpen { out.append("<ExtendedData><SchemaData schemaUrl=\"#\(schema)\">\n") }
      isOpen = true
      out.append("<SimpleData name=\"")
      writeText(Array(field.name.utf8)[...], isValue: true)
      out.append("\">")
      writeText(field.type == "bool" ? column.kind(row) == .yes ? [0x31] : [0x30] : text)
      out.append("</SimpleData>\n")
    }
    if isOpen { out.append("</SchemaData></ExtendedData>\n") }
    if let precision = options.precision {
      let geometry = block.geometry.geometry(ofFeature: row)
      write(PathRun(geometry.reduced(to: precision, &report.lost)), precision)
    } else {
      write(PathRun(block.geometry, row: row), decimals)
    }
    if block.geometry.kinds[row] != .none { out.append("\n") }
    out.append("</Placemark>\n")
  }

  /// The text of a value; `nil` where there is none.
  private static func text(_ column: AttributeColumn, _ row: Int) -> ArraySlice<UInt8>? {
    switch column.kind(row) {
    case .missing, .null: nil
    case .yes: Array("true".utf8)[...]
    case .no: Array("false".utf8)[...]
    case .number, .string, .json: column.bytes[column.textRange(row)]
    }
  }

  // MARK: Shapes

  private mutating func write(_ run: PathRun, _ decimals: Int) {
    if run.kind == .none { return }
    let parts: [PathRun] = run.kind == .geometryCollection ? run.members : []
    let isPlaceless = run.kind == .point && run.paths.first.map { run.vertices($0).isEmpty } == true
    guard !run.paths.isEmpty, !isPlaceless else {
      return out.append("<MultiGeometry></MultiGeometry>")
    }
    switch run.kind {
    case .none: return
    case .point: writePoint(run, run.vertices(run.paths.lowerBound).lowerBound, decimals)
    case .lineString: writeLine(run, run.paths.lowerBound, decimals)
    case .polygon: writePolygon(run, run.paths, decimals)
    case .multiPoint, .multiLineString, .multiPolygon, .geometryCollection:
      out.append("<MultiGeometry>")
      if run.kind == .multiPolygon {
        for polygon in run.polygons { writePolygon(run, polygon, decimals) }
      } else if run.kind == .geometryCollection {
        // Members are no collections themselves.
        for part in parts { write(part, decimals) }
      } else {
        for path in run.paths {
          if run.kind == .multiLineString {
            writeLine(run, path, decimals)
          } else {
            for vertex in run.vertices(path) { writePoint(run, vertex, decimals) }
          }
        }
      }
      out.append("</MultiGeometry>")
    }
  }

  private mutating func writePoint(_ run: PathRun, _ vertex: Int, _ decimals: Int) {
    out.append("<Point>")
    writeCoordinates(run, vertex..<vertex + 1, isClosed: false, decimals)
    out.append("</Point>")
  }

  private mutating func writeLine(_ run: PathRun, _ path: Int, _ decimals: Int) {
    out.append("<LineString>")
    writeCoordinates(run, run.vertices(path), isClosed: false, decimals)
    out.append("</LineString>")
  }

  private mutating func writePolygon(_ run: PathRun, _ rings: Range<Int>, _ decimals: Int) {
    out.append("<Polygon>")
    for ring in rings {
      let isOuter = ring == rings.lowerBound
      out.append(isOuter ? "<outerBoundaryIs><LinearRing>" : "<innerBoundaryIs><LinearRing>")
      writeCoordinates(run, run.vertices(ring), isClosed: true, decimals)
      out.append(isOuter ? "</LinearRing></outerBoundaryIs>" : "</LinearRing></innerBoundaryIs>")
    }
    out.append("</Polygon>")
  }

  /// `x,y` or `x,y,z` each, with blanks between them.
  private mutating func writeCoordinates(
    _ run: PathRun, _ vertices: Range<Int>, isClosed: Bool, _ decimals: Int
  ) {
    out.append("<coordinates>")
    for vertex in vertices {
      if vertex > vertices.lowerBound { out.append(0x20) }
      writePosition(run, vertex, decimals)
    }
    if isClosed, let first = vertices.first, let last = vertices.last,
      run.coordinates[2 * first] != run.coordinates[2 * last]
        || run.coordinates[2 * first + 1] != run.coordinates[2 * last + 1]
    {
      out.append(0x20)
      writePosition(run, first, decimals)
    }
    out.append("</coordinates>")
  }

  private mutating func writePosition(_ run: PathRun, _ vertex: Int, _ decimals: Int) {
    writeNumber(run.coordinates[2 * vertex], decimals)
    out.append(UInt8(ascii: ","))
    writeNumber(run.coordinates[2 * vertex + 1], decimals)
    guard run.elevations.indices.contains(vertex), !run.elevations[vertex].isNaN else { return }
    out.append(UInt8(ascii: ","))
    writeNumber(run.elevations[vertex], decimals)
  }

  private mutating func writeNumber(_ value: Double, _ decimals: Int) {
    NumberPrinter.appendShortest(value, decimals: decimals, isPointed: false, to: &out)
  }

  // MARK: Markup

  private mutating func writeElement(_ name: String, _ text: ArraySlice<UInt8>) {
    out.append("<\(name)>")
    writeText(text)
    out.append("</\(name)>\n")
  }

  /// Text as XML has it; controls, which it does not have, become blanks.
  ///
  /// - Parameter isValue: whether it is the value of an attribute, whose lines XML would join.
  private mutating func writeText(_ text: ArraySlice<UInt8>, isValue: Bool = false) {
    var hasControls = false
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "&"): out.append("&amp;")
      case UInt8(ascii: "<"): out.append("&lt;")
      case UInt8(ascii: ">"): out.append("&gt;")
      case UInt8(ascii: "\""): out.append("&quot;")
      case 0x0D: out.append("&#13;")
      case 0x09 where isValue: out.append("&#9;")
      case 0x0A where isValue: out.append("&#10;")
      case 0xEF where rest.starts(with: [0xBF, 0xBE]) || rest.starts(with: [0xBF, 0xBF]):
        // U+FFFE and U+FFFF are no characters of XML.
        rest = rest.dropFirst(2)
        hasControls = true
        out.append(0x20)
      case 0x09, 0x0A, 0x20...: out.append(byte)
      default:
        hasControls = true
        out.append(0x20)
      }
    }
    if hasControls { controls += 1 }
  }
}
