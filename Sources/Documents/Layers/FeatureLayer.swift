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
    if let classes = style.classes {
      drawClasses(classes, on: &canvas)
    } else {
      let mark = style.mark.withoutSymbol
      for block in blocks where Self.mayShow(block.geometry.box, in: visible) {
        canvas.draw(block.geometry, style: mark)
      }
    }
    guard canvas.hasLabels else { return }
    if let field = style.labelField {
      for (part, block) in blocks.enumerated() where Self.mayShow(block.geometry.box, in: visible) {
        guard let texts = block.column(field) else { continue }
        canvas.draw(.labels(labels(of: block, part, texts: texts, priority: priority)))
      }
    }
    if hasSymbols { canvas.draw(.symbols(symbols(priority: priority))) }
  }

  /// Draws class by class, so that areas of one look count together where they share a cell.
  private func drawClasses(_ classes: StyleClasses, on canvas: inout some Canvas) {
    let visible = canvas.visible
    let shown = blocks.filter { Self.mayShow($0.geometry.box, in: visible) }
      .map { (geometry: $0.geometry, groups: $0.groups(by: classes)) }
    for number in classes.drawingOrder {
      let mark = classes.look(ofGroup: number).mark(style.mark).withoutSymbol
      for block in shown {
        let count = block.groups.count(of: number)
        if count == 0 { continue }
        if count == block.geometry.featureCount {
          canvas.draw(block.geometry, style: mark)
        } else {
          canvas.draw(.group(block.geometry, block.groups, number: number, style: mark))
        }
      }
    }
  }

  /// Whether points have signs: in the look of the layer or of a class.
  private var hasSymbols: Bool {
    !style.mark.symbol.isEmpty || style.classes?.hasSymbols ?? false
  }

  private func groupStyles(of block: FeatureBlock) -> GroupStyles? {
    style.classes.map {
      GroupStyles(groups: block.groups(by: $0), styles: $0.marks(style.mark))
    }
  }

  /// The signs of all points: one beyond the window may keep a lower one within from showing.
  private func symbols(priority: Int) -> SymbolSet {
    let parts = blocks.enumerated().compactMap { number, block in
      block.dimensions & 0b1001 == 0
        ? nil
        : SymbolSet.Part(
          block: block.geometry, number: number, ranks: ranks(of: block),
          groupStyles: groupStyles(of: block))
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

  package func legend(in visible: Box?) -> [LegendEntry] {
    let present = blocks.reduce(0) { $0 | $1.dimensions }
    let dimensions = (0...2).filter { present & (1 << UInt8($0)) != 0 }
    guard let classes = style.classes, let first = dimensions.first else {
      return dimensions.map {
        LegendEntry(text: name, mark: style.mark, dimension: $0, note: $0 == 0 ? rankNote : "")
      }
    }
    let heading = LegendEntry(
      text: name, mark: style.mark, dimension: first, note: "by \(classes.field)", isHeading: true)
    let counts = counts(of: classes, in: visible)
    var entries = [heading]
    for number in 0..<classes.groupCount
    where number < classes.looks.count || counts.all[number] > 0 {
      let mark = classes.look(ofGroup: number).mark(style.mark)
      for dimension in dimensions {
        entries.append(
          LegendEntry(
            text: classes.text(ofGroup: number), mark: mark, dimension: dimension,
            note: visible == nil || dimension != first ? "" : String(counts.visible[number])))
      }
    }
    return entries
  }

  /// The features of each group: of the layer, and of those in a box.
  private func counts(
    of classes: StyleClasses, in visible: Box?
  ) -> (all: [Int], visible: [Int]) {
    var all = [Int](repeating: 0, count: classes.groupCount)
    var seen = all
    for block in blocks {
      let groups = block.groups(by: classes)
      for (number, count) in groups.counts.enumerated() { all[number] += count }
      guard let visible, Self.mayShow(block.geometry.box, in: visible) else { continue }
      for (row, number) in groups.numbers.enumerated()
      where Self.mayShow(block.geometry.boxes[row], in: visible) {
        seen[Int(number)] += 1
      }
    }
    return (all, seen)
  }

  private var rankNote: String { style.rankField.map { "by \($0)" } ?? "in file order" }

  private func labels(
    of block: FeatureBlock, _ part: Int, texts: AttributeColumn, priority: Int
  ) -> LabelSet {
    let geometry = block.geometry
    let ranks = ranks(of: block)
    let ranksBySize = style.rankField == nil
    return LabelSet(
      block: geometry, style: style.mark, groupStyles: groupStyles(of: block), priority: priority,
      part: part,
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
