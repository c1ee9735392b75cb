import PortolanDocuments

/// The names of a table's columns where they are not those of the attributes: a reader of the table
/// must find its positions, and every value under a name of its own.
///
///     lon,lat,wkt_2        of points with an attribute wkt
struct TableRenames {
  /// By the bytes of the attributes.
  private var names: [[UInt8]: String] = [:]
  /// `wkt → wkt_2`, in the order of the columns.
  private(set) var words: [String] = []

  init() {}

  /// - Parameters:
  ///   - columns: those of the table, in order.
  ///   - layout: that of the table that the features are from; its attributes keep their names.
  init(_ columns: [TableColumns.Column], _ layout: TableLayout) {
    let kept = Set(layout.columns.map { Array($0.utf8) })
    let free = columns.indices.filter { place in
      columns[place].attributeName.map { !kept.contains(Array($0.utf8)) } ?? false
    }
    if free.isEmpty { return }
    var headings = columns.map { $0.attributeName ?? $0.ownName ?? "" }
    var used = Set(headings.map { Array($0.utf8) })
    func rename(_ place: Int) {
      let former = headings[place].replacing("\0", with: " ")
      let stem = former.isEmpty ? "column" : former
      var (name, number) = (stem, 1)
      while !used.insert(Array(name.utf8)).inserted {
        number += 1
        name = "\(stem)_\(number)"
      }
      headings[place] = name
    }
    let own = Set(columns.compactMap { $0.ownName.map { Array($0.utf8) } })
    for place in free {
      let bytes = Array(headings[place].utf8)
      if bytes.isEmpty || bytes.contains(0) || own.contains(bytes) { rename(place) }
    }
    while let place = Self.rival(headings, columns, free) { rename(place) }
    for place in free {
      guard let attribute = columns[place].attributeName,
        !headings[place].hasSameBytes(as: attribute)
      else { continue }
      names[Array(attribute.utf8)] = headings[place]
      words.append("\(attribute.isEmpty ? "“”" : attribute) → \(headings[place])")
    }
  }

  /// The name of the column of an attribute.
  func name(_ attribute: String) -> String { names[Array(attribute.utf8)] ?? attribute }

  /// A column that a reader would take for positions instead of the table's own.
  private static func rival(
    _ headings: [String], _ columns: [TableColumns.Column], _ free: [Int]
  ) -> Int? {
    var (x, y, text): (Int?, Int?, Int?)
    for (place, column) in columns.enumerated() {
      switch column {
      case .x: x = place
      case .y: y = place
      case .text: text = place
      default: break
      }
    }
    func isWellKnownText(_ place: Int) -> Bool { headings[place].lowercased() == "wkt" }
    let found = PositionColumns(CSVReader.unique(headings), options: ImportOptions(name: ""))
    var rivals: [Int] = []
    if let x, let y {
      // A column wkt goes before any pair.
      rivals = free.filter(isWellKnownText)
      if found != .pair(x: x, y: y) { rivals += free.filter { found?.contains($0) ?? false } }
    } else if let text {
      let goesFirst =
        isWellKnownText(text) && headings.firstIndex { $0.lowercased() == "wkt" } == text
      if !goesFirst, found != .text(text) {
        rivals = free.filter { found?.contains($0) ?? false }
      }
    }
    return rivals.first
  }
}
