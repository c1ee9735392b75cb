package import Archiving

/// The whole map, with the rectangle of a map view. Only the pane that shows it holds it: after
/// that pane is closed it is not archived.
package struct OverviewView: OverviewShowing {
  package let id: ViewID
  package var name: String
  /// Fields that a newer program wrote.
  private var unread = UnreadFields()

  package init(id: ViewID, name: String) {
    self.id = id
    self.name = name
  }

  package var isHeldByPanes: Bool { true }
}

extension OverviewView: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanOverviewView", superclass: ViewFields.archivedClass)

  package func encode(with coder: any EncodingCoder) throws {
    try ViewFields(id: id, name: name).encode(with: coder)
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let view = try ViewFields(coder: coder)
    id = view.id
    name = view.name
    unread = try coder.unreadFields()
  }
}
