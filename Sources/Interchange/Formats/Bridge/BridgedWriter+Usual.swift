import PortolanDocuments
import PortolanGraphics

/// Maps of usual shapes and texts, which every driver writes whole: a law holds ogr2ogr to it. The
/// files of others are read again.
extension BridgedWriter {
  /// Whether nothing about the features to write is odd.
  func areUsual(_ layers: [any FeatureHolding], _ options: ExportOptions) -> Bool {
    layers.allSatisfy { layer in
      let rows = layer.blocks.map { options.rows(of: $0, in: layer) }
      let names = Set(layer.blocks.flatMap { $0.attributes.map(\.name) })
      // Not every letter of Unicode is one of names in XML.
      if case .elements = writing.texts.names,
        names.contains(where: { !$0.utf8.allSatisfy { $0 < 128 } })
      {
        return false
      }
      return haveUsualShapes(layer.blocks, rows)
        && names.allSatisfy { hasUsualTexts($0, layer.blocks, rows) }
    }
  }

  /// Whether all have shapes of one dimension, whose paths are no fragments.
  private func haveUsualShapes(_ blocks: [FeatureBlock], _ rows: [[Int]]) -> Bool {
    var dimensions = Set<Int>()
    for (block, rows) in zip(blocks, rows) {
      let geometry = block.geometry
      for row in rows where geometry.kinds[row] != .none {
        guard let dimension = geometry.kinds[row].dimension else { return false }
        dimensions.insert(dimension)
        let box = geometry.boxes[row]
        let least = [1, 2, 4][dimension]
        let paths = geometry.paths(ofFeature: row)
        guard !paths.isEmpty, paths.allSatisfy({ geometry.vertices(ofPath: $0).count >= least }),
          dimension == 0 || max(box.width, box.height) > 1e-9, box.minX.isFinite, box.maxX.isFinite,
          box.minY.isFinite, box.maxY.isFinite
        else { return false }
      }
    }
    return dimensions.count <= 1
  }

  /// Whether no text of a column has controls, blanks at its ends or signs of the format, and they
  /// are not all like numbers, which a driver without types would read.
  private func hasUsualTexts(_ name: String, _ blocks: [FeatureBlock], _ rows: [[Int]]) -> Bool {
    var (hasTexts, hasWord) = (false, !writing.guessesTypes)
    for (block, rows) in zip(blocks, rows) {
      guard let column = block.column(name) else { continue }
      for row in rows where column.kind(row) == .string {
        let text = column.bytes[column.textRange(row)]
        guard let first = text.first, let last = text.last else { continue }
        hasTexts = true
        if writing.typedNames.contains(name.lowercased()) { return false }
        if first == 0x20 || last == 0x20 || text.count > writing.textMax { return false }
        if text.contains(where: { $0 < 0x20 || $0 == 0x7F || writing.signs.contains($0) }) {
          return false
        }
        // GDAL takes Infinity and nan for numbers, true and false for truths.
        if !hasWord { hasWord = first | 0x20 >= 0x61 && !"inft".utf8.contains(first | 0x20) }
      }
    }
    return hasWord || !hasTexts
  }
}
