import PortolanDocuments
import PortolanGraphics

/// The columns of a table to write, from left to right.
struct TableColumns {
  enum Column: Hashable {
    case identifier(String)
    case x(String)
    case y(String)
    case text(String)
    case point(String)
    case elevation
    case attribute(String)

    /// The attribute in the column; `nil` for positions, ids and heights.
    var attributeName: String? { if case .attribute(let name) = self { name } else { nil } }

    /// The name in the first line; `nil` for attributes.
    var ownName: String? {
      switch self {
      case .identifier(let name), .x(let name), .y(let name), .text(let name), .point(let name):
        name
      case .elevation: "ele"
      case .attribute: nil
      }
    }
  }

  private(set) var list: [Column] = []
  private let layout: TableLayout
  /// The names of the features' attributes.
  private let fields: [String]

  /// - Parameter header: the attributes whose column in the source table stays in any case.
  init(
    _ facts: TableFacts, _ layout: TableLayout, isGeographic: Bool, header: [String] = []
  ) {
    self.layout = layout
    // A table needs a column: without rows it has those of its source.
    let isBare = facts.rows == 0 && facts.fields.isEmpty && layout.isWithoutPositions
    fields = isBare ? layout.columns : facts.fields
    let arePoints = facts.arePoints
    var special: [(place: Int, column: Column)] = []
    if layout.isWithoutPositions, !facts.hasPlaces {
      // It stays a table of attributes.
    } else if arePoints, let point = layout.point {
      special.append((point.place, .point(point.name)))
    } else if arePoints, layout.text == nil {
      let names = isGeographic ? TableLayout.Names(x: "lon", y: "lat") : layout.unplacedNames
      special.append((layout.x?.place ?? 0, .x(layout.x?.name ?? names.x)))
      special.append((layout.y?.place ?? 1, .y(layout.y?.name ?? names.y)))
    } else {
      special.append((layout.text?.place ?? 0, .text(layout.text?.name ?? "wkt")))
    }
    if let identifier = layout.identifier {
      special.append((identifier.place, .identifier(identifier.name)))
    }
    // Columns of the source table return to their places, the first one first.
    list = attributes(besides: special.map(\.column), header: header).map { .attribute($0) }
    for (place, column) in special.sorted(by: { $0.place < $1.place }) {
      list.insert(column, at: min(place, list.count))
    }
    if facts.hasIdentifiers, layout.identifier == nil { list.insert(.identifier("id"), at: 0) }
    if arePoints, layout.text == nil, facts.hasHeights { list.append(.elevation) }
  }

  /// The attributes in the order of the source table; new ones after their predecessor in the
  /// layer.
  ///
  /// An attribute with the name of a former position column was in that column.
  private func attributes(besides special: [Column], header: [String]) -> [String] {
    let taken = Set(
      special.compactMap { column -> [UInt8]? in
        switch column {
        case .x(let name), .y(let name), .text(let name), .point(let name): Array(name.utf8)
        case .identifier, .elevation, .attribute: nil
        }
      }.filter(isFormer))
    let present = Set((fields + header).map { Array($0.utf8) })
    var known: Set<[UInt8]> = []
    /// The names that follow each name, and under `nil` the first ones.
    var followers: [[UInt8]?: [String]] = [:]
    for (place, name) in layout.columns.enumerated() {
      let bytes = Array(name.utf8)
      let isIdentifier = place == layout.identifier?.place
      if isIdentifier || !present.contains(bytes) && !layout.emptyColumns.contains(place) {
        continue
      }
      if known.insert(bytes).inserted { followers[nil, default: []].append(name) }
    }
    var last: [UInt8]?
    for name in fields {
      let bytes = Array(name.utf8)
      if known.insert(bytes).inserted { followers[last, default: []].append(name) }
      last = bytes
    }
    return Self.inOrder(followers).filter { !taken.contains(Array($0.utf8)) }
  }

  /// Names, each with its followers right after it.
  private static func inOrder(_ followers: [[UInt8]?: [String]]) -> [String] {
    var ordered: [String] = []
    var stack = Array((followers[nil] ?? []).reversed())
    while let name = stack.popLast() {
      ordered.append(name)
      stack += (followers[Array(name.utf8)] ?? []).reversed()
    }
    return ordered
  }

  private func isFormer(_ name: [UInt8]) -> Bool {
    layout.positions.contains { name.elementsEqual($0.name.utf8) }
  }

  // MARK: Size

  /// The largest number of empty fields in a table that is mostly empty.
  static let emptyFieldsMax = 1 << 28

  /// Throws before anything is written if the table could not be read again, or would be many times
  /// as large as its contents.
  static func check(
    _ columns: [Column], _ facts: TableFacts
  ) throws(ExportError) {
    guard columns.count <= CSVScanner.fieldsMax else {
      throw ExportError(.tooManyColumns, "\(columns.count)")
    }
    let (rows, values) = (facts.rows, facts.values)
    let fields = columns.count.multipliedReportingOverflow(by: rows)
    let empty = fields.overflow ? Int.max : fields.partialValue - values
    guard empty > emptyFieldsMax, empty / 9 > values else { return }
    throw ExportError(
      .tooSparse,
      "\(columns.count) columns and \(rows) lines, \(empty) empty fields for "
        + CountText.text(values, "value", "values")
    )
  }
}
