package import Archiving
package import PortolanGraphics

/// A view of a document: the content of a pane, archived with it.
///
/// To add a kind: `Views/<Kind>View.swift` and a line in `ViewKinds.all`. Nothing else names a
/// kind: a capability of some views is a protocol of its own such as `MapShowing`.
package protocol View: Coding, Sendable {
  var id: ViewID { get }
  var name: String { get set }
  /// The name of its class in archives.
  var className: String { get }
  /// Whether it is held only by the panes that show it, so that it is removed with them.
  var isHeldByPanes: Bool { get }
}

extension View {
  package var className: String { Self.archivedClass.name }
  package var isHeldByPanes: Bool { false }
}

/// A view of a map: its centre, magnification and projection.
package protocol MapShowing: View {
  /// The name of the shown map.
  var mapName: String { get set }
  /// m = 2^z; at 1 the whole world is 256 dots wide.
  var magnification: Double { get set }
  var center: Coordinate { get set }
  var projection: Projection { get set }
  /// Whether its legend is shown; `nil` without a legend, and setting it then has no effect.
  var showsLegend: Bool? { get set }
  /// Its overview. The reference is conditional: archived only if something else holds that view.
  var auxiliaryView: ViewID? { get set }

  /// The same map in a view of its own, without an overview.
  func copy(as id: ViewID, name: String) -> Self
}

/// A view of the whole map beside a map view.
package protocol OverviewShowing: View {}

/// A view of a layer as rows and columns.
package protocol TableShowing: View {
  /// The shown layer, which may be gone.
  var layer: LayerID? { get set }
  /// The columns that were arranged, in their order; others of the layer follow them, and some of
  /// them may be of attributes that the layer has no more.
  var columns: [TableColumn] { get set }
  /// The number of the first columns that stay when the others scroll.
  var frozen: Int { get set }
}

/// The fields of every view: the keys of `PortolanView`, which its kinds write first.
package struct ViewFields {
  package var id: ViewID
  package var name: String

  package static let archivedClass: ArchivedClass = "PortolanView"

  package init(id: ViewID, name: String) {
    self.id = id
    self.name = name
  }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(Int(clamping: id.rawValue), forKey: "id")
    try coder.encodeString(name, forKey: "name")
  }

  package init(coder: any DecodingCoder) throws {
    id = ViewID(try coder.decodeNumber(forKey: "id"))
    name = try coder.decodeStringIfPresent(forKey: "name") ?? ""
  }
}

extension IdentifiedCoding where Self: View {
  package var archiveIdentity: ViewID { id }

  package static func decodeArchiveIdentity(with coder: any DecodingCoder) throws -> ViewID {
    ViewID(try coder.decodeNumber(forKey: "id"))
  }
}
