import PortolanDocuments
import PortolanGraphics

/// Writes features as FlatBuffers of FlatGeobuf.
struct FlatFeature {
  /// A column of attributes.
  struct Column {
    var name: String
    var type: WrittenType
  }

  let columns: [Column]
  let hasHeights: Bool

  /// The numbers of kinds of geometry; 0 is any.
  static func number(_ kind: GeometryKind) -> UInt8 {
    switch kind {
    case .none: 0
    case .point: 1
    case .lineString: 2
    case .polygon: 3
    case .multiPoint: 4
    case .multiLineString: 5
    case .multiPolygon: 6
    case .geometryCollection: 7
    }
  }

  /// Appends a feature: its geometry, and the values of its attributes behind their numbers.
  ///
  /// - Parameter attributes: the columns of the block, in the order of those of the file.
  func write(
    _ block: FeatureBlock, _ row: Int, _ attributes: [AttributeColumn?], to out: inout FlatBytes
  ) {
    let isPlaced = !block.geometry.boxes[row].isEmpty
    out.begin()
    let table = out.table([isPlaced ? 4 : 0, 8], size: 12)
    let properties = properties(row, attributes)
    let vector = out.vector(count: properties.count, itemSize: 1)
    out.append(properties)
    out.refer(from: table + 8, to: vector)
    if isPlaced {
      let geometry = block.geometry
      let kind = geometry.kinds[row]
      let paths = geometry.paths(ofFeature: row)
      let place =
        kind == .geometryCollection
        ? parts(kind, geometry.members(paths), geometry, &out)
        : shape(kind, geometry, paths, &out)
      out.refer(from: table + 4, to: place)
    }
    out.end(table)
  }

  private func properties(_ row: Int, _ attributes: [AttributeColumn?]) -> [UInt8] {
    var out = FlatBytes()
    for (index, column) in attributes.enumerated() {
      guard let column else { continue }
      let kind = column.kind(row)
      if kind == .missing || kind == .null { continue }
      let text = column.bytes[column.textRange(row)]
      let number = UInt16(clamping: index)
      switch columns[index].type {
      case .boolean:
        out.append(number)
        out.append(UInt8(kind == .yes ? 1 : 0))
      case .shortInteger:
        guard let value = Int32(String(decoding: text, as: UTF8.self)) else { continue }
        out.append(number)
        out.append(value)
      case .integer:
        guard let value = Int64(String(decoding: text, as: UTF8.self)) else { continue }
        out.append(number)
        out.append(value)
      case .real:
        guard let value = column.value(row).double else { continue }
        out.append(number)
        out.append(value)
      case .text, .date, .time:
        out.append(number)
        let isTruth = kind == .yes || kind == .no
        let text = isTruth ? Array((kind == .yes ? "true" : "false").utf8)[...] : text
        out.append(UInt32(clamping: text.count))
        out.append(text)
      }
    }
    return out.bytes
  }

  /// Appends a geometry of one kind; returns where its table begins.
  private func shape(
    _ kind: GeometryKind, _ geometry: GeometryBlock, _ paths: Range<Int>, _ out: inout FlatBytes
  ) -> Int {
    if kind == .multiPolygon {
      let polygons = geometry.polygons(paths).map { (GeometryKind.polygon, $0) }
      return parts(kind, polygons, geometry, &out)
    }
    // GDAL wants the end of an only line, too.
    let hasEnds = kind == .multiLineString || paths.count > 1 && kind != .multiPoint
    // The ends of paths, x and y, heights, kind.
    let table = out.table([hasEnds ? 4 : 0, 8, hasHeights ? 12 : 0, 0, 0, 0, 16], size: 20)
    out.set([Self.number(kind)], at: table + 16)
    let vertices = paths.flatMap { Array(geometry.vertices(ofPath: $0)) }
    if hasEnds {
      out.refer(from: table + 4, to: out.vector(count: paths.count, itemSize: 4))
      var end = 0
      for path in paths {
        end += geometry.vertices(ofPath: path).count
        out.append(UInt32(clamping: end))
      }
    }
    out.refer(from: table + 8, to: out.vector(count: 2 * vertices.count, itemSize: 8))
    // The vertices of a feature lie one behind the other.
    if let first = vertices.first {
      geometry.coordinates.withUnsafeBytes { all in
        out.append(all[16 * first..<16 * (first + vertices.count)])
      }
    }
    guard hasHeights else { return table }
    out.refer(from: table + 12, to: out.vector(count: vertices.count, itemSize: 8))
    for vertex in vertices {
      let height = geometry.elevations.isEmpty ? 0 : geometry.elevations[vertex]
      out.append(height.isNaN ? 0 : height)
    }
    return table
  }

  /// Appends a geometry of several, each with a table of its own.
  private func parts(
    _ kind: GeometryKind, _ parts: [(kind: GeometryKind, paths: Range<Int>)],
    _ geometry: GeometryBlock, _ out: inout FlatBytes
  ) -> Int {
    let table = out.table([0, 0, 0, 0, 0, 0, 8, 4], size: 12)
    out.set([Self.number(kind)], at: table + 8)
    let vector = out.vector(count: parts.count, itemSize: 4)
    out.refer(from: table + 4, to: vector)
    for _ in parts { out.append(UInt32(0)) }
    for (index, part) in parts.enumerated() {
      let place = shape(part.kind, geometry, part.paths, &out)
      out.refer(from: vector + 4 + 4 * index, to: place)
    }
    return table
  }
}

extension GeometryBlock {
  /// The members of a collection.
  fileprivate func members(_ paths: Range<Int>) -> [(kind: GeometryKind, paths: Range<Int>)] {
    runs(paths) { $0.beginsMember }.map { (pathRoles[$0.lowerBound].kind, $0) }
  }

  /// The polygons of a multi-polygon.
  fileprivate func polygons(_ paths: Range<Int>) -> [Range<Int>] {
    runs(paths) { $0.beginsPolygon }
  }

  private func runs(_ paths: Range<Int>, _ begins: (PathRole) -> Bool) -> [Range<Int>] {
    Array(paths).runs { begins(pathRoles[$0]) }.compactMap { run in
      run.first.flatMap { first in run.last.map { first..<$0 + 1 } }
    }
  }
}
