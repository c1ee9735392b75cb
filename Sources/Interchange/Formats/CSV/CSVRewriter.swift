import PortolanDocuments
import PortolanGraphics

/// Writes a layer back over its source table, field by field: unchanged values keep their bytes.
struct CSVRewriter {
  private typealias Column = TableColumns.Column

  private let former: FormerFile
  private let options: ExportOptions
  private var scanner: CSVScanner
  /// The offsets of the records, and the end of the last one.
  private var starts: [Int] = []
  private var out: [UInt8] = []

  init(_ former: FormerFile, system: CoordinateSystem) {
    self.former = former
    // A line of a single column does not tell: a table that was emptied may have no other.
    let layout = TableLayout(words: former.layer.source.whitespace)
    let separator = layout?.separator ?? CSVScanner.separator(of: former.bytes)
    options = ExportOptions(separator: separator, coordinateSystem: system)
    scanner = CSVScanner(former.bytes, separator: separator)
  }

  /// A layer without the geometry that its table cannot hold, and the losses.
  static func placed(
    _ layer: any FeatureHolding
  ) -> (layer: any FeatureHolding, losses: [String]) {
    guard let layout = TableLayout(words: layer.source.whitespace),
      layout.x != nil || layout.point != nil,
      layout.text == nil
    else { return (layer, []) }
    var others: Set<FeatureID> = []
    var empty: Set<FeatureID> = []
    for block in layer.blocks {
      for row in 0..<block.rowCount
      where block.geometry.kinds[row] != .point && block.geometry.kinds[row] != .none {
        others.insert(block.featureIDs[row])
        let columns = block.attributes + [block.identifiers]
        if columns.allSatisfy({ $0.kind(row) == .missing }) { empty.insert(block.featureIDs[row]) }
      }
    }
    if others.isEmpty { return (layer, []) }
    var layer = layer
    // Nothing would be left of them but a record without values.
    layer.remove(empty)
    try? layer.changeGeometries(of: others.subtracting(empty)) { $0 = .none }
    return (layer, ["shapes other than points, in a table of points"])
  }

  /// The table of a layer.
  mutating func bytes(of layer: any FeatureHolding) throws -> [UInt8] {
    var old = CSVWriter(options: options, separator: scanner.separator)
    var new = CSVWriter(options: options, separator: scanner.separator)
    let header = try scanner.nextRecord() ?? []
    let names = CSVReader.unique(header.map(scanner.name))
    let formerColumns = try old.begin([former.layer], header: attributes(in: names))
    let columns = try new.begin(
      [layer], header: remaining(formerColumns.compactMap(\.attributeName), layer))
    // Rows with more fields than the first line have columns that come after it.
    let fits = zip(names, formerColumns).allSatisfy { $0.hasSameBytes(as: old.name($1)) }
    let places = columns.map { column in
      fits ? formerColumns.firstIndex(of: column) : nil
    }
    let isSame =
      columns == formerColumns && new.layout == old.layout
      && new.quotedColumns == old.quotedColumns && new.systemPrefix == old.systemPrefix
    let end = scanner.position
    append(
      Record(fields: header, range: 0..<end), old.headerFields(formerColumns),
      new.headerFields(columns), places, isSame: columns == formerColumns, new.layout)
    old.endHeader(formerColumns)
    new.endHeader(columns)
    try findRecords(after: end)
    let formerRows = FormerRows(former.layer, besides: isSame ? layer : nil)
    var formerCells: (block: FeatureBlock, cells: [AttributeColumn?])?
    for block in layer.blocks {
      if isSame, let first = formerRows.common[ObjectIdentifier(block)],
        first + block.rowCount < starts.count
      {
        append(former.bytes[starts[first]..<starts[first + block.rowCount]], new.layout)
        continue
      }
      let cells = new.cells(columns, block)
      for row in 0..<block.rowCount {
        let fields = new.fields(block, row, columns, cells)
        guard let place = formerRows.places[block.featureIDs[row]],
          place.index + 1 < starts.count
        else {
          append(joined(fields, new.layout) + Array(new.layout.newline.utf8), new.layout)
          continue
        }
        if formerCells?.block !== place.block {
          formerCells = (place.block, old.cells(formerColumns, place.block))
        }
        let formerFields = old.fields(
          place.block, place.row, formerColumns, formerCells?.cells ?? [])
        append(
          try record(place.index), formerFields, fields, places,
          isSame: columns == formerColumns, new.layout)
      }
    }
    out += former.bytes[(starts.last ?? end)...]
    return out
  }

  /// The columns of the former file that the source table had too, but for positions and ids.
  private func attributes(in names: [String]) -> [String] {
    guard let layout = TableLayout(words: former.layer.source.whitespace) else { return [] }
    let others = (layout.positions + [layout.identifier].compactMap { $0 }).map(\.name)
    let known = Set(layout.columns.map { Array($0.utf8) })
    return names.filter { name in
      known.contains(Array(name.utf8)) && !others.contains { $0.hasSameBytes(as: name) }
    }
  }

  /// The columns that stay: all but those whose attribute was taken from the features that have it.
  /// A column that only lost the records with its values stays, empty.
  private func remaining(_ columns: [String], _ layer: any FeatureHolding) -> [String] {
    let fields = Set(layer.fieldNames.map { Array($0.utf8) })
    var lost = Set(columns.map { Array($0.utf8) }).subtracting(fields)
    if lost.isEmpty { return [] }
    let present = Set(layer.blocks.flatMap(\.featureIDs))
    var taken: Set<[UInt8]> = []
    for block in former.layer.blocks {
      for column in block.attributes where lost.contains(Array(column.name.utf8)) {
        let isTaken = (0..<block.rowCount).contains { row in
          column.kind(row) != .missing && present.contains(block.featureIDs[row])
        }
        if isTaken { taken.insert(Array(column.name.utf8)) }
      }
      lost.subtract(taken)
      if lost.isEmpty { break }
    }
    return columns.filter { !taken.contains(Array($0.utf8)) }
  }

  /// The places of the former layer's rows in its file.
  private struct FormerRows {
    /// The first row of each block that both layers share.
    var common: [ObjectIdentifier: Int] = [:]
    /// The features of the other blocks.
    var places: [FeatureID: (index: Int, block: FeatureBlock, row: Int)] = [:]

    init(_ former: any FeatureHolding, besides layer: (any FeatureHolding)?) {
      let present = Set((layer?.blocks ?? []).map { ObjectIdentifier($0) })
      var index = 0
      for block in former.blocks {
        if present.contains(ObjectIdentifier(block)) {
          common[ObjectIdentifier(block)] = index
        } else {
          for row in 0..<block.rowCount {
            places[block.featureIDs[row]] = (index + row, block, row)
          }
        }
        index += block.rowCount
      }
    }
  }

  // MARK: Records

  /// A record of the former file.
  private struct Record {
    var fields: [CSVScanner.Field]
    var range: Range<Int>
  }

  private mutating func findRecords(after end: Int) throws(ScanFault) {
    starts = [end]
    while try scanner.nextRecord() != nil { starts.append(scanner.position) }
  }

  private mutating func record(_ index: Int) throws(ScanFault) -> Record {
    scanner.go(to: starts[index])
    let fields = try scanner.nextRecord() ?? []
    return Record(fields: fields, range: starts[index]..<starts[index + 1])
  }

  /// Appends a record: fields with unchanged values keep their bytes of the file.
  private mutating func append(
    _ record: Record, _ formerFields: [[UInt8]], _ fields: [[UInt8]], _ places: [Int?],
    isSame: Bool, _ layout: TableLayout
  ) {
    guard let first = record.fields.first, let last = record.fields.last,
      !isSame || !zip(formerFields, fields).allSatisfy(Self.isSame)
    else {
      append(former.bytes[record.range], layout)
      return
    }
    var pieces: [[UInt8]] = zip(fields, places).map { field, place in
      guard let place, record.fields.indices.contains(place),
        Self.isSame(formerFields[place], field)
      else { return field }
      return Array(former.bytes[record.fields[place].rawRange])
    }
    // A short record stays as short as possible.
    if isSame {
      while pieces.count > record.fields.count, pieces.last?.isEmpty == true { pieces.removeLast() }
    }
    append(
      former.bytes[record.range.lowerBound..<first.rawRange.lowerBound] + joined(pieces, layout)
        + former.bytes[last.rawRange.upperBound..<record.range.upperBound], layout)
  }

  /// Whether a field has the same value as before; its text may have unneeded quotes.
  private static func isSame(_ former: [UInt8], _ field: [UInt8]) -> Bool {
    let quote = UInt8(ascii: "\"")
    return former == field
      || former.count == field.count + 2 && former.first == quote && former.last == quote
        && !field.isEmpty && former.dropFirst().dropLast().elementsEqual(field)
        && !field.contains(quote)
  }

  private func joined(_ fields: [[UInt8]], _ layout: TableLayout) -> [UInt8] {
    let record = Array(fields.joined(separator: [layout.separator]))
    // An empty line would be no record.
    return record.isEmpty ? Array("\"\"".utf8) : record
  }

  /// Appends records; the last one of the file may lack a line end before.
  private mutating func append(_ bytes: some Collection<UInt8>, _ layout: TableLayout) {
    if let last = out.last, last != 0x0A, last != 0x0D, !bytes.isEmpty {
      out += Array(layout.newline.utf8)
    }
    out += bytes
  }
}
