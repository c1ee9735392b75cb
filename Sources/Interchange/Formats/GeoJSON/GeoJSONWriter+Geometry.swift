import PortolanDocuments
import PortolanGraphics

/// A run of paths of one geometry, in flat arrays.
struct PathRun {
  let kind: GeometryKind
  let coordinates: [Double]
  let elevations: [Double]
  let pathEnds: [UInt32]
  let roles: [PathRole]
  let paths: Range<Int>

  /// A row of a block; the arrays are shared.
  init(_ block: GeometryBlock, row: Int) {
    kind = block.kinds[row]
    coordinates = block.coordinates
    elevations = block.elevations
    pathEnds = block.pathEnds
    roles = block.pathRoles
    paths = block.paths(ofFeature: row)
  }

  init(_ geometry: Geometry) {
    kind = geometry.kind
    coordinates = geometry.paths.flatMap { path in path.vertices.flatMap { [$0.x, $0.y] } }
    let hasElevations = geometry.paths.contains { !$0.elevations.isEmpty }
    elevations =
      hasElevations
      ? geometry.paths.flatMap { path in
        path.vertices.indices.map { index in
          path.elevations.indices.contains(index) ? path.elevations[index] ?? .nan : .nan
        }
      } : []
    var end = 0
    pathEnds = geometry.paths.map { path in
      end += path.vertices.count
      return UInt32(truncatingIfNeeded: end)
    }
    roles = geometry.paths.map(\.role)
    paths = 0..<geometry.paths.count
  }

  /// A run of another kind with fewer paths of the same arrays.
  private init(_ run: PathRun, _ kind: GeometryKind, _ paths: Range<Int>) {
    self.kind = kind
    coordinates = run.coordinates
    elevations = run.elevations
    pathEnds = run.pathEnds
    roles = run.roles
    self.paths = paths
  }

  @inline(__always)
  func vertices(_ path: Int) -> Range<Int> {
    let start = path == 0 ? 0 : Int(pathEnds[path - 1])
    return start..<max(start, Int(pathEnds[path]))
  }

  /// The geometries of a collection.
  var members: [PathRun] {
    split { roles[$0].beginsMember }.map { PathRun(self, roles[$0.lowerBound].kind, $0) }
  }

  /// The polygons of a multi-polygon.
  var polygons: [Range<Int>] { split { roles[$0].beginsPolygon } }

  private func split(where begins: (Int) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = paths.lowerBound
    for path in paths where path > start && begins(path) {
      runs.append(start..<path)
      start = path
    }
    if start < paths.upperBound { runs.append(start..<paths.upperBound) }
    return runs
  }
}

extension GeoJSONWriter {
  /// The number format of a geometry.
  struct NumberForm {
    var decimals: Int
    var isPointed = false
    var isFixed = false
    /// Whether values are rounded to the decimals first.
    var isRounded = false
  }

  private func form(_ style: FeatureShape.NumberStyle) -> NumberForm {
    var form = NumberForm(decimals: decimals)
    switch style {
    case .shortest, .source: break
    case .shortestWithPoint: form.isPointed = true
    case .decimals(let count):
      form.decimals = count
      form.isFixed = true
    }
    if let precision = options.precision, precision < form.decimals || !form.isFixed {
      form.decimals = precision
      form.isRounded = true
    }
    return form
  }

  /// A row's geometry where it is not written as it stands: by the rules, or without what rounding
  /// has left without extent; `nil` if it is written unchanged.
  mutating func replacement(
    _ block: FeatureBlock, _ row: Int, _ shape: FeatureShape
  ) -> ConformedGeometry? {
    guard block.geometry.kinds[row] != .none else { return nil }
    let isRuled = options.conformance == .rfc7946
    let box = block.geometry.boxes[row]
    let isCut = isRuled || shape.isCutOnExport && (box.leavesWorld || box.mayJump)
    let isReduced =
      options.precision.map { block.geometry.mayCollapse(row: row, decimals: $0) } ?? false
    guard isCut || isReduced else { return nil }
    var geometry = block.geometry.geometry(ofFeature: row)
    let form = form(shape.numberStyle)
    let written = form.isFixed || form.isRounded ? form.decimals : nil
    if isReduced, let precision = options.precision {
      var lost = LostParts()
      geometry = geometry.reduced(to: precision, &lost)
      report.lost.add(lost)
      if !isCut { return ConformedGeometry(unchanged: geometry) }
    } else if let written {
      geometry.round(to: written)
    }
    let conformed = ConformedGeometry(
      geometry, decimals: written ?? max(decimals, 6), isGeographic: isGeographic, winds: isRuled)
    if !options.choosesByJumps { report.jumps += conformed.jumpCount }
    return conformed
  }

  /// Writes a row's geometry.
  mutating func writeGeometry(
    _ block: FeatureBlock, _ row: Int, _ shape: FeatureShape,
    _ replacement: ConformedGeometry?, _ plan: inout BlockPlan
  ) {
    guard block.geometry.kinds[row] != .none else {
      out.append("null")
      return
    }
    if replacement == nil, let texts = block.sourceGeometries, texts.kind(row) != .missing {
      if plan.texts(block).geometries.contains(row) {
        writeSource(texts, row)
        return
      }
      let isTold = (block.sourceFeatures?.kind(row) ?? .missing) != .missing
      if !isTold { report.refusedTexts += 1 }
    }
    var run = replacement.map { PathRun($0.geometry) } ?? PathRun(block.geometry, row: row)
    // Of a shape of which nothing is left stays the kind, where it is no member of a feature or has
    // members of its own.
    if run.kind == .none { run = PathRun(Geometry(kind: block.geometry.kinds[row], paths: [])) }
    let form = form(shape.numberStyle)
    let isCollection = run.kind == .geometryCollection
    let content = isCollection ? "geometries" : "coordinates"
    let level = glue.level(.geometry)
    out.append(contentsOf: level.open)
    if block.geometryForeignMembers.isEmpty, shape.geometryMembers.first == "type",
      shape.geometryMembers.count == 2
    {
      out.append(contentsOf: glue.keys.type)
      out.append(contentsOf: glue.name(run.kind))
      out.append(contentsOf: level.comma)
      out.append(contentsOf: isCollection ? glue.keys.geometries : glue.keys.coordinates)
      writeContent(run, form, isMember: false)
    } else {
      writeGeometryMembers(block, row, shape, run, form, content)
    }
    out.append(contentsOf: level.close)
  }

  /// Whether a row's geometry has members of its own, which stay when nothing else of it is left.
  func hasForeignMembers(_ block: FeatureBlock, _ row: Int) -> Bool {
    block.geometryForeignMembers.contains { $0.kind(row) != .missing }
  }

  /// Writes the members of a geometry with others than the usual two, or in another order.
  private mutating func writeGeometryMembers(
    _ block: FeatureBlock, _ row: Int, _ shape: FeatureShape, _ run: PathRun, _ form: NumberForm,
    _ content: String
  ) {
    let comma = glue.level(.geometry).comma
    var columns: [[UInt8]: Int] = [:]
    for (index, column) in block.geometryForeignMembers.enumerated() {
      columns[Array(column.name.utf8)] = index
    }
    var isFirst = true
    for name in geometryNames(block, shape, content) {
      let isForeign = name != "type" && name != content
      let column = isForeign ? columns[Array(name.utf8)] : nil
      if isForeign, column.map({ block.geometryForeignMembers[$0].kind(row) == .missing }) ?? true {
        continue
      }
      if let column, options.conformance == .rfc7946,
        block.geometryForeignMembers[column].namesSystem(row)
      {
        continue
      }
      if !isFirst { out.append(contentsOf: comma) }
      isFirst = false
      out.append(contentsOf: layout.key(name, .geometry))
      if name == "type" {
        out.append(contentsOf: glue.name(run.kind))
      } else if let column {
        appendJSON(block.geometryForeignMembers[column], row)
      } else {
        writeContent(run, form, isMember: false)
      }
    }
  }

  /// The members of a geometry object: in the order of the source, then new ones.
  private func geometryNames(
    _ block: FeatureBlock, _ shape: FeatureShape, _ content: String
  ) -> [String] {
    var names: [String] = []
    var seen: Set<[UInt8]> = []
    let foreign = block.geometryForeignMembers.map(\.name)
    for name in shape.geometryMembers + ["type", content] + foreign {
      let name = name == "coordinates" || name == "geometries" ? content : name
      if seen.insert(Array(name.utf8)).inserted { names.append(name) }
    }
    return names
  }

  /// Writes a geometry's kept text, its numbers rounded if requested.
  private mutating func writeSource(_ texts: AttributeColumn, _ row: Int) {
    guard let precision = options.precision else {
      appendText(texts, row)
      return
    }
    let text = texts.bytes[texts.textRange(row)]
    var place = KeptPlace()
    var rest = layout.isLine ? JSONText.compacted(text)[...] : text
    while let byte = rest.first {
      let token = rest.prefix(place.step(into: rest))
      rest = rest.dropFirst(token.count)
      if place.isInCoordinates, byte == UInt8(ascii: "-") || byte &- 0x30 <= 9 {
        let value = Double(String(decoding: token, as: UTF8.self)) ?? 0
        appendNumber(value, NumberForm(decimals: precision, isRounded: true))
      } else {
        out.append(contentsOf: Array(token))
      }
    }
  }

  // MARK: Coordinates

  private mutating func writeContent(_ run: PathRun, _ form: NumberForm, isMember: Bool) {
    if run.kind == .geometryCollection {
      writeMembers(run, form)
      return
    }
    if run.paths.isEmpty || run.kind == .point && run.vertices(run.paths.lowerBound).isEmpty {
      out.append(contentsOf: glue.coordinates(depth: 1, isMember: isMember)[0].empty)
      return
    }
    switch run.kind {
    case .none, .geometryCollection: break
    case .point:
      let level = glue.coordinates(depth: 1, isMember: isMember)[0]
      writePosition(run, run.vertices(run.paths.lowerBound).lowerBound, level, form)
    case .multiPoint, .lineString:
      let levels = glue.coordinates(depth: 2, isMember: isMember)
      let first = run.vertices(run.paths.lowerBound).lowerBound
      let last = run.vertices(run.paths.upperBound - 1).upperBound
      writePositions(run, first..<last, levels[0], levels[1], form)
    case .multiLineString, .polygon:
      writePaths(run, run.paths, glue.coordinates(depth: 3, isMember: isMember), form)
    case .multiPolygon:
      let levels = glue.coordinates(depth: 4, isMember: isMember)
      out.append(contentsOf: levels[0].open)
      for (index, polygon) in run.polygons.enumerated() {
        if index > 0 { out.append(contentsOf: levels[0].comma) }
        writePaths(run, polygon, Array(levels.dropFirst()), form)
      }
      out.append(contentsOf: levels[0].close)
    }
  }

  private mutating func writeMembers(_ run: PathRun, _ form: NumberForm) {
    let members = run.members
    let array = glue.level(.members)
    guard !members.isEmpty else {
      out.append(contentsOf: array.empty)
      return
    }
    let object = glue.level(.member)
    out.append(contentsOf: array.open)
    for (index, member) in members.enumerated() {
      if index > 0 { out.append(contentsOf: array.comma) }
      out.append(contentsOf: object.open)
      out.append(contentsOf: glue.memberKeys.type)
      out.append(contentsOf: glue.name(member.kind))
      out.append(contentsOf: object.comma)
      out.append(contentsOf: glue.memberKeys.coordinates)
      writeContent(member, form, isMember: true)
      out.append(contentsOf: object.close)
    }
    out.append(contentsOf: array.close)
  }

  private mutating func writePaths(
    _ run: PathRun, _ paths: Range<Int>, _ levels: [LayoutGlue.Level], _ form: NumberForm
  ) {
    out.append(contentsOf: levels[0].open)
    for path in paths {
      if path > paths.lowerBound { out.append(contentsOf: levels[0].comma) }
      writePositions(run, run.vertices(path), levels[1], levels[2], form)
    }
    out.append(contentsOf: levels[0].close)
  }

  private mutating func writePositions(
    _ run: PathRun, _ vertices: Range<Int>, _ outer: LayoutGlue.Level, _ inner: LayoutGlue.Level,
    _ form: NumberForm
  ) {
    out.append(contentsOf: outer.open)
    if run.elevations.isEmpty, !form.isFixed, !form.isRounded, inner.open.count == 1,
      inner.comma.count == 1, inner.close.count == 1
    {
      writePairs(run, vertices, outer.comma, inner, form)
    } else {
      for vertex in vertices {
        if vertex > vertices.lowerBound { out.append(contentsOf: outer.comma) }
        writePosition(run, vertex, inner, form)
      }
    }
    out.append(contentsOf: outer.close)
  }

  /// The same of positions of two numbers as they are, with single bytes around them.
  private mutating func writePairs(
    _ run: PathRun, _ vertices: Range<Int>, _ between: [UInt8], _ level: LayoutGlue.Level,
    _ form: NumberForm
  ) {
    let (open, comma, close) = (level.open[0], level.comma[0], level.close[0])
    let (decimals, isPointed) = (form.decimals, form.isPointed)
    run.coordinates.withUnsafeBufferPointer { coordinates in
      for vertex in vertices {
        if vertex > vertices.lowerBound { out.append(contentsOf: between) }
        out.append(open)
        NumberPrinter.appendShortest(
          coordinates[2 * vertex], decimals: decimals, isPointed: isPointed, to: &out)
        out.append(comma)
        NumberPrinter.appendShortest(
          coordinates[2 * vertex + 1], decimals: decimals, isPointed: isPointed, to: &out)
        out.append(close)
      }
    }
  }

  @inline(__always)
  private mutating func writePosition(
    _ run: PathRun, _ vertex: Int, _ level: LayoutGlue.Level, _ form: NumberForm
  ) {
    out.append(contentsOf: level.open)
    appendNumber(run.coordinates[2 * vertex], form)
    out.append(contentsOf: level.comma)
    appendNumber(run.coordinates[2 * vertex + 1], form)
    if !run.elevations.isEmpty, !run.elevations[vertex].isNaN {
      out.append(contentsOf: level.comma)
      appendNumber(run.elevations[vertex], form)
    }
    out.append(contentsOf: level.close)
  }

  @inline(__always)
  private mutating func appendNumber(_ value: Double, _ form: NumberForm) {
    if form.isFixed {
      NumberPrinter.appendFixed(value, decimals: form.decimals, to: &out)
    } else if form.isRounded {
      let rounded = NumberText.rounded(value, decimals: form.decimals)
      NumberPrinter.appendShortest(
        rounded, decimals: form.decimals, isPointed: form.isPointed, to: &out)
    } else {
      NumberPrinter.appendShortest(
        value, decimals: form.decimals, isPointed: form.isPointed, to: &out)
    }
  }
}
