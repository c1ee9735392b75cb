package import Archiving

/// A layer as rows and columns, as a person arranged them. Only the pane that shows it holds it.
package struct TableView: TableShowing {
  package let id: ViewID
  package var name: String
  package var layer: LayerID?
  package var columns: [TableColumn] = []
  package var frozen = 0
  /// Fields that a newer program wrote.
  private var unread = UnreadFields()

  package init(id: ViewID, name: String) {
    self.id = id
    self.name = name
  }

  package var isHeldByPanes: Bool { true }
}

extension TableView: IdentifiedCoding {
  package static let archivedClass = ArchivedClass(
    "PortolanTableView", superclass: ViewFields.archivedClass)

  package func encode(with coder: any EncodingCoder) throws {
    try ViewFields(id: id, name: name).encode(with: coder)
    try coder.encodeInt(Int(clamping: layer?.rawValue ?? 0), forKey: "layer")
    try coder.encodeObjects(columns, forKey: "columns")
    try coder.encodeInt(frozen, forKey: "frozen")
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let view = try ViewFields(coder: coder)
    (id, name) = (view.id, view.name)
    layer = try coder.decodeOptionalNumber(forKey: "layer").map { LayerID($0) }
    columns = try coder.decodeObjectsIfPresent(TableColumn.self, forKey: "columns") ?? []
    frozen = try coder.decodeIntIfPresent(forKey: "frozen") ?? 0
    guard frozen >= 0 else {
      throw coder.invalidValue("\(frozen) is no number of columns", forKey: "frozen")
    }
    unread = try coder.unreadFields()
  }
}
