import PortolanDocuments
import PortolanGraphics

/// Writes layers as GeoJSON, block by block, into pieces of bounded size.
///
/// Unedited features are written as they were read: with the columns' texts, the order of members
/// and the white space of the layout; kept texts of rows are copied if they equal the columns'
/// values (`KeptTexts`). Edited geometry, and everything under `.rfc7946`, follows the rules of
/// `ConformedGeometry`.
struct GeoJSONWriter: ~Copyable {
  /// The arrangement of features in the file.
  enum Arrangement {
    /// That of the layer's source file.
    case asRead
    /// One JSON text: a collection, or the single feature or geometry that was read.
    case text
    /// One feature a line, no collection around them.
    case lines
    /// Each feature after a record separator.
    case sequence
  }

  let options: ExportOptions
  private let arrangement: Arrangement
  var out = OutputBuffer()
  var layout = GeoJSONLayout.lineByLine
  var glue = LayoutGlue(.lineByLine)
  /// Whether the layer's coordinates are degrees, so that the antimeridian is a seam.
  var isGeographic = true
  /// The `crs` member for features without one of their own, if the others have one.
  var featureSystem: String?
  /// The most decimals of the layer's file.
  var decimals = 6
  /// Whether the white space around the features is that of their source, too.
  private(set) var keepsForm = false
  /// Whether a feature with nothing but a geometry may be written as that.
  var isBareWritten = false
  /// The differences between the file and the layers.
  var report = ExportReport()

  init(options: ExportOptions, arrangement: Arrangement) {
    self.options = options
    self.arrangement = arrangement
  }

  /// Writes the layers of features as one file.
  static func write(
    _ layers: [any Layer], as arrangement: Arrangement, options: ExportOptions,
    to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var writer = GeoJSONWriter(options: options, arrangement: arrangement)
    try writer.write(layers.compactMap { $0 as? any FeatureHolding }, to: sink)
    return writer.report
  }

  /// Writes the features of one layer, whose blocks come one after the other, as one file.
  ///
  /// - Parameter layer: the layer without its features, in degrees on WGS 84.
  static func write(
    _ layer: any FeatureHolding, as arrangement: Arrangement, options: ExportOptions,
    to sink: ([UInt8]) throws -> Void, features: @escaping Blocks
  ) throws -> ExportReport {
    var writer = GeoJSONWriter(options: options, arrangement: arrangement)
    try options.check([layer])
    var jumps = ExportReport()
    try writer.write(
      layer,
      { each in
        try features { block in
          if options.choosesByJumps { jumps.countJumps(block.geometry) }
          try each(block)
        }
      }, sink)
    try writer.out.flush(to: sink)
    writer.report.jumps += jumps.jumps
    return writer.report
  }

  /// Calls its argument with the blocks of a layer.
  typealias Blocks = ((FeatureBlock) throws -> Void) throws -> Void

  /// A layer as the bytes of its source file.
  static func rewritten(
    _ layer: any FeatureHolding, as arrangement: Arrangement, system: CoordinateSystem
  ) throws -> RewrittenFile {
    var bytes: [UInt8] = []
    let options = ExportOptions(coordinateSystem: system)
    _ = try write([layer], as: arrangement, options: options) { bytes += $0 }
    return RewrittenFile(bytes)
  }

  /// Writes all layers as one file.
  mutating func write(_ layers: [any FeatureHolding], to sink: ([UInt8]) throws -> Void) throws {
    try options.check(layers)
    report.countJumps(layers, options)
    if layers.count == 1, let layer = layers.first {
      try write(layer, { try layer.blocks.forEach($0) }, sink)
    } else {
      try writeTogether(layers, sink)
    }
    try out.flush(to: sink)
  }

  /// Whether the layer did not come from GeoJSON: it is written a feature a line.
  private func isPlain(_ layer: any FeatureHolding) -> Bool {
    let words = layer.source.whitespace
    return words.isEmpty || TableLayout.isTable(words)
  }

  /// - Parameter root: the kind of root of the file, if this is its only layer.
  private mutating func begin(
    _ layer: any FeatureHolding, isLine: Bool, root: CollectionSource.Root? = nil
  ) {
    layout = isPlain(layer) ? .lineByLine : GeoJSONLayout(words: layer.source.whitespace).completed
    keepsForm = !isPlain(layer) && root?.keepsForm(of: layer.source.root) ?? false
    if !keepsForm { layout = layout.ofFeatures }
    if isLine { layout = layout.onLines }
    glue = LayoutGlue(layout)
    decimals = layer.source.decimals
    isBareWritten = false
    isGeographic = options.system(of: layer).isDegrees
    featureSystem = systemOfFeatures(layer)
  }

  /// Writes one layer in the form of its source file, as far as the arrangement allows.
  private mutating func write(
    _ layer: any FeatureHolding, _ blocks: @escaping Blocks, _ sink: ([UInt8]) throws -> Void
  ) throws {
    let root = root(of: layer)
    begin(layer, isLine: arrangement == .lines, root: root)
    if arrangement == .lines || arrangement == .sequence { try checkLines(layer) }
    if layout.hasByteOrderMark, options.conformance != .rfc7946 {
      out.append(contentsOf: [0xEF, 0xBB, 0xBF])
    }
    if root != .sequence {
      layout.removeSeparators()
      glue = LayoutGlue(layout)
    }
    let start = layout.rootGaps.first ?? []
    let end = layout.rootGaps.last ?? (keepsForm ? [] : [0x0A])
    isBareWritten = root != .featureCollection && root.keepsForm(of: layer.source.root)
    switch root {
    case .lines:
      out.append(contentsOf: start)
      let gap = layout.gap(.items, .afterComma)
      let isStrict = arrangement == .lines
      let last = try writeItems(of: layer, blocks, sink) { writer, former in
        guard let former else { return }
        let own = writer.layout.itemGaps[former.rawValue]?.second ?? gap
        let isBreak = isStrict ? own.contains(0x0A) : !own.isEmpty
        writer.out.append(contentsOf: isBreak ? own : [0x0A])
      }
      if last != nil { out.append(contentsOf: end) }
    case .sequence:
      out.append(contentsOf: start)
      try writeSequence(layer, blocks, sink)
      if layout.rootGaps.count > 1 { out.append(contentsOf: end) }
    case .feature, .geometry:
      out.append(contentsOf: start)
      _ = try writeItems(of: layer, blocks, sink) { _, _ in }
      out.append(contentsOf: end)
    case .featureCollection:
      try writeCollection(layer, itemsName: "features", blocks, sink)
    case .geometryCollection:
      try writeCollection(layer, itemsName: "geometries", blocks, sink)
    }
  }

  /// The kind of root of the file: the layer's own, unless the arrangement is another or the
  /// written features no longer fit it. Without any feature, only a collection is a readable text.
  private func root(of layer: any FeatureHolding) -> CollectionSource.Root {
    let root = layer.source.root
    switch (arrangement, root) {
    case (.lines, _): return .lines
    case (.sequence, _): return .sequence
    case (.text, .lines), (.text, .sequence), (_, .featureCollection): return .featureCollection
    case (.asRead, .lines), (.asRead, .sequence):
      return writtenCount(layer) > 0 ? root : .featureCollection
    case (_, .feature):
      return writtenCount(layer) == 1 && !lacksSystem(layer) ? root : .featureCollection
    case (_, .geometry), (_, .geometryCollection):
      if root == .geometry, writtenCount(layer) != 1 || lacksSystem(layer) {
        return .featureCollection
      }
      let areBare = layer.blocks.allSatisfy { block in
        (0..<block.rowCount).allSatisfy { block.isBare($0) }
      }
      return areBare ? root : .featureCollection
    }
  }

  // MARK: Coordinate systems

  /// Throws if lines would lose the coordinate system.
  ///
  /// Lines that were read as lines, or as the only feature of a file, of no stated system are
  /// planar by their numbers again.
  private mutating func checkLines(_ layer: any FeatureHolding) throws {
    let system = options.system(of: layer)
    if system.isWGS84 || featureSystem != nil { return }
    if system == .planar, [.lines, .sequence, .feature].contains(layer.source.root),
      DegreesTest(layer.blocks, claim: .degrees, where: options.includes).arePlanar
    {
      return
    }
    throw ExportError(.noPlaceForSystem, system.name)
  }

  /// Whether the layer is of a system that its source, a single feature or geometry, does not name.
  private func lacksSystem(_ layer: any FeatureHolding) -> Bool {
    let system = options.system(of: layer)
    return !system.isWGS84 && system != .planar && layer.source.namedSystem != system
      && systemOfFeatures(layer) == nil
  }

  /// The system as each feature names it, if those of the source do.
  private func systemOfFeatures(_ layer: any FeatureHolding) -> String? {
    let system = options.system(of: layer)
    let isNamed = layer.blocks.contains { block in
      (block.foreignMembers + block.geometryForeignMembers).contains { $0.name == "crs" }
    }
    return system.isWGS84 || layer.source.namedSystem != nil || !isNamed
      ? nil : CRSMember.json(system)
  }

  /// The `crs` member that a collection of the layer needs; `nil` if its own members suffice, as in
  /// a collection of no stated system that is planar by its numbers.
  private func addedSystem(_ layer: any FeatureHolding) -> RootMembers.Member? {
    let system = options.system(of: layer)
    let members = layer.source.members
    if system.isWGS84 || layer.source.namedSystem == system { return nil }
    if system == .planar, !isPlain(layer), members.contains(where: { $0.json.isEmpty }) {
      let isOpen = members.contains { $0.name == "crs" && $0.json == "null" }
      let test = DegreesTest(
        layer.blocks, claim: isOpen ? .open : .degrees, where: options.includes)
      if test.arePlanar { return nil }
    }
    return RootMembers.Member(
      name: "crs", key: JSONText.quoted("crs".utf8, style: layout.escapes),
      json: Array(CRSMember.json(system).utf8))
  }

  // MARK: Collections

  private mutating func writeCollection(
    _ layer: any FeatureHolding, itemsName: String, _ blocks: @escaping Blocks,
    _ sink: ([UInt8]) throws -> Void
  ) throws {
    let named = RootMembers(
      layer.source, itemsName: itemsName, layout, isTyped: options.conformance == .rfc7946, &report)
    var members = named.members
    if let added = addedSystem(layer) {
      members.removeAll { $0.name == "crs" }
      members.insert(added, at: members.firstIndex { $0.json == nil } ?? members.endIndex)
    }
    addNotes(layer, to: &members)
    members.removeAll { member in
      options.conformance == .rfc7946 && member.name == "crs"
        || options.box != nil && member.name == "bbox"
    }
    let gaps = RootGaps(layout.rootGaps, memberCount: members.count)
    out.append(contentsOf: gaps.beforeRoot)
    out.append(UInt8(ascii: "{"))
    out.append(contentsOf: gaps.afterOpen)
    for (index, member) in members.enumerated() {
      let around = gaps.member(index)
      out.append(contentsOf: member.key)
      out.append(contentsOf: around.afterName)
      out.append(UInt8(ascii: ":"))
      out.append(contentsOf: around.afterColon)
      if let json = member.json {
        out.append(contentsOf: json)
      } else {
        try writeItemArray(layer, blocks, sink)
      }
      out.append(contentsOf: around.afterValue)
      if index < members.count - 1 {
        out.append(UInt8(ascii: ","))
        out.append(contentsOf: around.afterComma)
      }
    }
    out.append(UInt8(ascii: "}"))
    out.append(contentsOf: keepsForm ? gaps.afterRoot : [0x0A])
  }

  private mutating func writeItemArray(
    _ layer: any FeatureHolding, _ blocks: @escaping Blocks, _ sink: ([UInt8]) throws -> Void
  ) throws {
    let level = glue.level(.items)
    let last = try writeItems(of: layer, blocks, sink) { writer, former in
      guard let former else {
        writer.out.append(contentsOf: level.open)
        return
      }
      guard let gap = writer.layout.itemGaps[former.rawValue] else {
        writer.out.append(contentsOf: level.comma)
        return
      }
      writer.out.append(contentsOf: gap.first)
      writer.out.append(UInt8(ascii: ","))
      writer.out.append(contentsOf: gap.second)
    }
    out.append(contentsOf: last == nil ? level.empty : level.close)
  }

  /// Several layers in one file, a feature a line.
  private mutating func writeTogether(
    _ layers: [any FeatureHolding], _ sink: ([UInt8]) throws -> Void
  ) throws {
    let isCollection = arrangement == .text || arrangement == .asRead
    var isFirst = true
    if isCollection { openCollection(options.system(of: layers)) }
    for layer in layers {
      begin(layer, isLine: true)
      let blocks: Blocks = { try layer.blocks.forEach($0) }
      if arrangement == .sequence {
        try checkLines(layer)
        try writeSequence(layer, blocks, sink)
        continue
      }
      if arrangement == .lines { try checkLines(layer) }
      _ = try writeItems(of: layer, blocks, sink) { writer, _ in
        if isFirst {
          isFirst = false
          return
        }
        if isCollection { writer.out.append(UInt8(ascii: ",")) }
        writer.out.append(0x0A)
      }
    }
    if !isFirst { out.append(0x0A) }
    if isCollection { out.append("]}\n") }
  }

  private mutating func openCollection(_ system: CoordinateSystem) {
    out.append(#"{"type":"FeatureCollection","#)
    if !system.isWGS84 {
      out.append(#""crs":"# + CRSMember.json(system) + ",")
    }
    out.append(#""features":["#)
    out.append(0x0A)
  }

  private mutating func writeSequence(
    _ layer: any FeatureHolding, _ blocks: @escaping Blocks, _ sink: ([UInt8]) throws -> Void
  ) throws {
    let opening = keepsForm ? layout.gap(.items, .afterOpen) : []
    let closing = layout.gap(.items, .beforeComma)
    try blocks { block in
      var plan = BlockPlan(block, layout)
      for row in options.rows(of: block, in: layer) {
        let gap = layout.itemGaps[block.featureIDs[row].rawValue]
        out.append(0x1E)
        out.append(contentsOf: gap?.first ?? opening)
        writeItem(block, row, &plan)
        out.append(contentsOf: gap?.second ?? (closing.isEmpty ? [0x0A] : closing))
        try out.flushIfFull(to: sink)
      }
    }
  }

  // MARK: Items

  /// Writes the chosen features; `before` is called before each with the former one.
  ///
  /// - Returns: the last one.
  private mutating func writeItems(
    of layer: any FeatureHolding, _ blocks: @escaping Blocks, _ sink: ([UInt8]) throws -> Void,
    before: (inout GeoJSONWriter, _ former: FeatureID?) -> Void
  ) throws -> FeatureID? {
    var last: FeatureID?
    try blocks { block in
      var plan = BlockPlan(block, layout)
      for row in options.rows(of: block, in: layer) {
        before(&self, last)
        writeItem(block, row, &plan)
        last = block.featureIDs[row]
        try out.flushIfFull(to: sink)
      }
    }
    return last
  }

  private func writtenCount(_ layer: any FeatureHolding) -> Int {
    if options.box == nil { return layer.count }
    return layer.blocks.reduce(0) { count, block in
      count + options.rows(of: block, in: layer).count
    }
  }
}

/// The white space around the root's members.
private struct RootGaps {
  private let gaps: [[UInt8]]
  private let memberCount: Int
  /// Whether the gaps are those of the same number of members.
  private let isExact: Bool

  init(_ gaps: [[UInt8]], memberCount: Int) {
    self.gaps = gaps
    self.memberCount = memberCount
    isExact = gaps.count == 4 * memberCount + 2
  }

  private func gap(_ index: Int) -> [UInt8] { gaps.indices.contains(index) ? gaps[index] : [] }

  var beforeRoot: [UInt8] { gap(0) }
  var afterOpen: [UInt8] { gaps.count >= 6 ? gap(1) : [] }
  var afterRoot: [UInt8] { gap(gaps.count - 1) }

  /// The gaps of a member; those of the first one if members were added or removed.
  func member(
    _ index: Int
  ) -> (afterName: [UInt8], afterColon: [UInt8], afterValue: [UInt8], afterComma: [UInt8]) {
    guard gaps.count >= 6 else { return ([], [], [], []) }
    let first = isExact ? 2 + 4 * index : 2
    let isLast = index == memberCount - 1
    return (
      gap(first), gap(first + 1),
      isLast ? gap(gaps.count - 2) : gaps.count > 6 ? gap(first + 2) : [],
      gaps.count > 6 ? gap(first + 3) : []
    )
  }
}

extension FeatureBlock {
  /// Whether a row is a bare geometry.
  func isBare(_ row: Int) -> Bool {
    shapes[Int(shapeIndices[row])].members.isEmpty && geometry.kinds[row] != .none
      && identifiers.kind(row) == .missing
      && attributes.allSatisfy { $0.kind(row) == .missing }
  }
}
