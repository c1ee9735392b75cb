import PortolanDocuments
import PortolanGraphics

/// Collects features row by row and closes blocks of them.
///
/// The arrays here are reused; a closed block gets copies of exactly the right size. A feature too
/// large to share a block gets one of its own.
struct BlockAssembler {
  /// A block is closed with this many features …
  static let rowsMax = 1024
  /// … or this many vertices …
  static let verticesMax = 16_384
  /// … or this many bytes of text.
  static let textMax = 4 << 20
  /// The most columns before a block is closed, well below the limit of shapes.
  static let columnsMax = 32_768

  // Geometry, as in `GeometryBlock`.
  var coordinates: [Double] = []
  var elevations: [Double] = []
  var pathEnds: [UInt32] = []
  var pathRoles: [PathRole] = []
  private var featureEnds: [UInt32] = []
  private var kinds: [GeometryKind] = []

  // Columns, as in `FeatureBlock`.
  var identifiers = ColumnScratch("id")
  var attributes = ColumnTable()
  var foreign = ColumnTable()
  var geometryForeign = ColumnTable()
  private var sourceGeometries = ColumnScratch("geometry")
  private var sourceFeatures = ColumnScratch("feature")
  private var shapes = ShapeTable()
  private var shapeIndices: [UInt16] = []

  /// The offset of each row in the file.
  private(set) var offsets: [Int] = []
  /// The number of cells with a value.
  private var cellCount = 0
  private(set) var blocks: [FeatureBlock] = []
  private(set) var rowsDone = 0
  private(set) var vertexCount = 0

  /// The index of the row in progress.
  var row: Int { kinds.count }
  /// The number of that row's feature in the file, from 1.
  var featureNumber: Int { rowsDone + row + 1 }
  var vertices: Int { coordinates.count / 2 }
  /// The first path and vertex of the row in progress.
  var firstPath: Int { Int(featureEnds.last ?? 0) }
  var firstVertex: Int { firstPath == 0 ? 0 : Int(pathEnds[firstPath - 1]) }

  @inline(__always)
  mutating func appendVertex(_ x: Double, _ y: Double) {
    coordinates.append(x)
    coordinates.append(y)
    if !elevations.isEmpty { elevations.append(.nan) }
  }

  /// Gives the last vertex a third ordinate.
  mutating func setElevation(_ z: Double) {
    if elevations.isEmpty { elevations = [Double](repeating: .nan, count: vertices) }
    elevations[elevations.count - 1] = z
  }

  /// Removes paths and vertices.
  mutating func truncate(paths: Int, vertices: Int) {
    pathEnds.removeLast(pathEnds.count - paths)
    pathRoles.removeLast(pathRoles.count - paths)
    coordinates.removeLast(coordinates.count - 2 * vertices)
    if !elevations.isEmpty { elevations.removeLast(elevations.count - vertices) }
  }

  /// The facts about a row at its end.
  struct RowEnd {
    var kind: GeometryKind
    var offset: Int
    var cells: Int
    /// The feature's own text, if it must be kept.
    var featureText: UnsafeBufferPointer<UInt8>?
    /// The geometry's own text, if it must be kept.
    var geometryText: UnsafeBufferPointer<UInt8>?
  }

  /// Finishes the row and closes a block if it is full.
  mutating func finishRow(_ end: RowEnd, shape: ShapeKey) throws(ScanFault) {
    let row = self.row
    if let text = end.geometryText { sourceGeometries.set(row, .json, text) }
    if let text = end.featureText { sourceFeatures.set(row, .json, text) }
    identifiers.pad(toRows: row + 1)
    guard let index = shapes.index(of: shape, attributes, foreign, geometryForeign) else {
      throw ScanFault(.tooManyMembers, at: end.offset)
    }
    shapeIndices.append(index)
    let rowVertices = vertices - firstVertex
    featureEnds.append(UInt32(truncatingIfNeeded: pathEnds.count))
    kinds.append(end.kind)
    offsets.append(end.offset)
    cellCount += end.cells
    if rowVertices > Self.verticesMax, kinds.count > 1 { try close(rows: kinds.count - 1) }
    if isFull { try close(rows: kinds.count) }
  }

  private var isFull: Bool {
    if kinds.count >= Self.rowsMax || vertices >= Self.verticesMax { return true }
    let columns = attributes.count + foreign.count + geometryForeign.count
    // Many columns with few values would need far more memory than the file.
    if columns > 64, columns * kinds.count > 4 * cellCount + 4096 { return true }
    if columns > Self.columnsMax { return true }
    return kinds.count & 15 == 0 && textCount > Self.textMax
      || sourceFeatures.byteCount + sourceGeometries.byteCount > Self.textMax
  }

  private var textCount: Int { attributes.columns.reduce(0) { $0 + $1.byteCount } }

  /// Closes the last block.
  mutating func finish() throws(ScanFault) {
    if !kinds.isEmpty { try close(rows: kinds.count) }
  }

  /// Makes a block of the first rows; the others, at most one, begin the next block.
  private mutating func close(rows: Int) throws(ScanFault) {
    let paths = rows == 0 ? 0 : Int(featureEnds[rows - 1])
    let vertices = paths == 0 ? 0 : Int(pathEnds[paths - 1])
    let usesElevations = elevations.prefix(vertices).contains { !$0.isNaN }
    let geometry = GeometryBlock(
      coordinates: coordinates.exactPrefix(2 * vertices),
      elevations: usesElevations ? elevations.exactPrefix(vertices) : [],
      pathEnds: pathEnds.exactPrefix(paths), pathRoles: pathRoles.exactPrefix(paths),
      featureEnds: featureEnds.exactPrefix(rows), kinds: kinds.exactPrefix(rows))
    let first = UInt64(rowsDone) + 1
    guard let geometry, let identifiers = identifiers.take(rows: rows),
      let attributes = attributes.take(rows: rows), let foreign = foreign.take(rows: rows),
      let geometryForeign = geometryForeign.take(rows: rows),
      let geometries = sourceGeometries.take(rows: rows),
      let features = sourceFeatures.take(rows: rows),
      let block = FeatureBlock(
        geometry: geometry, featureIDs: (first..<first + UInt64(rows)).map { FeatureID($0) },
        identifiers: identifiers, attributes: attributes, foreignMembers: foreign,
        geometryForeignMembers: geometryForeign,
        sourceGeometries: geometries.bytes.isEmpty ? nil : geometries,
        sourceFeatures: features.bytes.isEmpty ? nil : features,
        shapes: shapes.shapes, shapeIndices: shapeIndices.exactPrefix(rows))
    else { throw ScanFault(.badString, at: offsets.first ?? 0, "a block of features is broken") }
    blocks.append(block)
    rowsDone += rows
    vertexCount += vertices
    removeGeometry(rows: rows, paths: paths, vertices: vertices)
  }

  private mutating func removeGeometry(rows: Int, paths: Int, vertices: Int) {
    shapeIndices.removeFirst(rows)
    offsets.removeFirst(rows)
    kinds.removeFirst(rows)
    featureEnds.removeFirst(rows)
    for index in featureEnds.indices { featureEnds[index] &-= UInt32(truncatingIfNeeded: paths) }
    pathEnds.removeFirst(paths)
    for index in pathEnds.indices { pathEnds[index] &-= UInt32(truncatingIfNeeded: vertices) }
    pathRoles.removeFirst(paths)
    coordinates.removeFirst(2 * vertices)
    if !elevations.isEmpty { elevations.removeFirst(vertices) }
    if elevations.allSatisfy(\.isNaN) { elevations.removeAll(keepingCapacity: true) }
    guard kinds.isEmpty else { return }
    cellCount = 0
    attributes = ColumnTable()
    foreign = ColumnTable()
    geometryForeign = ColumnTable()
    shapes = ShapeTable()
  }
}
