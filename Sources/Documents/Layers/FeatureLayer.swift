import Archiving
package import PortolanGraphics

/// A layer of features: points, lines and polygons with attributes.
package struct FeatureLayer: FeatureHolding {
  package let id: LayerID
  package var name: String
  package var isVisible: Bool
  package var isLocked: Bool
  package var parent: LayerID?
  package var style: Style
  package var source: CollectionSource
  package internal(set) var blocks: [FeatureBlock]
  /// The number of the next added feature.
  package internal(set) var nextFeatureID: UInt64
  /// Fields of the layer that a newer program wrote.
  var unread = UnreadFields()

  /// Makes a visible layer; the next number is raised above all that the blocks have.
  package init(
    id: LayerID, name: String, style: Style, source: CollectionSource = .plain,
    blocks: [FeatureBlock] = [], nextFeatureID: UInt64 = 1
  ) {
    self.id = id
    self.name = name
    isVisible = true
    isLocked = false
    self.style = style
    self.source = source
    self.blocks = blocks
    self.nextFeatureID = blocks.reduce(max(nextFeatureID, 1)) { max($0, $1.idBounds.last &+ 1) }
  }

  package var count: Int { blocks.reduce(0) { $0 + $1.rowCount } }
  package var extent: Box { blocks.reduce(.empty) { $0.union($1.geometry.box) } }

  package var kindCode: String {
    switch blocks.reduce(0, { $0 | $1.dimensions }) {
    case 1: "pt"
    case 2: "ln"
    case 4: "pg"
    case 0: ""
    default: "mix"
    }
  }

  package var fieldNames: [String] {
    var seen = Set<ExactText>()
    var names: [String] = []
    for block in blocks {
      for column in block.attributes where seen.insert(ExactText(column.name)).inserted {
        names.append(column.name)
      }
    }
    return names
  }

  package func position(of id: FeatureID) -> (block: Int, row: Int)? {
    for (index, block) in blocks.enumerated() {
      if let row = block.row(of: id) { return (index, row) }
    }
    return nil
  }

  package func feature(_ id: FeatureID) -> Feature? {
    position(of: id).map { blocks[$0.block].feature(row: $0.row) }
  }
}

// MARK: Drawing

extension FeatureLayer {
  package func draw(on canvas: inout some Canvas, labelPriority priority: Int) {
    let visible = canvas.visible
    // Points are dots of their blocks; those with signs have them above.
    var mark = style.mark
    mark.symbol = ""
    let labelField = canvas.hasLabels ? style.labelField : nil
    for (part, block) in blocks.enumerated() where Self.mayShow(block.geometry.box, in: visible) {
      canvas.draw(block.geometry, style: mark)
      guard let field = labelField, let texts = block.column(field) else { continue }
      canvas.draw(.labels(labels(of: block, part, texts: texts, priority: priority)))
    }
    if !style.mark.symbol.isEmpty, canvas.hasLabels {
      canvas.draw(.symbols(symbols(priority: priority)))
    }
  }

  /// The signs of all points: one beyond the window may keep a lower one within from showing.
  private func symbols(priority: Int) -> SymbolSet {
    let parts = blocks.enumerated().compactMap { number, block in
      block.dimensions & 0b1001 == 0
        ? nil : SymbolSet.Part(block: block.geometry, number: number, ranks: ranks(of: block))
    }
    return SymbolSet(parts: parts, style: style.mark, priority: priority)
  }

  /// - Complexity: O(blocks).
  package func ranks(of block: GeometryBlock) -> FeatureRanks? {
    style.rankField == nil ? nil : self.block(with: block).flatMap { ranks(of: $0) }
  }

  private func ranks(of block: FeatureBlock) -> FeatureRanks? {
    style.rankField.flatMap { block.ranks(by: $0, style.rankOrder) }
  }

  package var legend: [LegendEntry] {
    let dimensions = blocks.reduce(0) { $0 | $1.dimensions }
    return (0...2).filter { dimensions & (1 << UInt8($0)) != 0 }.map {
      LegendEntry(
        text: name, mark: style.mark, dimension: $0, note: $0 == 0 ? rankNote : "")
    }
  }

  private var rankNote: String { style.rankField.map { "by \($0)" } ?? "in file order" }

  private func labels(
    of block: FeatureBlock, _ part: Int, texts: AttributeColumn, priority: Int
  ) -> LabelSet {
    let geometry = block.geometry
    let ranks = ranks(of: block)
    let ranksBySize = style.rankField == nil
    return LabelSet(
      block: geometry, style: style.mark, priority: priority, part: part,
      text: { row in
        let text = texts.value(row).text
        return text.isEmpty ? nil : text
      },
      rank: { row in
        guard ranksBySize else { return ranks?[row] ?? -.infinity }
        let box = geometry.boxes[row]
        return max(box.width, box.height)
      })
  }

  /// Whether a box is visible; in degrees also on a turn of the globe to the west or the east.
  private static func mayShow(_ box: Box, in visible: Box) -> Bool {
    box.mayShow(in: visible, isGeographic: box.minX >= -360 && box.maxX <= 360)
  }
}
