package import Archiving
package import PortolanGraphics

/// A layer that holds others together: hidden or locked, it hides or locks all of them.
///
/// The layers of a group come right below it in the document's list and name it as their `parent`;
/// groups may be nested.
package struct GroupLayer: Layer {
  package let id: LayerID
  package var name: String
  package var title = ""
  package var isVisible: Bool
  package var isLocked: Bool
  package var parent: LayerID?
  package var zooms = ZoomBounds.all
  /// Without effect: each layer of the group has its own.
  package var style: Style
  /// Fields of the group that a newer program wrote.
  var unread = UnreadFields()

  /// Makes a visible group without layers.
  package init(id: LayerID, name: String, parent: LayerID? = nil) {
    self.id = id
    self.name = name
    self.parent = parent
    isVisible = true
    isLocked = false
    style = Style(name: "", mark: MarkStyle())
  }

  package var kindCode: String { "grp" }
  package var count: Int { 0 }
  package var extent: Box { .empty }
  package func legend(in visible: Box?) -> [LegendEntry] { [] }
  package var isGroup: Bool { true }

  package func draw(on canvas: inout some Canvas, labelPriority priority: Int) {}

  package func hasSameRest(as former: GroupLayer) -> Bool {
    unread.isEmpty && former.unread.isEmpty
  }

  package func renumbered(_ id: LayerID, name: String, parent: LayerID?) -> GroupLayer {
    var copy = GroupLayer(id: id, name: name, parent: parent)
    copy.isVisible = isVisible
    copy.isLocked = isLocked
    copy.zooms = zooms
    copy.title = title
    copy.style = style
    copy.unread = unread.detached
    return copy
  }
}

extension GroupLayer: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanGroupLayer", superclass: LayerFields.archivedClass)

  package func encode(with coder: any EncodingCoder) throws {
    try LayerFields(of: self).encode(with: coder)
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let fields = try LayerFields(coder: coder)
    self.init(id: fields.id, name: fields.name)
    take(fields)
    unread = try coder.unreadFields()
  }
}
