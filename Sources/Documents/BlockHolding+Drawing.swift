package import PortolanGraphics

/// The shapes and classes of layers of features.
extension BlockHolding {
  /// Draws all shapes in the look of the layer, or class by class.
  ///
  /// - Parameters:
  ///   - lines: the lines to draw and their weights; `nil` for all, in the weight of the layer.
  ///   - change: changes every look before it is drawn.
  func drawShapes(
    on canvas: inout some Canvas, lines: LineLooks? = nil, _ change: (inout MarkStyle) -> Void
  ) {
    let visible = canvas.visible
    if style.classes != nil || lines != nil {
      return drawGroups(lines, on: &canvas, change)
    }
    var mark = style.mark
    change(&mark)
    for block in blocks where Self.mayShow(block.geometry.box, in: visible) {
      canvas.draw(block.geometry, style: mark)
    }
  }

  /// Draws group by group, so that areas of one look count together where they share a cell.
  private func drawGroups(
    _ lines: LineLooks?, on canvas: inout some Canvas, _ change: (inout MarkStyle) -> Void
  ) {
    let visible = canvas.visible
    let shown = blocks.enumerated().filter { Self.mayShow($1.geometry.box, in: visible) }
      .compactMap { part, block -> (geometry: GeometryBlock, groups: FeatureGroups)? in
        let groups =
          lines?.groups(of: block, part: part, style.classes)
          ?? style.classes.map { block.groups(by: $0) }
        return groups.map { (block.geometry, $0) }
      }
    for (number, var mark) in groupMarks(lines) {
      change(&mark)
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

  /// The marks of classes, else of weights, in drawing order: the highest one above the others.
  private func groupMarks(_ lines: LineLooks?) -> [(number: Int, mark: MarkStyle)] {
    if let classes = style.classes {
      return classes.drawingOrder.map { ($0, classes.mark(ofGroup: $0, style.mark)) }
    }
    return LineLooks.weightOrder.enumerated().map { number, weight in
      (number, lines?.weights == nil ? style.mark : style.mark.with(weight: weight))
    }
  }

  func groupStyles(of block: FeatureBlock) -> GroupStyles? {
    style.classes.map {
      GroupStyles(groups: block.groups(by: $0), values: $0.marks(style.mark))
    }
  }

  /// The dimensions of its features: 0 points, 1 lines, 2 areas.
  var shownDimensions: [Int] {
    let present = blocks.reduce(0) { $0 | $1.dimensions }
    return (0...2).filter { present & (1 << UInt8($0)) != 0 }
  }

  /// The legend of classes: their texts below the name of the layer, with the counts of features
  /// in a box. In a layer of several kinds a class has a line for each of its features' kinds.
  func legend(of classes: StyleClasses, in visible: Box?) -> [LegendEntry] {
    let dimensions = shownDimensions
    guard let first = dimensions.first else { return [] }
    let heading = LegendEntry(
      text: name, mark: style.mark, dimension: first, note: "by \(classes.field)", isHeading: true)
    let counts = counts(of: classes, in: visible)
    var entries = [heading]
    for number in 0..<classes.groupCount
    where number < classes.looks.count || counts.all[number] > 0 {
      let mark = classes.mark(ofGroup: number, style.mark)
      let own = dimensions.filter { counts.dimensions[number] & 1 << UInt8($0) != 0 }
      for dimension in own.isEmpty ? [first] : own {
        var entry = LegendEntry(
          text: classes.text(ofGroup: number), mark: mark, dimension: dimension)
        entry.short = classes.shortText(ofGroup: number)
        if visible != nil, dimension == own.first ?? first {
          (entry.note, entry.isCounted) = (String(counts.visible[number]), true)
        }
        entries.append(entry)
      }
    }
    return entries
  }

  /// The features of each group: of the layer, and of those in a box; and their dimensions, a bit
  /// each.
  private func counts(
    of classes: StyleClasses, in visible: Box?
  ) -> (all: [Int], visible: [Int], dimensions: [UInt8]) {
    var all = [Int](repeating: 0, count: classes.groupCount)
    var seen = all
    var dimensions = [UInt8](repeating: 0, count: classes.groupCount)
    for block in blocks {
      let groups = block.groups(by: classes)
      for (number, count) in groups.counts.enumerated() { all[number] += count }
      if block.dimensions.nonzeroBitCount == 1 {
        for (number, count) in groups.counts.enumerated() where count > 0 {
          dimensions[number] |= block.dimensions
        }
      } else {
        for (row, number) in groups.numbers.enumerated() {
          dimensions[Int(number)] |= block.dimensions(row: row)
        }
      }
      guard let visible, Self.mayShow(block.geometry.box, in: visible) else { continue }
      for (row, number) in groups.numbers.enumerated()
      where Self.mayShow(block.geometry.boxes[row], in: visible) {
        seen[Int(number)] += 1
      }
    }
    return (all, seen, dimensions)
  }

  /// Whether a box is visible; in degrees also on a turn of the globe to the west or the east.
  static func mayShow(_ box: Box, in visible: Box) -> Bool { box.mayShow(in: visible) }
}

extension FeatureHolding {
  /// Whether a feature may have marks in a box.
  package func hasFeatures(in visible: Box) -> Bool {
    var visits = 0
    return hasFeatures(in: visible, visits: &visits)
  }

  /// - Parameter visits: is raised by the number of boxes that are looked at: of each block whose
  ///   box is visible those near the window.
  package func hasFeatures(in visible: Box, visits: inout Int) -> Bool {
    for block in blocks where block.geometry.box.mayShow(in: visible) {
      let tree = block.geometry.boxTree
      if tree.contains(in: visible, visits: &visits, where: { $0.mayShow(in: visible) }) {
        return true
      }
    }
    return false
  }
}

extension Box {
  /// Whether it is visible; in degrees also on a turn of the globe to the west or the east.
  fileprivate func mayShow(in visible: Box) -> Bool {
    mayShow(in: visible, isGeographic: minX >= -360 && maxX <= 360)
  }
}
