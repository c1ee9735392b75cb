import Archiving
package import PortolanGraphics

/// A layer of features: points, lines and polygons with attributes.
package struct FeatureLayer: OriginKeeping {
  package let id: LayerID
  package var name: String
  package var title = ""
  package var isVisible: Bool
  package var isLocked: Bool
  package var parent: LayerID?
  package var zooms = ZoomBounds.all
  package var style: Style
  package var source: CollectionSource
  package var blocks: [FeatureBlock]
  package var nextFeatureID: UInt64
  /// Where its features were read; `nil` if that is not known.
  package var origin: LayerOrigin?
  package var declared = DeclaredForm()
  let lineChoices = LineChoices()
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

  package var kindCode: String {
    switch blocks.reduce(0, { $0 | $1.dimensions }) {
    case 1: "pt"
    case 2: "ln"
    case 4: "pg"
    case 0: ""
    default: "mix"
    }
  }

  package func hasSameRest(as former: FeatureLayer) -> Bool {
    unread.isEmpty && former.unread.isEmpty && source.isSame(as: former.source)
      && (origin.map { former.origin.map($0.isSame) ?? false } ?? (former.origin == nil))
  }

  package func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> FeatureLayer {
    var copy = FeatureLayer(
      id: id, name: name, style: style, source: source, blocks: blocks,
      nextFeatureID: nextFeatureID)
    copy.isVisible = isVisible
    copy.isLocked = isLocked
    copy.parent = parent
    copy.zooms = zooms
    copy.title = title
    copy.origin = origin
    copy.declared = declared
    copy.unread = unread.detached
    return copy
  }
}

// MARK: Drawing

extension FeatureLayer {
  package func draw(on canvas: inout some Canvas, labelPriority priority: Int) {
    let lines = lineLooks(at: canvas.detail)
    let isPale = kindCode == "pt" && hasSymbols
    drawShapes(on: &canvas, lines: lines) { ($0.symbol, $0.isPale) = ("", isPale) }
    let visible = canvas.visible
    guard canvas.hasLabels else { return }
    let signs = signClasses
    if let field = style.labelField {
      let isWater = kindCode != "pt" && nature == .water
      for (part, block) in blocks.enumerated() where Self.mayShow(block.geometry.box, in: visible) {
        guard let texts = block.channel(field) else { continue }
        var set = labels(
          of: block, part, texts: texts, signs, isShown: lines?.shown(part: part),
          isGeographic: canvas.detail?.plane.isGeographic ?? false, priority: priority)
        (set.lineNames, set.isSlanted) = (block.lineNames(field), isWater)
        canvas.draw(.labels(set))
      }
    }
    if hasSymbols { canvas.draw(.symbols(symbols(signs, priority: priority))) }
  }

  /// Whether points have signs: in the look of the layer or of a class.
  private var hasSymbols: Bool {
    !style.mark.symbol.isEmpty || style.classes?.hasSymbols ?? false
  }

  /// The signs of all points: one beyond the window may keep a lower one within from showing.
  private func symbols(_ signs: LayerSigns?, priority: Int) -> SymbolSet {
    let greatest = greatestSize
    let parts = blocks.enumerated().compactMap { number, block in
      block.dimensions & 0b1001 == 0
        ? nil
        : SymbolSet.Part(
          block: block.geometry, number: number, ranks: ranks(of: block),
          groupStyles: groupStyles(of: block), signs: signs.map { block.signs(by: $0) },
          sizes: greatest.flatMap { greatest in
            block.ranks(by: greatest.field, .high).map {
              RowSizes($0, greatest: greatest.value)
            }
          })
    }
    return SymbolSet(parts: parts, style: style.mark, priority: priority)
  }

  /// - Complexity: O(blocks).
  package func ranks(of block: GeometryBlock) -> FeatureRanks? {
    ranking == nil ? nil : self.block(with: block).flatMap { ranks(of: $0) }
  }

  private func ranks(of block: FeatureBlock) -> FeatureRanks? {
    ranking.flatMap { block.placeRanks(by: $0.field, $0.order) }
  }

  package func legend(in visible: Box?) -> [LegendEntry] {
    let dimensions = shownDimensions
    let (signs, sizes) = (signClasses, sizeLegend)
    if let classes = style.classes {
      let entries = legend(of: classes, in: visible)
      guard !sizes.isEmpty else { return entries }
      let heading = LegendEntry(
        text: "size", mark: style.mark, dimension: 0, note: "by \(style.sizeField ?? "")",
        isHeading: true)
      return entries.map { entry in
        var entry = entry
        // The signs stand for sizes.
        if signs != nil, entry.dimension == 0 { entry.mark.symbol = style.mark.symbol }
        return entry
      } + [heading] + sizes
    }
    return dimensions.flatMap { dimension -> [LegendEntry] in
      var entry = LegendEntry(text: name, mark: style.mark, dimension: dimension)
      if dimension == 1, let weights = lineWeights {
        (entry.mark.weight, entry.leastWeight) = (.bold, .light)
        let field = weights.field?.text ?? ""
        let isSize = style.sizeField.map { $0.hasSameBytes(as: field) } ?? false
        entry.note = (isSize ? "size by " : "by ") + field
      }
      guard dimension == 0 else {
        if style.labelField != nil, entry.note.isEmpty {
          let size = dimension == 1 ? "length" : "area"
          entry.names = "names by \(ranking?.field ?? size)"
        }
        return [entry]
      }
      if !sizes.isEmpty {
        (entry.note, entry.isHeading) = ("size by \(style.sizeField ?? "")", true)
        return [entry] + sizes
      }
      entry.note = rankNote
      guard let signs else { return [entry] }
      return entries(of: signs, entry)
    }
  }

  private var rankNote: String { ranking.map { "by \($0.field)" } ?? "no rank" }

  private func labels(
    of block: FeatureBlock, _ part: Int, texts: AttributeColumn, _ signs: LayerSigns?,
    isShown: (@Sendable (Int) -> Bool)?, isGeographic: Bool, priority: Int
  ) -> LabelSet {
    let geometry = block.geometry
    let ranks =
      ranking == nil ? block.sizeRanks(isGeographic: isGeographic) : ranks(of: block)
    return LabelSet(
      block: geometry, style: style.mark, groupStyles: groupStyles(of: block), priority: priority,
      part: part,
      text: { row in
        guard isShown?(row) ?? true else { return nil }
        let text = texts.value(row).text
        return text.isEmpty ? nil : text
      },
      rank: { ranks?[$0] ?? -.infinity }
    ).with(signs: signs.map { block.signs(by: $0) })
  }
}
