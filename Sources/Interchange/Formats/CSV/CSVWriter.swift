import PortolanDocuments
import PortolanGraphics

/// Writes layers as one table: a record a feature, the attributes of all in columns.
///
/// Points get a column of x and one of y, anything else one of well-known text. A layer read from a
/// table keeps its separator, line ends, quotes and the places of its position columns.
struct CSVWriter: ~Copyable {
  typealias Column = TableColumns.Column

  private let options: ExportOptions
  private(set) var layout: TableLayout
  private var isGeographic = true
  private let usualSeparator: UInt8
  private var out = OutputBuffer()
  /// The prefix of well-known text: `SRID=25833;`.
  private(set) var systemPrefix = ""
  /// The code of the system in digits of well-known binary.
  private var systemCode: UInt32?
  /// The places of columns whose strings all look like numbers.
  private(set) var quotedColumns: Set<Int> = []
  /// Tables hold values only: there is no kept text that could differ.
  private(set) var report = ExportReport()
  /// The attributes whose column has another name.
  private var renames = TableRenames()

  init(options: ExportOptions, separator: UInt8) {
    self.options = options
    usualSeparator = separator
    layout = TableLayout()
    report.areFormulasSafe = options.hasSafeCells
  }

  mutating func write(_ layers: [any FeatureHolding], to sink: ([UInt8]) throws -> Void) throws {
    try options.check(layers)
    report.countJumps(layers, options)
    let list = try begin(layers)
    writeHeader(list)
    for layer in layers {
      for block in layer.blocks { try append(block, of: layer, list, sink) }
    }
    try out.flush(to: sink)
  }

  /// Writes a layer whose blocks come one after the other, twice.
  ///
  /// - Parameter layer: the layer without its features, in degrees on WGS 84.
  mutating func write(
    _ layer: any FeatureHolding, to sink: ([UInt8]) throws -> Void,
    features: @escaping ((FeatureBlock) throws -> Void) throws -> Void
  ) throws {
    try options.check([layer])
    var facts = TableFacts(hasComma: false)
    try features { block in
      if options.choosesByJumps { report.countJumps(block.geometry) }
      facts.add(block, rows: options.rows(of: block, in: layer))
    }
    let list = try begin([layer], facts: facts)
    writeHeader(list)
    try features { block in try append(block, of: layer, list, sink) }
    try out.flush(to: sink)
  }

  private mutating func append(
    _ block: FeatureBlock, of layer: any FeatureHolding, _ list: [Column],
    _ sink: ([UInt8]) throws -> Void
  ) throws {
    let cells = self.cells(list, block)
    for row in options.rows(of: block, in: layer) {
      append(block, row, list, cells)
      try out.flushIfFull(to: sink)
    }
  }

  /// Chooses the layout; returns the columns.
  ///
  /// - Parameters:
  ///   - header: names of columns of the source table that stay without any value.
  ///   - facts: what is known of the features, where they are not in the layers.
  mutating func begin(
    _ chosen: [any FeatureHolding], header: [String] = [], facts known: TableFacts? = nil
  ) throws(ExportError) -> [Column] {
    chooseLayout(chosen)
    let facts = known ?? TableFacts(chosen, options, hasComma: layout.hasDecimalComma)
    var list = TableColumns(facts, layout, isGeographic: isGeographic).list
    let others = Set(list.filter { $0.attributeName == nil }.map { Array(name($0).utf8) })
    let kept = header.filter { !others.contains(Array($0.utf8)) }
    if !kept.isEmpty {
      list = TableColumns(facts, layout, isGeographic: isGeographic, header: kept).list
    }
    try TableColumns.check(list, facts)
    renames = TableRenames(list, layout)
    report.renamedColumns = renames.words
    state(options.system(of: chosen), list, chosen)
    quotedColumns = Set(
      list.indices.filter { attribute(in: list[$0]).map(facts.needsQuotes) ?? false })
    report.types = TableTypes(list.map { name($0) })
    return list
  }

  /// Takes the layout of the layers' source table.
  private mutating func chooseLayout(_ layers: [any FeatureHolding]) {
    layout = TableLayout()
    if layers.count == 1, let former = TableLayout(words: layers[0].source.whitespace) {
      layout = former
      if former.separator == UInt8(ascii: "\t") || usualSeparator == UInt8(ascii: "\t") {
        layout.separator = usualSeparator
      }
    } else {
      layout.separator = usualSeparator
    }
    // A reader finds out the usual ones alone.
    if !CSVScanner.separators.contains(layout.separator) { layout.separator = usualSeparator }
    if let separator = options.separator { layout.separator = separator }
    layout.leavesOutPositions = options.leavesOutPositions
    // Decimal commas are detected in positions: without fractions there they would be read as text.
    if layout.separator == UInt8(ascii: ",") || !haveFractions(layers) {
      layout.hasDecimalComma = false
    }
    isGeographic = options.system(of: layers).isDegrees
    dropNamesOfDegrees(layers)
    if !isGeographic, layout.x == nil, !arePlanar(layers, claim: .open) {
      layout.unplacedNames = TableLayout.Names(x: "easting", y: "northing")
    }
  }

  /// Names the coordinate system, as a prefix of well-known text; else reports that the table does
  /// not name it.
  private mutating func state(
    _ system: CoordinateSystem, _ columns: [Column], _ layers: [any FeatureHolding]
  ) {
    let form = layout.shapeForm
    systemCode = form.hasSystem && system.isWGS84 ? 4326 : nil
    if system.isWGS84 { return }
    // GeoJSON has no place for it.
    let text = form.kind != .json && columns.contains { if case .text = $0 { true } else { false } }
    if text, system.authority == "EPSG", let code = UInt32(system.code), code > 0 {
      systemPrefix = "SRID=\(code);"
      systemCode = code
    } else if !system.authority.isEmpty {
      report.unstatedSystem = system.name
    } else if !isGeographic, !saysPlanar(columns), !arePlanar(layers, claim: .open) {
      report.mayBeTakenForDegrees = true
    }
  }

  /// Whether the names of the position columns show that these are planar.
  private func saysPlanar(_ columns: [Column]) -> Bool {
    var names = ["", ""]
    for column in columns {
      if case .x(let name) = column { names[0] = name }
      if case .y(let name) = column { names[1] = name }
    }
    return PositionColumns.claim(x: names[0], y: names[1]) == .planar
  }

  /// Whether numbers alone show a reader that coordinates are planar.
  private func arePlanar(_ layers: [any FeatureHolding], claim: DegreesTest.Claim) -> Bool {
    DegreesTest(layers.flatMap(\.blocks), claim: claim, where: options.includes).arePlanar
  }

  /// Writes the first line, from which the reader detects the separator.
  private mutating func writeHeader(_ columns: [Column]) {
    if layout.hasByteOrderMark { out.append(contentsOf: [0xEF, 0xBB, 0xBF]) }
    for (index, field) in headerFields(columns).enumerated() {
      if index > 0 { out.append(layout.separator) }
      out.append(contentsOf: field)
    }
    out.append(layout.newline)
    endHeader(columns)
  }

  /// A first line without any separator is read as one of commas.
  mutating func endHeader(_ columns: [Column]) {
    if columns.count == 1 { layout.separator = UInt8(ascii: ",") }
  }

  /// The encoded fields of the first line.
  ///
  /// - Precondition: the buffer was not flushed since the beginning of the file.
  mutating func headerFields(_ columns: [Column]) -> [[UInt8]] {
    let start = out.take()
    defer { out.append(contentsOf: start) }
    let names = columns.map { name($0) }
    // Names that are equal in Swift may differ in their bytes.
    var counts: [[UInt8]: Int] = [:]
    for name in names { counts[Array(name.utf8), default: 0] += 1 }
    report.doubledColumns = counts.filter { $0.value > 1 }.keys
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
    let rivals = CSVScanner.separators.filter { $0 != layout.separator }
    let isUnclear = rivals.contains { rival in
      let count = names.reduce(0) { count, name in count + name.utf8.count { $0 == rival } }
      return count > 0 && count >= names.count - 1
    }
    return names.map { name in
      let isQuoted = isUnclear && name.utf8.contains(where: rivals.contains)
      appendText(Array(name.utf8), isString: true, isQuoted: isQuoted)
      return out.take()
    }
  }

  /// Whether the position columns hold decimals: of points, or of kept invalid positions.
  private func haveFractions(_ layers: [any FeatureHolding]) -> Bool {
    let names = [layout.x?.name, layout.y?.name].compactMap { $0 }
    var found = false
    for block in layers.lazy.flatMap(\.blocks) {
      guard block.geometry.kinds.allSatisfy({ $0 == .point || $0 == .none }) else { return false }
      found = found || block.geometry.coordinates.contains { $0 != $0.rounded() }
      for column in names.compactMap({ block.column($0) }) where !found {
        found = column.bytes.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }
      }
    }
    return found
  }

  /// The block's column for each column of the table: the attribute, or the kept invalid positions
  /// of a position column.
  func cells(_ columns: [Column], _ block: FeatureBlock) -> [AttributeColumn?] {
    var byName: [[UInt8]: AttributeColumn] = [:]
    for column in block.attributes { byName[Array(column.name.utf8)] = column }
    return columns.map { column in attribute(in: column).flatMap { byName[Array($0.utf8)] } }
  }

  /// The attribute whose values stand in a column, of position columns where these are invalid.
  private func attribute(in column: Column) -> String? {
    switch column {
    case .attribute(let name): name
    case .x: layout.x?.name
    case .y: layout.y?.name
    case .text: layout.text?.name
    case .point: layout.point?.name
    case .identifier, .elevation: nil
    }
  }

  /// Drops the names `lon` and `lat` of position columns with planar coordinates that could be
  /// taken for degrees.
  private mutating func dropNamesOfDegrees(_ layers: [any FeatureHolding]) {
    guard !isGeographic, let x = layout.x, let y = layout.y,
      PositionColumns.claim(x: x.name, y: y.name) == .degrees
    else { return }
    if arePlanar(layers, claim: .degrees) { return }
    let isPlain = arePlanar(layers, claim: .open)
    layout.x?.name = isPlain ? "x" : "easting"
    layout.y?.name = isPlain ? "y" : "northing"
  }

  func name(_ column: Column) -> String {
    switch column {
    case .attribute(let name): renames.name(name)
    default: column.ownName ?? ""
    }
  }

  // MARK: Records

  private mutating func append(
    _ block: FeatureBlock, _ row: Int, _ columns: [Column], _ cells: [AttributeColumn?]
  ) {
    report.features += 1
    let start = out.count
    appendFields(block, row, columns, cells) { writer, index in
      if index > 0 { writer.out.append(writer.layout.separator) }
    }
    // An empty line would be no record.
    if out.count == start { out.append("\"\"") }
    out.append(layout.newline)
  }

  /// The encoded fields of a row, one a column.
  ///
  /// - Precondition: the buffer is empty.
  mutating func fields(
    _ block: FeatureBlock, _ row: Int, _ columns: [Column], _ cells: [AttributeColumn?]
  ) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    fields.reserveCapacity(columns.count)
    appendFields(block, row, columns, cells) { writer, index in
      if index > 0 { fields.append(writer.out.take()) }
    }
    fields.append(out.take())
    return fields
  }

  /// Appends the fields of the columns; `before` is called before each.
  private mutating func appendFields(
    _ block: FeatureBlock, _ row: Int, _ columns: [Column], _ cells: [AttributeColumn?],
    before: (inout CSVWriter, Int) -> Void
  ) {
    let run = PathRun(block.geometry, row: row)
    let vertex =
      run.kind == .point && !run.paths.isEmpty
      ? run.vertices(run.paths.lowerBound).first : nil
    let style = block.shapes[Int(block.shapeIndices[row])].numberStyle
    for (index, column) in columns.enumerated() {
      before(&self, index)
      let isQuoted = quotedColumns.contains(index)
      switch column {
      case .identifier: appendValue(block.identifiers, row, index, isQuoted: false)
      case .attribute: appendValue(cells[index], row, index, isQuoted: isQuoted)
      case .text: appendGeometry(block, row, cells[index], index, isQuoted)
      case .x, .y:
        if let vertex {
          let isX = if case .x = column { true } else { false }
          appendNumber(run.coordinates[2 * vertex + (isX ? 0 : 1)], style)
        } else {
          appendValue(cells[index], row, index, isQuoted: isQuoted)
        }
      case .point:
        if let vertex {
          let (x, y) = (run.coordinates[2 * vertex], run.coordinates[2 * vertex + 1])
          appendPair(y, x, style)
        } else {
          appendValue(cells[index], row, index, isQuoted: isQuoted)
        }
      case .elevation:
        if let vertex, !run.elevations.isEmpty, !run.elevations[vertex].isNaN {
          appendNumber(run.elevations[vertex], style)
        }
      }
    }
  }

  private mutating func appendGeometry(
    _ block: FeatureBlock, _ row: Int, _ left: AttributeColumn?, _ place: Int, _ isQuoted: Bool
  ) {
    var geometry = block.geometry.geometry(ofFeature: row)
    if let precision = options.precision {
      geometry = geometry.reduced(to: precision, &report.lost)
    }
    let text = layout.shapeForm.text(geometry, prefix: systemPrefix, system: systemCode)
    if let text {
      appendText(Array(text.utf8), isString: true)
    } else {
      appendValue(left, row, place, isQuoted: isQuoted)
    }
  }

  private mutating func appendPair(
    _ first: Double, _ second: Double, _ style: FeatureShape.NumberStyle
  ) {
    let form = layout.pointForm
    let pair =
      number(first, style) + Array(form.between.utf8) + number(second, style)
    appendText(
      form.hasBrackets ? Array("(".utf8) + pair + Array(")".utf8) : pair, isString: true)
  }

  private mutating func appendNumber(_ value: Double, _ style: FeatureShape.NumberStyle) {
    var text = number(value, style)
    if layout.hasDecimalComma { text = text.map { $0 == 0x2E ? UInt8(ascii: ",") : $0 } }
    appendText(text, isString: false)
  }

  private func number(_ value: Double, _ style: FeatureShape.NumberStyle) -> [UInt8] {
    if let precision = options.precision {
      let rounded = NumberText.rounded(value, decimals: precision)
      return NumberPrinter.shortest(rounded, isPointed: false)
    } else if case .decimals(let count) = style {
      return NumberPrinter.fixed(value, decimals: count)
    }
    return NumberPrinter.shortest(value, isPointed: style == .shortestWithPoint)
  }

  /// Appends a value to a column of the table; `isQuoted` puts strings that look like numbers in
  /// quotes.
  private mutating func appendValue(
    _ column: AttributeColumn?, _ row: Int, _ place: Int, isQuoted: Bool
  ) {
    guard let column else { return }
    let value = column.value(row)
    report.types.count(value, in: place)
    switch value {
    case .missing, .null: break
    case .bool(let flag): out.append(flag ? "true" : "false")
    case .number(let text):
      appendText(
        Array((layout.hasDecimalComma ? text.replacing(".", with: ",") : text).utf8),
        isString: false)
    case .string(let text):
      if text.isEmpty {
        out.append("\"\"")
      } else {
        let bytes = Array(text.utf8)
        let isNumber =
          isQuoted
          && CSVReader.looksLikeNumber(bytes[...], hasComma: layout.hasDecimalComma)
        appendText(bytes, isString: true, isQuoted: isNumber)
      }
    case .json(let text): appendText(Array(text.utf8), isString: true)
    }
  }

  /// Appends a field, in quotes if needed.
  private mutating func appendText(
    _ bytes: [UInt8], isString: Bool, isQuoted: Bool = false
  ) {
    var (bytes, isQuoted) = (bytes, isQuoted)
    if isString, Formula.begins(bytes) {
      report.formulas += 1
      if options.hasSafeCells { bytes.insert(UInt8(ascii: "'"), at: 0) }
    }
    // A spreadsheet may split the line at another separator.
    if options.hasSafeCells, bytes.contains(where: CSVScanner.separators.contains) {
      isQuoted = true
    }
    // Text like a byte order mark would be taken for one at the beginning, and a file with a NUL
    // outside of quotes for no text.
    let needsQuotes =
      isQuoted || layout.isAllQuoted && isString || bytes.starts(with: [0xEF, 0xBB, 0xBF])
      || bytes.contains { byte in
        byte == layout.separator || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
          || byte == 0
      } || (bytes.first ?? 0x21) <= 0x20 || (bytes.last ?? 0x21) <= 0x20
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
