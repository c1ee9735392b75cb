package import PortolanGraphics

/// The looks of a layer's lines at one zoom: the lines to draw, and their weights.
struct LineLooks: Sendable {
  /// The choice of the lines to draw and the half step of zoom; `nil` draws all.
  let thinning: (choice: LineChoice, step: Int)?
  /// The classes of lines by rank or size, whose groups are `light`, `normal`, `bold`; `nil` where
  /// all have one weight.
  let weights: SignClasses?

  private static let normal: SignClasses = {
    var classes = SignClasses.plain
    classes.hasCapitals = false
    return classes
  }()

  /// The weights of the groups.
  static let weightOrder = MarkStyle.Weight.allCases

  /// The groups of a block: those of classes, or of weights; hidden lines are in none.
  func groups(of block: FeatureBlock, part: Int, _ classes: StyleClasses?) -> FeatureGroups {
    let base =
      classes.map { block.groups(by: $0) } ?? block.signGroups(by: weights ?? Self.normal)
    let middle = UInt8(truncatingIfNeeded: SignClasses.Group.middle.rawValue)
    guard let thinning else {
      if classes != nil || block.dimensions == 0b10 { return base }
      let numbers = zip(base.numbers, block.geometry.kinds).map { $1.dimension == 1 ? $0 : middle }
      return FeatureGroups(numbers, count: base.counts.count)
    }
    return thinning.choice.groups(
      part: part, base, other: classes == nil ? middle : nil, at: thinning.step)
  }

  /// Whether a row of a block is drawn, by its number.
  func shown(part: Int) -> (@Sendable (Int) -> Bool)? {
    guard let thinning else { return nil }
    let first = thinning.choice.firstSteps(part: part)
    return { row in first.indices.contains(row) && Int(first[row]) <= thinning.step }
  }
}

extension FeatureLayer {
  private var hasLines: Bool { blocks.contains { $0.dimensions & 0b10 != 0 } }

  /// The looks of its lines; `nil` if all are drawn, and alike.
  ///
  /// - Complexity: O(blocks); O(vertices of lines) for the first look at a layer and after
  ///   edits of a small one.
  func lineLooks(at detail: MapDetail?) -> LineLooks? {
    guard let detail, hasLines else { return nil }
    let weights = lineWeights
    guard thinsLines else { return weights.map { LineLooks(thinning: nil, weights: $0) } }
    let ranking = LineRanking(field: style.rankField, order: style.rankOrder)
    let choice = lineChoices.choice(of: blocks, ranking, on: detail.plane)
    return LineLooks(thinning: (choice, detail.step), weights: weights)
  }

  /// Whether lines of low rank are left out where they crowd: borders, coasts and layers of very
  /// many vertices stay whole.
  private var thinsLines: Bool {
    style.isThinned && !isOfBorders && !isOfCoasts && mayThinLines
  }

  /// Whether it has few enough vertices for that.
  private var mayThinLines: Bool {
    blocks.reduce(0) { $0 + $1.geometry.vertexCount } <= Self.thinnedVertices
  }

  /// There are only lines and areas, without names, all of them are drawn, and styles ask for
  /// attributes alone.
  package var isDrawnFromFile: Bool {
    // A field that names no attribute is an expression, which may ask for shapes.
    let asked = [style.sizeField, style.rankField, style.classes?.field].compactMap { $0 }
    return style.labelField == nil && blocks.allSatisfy { $0.dimensions & 0b1001 == 0 }
      && asked.allSatisfy(fieldNames.contains) && !mayThinLines
  }

  /// The vertices of the largest layer that is thinned: the choice takes 0.3 seconds then.
  private static let thinnedVertices = 500_000

  /// The classes of its lines by rank or by size; `nil` if they have one weight.
  var lineWeights: SignClasses? {
    guard !style.isWeightChosen, style.classes == nil, hasLines, !isOfBorders, !isOfCoasts else {
      return nil
    }
    if let field = style.sizeField, let bounds = rankBounds(field, .high, ofDimension: 1),
      bounds.upperBound > 0
    {
      return SignClasses(bySize: field, greatest: bounds.upperBound)
    }
    guard let field = style.rankField else { return nil }
    var classes = SignClasses(
      byRank: field, style.rankOrder,
      rankBounds(field, style.rankOrder, ofDimension: 1))
    classes.hasCapitals = false
    return classes.field == nil ? nil : classes
  }

  package func lineCount(in visible: Box, at detail: MapDetail) -> (shown: Int, all: Int)? {
    guard let looks = lineLooks(at: detail), looks.thinning != nil else { return nil }
    var count = (shown: 0, all: 0)
    for (part, block) in blocks.enumerated()
    where block.dimensions & 0b10 != 0 && Self.mayShow(block.geometry.box, in: visible) {
      guard let isShown = looks.shown(part: part) else { continue }
      for (row, kind) in block.geometry.kinds.enumerated()
      where kind.dimension == 1 && Self.mayShow(block.geometry.boxes[row], in: visible) {
        count.all += 1
        if isShown(row) { count.shown += 1 }
      }
    }
    return count
  }
}
