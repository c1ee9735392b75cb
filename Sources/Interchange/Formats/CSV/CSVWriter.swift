import Documents
import Graphics

/// Writes layers as one table: a record a feature, the attributes of all in columns.
///
/// Points get a column of x and one of y, anything else one of well-known text. A layer that came
/// from a table keeps its separator, line ends, quotes and the place of its position columns.
struct CSVWriter: ~Copyable {
  /// A column of the table.
  private enum Column {
    case identifier
    case x, y, elevation, text
    case attribute(String)
  }

  private let options: ExportOptions
  private var layout: TableLayout
  private let usualSeparator: UInt8
  private var out = OutputBuffer()

  init(options: ExportOptions, separator: UInt8) {
    self.options = options
    usualSeparator = separator
    layout = TableLayout()
  }

  mutating func write(_ layers: [FeatureLayer], to sink: ([UInt8]) throws -> Void) throws {
    let chosen = try options.chosen(layers)
    layout = TableLayout()
    if chosen.count == 1, let former = TableLayout(words: chosen[0].source.whitespace) {
      layout = former
      if former.separator == UInt8(ascii: "\t") || usualSeparator == UInt8(ascii: "\t") {
        layout.separator = usualSeparator
      }
    } else {
      layout.separator = usualSeparator
    }
    if let separator = options.separator { layout.separator = separator }
    if layout.separator == UInt8(ascii: ",") { layout.hasDecimalComma = false }
    let columns = columns(chosen)
    if layout.hasByteOrderMark { out.append(contentsOf: [0xEF, 0xBB, 0xBF]) }
    for (index, column) in columns.enumerated() {
      if index > 0 { out.append(layout.separator) }
      appendText(Array(name(column).utf8), isString: true)
    }
    out.append(layout.newline)
    for layer in chosen {
      for block in layer.blocks {
        let cells = columns.map { column in
          if case .attribute(let name) = column {
            block.column(name)
          } else {
            nil as AttributeColumn?
          }
        }
        for row in 0..<block.rowCount where options.includes(block, row) {
          append(block, row, columns, cells, decimals: layer.source.decimals)
          try out.flushIfFull(to: sink)
        }
      }
    }
    try out.flush(to: sink)
  }

  // MARK: Columns

  private func columns(_ layers: [FeatureLayer]) -> [Column] {
    let blocks = layers.flatMap(\.blocks)
    let arePoints = blocks.allSatisfy {
      $0.geometry.kinds.allSatisfy { $0 == .point || $0 == .none }
    }
    var fields: [String] = []
    var seen: Set<[UInt8]> = []
    for name in layers.flatMap(\.fieldNames) where seen.insert(Array(name.utf8)).inserted {
      fields.append(name)
    }
    var columns = fields.map { Column.attribute($0) }
    if arePoints, layout.text == nil {
      // Those that were read go back to their places, the first one first.
      let places = [
        (layout.x?.place ?? 0, Column.x), (layout.y?.place ?? 1, Column.y),
      ].sorted { $0.0 < $1.0 }
      for (place, column) in places { columns.insert(column, at: min(place, columns.count)) }
      if blocks.contains(where: { !$0.geometry.elevations.isEmpty }) { columns.append(.elevation) }
    } else {
      columns.insert(.text, at: min(layout.text?.place ?? 0, columns.count))
    }
    let hasIdentifiers = blocks.contains { block in
      (0..<block.rowCount).contains { block.identifiers.kind($0) != .missing }
    }
    if hasIdentifiers { columns.insert(.identifier, at: 0) }
    // A field that is called as a position column would be read as one.
    return columns.filter { column in
      guard case .attribute(let field) = column else { return true }
      return ![layout.x?.name, layout.y?.name, layout.text?.name].contains(field)
    }
  }

  private func name(_ column: Column) -> String {
    switch column {
    case .identifier: "id"
    case .x: layout.x?.name ?? "lon"
    case .y: layout.y?.name ?? "lat"
    case .elevation: "ele"
    case .text: layout.text?.name ?? "wkt"
    case .attribute(let name): name
    }
  }

  // MARK: Records

  private mutating func append(
    _ block: FeatureBlock, _ row: Int, _ columns: [Column], _ cells: [AttributeColumn?],
    decimals: Int
  ) {
    let run = PathRun(block.geometry, row: row)
    let vertex =
      run.kind == .point && !run.paths.isEmpty
      ? run.vertices(run.paths.lowerBound).first : nil
    let style = block.shapes[Int(block.shapeIndices[row])].numberStyle
    for (index, column) in columns.enumerated() {
      if index > 0 { out.append(layout.separator) }
      switch column {
      case .identifier: appendValue(block.identifiers, row)
      case .attribute: if let cell = cells[index] { appendValue(cell, row) }
      case .text: appendGeometry(block, row)
      case .x:
        if let vertex {
          appendNumber(run.coordinates[2 * vertex], style)
        } else {
          appendLeft(block, row, layout.x)
        }
      case .y:
        if let vertex {
          appendNumber(run.coordinates[2 * vertex + 1], style)
        } else {
          appendLeft(block, row, layout.y)
        }
      case .elevation:
        if let vertex, !run.elevations.isEmpty, !run.elevations[vertex].isNaN {
          appendNumber(run.elevations[vertex], style)
        }
      }
    }
    out.append(layout.newline)
  }

  /// What stood in a position column that held no position.
  private mutating func appendLeft(
    _ block: FeatureBlock, _ row: Int, _ column: TableLayout.Column?
  ) {
    if let name = column?.name, let cell = block.column(name) { appendValue(cell, row) }
  }

  private mutating func appendGeometry(_ block: FeatureBlock, _ row: Int) {
    var geometry = block.geometry.geometry(ofFeature: row)
    if let precision = options.precision { geometry.round(to: precision) }
    if let text = WKT.text(geometry) {
      appendText(Array(text.utf8), isString: true)
    } else {
      appendLeft(block, row, layout.text)
    }
  }

  private mutating func appendNumber(_ value: Double, _ style: FeatureShape.NumberStyle) {
    var text: [UInt8]
    if let precision = options.precision {
      let rounded = NumberText.rounded(value, decimals: precision)
      text = NumberPrinter.shortest(rounded, isPointed: false)
    } else if case .decimals(let count) = style {
      text = NumberPrinter.fixed(value, decimals: count)
    } else {
      text = NumberPrinter.shortest(value, isPointed: style == .shortestWithPoint)
    }
    if layout.hasDecimalComma { text = text.map { $0 == 0x2E ? UInt8(ascii: ",") : $0 } }
    appendText(text, isString: false)
  }

  private mutating func appendValue(_ column: AttributeColumn, _ row: Int) {
    switch column.value(row) {
    case .missing, .null: break
    case .bool(let flag): out.append(flag ? "true" : "false")
    case .number(let text):
      appendText(
        Array((layout.hasDecimalComma ? text.replacing(".", with: ",") : text).utf8),
        isString: false)
    case .string(let text):
      if text.isEmpty { out.append("\"\"") } else { appendText(Array(text.utf8), isString: true) }
    case .json(let text): appendText(Array(text.utf8), isString: true)
    }
  }

  /// Appends a field, in quotes where it needs them.
  private mutating func appendText(_ bytes: [UInt8], isString: Bool) {
    let needsQuotes =
      layout.isAllQuoted && isString
      || bytes.contains { byte in
        byte == layout.separator || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
      } || bytes.first == 0x20 || bytes.last == 0x20
    guard needsQuotes else {
      out.append(contentsOf: bytes)
      return
    }
    out.append(UInt8(ascii: "\""))
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { out.append(byte) }
      out.append(byte)
    }
    out.append(UInt8(ascii: "\""))
  }
}

extension Geometry {
  /// Rounds every coordinate to so many decimals.
  fileprivate mutating func round(to decimals: Int) {
    for path in paths.indices {
      for index in paths[path].vertices.indices {
        let vertex = paths[path].vertices[index]
        paths[path].vertices[index] = Coordinate(
          x: NumberText.rounded(vertex.x, decimals: decimals),
          y: NumberText.rounded(vertex.y, decimals: decimals))
      }
    }
  }
}
