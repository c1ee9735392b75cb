import Archiving
import Foundation
import PortolanExpressions
import PortolanGraphics
import PortolanTestSupport
import PropertyLists
import Synchronization
import Testing

@testable import PortolanDocuments

/// A part of a document is the same as in the whole one.
@Suite struct DocumentNeedsTests {
  @Test(arguments: Seeds.some(6))
  func `Counts, boxes and attributes are those of the whole document`(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let document = random.document()
    let bytes = try DocumentArchive.bytes(of: document)
    let whole = try DocumentArchive.open(bytes).document
    let part = try #require(DocumentArchive.open(bytes.randomAccess, for: .attributes))
    try compare(part, whole) { _ in false }
    #expect(part.extent == whole.extent)
  }

  @Test(arguments: Seeds.some(6))
  func `Features that touch a box have their coordinates`(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let bytes = try DocumentArchive.bytes(of: random.document())
    let whole = try DocumentArchive.open(bytes).document
    for _ in 0..<4 {
      let (x, y) = (
        Double.random(in: -190...190, using: &random.random),
        Double.random(in: -95...95, using: &random.random)
      )
      let box = Box(
        minX: x, minY: y, maxX: Double.random(in: -190...190, using: &random.random), maxY: y + 9)
      let part = try #require(DocumentArchive.open(bytes.randomAccess, for: .touching(box)))
      try compare(part, whole) { geometry in
        [true, false].contains {
          !BoxTouch(box, isGeographic: $0).rows(in: geometry).isEmpty
        }
      }
    }
  }

  @Test(arguments: Seeds.some(6))
  func `Columns that are left out have their names, the others their values`(
    seed: UInt64
  ) throws {
    var random = RandomDocuments(seed: seed)
    let bytes = try DocumentArchive.bytes(of: random.document())
    let whole = try DocumentArchive.open(bytes).document
    for names in [["name", "π"], [], ["e\u{301}"], ["nosuch"]] {
      let needs = DocumentNeeds.columns(ColumnNames(names))
      // One whose source texts are needed to check it is read whole.
      guard let part = DocumentArchive.open(bytes.randomAccess, for: needs) else { continue }
      for (one, other) in Self.blocks(part, whole) {
        #expect(one.identifiers == other.identifiers && one.featureIDs == other.featureIDs)
        #expect(one.geometry.kinds == other.geometry.kinds)
        #expect(one.geometry.isOutline == (other.geometry.vertexCount > 0))
        #expect(one.attributes.count == other.attributes.count)
        for (column, full) in zip(one.attributes, other.attributes) {
          let isRead = names.contains { $0.hasSameBytes(as: full.name) }
          #expect(column == (isRead ? full : .missing(name: full.name, rows: full.rowCount)))
        }
      }
    }
    let all = try #require(DocumentArchive.open(bytes.randomAccess, for: .columns(nil)))
    for (one, other) in Self.blocks(all, whole) { #expect(one.attributes == other.attributes) }
  }

  @Test(arguments: Seeds.some(6))
  func `Features that a condition holds for have their coordinates`(
    seed: UInt64
  ) throws {
    var random = RandomDocuments(seed: seed)
    let bytes = try DocumentArchive.bytes(of: random.document())
    let whole = try DocumentArchive.open(bytes).document
    for text in ["name is null", "rank == -1500", "rank > 0", "\"π\" like 'a%'", "nosuch == 1"] {
      let condition = try #require(try BlockCondition(Expression(text)))
      let part = try #require(DocumentArchive.open(bytes.randomAccess, for: .holding(condition)))
      for (one, other) in Self.blocks(part, whole) {
        #expect(one.attributes == other.attributes && one.identifiers == other.identifiers)
        let rows = BlockRows(other, layer: "", isGeographic: true)
        var tally = Tally()
        let holds = try Expression(text).bound(to: FeatureSet([]), &tally)
          .matches(in: rows, &tally)
        #expect(one.featureIDs == other.featureIDs)
        for row in holds {
          let (shape, wanted) = (one.feature(row: row).geometry, other.feature(row: row).geometry)
          // By text: coordinates may be NaN.
          #expect("\(shape)" == "\(wanted)", "\(text)")
        }
        if holds.isEmpty { #expect(one.geometry.isOutline == (other.geometry.vertexCount > 0)) }
      }
    }
  }

  @Test(arguments: Seeds.some(6))
  func `The first rows of each layer have their values`(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let bytes = try DocumentArchive.bytes(of: random.document())
    let whole = try DocumentArchive.open(bytes).document
    for (text, count) in [(nil, 3), ("rank > 0", 2), ("name is null", 1), (nil, 0), ("n == 1", 9)] {
      let condition = try text.map { try #require(try BlockCondition(Expression($0))) }
      let needs = DocumentNeeds.first(FirstRows(count, of: ["name"], where: condition))
      guard let part = DocumentArchive.open(bytes.randomAccess, for: needs) else { continue }
      for (one, other) in zip(part.layers, whole.layers) {
        guard let one = one as? any FeatureHolding, let other = other as? any FeatureHolding else {
          continue
        }
        var left = count
        for (block, full) in zip(one.blocks, other.blocks) {
          let chosen = condition.map { $0.held(among: full.attributes)?.rows.count ?? 0 }
          for (column, whole) in zip(block.attributes, full.attributes) {
            let isRead =
              condition?.attributes.contains(column.name) == true
              || left > 0 && whole.name == "name"
            #expect(
              column == (isRead ? whole : .missing(name: whole.name, rows: whole.rowCount)))
          }
          left -= chosen ?? full.rowCount
        }
      }
    }
  }

  @Test(arguments: [
    "count() > 1", "$area > 2", "$id == 3", "within(regions)", "distance(1, 2) < 9",
  ])
  func `What needs more than the attributes of a block is not asked of one`(text: String) throws {
    #expect(try BlockCondition(Expression(text)) == nil)
  }

  private static func blocks(
    _ one: Document, _ other: Document
  ) -> [(FeatureBlock, FeatureBlock)] {
    func all(_ document: Document) -> [FeatureBlock] {
      document.layers.compactMap { $0 as? any FeatureHolding }.flatMap(\.blocks)
    }
    #expect(all(one).count == all(other).count)
    return Array(zip(all(one), all(other)))
  }

  /// A document of some blocks with many vertices, whose boxes are stored.
  private func largeShapes(seed: UInt64) -> Document {
    var random = SeededGenerator(seed: seed)
    var builder = FeatureBlockBuilder()
    for number in 0..<140 {
      let count = Int.random(in: 3...600, using: &random)
      let (x, y) = (
        Double.random(in: -180...180, using: &random), Double.random(in: -80...80, using: &random)
      )
      var line = (0..<count).map { step in
        Coordinate(x: x + Double(step) / 99, y: y + Double.random(in: -2...2, using: &random))
      }
      if number % 9 == 0 { line[0].x = .nan }
      if number % 20 == 0 { line = line.map { _ in Coordinate(x: .infinity, y: -0.0) } }
      builder.append(
        Feature(
          id: FeatureID(UInt64(number + 1)), identifier: .missing,
          geometry: number % 31 == 30 ? .none : .line(line), attributes: []))
    }
    var document = Document()
    document.layers = [
      FeatureLayer(
        id: LayerID(document.makeID()), name: "lines",
        style: .standard(forDimension: 1, index: 0), blocks: builder.finish(),
        nextFeatureID: 141)
    ]
    return document
  }

  @Test(arguments: Seeds.some(4))
  func `Stored boxes are those of the coordinates, and spare these`(seed: UInt64) throws {
    let document = largeShapes(seed: seed)
    let bytes = try DocumentArchive.bytes(of: document)
    let whole = try DocumentArchive.open(bytes).document
    #expect(try DocumentArchive.bytes(of: whole) == bytes)
    let source = CountedBytes(bytes)
    let part = try #require(DocumentArchive.open(source, for: .attributes))
    try compare(part, whole) { _ in false }
    let vertices = document.layers.compactMap { $0 as? any FeatureHolding }.flatMap(\.blocks)
      .reduce(0) { $0 + $1.geometry.vertexCount }
    #expect(vertices > 20_000 && source.count < 8 * vertices)
  }

  @Test(arguments: Seeds.some(4))
  func `Numbers that are no boxes are passed over`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = try DocumentArchive.bytes(of: largeShapes(seed: seed))
    let whole = try DocumentArchive.open(bytes).document
    let blocks = whole.layers.compactMap { $0 as? any FeatureHolding }.flatMap(\.blocks)
    let block = try #require(blocks.first)
    let numbers = block.geometry.boxes.flatMap { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
    let stored = numbers.map { $0 + 0 }.withUnsafeBytes { Data($0) }
    let start = try #require(Data(bytes).range(of: stored)?.lowerBound)
    for wrong in [Double.nan, .infinity, -.infinity, 1e308] {
      var damaged = bytes
      let place = start + 32 * Int.random(in: 0..<block.rowCount, using: &random)
      for corner in 0..<4 where corner == 0 || Bool.random(using: &random) {
        let number = withUnsafeBytes(of: wrong) { Array($0) }
        damaged.replaceSubrange(place + 8 * corner..<place + 8 * corner + 8, with: number)
      }
      guard damaged != bytes else { continue }
      let part = try #require(DocumentArchive.open(damaged.randomAccess, for: .attributes))
      let boxes = part.layers.compactMap { $0 as? any FeatureHolding }.flatMap(\.blocks)
        .flatMap(\.geometry.boxes)
      let areBoxes = boxes.allSatisfy { $0.isEmpty || $0.width.isFinite }
      #expect(areBoxes)
      // The whole reading looks at the coordinates alone.
      let opened = try DocumentArchive.open(damaged)
      #expect(opened.damage == nil)
      #expect(try DocumentArchive.bytes(of: opened.document) == bytes)
    }
  }

  /// Compares a part with the whole; `isNeeded` says of which blocks it has the coordinates.
  private func compare(
    _ part: Document, _ whole: Document, _ isNeeded: (GeometryBlock) -> Bool
  ) throws {
    #expect(part.layers.count == whole.layers.count && part.metadata == whole.metadata)
    for (one, other) in zip(part.layers, whole.layers) {
      #expect(one.count == other.count && one.extent == other.extent && one.name == other.name)
      guard let one = one as? any FeatureHolding, let other = other as? any FeatureHolding else {
        continue
      }
      #expect(one.fieldNames == other.fieldNames)
      for (block, full) in zip(one.blocks, other.blocks) {
        #expect(block.geometry.vertexCount == full.geometry.vertexCount)
        #expect(block.geometry.boxes == full.geometry.boxes)
        #expect(block.geometry.kinds == full.geometry.kinds)
        #expect(block.attributes == full.attributes && block.identifiers == full.identifiers)
        #expect(block.featureIDs == full.featureIDs)
        if isNeeded(full.geometry) { #expect(!block.geometry.isOutline) }
        guard !block.geometry.isOutline else { continue }
        #expect(
          block.geometry.coordinates.map(\.bitPattern)
            == full.geometry.coordinates.map(\.bitPattern))
      }
    }
  }

  @Test(arguments: Seeds.some(4))
  func `A part is given of sound documents only`(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    var document = random.document()
    document.layers = [random.layer(id: LayerID(1), style: .standard(forDimension: 0, index: 0))]
    let sound = try DocumentArchive.bytes(of: document)
    var parts = 0
    for _ in 0..<150 {
      var bytes = sound
      let place = Int.random(in: 0..<bytes.count, using: &random.random)
      bytes[place] = UInt8.random(in: 0...255, using: &random.random)
      guard let part = DocumentArchive.open(bytes.randomAccess, for: .attributes) else { continue }
      parts += 1
      let whole = try DocumentArchive.open(bytes)
      #expect(whole.damage == nil && whole.steps.isEmpty)
      try compare(part, whole.document) { _ in false }
    }
    #expect(parts > 0)
  }

  @Test(arguments: Seeds.some(3))
  func `Boxes of pieces are those of the whole`(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let layer = random.layer(id: LayerID(1), style: .standard(forDimension: 0, index: 0))
    for block in layer.blocks.map(\.geometry) {
      var boxes = FeatureBoxes(pathEnds: block.pathEnds, featureEnds: block.featureEnds)
      var rest = block.coordinates[...]
      while !rest.isEmpty {
        let count = min(rest.count, 2 * Int.random(in: 1...7, using: &random.random))
        rest.prefix(count).withUnsafeBufferPointer { boxes.add($0) }
        rest = rest.dropFirst(count)
      }
      #expect(boxes.boxes == block.boxes)
    }
  }
}

/// Bytes that count how many of them are read.
private final class CountedBytes: RandomAccessSource {
  private let bytes: [UInt8]
  private let counted = Atomic<Int>(0)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var byteCount: Int { bytes.count }
  var count: Int { counted.load(ordering: .relaxed) }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
    counted.add(target.count, ordering: .relaxed)
    bytes.withUnsafeBytes {
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + target.count]))
    }
  }
}
