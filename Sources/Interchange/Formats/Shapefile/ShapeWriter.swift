import PortolanDocuments
import PortolanGraphics

/// Writes shapes and their index; see `ShapeReader` and `ShapeRecords` for the layout.
///
/// Outer rings go clockwise and holes counter-clockwise, as Esri's description of 1998 wants it.
struct ShapeWriter {
  /// The number of the type in the head: all shapes are of it, or of none.
  private let type: Int32
  private let hasHeights: Bool
  private var records: [UInt8] = []
  private var index: [UInt8] = []
  private var box = Box.empty
  private var heights: ClosedRange<Double>?
  private var missingHeights = 0
  /// Shapes with rings of fewer than 4 positions, or lines of one.
  private var shortShapes = 0
  private var count = 0

  /// - Parameter rows: those of each block to write.
  /// - Throws: `ExportError` if the rows are of several kinds.
  init(_ layer: any FeatureHolding, _ rows: [[Int]]) throws(ExportError) {
    var kinds: Set<GeometryKind> = []
    for (block, rows) in zip(layer.blocks, rows) {
      for row in rows { kinds.insert(block.geometry.kinds[row]) }
    }
    kinds.remove(.none)
    if kinds.isEmpty, let kind = layer.declared.kind, kind != .geometryCollection {
      kinds = [kind]
    }
    let dimensions = Set(kinds.map(\.dimension))
    if kinds.contains(.geometryCollection) || dimensions.count > 1 {
      let words = GeometryKind.allCases.filter(kinds.contains).compactMap(\.name)
      throw ExportError(.mixedKinds, words.joined(separator: ", "))
    }
    hasHeights = layer.blocks.contains { block in
      block.geometry.elevations.contains { !$0.isNaN }
    }
    let plain: Int32 =
      switch dimensions.first ?? nil {
      case 1: 3
      case 2: 5
      case 0: kinds == [.point] ? 1 : 8
      default: 0
      }
    type = plain > 0 && hasHeights ? plain + 10 : plain
  }

  var remarks: [String] {
    var remarks: [String] = []
    if missingHeights > 0 {
      remarks.append(
        CountText.text(missingHeights, "vertex has", "vertices have")
          + " no height beside others that have one: written as 0")
    }
    if shortShapes > 0 {
      remarks.append(
        CountText.text(shortShapes, "shape has", "shapes have")
          + " rings of fewer than 4 positions or lines of one: readers of Shapefiles leave these "
          + "out")
    }
    return remarks
  }

  // MARK: Shapes

  mutating func append(_ block: GeometryBlock, row: Int) {
    count += 1
    let start = records.count
    records.appendBig(Int32(clamping: count))
    records.appendBig(Int32(0))
    let paths = block.paths(ofFeature: row)
    if block.kinds[row] == .none || paths.isEmpty {
      records.appendLittle(Int32(0))
    } else {
      records.appendLittle(type)
      let own = block.boxes[row]
      box = box.union(own)
      let isShort = paths.contains { path in
        let role = block.pathRoles[path]
        let (count, dimension) = (block.vertices(ofPath: path).count, role.kind.dimension)
        return role.isRing ? count < 4 : dimension == 1 && count < 2
      }
      if isShort { shortShapes += 1 }
      switch type % 10 {
      case 1: appendPoint(block, block.vertices(ofPath: paths.lowerBound).lowerBound)
      case 8: appendPoints(block, paths, own)
      default: appendPaths(block, paths, own)
      }
    }
    let words = Int32(clamping: (records.count - start - 8) / 2)
    records.replaceBig(words, at: start + 4)
    index.appendBig(Int32(clamping: 50 + start / 2))
    index.appendBig(words)
  }

  private mutating func appendPoint(_ block: GeometryBlock, _ vertex: Int) {
    appendPosition(block, vertex)
    guard hasHeights else { return }
    records.appendLittle(height(block, vertex))
    records.appendLittle(Self.noMeasure)
  }

  private mutating func appendPoints(_ block: GeometryBlock, _ paths: Range<Int>, _ box: Box) {
    let vertices = paths.flatMap { Array(block.vertices(ofPath: $0)) }
    append(box)
    records.appendLittle(Int32(clamping: vertices.count))
    for vertex in vertices { appendPosition(block, vertex) }
    appendHeights(vertices.map { height(block, $0) })
  }

  private mutating func appendPaths(_ block: GeometryBlock, _ paths: Range<Int>, _ box: Box) {
    let parts = paths.map { path -> [Int] in
      var vertices = Array(block.vertices(ofPath: path))
      guard block.pathRoles[path].isRing, let first = vertices.first, let last = vertices.last
      else { return vertices }
      let isClosed =
        block.coordinates[2 * first] == block.coordinates[2 * last]
        && block.coordinates[2 * first + 1] == block.coordinates[2 * last + 1]
      if !isClosed { vertices.append(first) }
      let area = Ring.signedArea(
        vertices.map {
          Coordinate(x: block.coordinates[2 * $0], y: block.coordinates[2 * $0 + 1])
        })
      let isHole = block.pathRoles[path].isHole
      return (area > 0) != isHole ? vertices.reversed() : vertices
    }
    append(box)
    records.appendLittle(Int32(clamping: parts.count))
    records.appendLittle(Int32(clamping: parts.reduce(0) { $0 + $1.count }))
    var first = 0
    for part in parts {
      records.appendLittle(Int32(clamping: first))
      first += part.count
    }
    for vertex in parts.joined() { appendPosition(block, vertex) }
    appendHeights(parts.joined().map { height(block, $0) })
  }

  // MARK: Parts of shapes

  /// Numbers less than -1e38 stand for a measure that is missing.
  private static let noMeasure = -2e38

  private mutating func appendPosition(_ block: GeometryBlock, _ vertex: Int) {
    records.appendLittle(block.coordinates[2 * vertex])
    records.appendLittle(block.coordinates[2 * vertex + 1])
  }

  private mutating func append(_ box: Box) {
    for number in box.isEmpty ? [0, 0, 0, 0] : [box.minX, box.minY, box.maxX, box.maxY] {
      records.appendLittle(number)
    }
  }

  private mutating func height(_ block: GeometryBlock, _ vertex: Int) -> Double {
    guard hasHeights else { return 0 }
    let height = block.elevations.isEmpty ? .nan : block.elevations[vertex]
    if height.isNaN { missingHeights += 1 }
    let value = height.isNaN ? 0 : height
    heights = heights.map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
    return value
  }

  private mutating func appendHeights(_ heights: [Double]) {
    guard hasHeights else { return }
    for number in [heights.min() ?? 0, heights.max() ?? 0] + heights {
      records.appendLittle(number)
    }
  }

  // MARK: Files

  /// The `.shp` and the `.shx`.
  ///
  /// - Throws: `ExportError` if the file would be longer than its head can tell.
  func files() throws(ExportError) -> (shapes: [UInt8], index: [UInt8]) {
    guard records.count + ShapeRecords.headerCount <= Int(Int32.max) * 2 else {
      throw ExportError(.tooLong, "4 GiB of shapes")
    }
    return (head(records.count) + records, head(index.count) + index)
  }

  private func head(_ count: Int) -> [UInt8] {
    var head: [UInt8] = []
    head.appendBig(Int32(9994))
    for _ in 0..<5 { head.appendBig(Int32(0)) }
    head.appendBig(Int32(clamping: (ShapeRecords.headerCount + count) / 2))
    head.appendLittle(Int32(1000))
    head.appendLittle(type)
    let sides = box.isEmpty ? [0, 0, 0, 0] : [box.minX, box.minY, box.maxX, box.maxY]
    for number in sides + [heights?.lowerBound ?? 0, heights?.upperBound ?? 0, 0, 0] {
      head.appendLittle(number)
    }
    return head
  }
}

extension [UInt8] {
  mutating func appendBig(_ number: Int32) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  mutating func appendLittle(_ number: Int32) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  mutating func appendLittle(_ number: Double) {
    Swift.withUnsafeBytes(of: number.bitPattern.littleEndian) { append(contentsOf: $0) }
  }

  /// Replaces four bytes of the array.
  fileprivate mutating func replaceBig(_ number: Int32, at place: Int) {
    Swift.withUnsafeBytes(of: number.bigEndian) {
      for (offset, byte) in $0.enumerated() where indices.contains(place + offset) {
        self[place + offset] = byte
      }
    }
  }
}
