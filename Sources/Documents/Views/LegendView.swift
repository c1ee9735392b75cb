package import Archiving

/// The legend of a map: its title, visibility and position.
package struct LegendView: View {
  package let id: ViewID
  package var name: String
  package var isShown: Bool
  /// Fields that a newer program wrote.
  private var unread = UnreadFields()

  package init(id: ViewID, name: String, isShown: Bool = true) {
    self.id = id
    self.name = name
    self.isShown = isShown
  }

  /// The same legend under another number.
  func numbered(_ id: ViewID) -> LegendView {
    var legend = LegendView(id: id, name: name, isShown: isShown)
    legend.unread = unread
    return legend
  }

  /// Whether two legends are equal but for their numbers.
  func isSame(as other: LegendView) -> Bool {
    id == other.id && name.hasSameBytes(as: other.name) && isShown == other.isShown
  }
}

extension LegendView: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanLegendView", superclass: ViewFields.archivedClass)

  package func encode(with coder: any EncodingCoder) throws {
    try ViewFields(id: id, name: name).encode(with: coder)
    try coder.encodeBool(isShown, forKey: "shown")
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let view = try ViewFields(coder: coder)
    id = view.id
    name = view.name
    isShown = try coder.decodeBoolIfPresent(forKey: "shown") ?? true
    unread = try coder.unreadFields()
  }
}
