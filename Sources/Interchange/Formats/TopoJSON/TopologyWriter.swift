import PortolanDocuments
import PortolanGraphics

/// Writes layers as one topology: first all lines and rings go into one table of arcs, then objects
/// refer to them.
struct TopologyWriter: ~Copyable {
  /// One written feature: its row, and another geometry than the block's where the rules want one.
  private struct Item {
    var block: FeatureBlock
    var row: Int
    var geometry: Geometry?

    var run: PathRun { geometry.map { PathRun($0) } ?? PathRun(block.geometry, row: row) }
  }

  private let layers: [any FeatureHolding]
  private let options: ExportOptions
  private var items: [[Item]] = []
  private let table: ArcTable
  private let grid: QuantizedGrid?
  /// Appends values of columns.
  private var json: GeoJSONWriter
  /// The number of the next line or ring in the table.
  private var nextLine = 0
  private(set) var report = ExportReport()

  /// - Parameter check: called now and then; throws to cancel.
  init(
    _ layers: [any FeatureHolding], _ options: ExportOptions, check: () throws -> Void
  ) throws {
    self.layers = layers
    self.options = options
    json = GeoJSONWriter(options: options, arrangement: .lines)
    var report = ExportReport()
    report.countJumps(layers, options)
    var lost = TopologyLosses()
    var builder = ArcTable.Builder()
    var box = Box.empty
    for layer in layers {
      var items: [Item] = []
      let shaper = RowShaper(options, layer)
      for block in layer.blocks {
        try check()
        for row in options.rows(of: block, in: layer) {
          let item = Item(block: block, row: row, geometry: shaper.geometry(block, row, &report))
          let run = item.run
          lost.add(block, row, run)
          for path in run.paths {
            let vertices = run.coordinates(path)
            for vertex in vertices { box.formUnion(vertex) }
            if run.roles[path].kind.dimension != 0 { builder.addLine(owner: 0, vertices) }
          }
          items.append(item)
        }
      }
      self.items.append(items)
    }
    try check()
    table = builder.finish()
    grid = options.quantization.map { QuantizedGrid(box, size: $0) }
    report.remarks += lost.remarks
    if let grid, !box.isEmpty { report.remarks.append(grid.remark) }
    self.report = report
  }

  // MARK: The file

  mutating func write(to sink: ([UInt8]) throws -> Void) throws {
    json.out.append(#"{"type":"Topology","#)
    let system = options.system(of: layers)
    if !system.isWGS84 { json.out.append(#""crs":"# + CRSMember.json(system) + ",") }
    if let grid { json.out.append(grid.json + ",") }
    json.out.append("\"objects\":{\n")
    var names: Set<String> = []
    for (number, layer) in layers.enumerated() {
      if number > 0 { json.out.append(",\n") }
      json.out.append(
        contentsOf: JSONText.quoted(
          Self.unique(layer.name, &names).utf8, style: json.layout.escapes))
      json.out.append(#":{"type":"GeometryCollection","geometries":["#)
      for (index, item) in items[number].enumerated() {
        json.out.append(index > 0 ? ",\n" : "\n")
        write(item)
        try json.out.flushIfFull(to: sink)
      }
      json.out.append("\n]}")
    }
    json.out.append("\n},\"arcs\":[")
    for arc in 0..<table.arcCount {
      json.out.append(arc > 0 ? ",\n" : "\n")
      writeArc(arc)
      try json.out.flushIfFull(to: sink)
    }
    json.out.append(table.arcCount > 0 ? "\n]}\n" : "]}\n")
    try json.out.flush(to: sink)
    report.brokenValues += json.report.brokenValues
  }

  private static func unique(_ name: String, _ names: inout Set<String>) -> String {
    var (candidate, number) = (name, 1)
    while !names.insert(candidate).inserted {
      number += 1
      candidate = "\(name)_\(number)"
    }
    return candidate
  }

  private mutating func write(_ item: Item) {
    report.features += 1
    let (block, row) = (item.block, item.row)
    let run = item.run
    json.out.append(#"{"type":"#)
    json.out.append(run.kind.name.map { "\"\($0)\"" } ?? "null")
    if block.identifiers.kind(row) != .missing {
      json.out.append(#","id":"#)
      json.appendValue(block.identifiers, row)
    }
    writeProperties(block, row)
    writeContent(run)
    json.out.append("}")
  }

  private mutating func writeProperties(_ block: FeatureBlock, _ row: Int) {
    let order = block.attributeOrder(row: row)
    json.out.append(#","properties":{"#)
    for (index, place) in order.enumerated() {
      if index > 0 { json.out.append(",") }
      let column = block.attributes[place]
      json.out.append(
        contentsOf: JSONText.quoted(column.name.utf8, style: json.layout.escapes))
      json.out.append(":")
      json.appendValue(column, row)
    }
    json.out.append("}")
  }

  // MARK: Geometries

  private mutating func writeContent(_ run: PathRun) {
    switch run.kind {
    case .none: return
    case .geometryCollection:
      json.out.append(#","geometries":["#)
      for (index, member) in run.members.enumerated() {
        json.out.append((index > 0 ? "," : "") + #"{"type":"\#(member.kind.name ?? "")""#)
        writeContent(member)
        json.out.append("}")
      }
      json.out.append("]")
    case .point, .multiPoint:
      json.out.append(#","coordinates":"#)
      writePoints(run)
    case .lineString, .polygon, .multiLineString, .multiPolygon:
      json.out.append(#","arcs":"#)
      writeArcs(of: run)
    }
  }

  private mutating func writePoints(_ run: PathRun) {
    let vertices = run.paths.flatMap { run.coordinates($0) }
    if run.kind == .point {
      if let first = vertices.first { writePosition(first) } else { json.out.append("[]") }
      return
    }
    json.out.append("[")
    for (index, vertex) in vertices.enumerated() {
      if index > 0 { json.out.append(",") }
      writePosition(vertex)
    }
    json.out.append("]")
  }

  private mutating func writeArcs(of run: PathRun) {
    switch run.kind {
    case .lineString:
      if run.paths.isEmpty { json.out.append("[]") } else { writeLines(run.paths) }
    case .multiPolygon:
      json.out.append("[")
      for (index, polygon) in run.polygons.enumerated() {
        json.out.append(index > 0 ? ",[" : "[")
        writeLines(polygon)
        json.out.append("]")
      }
      json.out.append("]")
    default:
      json.out.append("[")
      writeLines(run.paths)
      json.out.append("]")
    }
  }

  /// Writes the arcs of lines or rings, the next ones of the table.
  private mutating func writeLines(_ paths: Range<Int>) {
    for path in paths {
      json.out.append(path > paths.lowerBound ? ",[" : "[")
      for (index, step) in table.steps[table.rings[nextLine].steps].enumerated() {
        if index > 0 { json.out.append(",") }
        json.out.append(String(step.isReversed ? ~step.arc : step.arc))
      }
      json.out.append("]")
      nextLine += 1
    }
  }

  // MARK: Positions

  private mutating func writePosition(_ place: Coordinate) {
    if let grid {
      let cell = grid.cell(of: place)
      json.out.append("[\(cell.x),\(cell.y)]")
      return
    }
    json.out.append("[")
    NumberPrinter.appendShortest(place.x, decimals: 6, isPointed: false, to: &json.out)
    json.out.append(",")
    NumberPrinter.appendShortest(place.y, decimals: 6, isPointed: false, to: &json.out)
    json.out.append("]")
  }

  private mutating func writeArc(_ arc: Int) {
    let places = table.vertices[table.range(ofArc: arc)]
    json.out.append("[")
    if let grid {
      writeSteps(grid.cells(of: places.map { table.places[Int($0)] }))
    } else {
      for (index, place) in places.enumerated() {
        if index > 0 { json.out.append(",") }
        writePosition(table.places[Int(place)])
      }
    }
    json.out.append("]")
  }

  private mutating func writeSteps(_ cells: [QuantizedGrid.Cell]) {
    var former = QuantizedGrid.Cell(x: 0, y: 0)
    for (index, cell) in cells.enumerated() {
      if index > 0 { json.out.append(",") }
      json.out.append("[\(cell.x - former.x),\(cell.y - former.y)]")
      former = cell
    }
  }
}

extension PathRun {
  /// The finite vertices of a path; a ring is closed.
  fileprivate func coordinates(_ path: Int) -> [Coordinate] {
    var result = vertices(path).map {
      Coordinate(x: coordinates[2 * $0], y: coordinates[2 * $0 + 1])
    }
    result.removeAll { !$0.x.isFinite || !$0.y.isFinite }
    if roles[path].isRing, let first = result.first, result.last != first { result.append(first) }
    return result
  }
}

/// The geometries of rows as they are written: rounded, cut and wound as the options want it.
private struct RowShaper {
  private let options: ExportOptions
  private let isGeographic: Bool
  private let decimals: Int

  init(_ options: ExportOptions, _ layer: any FeatureHolding) {
    self.options = options
    isGeographic = options.system(of: layer).isDegrees
    decimals = layer.source.decimals
  }

  /// `nil` where the geometry of the row is written as it is.
  func geometry(_ block: FeatureBlock, _ row: Int, _ report: inout ExportReport) -> Geometry? {
    guard block.geometry.kinds[row] != .none else { return nil }
    let box = block.geometry.boxes[row]
    let isRuled = options.conformance == .rfc7946
    let isCut =
      isRuled || block.shape(row: row).isCutOnExport && (box.leavesWorld || box.mayJump)
    guard isCut || options.precision != nil else { return nil }
    var geometry = block.geometry.geometry(ofFeature: row)
    if let precision = options.precision {
      var lost = LostParts()
      geometry = geometry.reduced(to: precision, &lost)
      report.lost.add(lost)
    }
    guard isCut else { return geometry }
    let conformed = ConformedGeometry(
      geometry, decimals: options.precision ?? max(decimals, 6), isGeographic: isGeographic,
      winds: isRuled)
    if !options.choosesByJumps { report.jumps += conformed.jumpCount }
    return conformed.geometry
  }
}

/// What a topology does not hold of some features.
private struct TopologyLosses {
  private var heights = 0
  private var members = 0
  private var shortLines = 0

  mutating func add(_ block: FeatureBlock, _ row: Int, _ run: PathRun) {
    if !run.elevations.isEmpty,
      run.paths.contains(where: { run.vertices($0).contains { !run.elevations[$0].isNaN } })
    {
      heights += 1
    }
    let foreign = block.foreignMembers + block.geometryForeignMembers
    if foreign.contains(where: { $0.name != "bbox" && $0.kind(row) != .missing }) { members += 1 }
    if run.paths.contains(where: {
      run.roles[$0].kind.dimension != 0 && run.vertices($0).count == 1
    }) {
      shortLines += 1
    }
  }

  /// One line for people each.
  var remarks: [String] {
    var remarks: [String] = []
    if heights > 0 {
      remarks.append(
        "the heights of \(CountText.features(heights)) are left out: TopoJSON has none")
    }
    if members > 0 {
      remarks.append(
        "\(CountText.features(members)) \(members == 1 ? "has" : "have") members beside id, "
          + "properties and geometry: left out")
    }
    if shortLines > 0 {
      remarks.append(
        "\(CountText.features(shortLines)) \(shortLines == 1 ? "has a line" : "have lines") of one "
          + "position: written with two equal ones")
    }
    return remarks
  }
}
