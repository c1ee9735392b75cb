package import PortolanDocuments
import PortolanGraphics
import PortolanProjections

/// Writes FlatGeobuf: features as FlatBuffers behind an index of their boxes, for programs that
/// read a part of a file. See `Docs/formats/flatgeobuf.md`.
///
///     66 67 62 03 66 67 62 00   "fgb", version 3
///     header                    the name, the kind of geometry, the columns, the system
///     the index                 see `PackedTree`
///     features                  see `FlatFeature`
package struct FlatGeobufWriter: Exporter {
  package init() {}

  package var name: String { "flatgeobuf" }
  package var title: String { "FlatGeobuf" }
  package var extensions: [String] { ["fgb"] }
  package var isText: Bool { false }
  package var limits: FormatLimits {
    FormatLimits(heights: .eachLayer, holdsEmptyShapes: false, holdsLists: false)
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    let filled = try options.filled(layers)
    var report = ExportReport()
    // Programs in C take a text to end at a NUL.
    let holding = withUsableTexts(filled, TextRules(), &report).compactMap {
      $0 as? any FeatureHolding
    }
    guard let layer = holding.first, holding.count == 1 else {
      throw ToolError(
        .refused, "\(title) holds one layer, and these are \(holding.count): choose with --layers")
    }
    report.countJumps(holding, options)
    let rows = layer.blocks.map { options.rows(of: $0, in: layer) }
    var types = WrittenTypes(narrowsIntegers: true, [.times, .paddedTimes])
    let names = layer.fieldNames
    let columns = names.map {
      FlatFeature.Column(name: $0, type: types.type(of: $0, in: layer, rows))
    }
    if columns.count > Int(UInt16.max) { throw ExportError(.tooManyColumns, "\(columns.count)") }
    report.remarks += types.remarks(layer.name)
    let hasHeights = layer.blocks.contains { block in
      block.geometry.elevations.contains { !$0.isNaN }
    }
    let writer = FlatFeature(columns: columns, hasHeights: hasHeights)
    var (out, starts, boxes) = (FlatBytes(), [Int](), [Box]())
    var kinds = Set<GeometryKind>()
    var hasIdentifiers = false
    for (block, rows) in zip(layer.blocks, rows) {
      try sink([])
      let attributes = names.map { block.column($0) }
      for row in rows {
        starts.append(out.count)
        boxes.append(block.geometry.boxes[row])
        if !block.geometry.boxes[row].isEmpty { kinds.insert(block.geometry.kinds[row]) }
        if block.identifiers.kind(row) != .missing { hasIdentifiers = true }
        writer.write(block, row, attributes, to: &out)
      }
    }
    report.features = starts.count
    // An index holds no features without a place.
    let hasIndex = !boxes.isEmpty && boxes.allSatisfy { !$0.isEmpty }
    let order = hasIndex ? PackedTree.order(boxes) : Array(boxes.indices)
    if !hasIndex, !boxes.isEmpty {
      report.remarks.append("\(title) is written without an index: some features have no place")
    }
    if hasIdentifiers { report.remarks.append(identifierRemark(order)) }
    let header = Header(
      name: layer.name.filter { $0 != "\0" },
      kind: kinds.isEmpty ? layer.declared.kind : kinds.count == 1 ? kinds.first : nil,
      hasHeights: hasHeights, columns: columns, count: starts.count,
      box: boxes.reduce(.empty) { $0.union($1) },
      hasIndex: hasIndex, system: options.system(of: layer))
    try sink(Self.mark + header.bytes)
    let ends = starts.dropFirst() + [out.count]
    let features = zip(starts, ends).map { $0..<$1 }
    guard hasIndex else {
      try Self.write(features, of: out, to: sink)
      return report
    }
    var (places, place) = ([Int](), 0)
    for index in order {
      places.append(place)
      place += features[index].count
    }
    try sink(PackedTree.bytes(order.map { boxes[$0] }, places).bytes)
    try Self.write(order.map { features[$0] }, of: out, to: sink)
    return report
  }

  /// The remark on lost ids, and on the order of features if the index changes it: most maps are in
  /// the order of their ids.
  private func identifierRemark(_ order: [Int]) -> String {
    "\(title) does not hold the ids of features"
      + (order.elementsEqual(order.indices) ? "" : ", nor their order")
  }

  private static let mark: [UInt8] = [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0]

  /// Writes some runs of bytes in pieces.
  private static func write(
    _ runs: [Range<Int>], of out: FlatBytes, to sink: ([UInt8]) throws -> Void
  ) throws {
    var piece: [UInt8] = []
    for run in runs {
      piece += out.bytes[run]
      guard piece.count >= 1 << 20 else { continue }
      try sink(piece)
      piece.removeAll(keepingCapacity: true)
    }
    if !piece.isEmpty { try sink(piece) }
  }

  /// The header, before the features.
  private struct Header {
    let name: String
    /// `nil` for several kinds.
    let kind: GeometryKind?
    let hasHeights: Bool
    let columns: [FlatFeature.Column]
    let count: Int
    let box: Box
    let hasIndex: Bool
    let system: CoordinateSystem

    var bytes: [UInt8] {
      var out = FlatBytes()
      out.begin()
      // The name, the box, the kind, heights, …, the columns, the count, the index, the system.
      let hasSystem = system != .planar
      let table = out.table(
        [4, box.isEmpty ? 0 : 16, 30, 31, 0, 0, 0, 20, 8, 28, hasSystem ? 24 : 0], size: 32)
      out.set(Self.bytes(UInt64(count)), at: table + 8)
      out.set(Self.bytes(UInt16(hasIndex ? PackedTree.size : 0)), at: table + 28)
      out.set([kind.map(FlatFeature.number) ?? 0, hasHeights ? 1 : 0], at: table + 30)
      out.refer(from: table + 4, to: out.text(name.utf8))
      if !box.isEmpty {
        out.refer(from: table + 16, to: out.vector(count: 4, itemSize: 8))
        for edge in [box.minX, box.minY, box.maxX, box.maxY] { out.append(edge) }
      }
      let vector = out.vector(count: columns.count, itemSize: 4)
      out.refer(from: table + 20, to: vector)
      for _ in columns { out.append(UInt32(0)) }
      for (index, column) in columns.enumerated() {
        let place = out.table([4, 8], size: 12)
        out.set([Self.number(column.type)], at: place + 8)
        out.refer(from: place + 4, to: out.text(column.name.utf8))
        out.refer(from: vector + 4 + 4 * index, to: place)
      }
      if hasSystem { out.refer(from: table + 24, to: Self.write(system, to: &out)) }
      out.end(table)
      return out.bytes
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func number(_ type: WrittenType) -> UInt8 {
      switch type {
      case .boolean: 2
      case .shortInteger: 5
      case .integer: 7
      case .real: 10
      case .text, .date: 11
      case .time: 13
      }
    }

    /// The authority and the code where there is one, the name and the definition.
    private static func write(_ system: CoordinateSystem, to out: inout FlatBytes) -> Int {
      let library = Proj()
      let isKnown = system.isWGS84 || !system.authority.isEmpty
      let authority = system.isWGS84 ? "EPSG" : system.authority
      let code = isKnown ? Int32(system.isWGS84 ? "4326" : system.code) ?? 0 : 0
      let key = system.isWGS84 ? "EPSG:4326" : system.name
      let definition = isKnown ? library?.text(of: key) : system.publicName
      let texts: [(place: Int, text: String?)] = [
        (4, isKnown ? authority : nil), (12, library?.title(of: key) ?? system.name),
        (16, definition), (20, isKnown ? (system.isWGS84 ? "4326" : system.code) : nil),
      ]
      func field(_ place: Int) -> Int {
        texts.contains { $0.place == place && $0.text != nil } ? place : 0
      }
      let table = out.table([field(4), code > 0 ? 8 : 0, 12, 0, field(16), field(20)], size: 24)
      out.set(bytes(code), at: table + 8)
      for (place, text) in texts {
        guard let text else { continue }
        out.refer(from: table + place, to: out.text(text.utf8))
      }
      return table
    }
  }
}
