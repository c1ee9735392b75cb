package import PortolanTexts

/// A size in cells.
package struct CellSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A rectangle of cells; column 0, row 0 is at the top left.
///
/// Places and sizes are kept below a billion cells, so that arithmetic with them never overflows.
package struct CellRect: Hashable, Sendable {
  package var column: Int
  package var row: Int
  package var columns: Int
  package var rows: Int

  package init(column: Int, row: Int, columns: Int, rows: Int) {
    let limit = 1 << 30
    self.column = min(max(column, -limit), limit)
    self.row = min(max(row, -limit), limit)
    self.columns = min(max(0, columns), limit)
    self.rows = min(max(0, rows), limit)
  }

  package var size: CellSize { CellSize(columns: columns, rows: rows) }
  package var isEmpty: Bool { columns == 0 || rows == 0 }

  package func contains(column: Int, row: Int) -> Bool {
    column >= self.column && column < self.column + columns
      && row >= self.row && row < self.row + rows
  }
}

/// A whole picture of a terminal as a value.
///
/// Writing outside the frame is ignored, so drawing code never has to check its arithmetic twice.
package struct Frame: Equatable, Sendable {
  package let size: CellSize
  /// Row by row, `size.columns` cells each.
  package internal(set) var cells: [Cell]
  /// The grapheme clusters of more than one scalar, by index.
  package private(set) var clusters: [String] = []
  /// The position of the terminal's own cursor; `nil` hides it.
  package var cursor: (column: Int, row: Int)?
  /// The pictures below the characters.
  package var pictures: [FramePicture] = []
  /// The index of each cluster in `clusters`.
  private var clusterIndices: [String: UInt32] = [:]

  /// The largest width and height of a frame, in cells.
  package static let extentMax = 4096

  /// A blank frame; a size below one cell counts as none.
  package init(size: CellSize) {
    let columns = min(max(0, size.columns), Frame.extentMax)
    let rows = min(max(0, size.rows), Frame.extentMax)
    self.size = CellSize(columns: columns, rows: rows)
    cells = [Cell](repeating: .blank, count: columns * rows)
  }

  package var bounds: CellRect {
    CellRect(column: 0, row: 0, columns: size.columns, rows: size.rows)
  }

  /// A cell of the frame; blank outside of it.
  ///
  /// Sets the cell unchanged: after a wide glyph the caller must put `.continuation` to its right.
  /// `write` and `place` do that, and clear the halves of wide glyphs that they cut.
  package subscript(column: Int, row: Int) -> Cell {
    get {
      guard isInside(column, row) else { return .blank }
      return cells[row &* size.columns &+ column]
    }
    set {
      guard isInside(column, row) else { return }
      cells[row &* size.columns &+ column] = newValue
    }
  }

  /// The frame's cells for a hot loop: row by row, `size.columns` cells each.
  package mutating func withMutableCells<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Cell>) throws -> Result
  ) rethrows -> Result {
    try cells.withUnsafeMutableBufferPointer { try body(&$0) }
  }

  /// The characters of a glyph; empty for the right half of a wide one.
  package func text(of glyph: Glyph) -> String {
    if glyph.isContinuation { return "" }
    if let index = glyph.clusterIndex {
      return index < clusters.count ? clusters[index] : "\u{FFFD}"
    }
    return Unicode.Scalar(glyph.rawValue).map { String(Character($0)) } ?? "\u{FFFD}"
  }

  /// The glyph of one grapheme cluster, stored in the frame if it has several scalars.
  ///
  /// For a character of several cells (or an unprintable one) this is its first cell's glyph.
  package mutating func glyph(for cluster: Character) -> Glyph {
    var clusters = DisplayClusters(String(cluster))
    return clusters.next().map { glyph(for: $0) } ?? .space
  }

  /// The glyph of a cluster, stored in the frame if it has several scalars.
  package mutating func glyph(for cluster: DisplayCluster) -> Glyph {
    guard let text = cluster.text else { return Glyph(rawValue: cluster.first.value) }
    if let index = clusterIndices[text] { return Glyph(rawValue: Glyph.clusterBit | index) }
    let index = UInt32(truncatingIfNeeded: clusters.count)
    clusters.append(text)
    clusterIndices[text] = index
    return Glyph(rawValue: Glyph.clusterBit | index)
  }

  private func isInside(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && row >= 0 && column < size.columns && row < size.rows
  }

  package static func == (left: Frame, right: Frame) -> Bool {
    left.size == right.size && left.cells == right.cells && left.clusters == right.clusters
      && left.cursor?.column == right.cursor?.column && left.cursor?.row == right.cursor?.row
      && left.pictures == right.pictures
  }
}

/// A picture of pixels in a rectangle of a frame: below the characters, above their backgrounds.
package struct FramePicture: Equatable, Sendable {
  package let rect: CellRect
  package let image: PixelImage

  package init(_ image: PixelImage, in rect: CellRect) {
    self.rect = rect
    self.image = image
  }

  package static func == (left: FramePicture, right: FramePicture) -> Bool {
    left.rect == right.rect && left.image === right.image
  }
}

/// A PNG file, told apart by identity.
package final class PixelImage: Sendable {
  package let png: [UInt8]

  package init(png: [UInt8]) { self.png = png }
}
