package import PortolanDocuments
import PortolanGraphics

/// Checks the features of a document: geometries, coordinates, ids and columns.
///
/// Faults of JSON and of members belong to a text, and are not in a document.
package struct DocumentCheck {
  /// The scope of a check.
  package struct Options: Sendable {
    package var choice = CodeChoice()
    /// Whether rings wind as GeoJSON wants it: other formats have rules of their own.
    package var checksWinding = true

    package init() {}
  }

  private let options: Options
  private var list = FindingList()
  private var kept: [FaultCode: Int] = [:]
  private var polygons = PolygonCheck()
  private var ringFaults: [RingFault] = []
  private var range = RangeFacts()
  private var degreeFindings: [Finding] = []
  private var isGeographic = true
  private var layer: any FeatureHolding

  private init(_ options: Options, _ layer: any FeatureHolding) {
    self.options = options
    self.layer = layer
  }

  /// Checks all layers with features, hidden ones too.
  ///
  /// - Parameter progress: called with the part that is done, 0 to 1; it stops by throwing.
  package static func check(
    _ document: Document, _ options: Options, progress: (Double) throws -> Void = { _ in }
  ) throws -> FindingList {
    let layers = document.layers.compactMap { $0 as? any FeatureHolding }
    guard let first = layers.first else { return FindingList() }
    var check = DocumentCheck(options, first)
    check.isGeographic = document.metadata.isGeographic
    let total = Double(max(1, layers.reduce(0) { $0 + $1.blocks.count }))
    var done = 0.0
    for layer in layers {
      check.layer = layer
      for block in layer.blocks {
        try progress(done / total)
        check.check(block)
        done += 1
      }
      check.checkIdentifiers()
      check.checkColumns()
    }
    check.finishRange()
    check.checkConflicts(document)
    return check.list
  }

  // MARK: Findings

  private mutating func emit(
    _ code: FaultCode, _ message: String, _ feature: FeatureID?, at place: Coordinate? = nil
  ) {
    guard options.choice.contains(code) else { return }
    let count = kept[code, default: 0]
    guard count < FindingList.keptMax else {
      list.dropped[code, default: 0] += 1
      return
    }
    kept[code] = count + 1
    list.findings.append(finding(code, message, feature, at: place))
  }

  private func finding(
    _ code: FaultCode, _ message: String, _ feature: FeatureID?, at place: Coordinate?
  ) -> Finding {
    let words = feature.map { ", feature \($0.rawValue)" } ?? ""
    return Finding(
      code, message, path: layer.name + words, position: place,
      feature: feature.map { FeatureReference(layer: layer.id, feature: $0) })
  }

  // MARK: Conflicts

  private mutating func checkConflicts(_ document: Document) {
    for conflict in document.openConflicts {
      if let holding = conflict.layer.flatMap({ document[layer: $0] }) as? any FeatureHolding {
        layer = holding
      }
      emit(.openConflict, Self.conflictWords, conflict.feature)
    }
    // A merge of files of GeoJSON keeps them as members.
    for holding in document.layers.compactMap({ $0 as? any FeatureHolding }) {
      layer = holding
      if holding.source.members.contains(where: { $0.name == Conflict.member }) {
        emit(.openConflict, Self.conflictWords, nil)
      }
      for block in holding.blocks {
        guard let column = block.foreignMembers.first(where: { $0.name == Conflict.member }) else {
          continue
        }
        for row in 0..<block.rowCount where column.kind(row) != .missing {
          emit(.openConflict, Self.conflictWords, block.featureIDs[row])
        }
      }
    }
  }

  private static let conflictWords = "a conflict of a merge is not decided"

  // MARK: Geometries

  private mutating func check(_ block: FeatureBlock) {
    let geometry = block.geometry
    geometry.coordinates.withUnsafeBufferPointer { xy in
      guard let base = xy.baseAddress else { return }
      for row in geometry.kinds.indices {
        let id = block.featureIDs[row]
        list.featureCount += 1
        guard geometry.kinds[row] != .none else { continue }
        let start = row > 0 ? Int(geometry.featureEnds[row - 1]) : 0
        let paths = start..<max(start, Int(geometry.featureEnds[row]))
        checkRange(geometry, row, paths, base, id)
        checkPaths(geometry, paths, base, id, geometry.boxes[row])
      }
    }
  }

  private func vertices(_ geometry: GeometryBlock, _ path: Int) -> Range<Int> {
    let start = path > 0 ? Int(geometry.pathEnds[path - 1]) : 0
    return start..<max(start, Int(geometry.pathEnds[path]))
  }

  private mutating func checkPaths(
    _ geometry: GeometryBlock, _ paths: Range<Int>, _ xy: UnsafePointer<Double>, _ id: FeatureID,
    _ box: Box
  ) {
    var rings: [Range<Int>] = []
    var parts: [[Range<Int>]] = []
    for path in paths {
      let role = geometry.pathRoles[path]
      let range = vertices(geometry, path)
      guard range.allSatisfy({ xy[2 * $0].isFinite && xy[2 * $0 + 1].isFinite }) else {
        emit(.notANumber, "a coordinate is no number", id)
        rings = []
        continue
      }
      if role.beginsPolygon, !rings.isEmpty {
        if checkPolygon(xy, rings, id) { parts.append(rings) }
        rings = []
      }
      switch role.kind {
      case .lineString, .multiLineString:
        let place = range.first.map { Coordinate(x: xy[2 * $0], y: xy[2 * $0 + 1]) }
        if range.count < 2 { emit(.shortLine, "the line has \(count(range))", id, at: place) }
        findRepeated(geometry, xy, range, id)
        if isGeographic, box.mayJump, let jump = LineJump(xy, range) {
          emit(.antimeridianJump, jump.message, id, at: jump.place)
        }
      case .polygon, .multiPolygon:
        if range.count < 4 {
          let place = range.first.map { Coordinate(x: xy[2 * $0], y: xy[2 * $0 + 1]) }
          emit(.shortRing, "the ring has \(count(range))", id, at: place)
        } else if role.beginsPolygon || !rings.isEmpty {
          findRepeated(geometry, xy, range, id)
          rings.append(range)
        }
      default: break
      }
    }
    if !rings.isEmpty, checkPolygon(xy, rings, id) { parts.append(rings) }
    let polygonCount = paths.count { geometry.pathRoles[$0].beginsPolygon }
    guard parts.count > 1, parts.count == polygonCount else { return }
    ringFaults.removeAll(keepingCapacity: true)
    polygons.checkParts(xy, parts, &ringFaults)
    for fault in ringFaults { emit(fault.code, fault.message, id, at: fault.place) }
  }

  private func count(_ range: Range<Int>) -> String {
    range.count == 1 ? "1 position" : "\(range.count) positions"
  }

  private mutating func findRepeated(
    _ geometry: GeometryBlock, _ xy: UnsafePointer<Double>, _ range: Range<Int>, _ id: FeatureID
  ) {
    var count = 0
    var first: Int?
    for vertex in range.dropFirst()
    where xy[2 * vertex] == xy[2 * vertex - 2] && xy[2 * vertex + 1] == xy[2 * vertex - 1] {
      // Above each other they are two places; NaN says that there is no elevation.
      if geometry.elevations.indices.contains(vertex) {
        let (high, low) = (geometry.elevations[vertex], geometry.elevations[vertex - 1])
        if high != low, high.isFinite || low.isFinite { continue }
      }
      count += 1
      if first == nil { first = vertex }
    }
    guard let first else { return }
    emit(
      .repeatedPosition,
      count == 1
        ? "a position is the same as the one before"
        : "\(count) positions are the same as those before them",
      id, at: Coordinate(x: xy[2 * first], y: xy[2 * first + 1]))
  }

  /// - Returns: whether none of the rings crosses another one.
  private mutating func checkPolygon(
    _ xy: UnsafePointer<Double>, _ rings: [Range<Int>], _ id: FeatureID
  ) -> Bool {
    ringFaults.removeAll(keepingCapacity: true)
    let isPlain = polygons.check(xy, rings, isGeographic: isGeographic, &ringFaults)
    for fault in ringFaults where fault.code != .winding || options.checksWinding {
      emit(fault.code, fault.message, id, at: fault.place)
    }
    return isPlain
  }

  // MARK: Coordinates

  private mutating func checkRange(
    _ geometry: GeometryBlock, _ row: Int, _ paths: Range<Int>, _ xy: UnsafePointer<Double>,
    _ id: FeatureID
  ) {
    let box = geometry.boxes[row]
    guard isGeographic, !box.isEmpty, let first = paths.first, let last = paths.last else { return }
    let start = vertices(geometry, first).lowerBound
    let all = start..<max(start, Int(geometry.pathEnds[last]))
    range.add(count: all.count, box)
    if box.minX >= -180, box.maxX <= 180, box.minY >= -90, box.maxY <= 90 { return }
    func place(where isMeant: (Double, Double) -> Bool) -> Coordinate {
      let vertex = all.first { isMeant(xy[2 * $0], xy[2 * $0 + 1]) } ?? start
      return Coordinate(x: xy[2 * vertex], y: xy[2 * vertex + 1])
    }
    if box.minY < -90 || box.maxY > 90, box.minX >= -90, box.maxX <= 90, box.minY >= -180,
      box.maxY <= 180
    {
      let at = place { $1.magnitude > 90 }
      degreeFindings.append(
        finding(
          .swappedAxes,
          "latitude \(GeoJSONCheck.short(at.y)) is beyond 90, and would be a longitude", id, at: at)
      )
      return
    }
    let beyond = all.count { xy[2 * $0 + 1].magnitude > 90 || xy[2 * $0].magnitude > 360 }
    range.beyondCount += beyond
    if beyond > 0 {
      let at = place { $1.magnitude > 90 || $0.magnitude > 360 }
      let what =
        at.y.magnitude > 90
        ? "latitude \(GeoJSONCheck.short(at.y)) is beyond 90"
        : "longitude \(GeoJSONCheck.short(at.x)) is far beyond 180"
      degreeFindings.append(finding(.beyondRange, what, id, at: at))
    } else {
      let at = place { x, _ in x.magnitude > 180 }
      degreeFindings.append(
        finding(
          .beyondAntimeridian, "longitude \(GeoJSONCheck.short(at.x)) is beyond 180", id, at: at))
    }
  }

  private mutating func finishRange() {
    guard range.areNoDegrees else {
      for found in degreeFindings where options.choice.contains(found.code) {
        let count = kept[found.code, default: 0]
        kept[found.code] = count + 1
        if count < FindingList.keptMax {
          list.findings.append(found)
        } else {
          list.dropped[found.code, default: 0] += 1
        }
      }
      return
    }
    let guesses = SystemGuess.all(for: range.box)
    let what =
      CountText.are(range.beyondCount, of: range.count, "position", "positions")
      + " beyond the range of degrees"
    let code: FaultCode = guesses.isEmpty ? .noDegrees : .otherSystem
    let fits =
      guesses.isEmpty ? "" : "; they fit " + guesses.map(\.words).joined(separator: ", or ")
    emit(code, what + fits, nil)
  }

  // MARK: Attributes

  private mutating func checkIdentifiers() {
    guard options.choice.contains(.duplicateIdentifier) else { return }
    var known: [AttributeValue: FeatureID] = [:]
    for block in layer.blocks {
      for (row, id) in block.featureIDs.enumerated() {
        let value = block.identifiers.value(row)
        if value == .missing || value == .null { continue }
        let key = value.inOneSpelling
        guard let first = known[key] else {
          known[key] = id
          continue
        }
        emit(
          .duplicateIdentifier,
          "the id \(value.text.prefix(80)) is that of feature \(first.rawValue), too", id)
      }
    }
  }

  private mutating func checkColumns() {
    for name in layer.fieldNames {
      // Numbers, texts, and true or false: how many, and the first feature.
      var counts = [0, 0, 0]
      var firsts: [FeatureID?] = [nil, nil, nil]
      for block in layer.blocks {
        guard let column = block.column(name) else { continue }
        for row in 0..<column.rowCount {
          let kind: Int
          switch column.kind(row) {
          case .number: kind = 0
          case .string: kind = 1
          case .no, .yes: kind = 2
          default: continue
          }
          counts[kind] += 1
          if firsts[kind] == nil { firsts[kind] = block.featureIDs[row] }
        }
      }
      let order = [0, 1, 2].filter { counts[$0] > 0 }.sorted { counts[$0] > counts[$1] }
      guard order.count > 1, let usual = order.first, let rare = order.last else { continue }
      let words = ["number", "text", "true or false"]
      emit(
        .mixedColumn,
        "\(name.prefix(80)) is \(words[rare]) in \(counts[rare]) of \(counts.reduce(0, +)) "
          + "features, "
          + "and \(words[usual]) in most",
        firsts[rare])
    }
  }
}
