package import Archiving
package import PortolanGraphics

/// A layer of notes upon the map: texts at points, arrows, boxes, and callouts.
///
/// A note is a feature. Its text, an attribute, stands at its point, before the beginning of its
/// line or in the middle of its area; nothing moves it. A line is an arrow to its last
/// vertex: with a text, a callout. The attribute is the one of the layer's labels.
package struct AnnotationLayer: BlockHolding, NoteHolding {
  package let id: LayerID
  package var name: String
  package var title = ""
  package var isVisible = true
  package var isLocked = false
  package var parent: LayerID?
  package var zooms = ZoomBounds.all
  package var style: Style
  package var source = CollectionSource.plain
  package var blocks: [FeatureBlock] = []
  package var nextFeatureID: UInt64 = 1
  /// Fields of the layer that a newer program wrote.
  var unread = UnreadFields()

  /// Makes a visible layer without notes.
  package init(id: LayerID, name: String) {
    self.id = id
    self.name = name
    style = Style(
      name: "", mark: MarkStyle(stroke: Colour(red: 0xFF, green: 0xD7, blue: 0x5F)),
      labelField: "text")
  }

  package var kindCode: String { "note" }
  package var textField: String { style.labelField ?? "text" }

  package func draw(on canvas: inout some Canvas, labelPriority priority: Int) {
    drawShapes(on: &canvas) { $0.endsInArrow = true }
    guard let field = style.labelField else { return }
    for block in blocks {
      guard let texts = block.channel(field) else { continue }
      let set = TextSet(
        block: block.geometry, style: style.mark, groupStyles: groupStyles(of: block)
      ) { row in
        let text = texts.value(row).text
        return text.isEmpty ? nil : text
      }
      canvas.draw(.texts(set))
    }
  }

  /// Notes explain themselves; their classes do not.
  package func legend(in visible: Box?) -> [LegendEntry] {
    style.classes.map { legend(of: $0, in: visible) } ?? []
  }

  package func hasSameRest(as former: AnnotationLayer) -> Bool {
    unread.isEmpty && former.unread.isEmpty && source.isSame(as: former.source)
  }

  package func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> AnnotationLayer {
    var copy = AnnotationLayer(id: id, name: name)
    (copy.isVisible, copy.isLocked, copy.parent) = (isVisible, isLocked, parent)
    copy.zooms = zooms
    copy.title = title
    (copy.style, copy.source) = (style, source)
    (copy.blocks, copy.nextFeatureID) = (blocks, nextFeatureID)
    copy.unread = unread.detached
    return copy
  }
}

extension AnnotationLayer: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanAnnotationLayer", superclass: LayerFields.archivedClass)

  package func encode(with coder: any EncodingCoder) throws {
    try LayerFields(of: self).encode(with: coder)
    try encodeFeatures(with: coder)
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let fields = try LayerFields(coder: coder)
    self.init(id: fields.id, name: fields.name)
    take(fields)
    try decodeFeatures(with: coder)
    unread = try coder.unreadFields()
  }
}
