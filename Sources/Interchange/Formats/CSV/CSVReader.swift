import PortolanDocuments
import PortolanGraphics

/// Reads a table into a layer: one feature a record.
///
/// A file in another encoding is brought to UTF-8 first. Where the first pass has to tell whether
/// numbers have a decimal comma, or the table is read in parts, there are two: the first finds the
/// numeric columns, the second makes the features. Else the features are made at once, and columns
/// that turn out to hold other texts become texts at the end. An empty field is no attribute; an
/// invalid position is kept as an attribute.
struct CSVReader {
  /// The text of the table in UTF-8, or the part of it that is in memory.
  var bytes: [UInt8]
  /// The offset of these bytes in the table.
  var offset = 0
  /// A table that is never whole in memory.
  var parts: TableParts?
  /// What is known of the blocks that were handed over; all of them where the table is whole.
  private var known = ReadBlocks()
  private(set) var layout = TableLayout()
  private var notes = NoteCollector()
  private var names: [String] = []
  /// Whether all values of a column are numbers; while a table is read in one pass, all so far.
  private var isNumeric: [Bool] = []
  private var isEmpty: [Bool] = []
  /// Whether the columns are classified while the features are made.
  private var isOnePass = false
  private var builder = FeatureBlockBuilder()
  private var decimals = 0
  private var rowNumber = 0
  /// Whether the form of a pair or a shape was seen.
  private var hasForm = false
  private var systems = SystemEvidence()
  /// How many positions arcs may still add.
  private var room = Arcs.Room(bytes: 0)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read(
    _ options: ImportOptions, _ progress: (Double) throws -> Void
  ) throws -> ImportResult {
    if let encoding = options.table.encoding ?? TextEncoding.marked(bytes), encoding != .utf8 {
      bytes = try encoding.decoded(bytes)
      layout.encoding = encoding.name
    }
    try checkEncoding()
    layout.separator = options.table.separator ?? CSVScanner.separator(of: bytes)
    layout.hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    if layout.hasByteOrderMark { notes.add(.byteOrderMark, at: 0) }
    var scanner = CSVScanner(bytes, separator: layout.separator)
    guard let header = try scanner.nextRecord() else { throw ScanFault(.empty, at: 0) }
    try parts?.checkHead(scanner)
    let headings = header.map(scanner.name)
    names = Self.unique(headings)
    for (place, name) in names.enumerated() where !name.hasSameBytes(as: headings[place]) {
      notes.add(.renamedColumns, at: header[place].range.lowerBound)
    }
    let named = options.table
    try check(named.columns, at: header[0].range.lowerBound)
    guard let positions = try positions(options, scanner) else {
      let found = names.prefix(8).joined(separator: ", ")
      throw ScanFault(.noColumns, at: header[0].range.lowerBound, ScanFault.excerpt(found))
    }
    layout.isAllQuoted = header.allSatisfy(\.isQuoted)
    try parts?.check(positions, names, scanner)
    layout.newline = newline(before: scanner.position)
    let identifier = options.table.idColumn.flatMap { place(of: $0) }
    remember(positions, identifier)
    isOnePass = parts == nil && layout.separator == UInt8(ascii: ",")
    (isNumeric, isEmpty) = (names.map { _ in true }, names.map { _ in true })
    if !isOnePass { try classify(scanner, positions) }
    let count = parts?.text.byteCount ?? bytes.count
    room = Arcs.Room(bytes: count)
    var next = 0
    try eachRecord(from: scanner) { reader, record, scanner, start in
      if start >= next {
        try progress(Double(start) / Double(count))
        next = start + 1 << 20
        try reader.handOver()
      }
      reader.append(record, scanner, positions, identifier, offset: start)
    }
    try progress(1)
    return try result(options)
  }

  /// Hands the closed blocks of a table in parts over.
  private mutating func handOver() throws {
    guard let parts else { return }
    for block in builder.takeBlocks() {
      known.add(block)
      known.nameFeatures(notes.features, in: block)
      try parts.take(block)
    }
  }

  /// The place of a column by its name, whatever its capitals.
  private func place(of name: String) -> Int? {
    PositionColumns.place(of: name, in: names)
  }

  /// Throws if there is no column of a name.
  private func check(_ wanted: [String], at offset: Int) throws(ScanFault) {
    for name in wanted where place(of: name) == nil {
      let known = names.prefix(8).joined(separator: ", ")
      throw ScanFault(
        .noSuchColumn, at: offset,
        "\(ScanFault.excerpt(name)); there are \(ScanFault.excerpt(known))")
    }
  }

  private func checkEncoding() throws(ScanFault) {
    if bytes.isEmpty { throw ScanFault(.empty, at: 0) }
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x50, 0x4B, 3, 4]) {
      throw ScanFault(.compressed, at: 0)
    }
    if parts == nil, let bad = bytes.withUnsafeBufferPointer({ JSONText.firstInvalidUTF8($0) }) {
      throw ScanFault(.notUTF8, at: bad)
    }
    if bytes.count > GeoJSONFormat.countMax { throw ScanFault(.tooLarge, at: 0) }
  }

  /// The names made unique and not empty.
  static func unique(_ names: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return names.enumerated().map { index, name in
      var unique = name.isEmpty ? "column\(index + 1)" : name
      while !seen.insert(Array(unique.utf8)).inserted { unique += "_\(index + 1)" }
      return unique
    }
  }

  /// The position columns; `nil` if there are none.
  ///
  /// A column that is called `wkt` and begins with such text takes precedence over a pair of
  /// numbers beside it, which may be a label's place.
  private func positions(
    _ options: ImportOptions, _ start: CSVScanner
  ) throws(ScanFault) -> PositionColumns? {
    let isGuessed = !options.table.namesPositions
    guard let positions = PositionColumns(names, options: options) else {
      return isGuessed ? try textColumn(start) : nil
    }
    guard case .pair = positions, isGuessed,
      let text = names.firstIndex(where: { $0.lowercased() == "wkt" })
    else { return positions }
    var scanner = start
    while let record = try scanner.nextRecord() {
      guard text < record.count, !record[text].range.isEmpty else { continue }
      let isText = ShapeText(scanner.text(record[text])) != nil
      return isText ? .text(text) : positions
    }
    return positions
  }

  /// The column of shapes under any name: the one with such text in the first record, if
  /// there is a single one.
  private func textColumn(_ start: CSVScanner) throws(ScanFault) -> PositionColumns? {
    var scanner = start
    guard let record = try scanner.nextRecord() else { return nil }
    let places = names.indices.filter { place in
      place < record.count && ShapeText(scanner.text(record[place])) != nil
    }
    return places.count == 1 ? .text(places[0]) : nil
  }

  private func newline(before position: Int) -> String {
    guard position > 0, position <= bytes.count else { return "\r\n" }
    if bytes[position - 1] == 0x0D { return "\r" }
    return position > 1 && bytes[position - 2] == 0x0D ? "\r\n" : "\n"
  }

  private mutating func remember(_ positions: PositionColumns, _ identifier: Int?) {
    layout.columns = names
    layout.identifier = identifier.map { TableLayout.Column(place: $0, name: names[$0]) }
    switch positions {
    case .pair(let x, let y):
      layout.x = TableLayout.Column(place: x, name: names[x])
      layout.y = TableLayout.Column(place: y, name: names[y])
    case .point(let column):
      layout.point = TableLayout.Column(place: column, name: names[column])
    case .nowhere: break
    case .text(let column):
      layout.text = TableLayout.Column(place: column, name: names[column])
    }
  }

  /// Finds the numeric columns, and whether numbers have a decimal comma.
  private mutating func classify(_ start: CSVScanner, _ positions: PositionColumns) throws {
    var (isNumeric, isEmpty) = (isNumeric, isEmpty)
    var isNumericWithCommas = isNumeric
    var commas = 0
    let countsCommas = layout.separator != UInt8(ascii: ",")
    try eachRecord(from: start) { reader, record, scanner, _ in
      for (index, field) in record.enumerated()
      where index < reader.names.count && !field.range.isEmpty {
        isEmpty[index] = false
        if countsCommas, positions.contains(index) {
          let value = scanner.bytes[field.range]
          if value.contains(UInt8(ascii: ",")), Self.plainNumber(value, hasComma: true) != nil {
            commas += 1
          }
        }
        guard isNumericWithCommas[index] else { continue }
        if !field.isQuoted, reader.withBytes(of: field, { NumberText.isValid($0) }) { continue }
        // Any other number has a comma.
        isNumeric[index] = false
        isNumericWithCommas[index] =
          !field.isQuoted && Self.plainNumber(scanner.bytes[field.range], hasComma: true) != nil
      }
    }
    (self.isNumeric, self.isEmpty) = (isNumeric, isEmpty)
    if case .pair = positions { layout.hasDecimalComma = commas > 0 }
    // Without decimal commas, a field with a comma is a string, and so is its whole column.
    if layout.hasDecimalComma { self.isNumeric = isNumericWithCommas }
    settleColumns()
  }

  /// Notes the columns without any value; none of them is numeric.
  private mutating func settleColumns() {
    for index in names.indices where isEmpty[index] {
      isNumeric[index] = false
      layout.emptyColumns.insert(index)
    }
  }

  @inline(__always)
  private func withBytes<Result>(
    of field: CSVScanner.Field, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[field.range])) }
  }

  /// Whether a field of this text, without quotes, may belong to a numeric column.
  static func looksLikeNumber(_ value: ArraySlice<UInt8>, hasComma: Bool) -> Bool {
    plainNumber(value, hasComma: hasComma) != nil
  }

  /// The text of a JSON number, with a point in place of its decimal comma.
  private static func plainNumber(_ value: ArraySlice<UInt8>, hasComma: Bool) -> [UInt8]? {
    let number =
      hasComma ? value.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 } : Array(value)
    return number.withUnsafeBufferPointer { NumberText.isValid($0) } ? number : nil
  }

  // MARK: Records

  private mutating func append(
    _ record: [CSVScanner.Field], _ scanner: CSVScanner, _ positions: PositionColumns,
    _ identifier: Int?, offset: Int
  ) {
    rowNumber += 1
    if record.count != names.count {
      notes.add(.raggedRows, at: offset, feature: rowNumber)
    }
    if builder.row == 0 { for name in names { _ = builder.attributes.place(of: name) } }
    let geometry = geometry(record, scanner, positions)
    var shape = FeatureShape.plain
    shape.isCutOnExport = false
    // The builder changes while the text is read.
    let bytes = bytes
    bytes.withUnsafeBufferPointer { bytes in
      for index in record.indices {
        let field = record[index]
        let isPosition = positions.contains(index)
        if field.range.isEmpty, !field.isQuoted || isPosition { continue }
        let text = UnsafeBufferPointer(rebasing: bytes[field.range])
        let mayBeNumber = index < isNumeric.count && isNumeric[index] && !field.isQuoted
        let isNumber = mayBeNumber && NumberText.isValid(text)
        if isOnePass, index < isNumeric.count, !text.isEmpty {
          isEmpty[index] = false
          if !isNumber { isNumeric[index] = false }
        }
        if geometry != nil, isPosition { continue }
        if isNumber {
          set(.number, text, index, identifier)
        } else if mayBeNumber, layout.hasDecimalComma,
          let number = Self.plainNumber(self.bytes[field.range], hasComma: true)
        {
          number.withUnsafeBufferPointer { set(.number, $0, index, identifier) }
        } else if field.hasQuotes {
          scanner.value(field).withUnsafeBufferPointer { set(.string, $0, index, identifier) }
        } else {
          set(.string, text, index, identifier)
        }
      }
    }
    if let geometry {
      shape.numberStyle = geometry.style
      switch geometry.value {
      case .point(let point): builder.geometry.appendPoint(point)
      case .shape(let value):
        builder.geometry.appendPaths(of: value)
        if value.kind == .geometryCollection { shape.geometryMembers = ["type", "geometries"] }
      }
    } else if positions != .nowhere {
      notes.add(.unlocated, at: offset, feature: rowNumber)
    }
    builder.endRow(geometry?.kind ?? .none, shape: shape)
  }

  /// Sets the value of a column in the row.
  @inline(__always)
  private mutating func set(
    _ kind: AttributeKind, _ text: UnsafeBufferPointer<UInt8>, _ index: Int, _ identifier: Int?
  ) {
    if index == identifier {
      builder.identifiers.set(builder.row, kind, utf8: text)
    } else {
      let place = index < names.count ? index : builder.attributes.place(of: "column\(index + 1)")
      builder.setAttribute(place, kind, utf8: text)
    }
  }

  /// Where a record lies.
  private struct Place {
    enum Value {
      case point(Coordinate)
      case shape(Geometry)
    }

    var value: Value
    var style: FeatureShape.NumberStyle

    var kind: GeometryKind {
      switch value {
      case .point: .point
      case .shape(let geometry): geometry.kind
      }
    }
  }

  private mutating func geometry(
    _ record: [CSVScanner.Field], _ scanner: CSVScanner, _ positions: PositionColumns
  ) -> Place? {
    switch positions {
    case .nowhere: return nil
    case .text(let column):
      guard column < record.count else { return nil }
      guard let shape = ShapeText(scanner.text(record[column]), &room) else { return nil }
      if !hasForm { layout.shapeForm = shape.form }
      hasForm = true
      let start = offset + record[0].range.lowerBound
      if shape.hasMeasures { notes.add(.measures, at: start, feature: rowNumber) }
      if shape.hasArcs {
        notes.add(room.isUsedUp ? .coarseArcs : .arcs, at: start, feature: rowNumber)
      }
      if let system = shape.system { systems.read(.named(system), at: start) }
      systems.finishItem(
        at: start, isLocated: !shape.geometry.box.isEmpty, hasMember: shape.system != nil)
      return Place(value: .shape(shape.geometry), style: .shortest)
    case .point(let column):
      guard column < record.count else { return nil }
      let text = scanner.text(record[column])
      guard let (point, texts) = PositionText.point(text) else { return nil }
      if !hasForm { layout.pointForm = TableLayout.PointForm(of: text) }
      hasForm = true
      noteLatitude(point, at: offset + record[0].range.lowerBound)
      return Place(value: .point(point), style: style(texts, [point.x, point.y]))
    case .pair(let x, let y):
      guard x < record.count, y < record.count else { return nil }
      if let first = withBytes(of: record[x], { ShortDecimal($0) }),
        let second = withBytes(of: record[y], { ShortDecimal($0) })
      {
        let point = Coordinate(x: first.value, y: second.value)
        noteLatitude(point, at: offset + record[0].range.lowerBound)
        return Place(value: .point(point), style: style(first, second))
      }
      let texts = [x, y].map { index in
        var text = scanner.text(record[index])
        if layout.hasDecimalComma { text = text.replacing(",", with: ".") }
        return text
      }
      guard let first = PositionText.ordinate(texts[0], .x),
        let second = PositionText.ordinate(texts[1], .y)
      else { return nil }
      let point = Coordinate(x: first, y: second)
      noteLatitude(point, at: offset + record[0].range.lowerBound)
      return Place(value: .point(point), style: style(texts, [first, second]))
    }
  }

  /// Notes a latitude that none can be.
  private mutating func noteLatitude(_ point: Coordinate, at offset: Int) {
    if point.y.magnitude > 90 {
      notes.add(.latitudes, at: offset, feature: rowNumber)
    }
  }

  /// Notes the number style of a point.
  private mutating func style(
    _ x: ShortDecimal, _ y: ShortDecimal
  ) -> FeatureShape.NumberStyle {
    decimals = max(decimals, x.decimals, y.decimals)
    if x.isShortest, y.isShortest { return .shortest }
    if x.isPointed, y.isPointed { return .shortestWithPoint }
    return x.decimals == y.decimals && x.decimals >= 1 ? .decimals(x.decimals) : .shortest
  }

  private mutating func style(_ texts: [String], _ numbers: [Double]) -> FeatureShape.NumberStyle {
    // Minutes and seconds have no decimals of a degree.
    if texts.contains(where: { PositionText.decimal($0) == nil }) { return .shortest }
    let places = texts.map { text in
      text.utf8.firstIndex(of: UInt8(ascii: ".")).map {
        text.utf8.distance(from: $0, to: text.utf8.endIndex) - 1
      } ?? 0
    }
    if let most = places.max(), most <= 15 { decimals = max(decimals, most) }
    func matches(isPointed: Bool) -> Bool {
      zip(texts, numbers).allSatisfy { text, number in
        NumberPrinter.shortest(number, isPointed: isPointed).elementsEqual(text.utf8)
      }
    }
    if matches(isPointed: false) { return .shortest }
    if matches(isPointed: true) { return .shortestWithPoint }
    return places[0] == places[1] && (1...15).contains(places[0]) ? .decimals(places[0]) : .shortest
  }

  /// The coordinate system, from the file's statements and the range of its numbers.
  private mutating func system() throws(ScanFault) -> (system: CoordinateSystem, isAssumed: Bool) {
    var claim = PositionColumns.Claim.nothing
    if let x = layout.x?.name, let y = layout.y?.name { claim = PositionColumns.claim(x: x, y: y) }
    if layout.point != nil { claim = .degrees }
    let named = try systems.named()
    if let named, !named.isDegrees { return (named, false) }
    let test = claim == .degrees || named != nil ? known.test : known.openTest
    if claim == .planar || test.arePlanar {
      if claim != .planar { notes.add(.beyondDegrees, count: test.beyondCount, at: nil) }
      notes.remove(.latitudes)
      return (.planar, false)
    }
    let isAssumed = claim == .nothing && named == nil
    if isAssumed, layout.x != nil, test.locatedCount > 0 { notes.add(.assumedDegrees, at: nil) }
    return (named ?? .crs84, isAssumed)
  }

  private mutating func result(_ options: ImportOptions) throws -> ImportResult {
    _ = builder.finish()
    try handOver()
    var blocks = builder.blocks
    if isOnePass {
      settleColumns()
      let texts = names.indices.filter { !isNumeric[$0] && !isEmpty[$0] }.map { names[$0] }
      let isIdentifierText = layout.identifier.map { !isNumeric[$0.place] } ?? false
      blocks = blocks.map {
        $0.takingNumbersForTexts(in: texts, identifiers: isIdentifierText)
      }
    }
    for block in blocks { known.add(block) }
    let vertexCount = known.vertexCount
    let (system, isAssumed) = try system()
    var source = CollectionSource.plain
    source.whitespace = layout.words
    if vertexCount > 0, decimals > 0 { source.decimals = decimals }
    let layer = FeatureLayer(
      id: LayerID(options.firstLayerID), name: options.name,
      style: known.defaults.style(named: options.name), source: source,
      blocks: blocks, nextFeatureID: builder.nextFeatureID)
    var result = ImportResult(
      layers: [layer],
      report: ImportReport(
        notes: try notes(of: layer), featureCount: rowNumber, vertexCount: vertexCount),
      coordinateSystem: system, isSystemAssumed: isAssumed)
    if !options.table.namesPositions { result.remarks += choiceOfPositions }
    return result
  }

  /// Which columns were taken for positions, where others could have been.
  private var choiceOfPositions: [String] {
    guard let x = layout.x, let y = layout.y else { return [] }
    let rivals = PositionColumns.rivals(of: x.place, y.place, in: names)
    if rivals.isEmpty { return [] }
    let others = ScanFault.excerpt(rivals.joined(separator: ", "))
    return [
      "positions are those of the columns \(ScanFault.excerpt(x.name)) and "
        + "\(ScanFault.excerpt(y.name)), not of \(others): --x-column and --y-column choose others"
    ]
  }

  private func notes(of layer: FeatureLayer) throws -> [ImportReport.Note] {
    if let parts {
      return notes.notes(try parts.text.places(of: notes.offsets)) { known.names[$0] ?? "" }
    }
    let names = FeatureNames(layer)
    return bytes.withUnsafeBufferPointer { notes.notes($0, featureName: names.name) }
  }
}
